# Tests: tests/model/prepare_data_test.py
"""prepare-data: texts become the token files that train-tsm and evaluate-tsm read."""

import os
import sys

try:
    import numpy  # noqa: F401
    import tokenizers  # noqa: F401
except ImportError as error:
    print(f"prepare-data: the Python package {error.name} is absent; ./setup.sh --tests installs those of "
          "requirements-data.txt into .venv (GPE_PYTHON names another Python)", file=sys.stderr)
    sys.exit(1)

import command_line
from bad_input import BadInput, printable
from preparation import prepare

try:
    options = command_line.parse(sys.argv[1:])
    prepare(options)
    sys.stdout.flush()
except BadInput as error:
    print(f"prepare-data: {printable(error)}", file=sys.stderr)
    sys.exit(2)
except BrokenPipeError:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
except OSError as error:
    print(f"prepare-data: {printable(error.filename or '')}: {error.strerror or error}", file=sys.stderr)
    sys.exit(1)
