"""The functions of a module whose names begin with test_, one after the other; the first that fails ends the run."""

import pathlib
import shutil


def each_test(module, *arguments):
    """@param module  its globals()"""
    tests = [(name, test) for name, test in module.items() if name.startswith("test_")]
    assert tests, "no test in this module"
    for name, test in tests:
        print(name, flush=True)
        test(*arguments)


def fresh_folder(path):
    """The folder, empty; not one that holds a repository."""
    folder = pathlib.Path(path)
    assert not (folder / ".git").exists(), f"{folder} holds a repository"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
