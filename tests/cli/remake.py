"""Runs each command that README.md, CONTRIBUTING.md and docs/ tell the reader to run, in a clean clone.

    remake.py --check                     what the commands name is there: programs, options, scripts, presets,
                                          targets; and stored results name no folder of a machine (a test)
    remake.py --work FOLDER [--only RE]   clones into FOLDER/clone and runs them; --list shows what would be run,
                                          and what not, and why

Each runs once, at its smallest scale. Commands are the ```sh blocks, and those in `code` that run a script, a preset or
a test. What a block prints is not a concern of this one: ```console blocks are those of the test cli_documentation. The
clone gets the Python environments of this folder (./setup.sh needs the network)."""

import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {line.split()[0] for line in (ROOT / "tests/cli/options.txt").read_text().splitlines()}
OPTIONS = set((ROOT / "tests/cli/options.txt").read_text().splitlines())
PRESETS = json.loads((ROOT / "CMakePresets.json").read_text())
STORED = ("docs/results", "tests/bench/results", "tests/cases/trained")
OF_A_MACHINE = re.compile(r"[\"> ]((?:/[A-Za-z0-9_.-]+){3,})")
INLINE = re.compile(r"^(?:\S*python3? \S+\.py|cmake |ctest |cpack )\S*")

# (pattern, what is run in its place or None, why not): the first that matches. What no line matches is run as it is.
SMALLEST = [
    (r"^\./setup\.sh|pip install|python3 -m venv|download_data", None, "installs or fetches"),
    (
        r"^#|^for |^srun|mpirun|--device cuda|everything\.py|measure\.py|matrix\.py|pack\.py",
        None,
        "needs a device, a cluster, or MPI",
    ),
    (
        r"=tinystories/|data/tsm/\$split|--data data/gpt2|tune|convert_nanogpt|pythia|stories260K|"
        r"runs/others\.py$|^sample-tsm gpt2|device auto",
        None,
        "needs texts or models from elsewhere",
    ),
    (
        r"GPE_DATA=|runs/tsm\.py|runs/predictors\.py$|--scale cpu|--init runs/rope",
        None,
        "takes days; --scale ci is another command",
    ),
    (r"runs/study\.py", None, "takes hours: the test study_runs does it at a small size"),
    (r"jupytext --sync|cpack --config", None, "needs nothing of what is built"),
    (r"--preset package|build-package/", None, "packages: the tests of the preset package install them"),
    (r"--preset page|http\.server", None, "WebAssembly: the tests of the preset page build and open it"),
    (r"--preset proofs|^coqc", None, "Coq: the tests compile the library and the block, where it is there"),
    (r"^cmake --workflow --preset ([\w-]+)$", r"cmake --preset \1 && cmake --build --preset \1", ""),
    (r"^cmake --install (\S+) --prefix DIR$", r"cmake --install \1 --prefix installed", ""),
    (r"(skipped_tiles\.py)$", r"\1 --tokens 1024", ""),
    (r"(peers/points\.py)$", r"\1 --count 20", ""),
    (r"(peers/sums\.py)$", r"\1 --only fifty --ids V01 --limit 5", ""),
    (r"(peers/run\.py)$", r"\1 --limit 0.01 --output build-bench/questions.json", ""),
    (r"(model/speed\.py)$", r"\1 --rounds 1 --only log_entropy", ""),
    (r"^(build-bench/bin/audit_attack_bench)$", r"\1 --gtest_list_tests", ""),
    (r"^(build-bench/bin/attacks_bench)$", r"\1 10 1", ""),
    (
        r"runs/ape\b|data/runs/(?:ape|rope)-64|^(train|evaluate|sample)-tsm|^probe-attention|\.bin\b|audit-claims.*--results",
        None,
        "the example of a run, which the tests of the model make at a small size",
    ),
    (r"DIR\b|RUN\b|ROW\b|FILE\b|N`", None, "a form to be filled in"),
]
NOT_OURS = {
    "cmake",
    "coqc",
    "ctest",
    "cpack",
    "mpirun",
    "srun",
    "pip",
    "python3",
    "for",
    "done",
    "do",
    "cat",
    ".",
    "#!/bin/bash",
    "--data",
    "./setup.sh",
}


