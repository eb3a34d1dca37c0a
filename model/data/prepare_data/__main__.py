"""prepare-data: texts become the token files that train-tsm and evaluate-tsm read."""
# Tests: tests/model/prepare_data_test.py

import contextlib
import io
import os
import sys

try:
    import numpy  # noqa: F401
    import tokenizers  # noqa: F401
except ImportError as error:
    print(
        f"prepare-data: the Python package {error.name} is absent; ./setup.sh --model installs those of "
        "requirements-data.txt into .venv (GPE_PYTHON names another Python)",
        file=sys.stderr,
    )
    sys.exit(1)

import command_line
from bad_input import BadInput, printable
from preparation import prepare


def run():
    """@returns the exit code"""
    try:
        prepare(command_line.parse(sys.argv[1:]))
    except SystemExit as done:  # --help and --version
        return done.code
    except BadInput as error:
        print(f"prepare-data: {printable(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"prepare-data: {printable(error.filename or '')}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


with contextlib.redirect_stdout(io.StringIO()) as said:  # argparse does not tell when its help cannot be written
    code = run()
try:
    os.write(1, b"")  # fails where it is closed
    print(said.getvalue(), end="", flush=True)
except OSError as error:
    if not isinstance(error, BrokenPipeError):
        print("prepare-data: standard output cannot be written", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing more is said at the end
    code = 1
sys.exit(code)
