"""The programs of one folder, run in another, for tests."""

import subprocess


class Programs:
    def __init__(self, folder, work):
        self.folder, self.work = folder, work

    def __call__(self, program, *arguments, expect=0):
        """Standard output and standard error; bad use is one line on standard error and nothing else."""
        result = subprocess.run(
            [self.folder / program, *(str(a) for a in arguments)], capture_output=True, text=True, cwd=self.work
        )
        assert result.returncode == expect, (program, arguments, result)
        assert expect != 2 or (result.stdout == "" and result.stderr.count("\n") == 1), result
        return result.stdout, result.stderr