def commands():
    """(page, line, command), in order; one for each part of `a && b`."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        found = [
            (m.start(), line)
            for m in re.finditer(r"^```sh\n(.*?)^```", text, re.S | re.M)
            for line in m.group(1).replace("\\\n", " ").splitlines()
            if not m.group(1).startswith("#!")
        ]
        found += [
            (m.start(), m.group(1)) for m in re.finditer(r"(?<!`)`([^`\n]+)`(?!`)", text) if INLINE.match(m.group(1))
        ]
        for at, line in sorted(found, key=lambda one: one[0]):
            for command in line.split("#")[0].split(" && ") if not line.startswith("#") else []:
                if command.strip():
                    yield page.name, text[:at].count("\n") + 1, " ".join(command.split())


def smallest(command):
    for pattern, run, why in SMALLEST:
        if re.search(pattern, command):
            return (None, why) if run is None else (re.sub(pattern, run, command), "")
    return command, ""


def targets(preset):
    found = next((p for p in PRESETS["buildPresets"] if p["name"] == preset), None)
    return None if found is None else found.get("targets", [])


def wrong(command, page_text):
    """What the command names and is not there."""
    for program, kind, preset in re.findall(r"(ctest )?(--workflow )?--preset ([\w-]+)", command):
        presets = {"ctest ": "testPresets", "--workflow ": "workflowPresets"}.get(program or kind, "configurePresets")
        if not any(known["name"] == preset for known in PRESETS[presets]):
            yield f"no preset {preset}"
    words = shlex.split(command, comments=True)
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        words = words[1:]
    name = Path(words[0]).name if words else ""
    if name.startswith("python") and len(words) > 1 and words[1].endswith(".py"):
        script = ROOT / words[1]
        if not script.is_file():
            yield f"no script {words[1]}"
            return
        source = script.read_text()
        yield from (
            f"{words[1]} has no {word}"
            for word in words[2:]
            if word.startswith("--") and f'"{word.split("=")[0]}"' not in source
        )
        if words[0] == "python3":  # what the system has, without the environments of ./setup.sh
            imported = set(re.findall(r"^(?:import|from) (\w+)", source, re.M))
            own = {path.stem for path in script.parent.glob("*.py")}
            yield from (
                f"{words[1]} needs {module}, which python3 may lack"
                for module in sorted(imported - own - sys.stdlib_module_names)
            )
        for preset, program in re.findall(r'ROOT / "build-([\w-]+)" / "bin" / "(\w+)"', source):
            if f"--preset {preset}" not in page_text:
                yield f"{words[1]} runs build-{preset}/bin/{program}, and the page does not say how that is built"
            elif program not in targets(preset):
                yield f"{words[1]} runs {program}, which the preset {preset} does not build"
    elif name in PROGRAMS:
        yield from (
            f"{name} has no {word}"
            for word in words[1:]
            if word.startswith("--") and f"{name} {word.split('=')[0]}" not in OPTIONS
        )
    elif built := re.fullmatch(r"build-([\w-]+)/bin/(\w+)", words[0] if words else ""):
        preset, program = built.groups()
        if (
            f"--target {program}" not in page_text
            and f"--preset {preset}" in page_text
            and targets(preset)
            and program not in targets(preset)
        ):
            yield f"the preset {preset} does not build {program}"
    elif tests := re.fullmatch(r"build/bin/(tests_\w+)", words[0] if words else ""):
        lists = (path.read_text() for path in (ROOT / "tests").glob("*/CMakeLists.txt"))
        if not any(re.search(rf"gpe_tests\({tests[1]}\s", text) for text in lists):
            yield f"no test folder makes {tests[1]}"
    elif (
        name and words[0] not in NOT_OURS and not (ROOT / words[0]).exists() and not words[0].startswith((".venv", "$"))
    ):
        yield f"{words[0]} is not a program of this project"


def check():
    found = list(commands())
    faults = [
        f"{page}:{line}: {fault}: {command}"
        for page, line, command in found
        for fault in wrong(
            command,
            next(
                p for p in (ROOT / page, ROOT / "docs" / page, ROOT / "docs" / "tables" / page) if p.is_file()
            ).read_text(),
        )
    ]
    for path in (path for folder in STORED for path in sorted((ROOT / folder).rglob("*.*"))):
        if path.suffix in (".json", ".html") and (place := OF_A_MACHINE.search(path.read_text())):
            faults.append(f"{path.relative_to(ROOT)}: {place[1]} is a place of one machine")
    print("\n".join(faults) if faults else f"{len(found)} commands: what they name is there")
    return len(faults)


def run_all(work, only):
    clone = work / "clone"
    if not clone.exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        (clone / ".venv").symlink_to((ROOT / ".venv").resolve())
    failed, done = 0, set()
    for page, line, command in commands():
        here, why = smallest(command)
        if here is None or here in done or not re.search(only, f"{page} {command}"):
            continue
        done.add(here)
        print(f"{page}:{line}: {here}", flush=True)
        path = ":".join(str(clone / place / "bin") for place in ("build", "build-bench"))
        result = subprocess.run(
            ["bash", "-c", f'PATH="{path}:$PATH"; {here}'], cwd=clone, capture_output=True, text=True
        )
        if result.returncode != 0:
            failed += 1
            print(
                f"  exit {result.returncode}\n  " + "\n  ".join((result.stdout + result.stderr).splitlines()[-15:]),
                flush=True,
            )
    print(f"{len(done)} run, {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--only", default="", help="commands whose page and text this finds")
    o = parser.parse_args()
    if o.check:
        return 1 if check() else 0
    if o.list:
        for page, line, command in commands():
            here, why = smallest(command)
            told = f"not run: {why}"
            if here is not None:
                told = "run" if here == command else f"run: {here}"
            print(f"{page}:{line}: {command}\n    {told}")
        return 0
    if o.work is None:
        parser.error("expected --check, --list or --work FOLDER")
    return 1 if run_all(o.work, o.only) else 0


if __name__ == "__main__":
    sys.exit(main())
