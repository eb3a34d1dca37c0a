"""Files from strangers: checkpoints, token files, tokenizers, data sets, configurations and
reports that try to do harm, or are damaged.

    python tests/model/hostile_files_test.py BIN [--random N] [--seed N] [--every N] WORK

Each ends with exit code 2 and one printable line (1 where a model computes no numbers); nothing is written outside of
the folder that was named, nothing that lies outside comes into it, and none takes long. Damage that does no harm may be
accepted: then all numbers are finite.
"""

import argparse
import pathlib
import random
import shutil

from hostile_checkpoints import checkpoint_cases, flip_cases, header_cases
from hostile_data import config_cases, data_cases, key_cases, tokenizer_cases
from hostile_files import Base, Case
from hostile_reports import report_cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", type=pathlib.Path, metavar="BIN")
    parser.add_argument("--random", type=int, default=2, help="cases of each random kind (default 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=2, help="one file of so many (default 2)")
    parser.add_argument("work", type=pathlib.Path, metavar="WORK")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    work = arguments.work.resolve()
    generator, count = random.Random(arguments.seed), arguments.random
    base = Base(arguments.programs, work)
    cases = [
        *checkpoint_cases(),
        *header_cases(generator, count),
        *flip_cases(generator, count),
        *data_cases(),
        *key_cases(),
        *tokenizer_cases(generator, count),
        *config_cases(),
        *report_cases(generator, count),
    ]
    assert len(cases) >= 150
    wrong = []
    for number, (name, command, expected, change) in list(enumerate(cases))[:: arguments.every]:
        trouble = Case(base, work, f"{number}", command, expected, change).check()
        if trouble:
            wrong.append(f"{name}: {trouble}")
            print(wrong[-1], flush=True)
    print(f"{len(cases)} files, one in {arguments.every} read, {len(wrong)} of them wrong")
    assert not wrong


if __name__ == "__main__":
    main()
