"""Files from strangers: checkpoints, token files, tokenizers, data sets, configurations and
reports that try to do harm, or are damaged.

    python tests/model/hostile_files_test.py BIN WORK [SEED]

Each ends with exit code 2 and one printable line (1 where a model computes no numbers); nothing is written outside of
the folder that was named, nothing that lies outside comes into it, and none takes long. Damage that does no harm may be
accepted: then all numbers are finite.
"""

import pathlib
import random
import shutil
import sys

from hostile_checkpoints import checkpoint_cases, flip_cases, header_cases
from hostile_data import config_cases, data_cases, key_cases, tokenizer_cases
from hostile_files import Base, Case
from hostile_reports import report_cases


def main():
    programs, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    work = work.resolve()
    generator = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    base = Base(programs, work)
    cases = [
        *checkpoint_cases(),
        *header_cases(generator, 20),
        *flip_cases(generator, 10),
        *data_cases(),
        *key_cases(),
        *tokenizer_cases(generator, 10),
        *config_cases(),
        *report_cases(generator, 20),
    ]
    wrong = []
    for number, (name, command, expected, change) in enumerate(cases):
        trouble = Case(base, work, f"{number}", command, expected, change).check()
        if trouble:
            wrong.append(f"{name}: {trouble}")
            print(wrong[-1], flush=True)
    print(f"{len(cases)} files, {len(wrong)} of them wrong")
    assert not wrong and len(cases) >= 150


if __name__ == "__main__":
    main()
