"""Long work on a terminal: what is under way, and what is left, also within one long step; nothing elsewhere.

python tests/cli/progress_test.py BIN
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

COMMAND = "check-properties --all --quiet"
WANTED = r"check-properties: reports \[[# ]{20}\] \d+ %, (\d+ s left|for \d+ s)"


def shown(bin_folder, command, wanted):
    """Standard error of the command on a terminal, until it shows this, for 60 seconds at most."""
    ours, theirs = pty.openpty()
    program, *arguments = command.split()
    child = subprocess.Popen([f"{bin_folder}/{program}", *arguments], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    text = ""
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end and not re.search(wanted, text):
            if select.select([ours], [], [], 1)[0]:
                try:
                    text += os.read(ours, 4096).decode()
                except OSError:  # the program has ended
                    break
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        os.close(ours)
    return text


def main():
    bin_folder = sys.argv[1]
    text = shown(bin_folder, COMMAND, WANTED)
    assert re.search(WANTED, text), repr(text)
    done = subprocess.run(
        [f"{bin_folder}/check-properties", "alibi", "--quiet"], capture_output=True, text=True, check=True
    )
    assert done.stderr == "", done.stderr


if __name__ == "__main__":
    main()
