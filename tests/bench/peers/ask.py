"""One question to one process, with a limit on its CPU time."""

import os
import re
import resource
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Answer:
    word: str  # what followed RESULT, such as "conv"; "none" or "timeout"
    seconds: float  # of CPU time, starting included


def run(command: list[str], limit: float, folder: Path) -> Answer:
    """Runs in `folder`, where some leave files. CPU time, so that other work on the machine changes nothing; four times
    as long by the clock ends it too."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=limited,
    )
    try:
        output, _ = process.communicate(timeout=4 * limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode < 0 and -process.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return Answer("timeout", seconds)
    # the echo of a question does not begin the line
    found = re.findall(r'^"?RESULT (\S+?)"?\s*$', output, re.MULTILINE)
    return Answer(found[-1] if found else "none", seconds)
