"""Files that are written whole or not at all."""
# Tests: tests/python/gpe_command_test.py, tests/python/test_sweep.py

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from gpe._reports import printable


def write(output: str | os.PathLike[str], data: bytes) -> None:
    """The whole file or none; what is no regular file (a pipe, a device) gets the bytes."""
    path = Path(output)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path = path.resolve()
        handle, partial = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(partial, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
            os.replace(partial, path)
        except BaseException:
            os.unlink(partial)
            raise
    except OSError as error:
        raise OSError(f"{printable(os.fspath(output), 500)} cannot be written: {error.strerror}") from error
