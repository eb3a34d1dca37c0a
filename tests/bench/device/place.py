"""Where things are: programs, libraries, token files and the machine they run on."""

import contextlib
import datetime
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from record import CPU, ROOT, git, rounded, trees, write  # noqa: E402, F401

PACK = ROOT / "device"  # of pack.py
ARCHIVE = "pack.tar.gz"


def unpack():
    """What pack.py packed, where it is not unpacked yet."""
    if (PACK / ARCHIVE).exists() and not (PACK / "bin").exists():
        with tempfile.TemporaryDirectory(dir=PACK) as work, tarfile.open(PACK / ARCHIVE) as archive:
            archive.extractall(work, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            for path in sorted(Path(work).iterdir(), reverse=True):  # bin last
                if (PACK / path.name).is_dir():  # of a call that was cut off
                    shutil.rmtree(PACK / path.name)
                path.rename(PACK / path.name)


@contextlib.contextmanager
def work_folder(folder):
    """That one, or a temporary one."""
    if folder is not None:
        yield folder
    else:
        with tempfile.TemporaryDirectory() as work:
            yield Path(work)


class Stopped(Exception):
    """A program was told to stop, and saved what it had."""


class Place:
    def __init__(self, programs, work, rehearse):
        unpack()
        packed = (PACK / "bin").exists()
        self.programs = (programs or (PACK if packed else ROOT / "build") / "bin").resolve()
        self.work, self.rehearse = work, rehearse

    def kernels(self):
        if self.rehearse:
            return self.programs.parent / "lib" / "liblane_kernels.so"
        return self.programs.parent / "lib" / "libgpe_kernels.so"

    def environment(self):
        """Programs were linked with LibTorch in another place: its libraries are those of this Python."""
        torch_folder = Path(torch.__file__).parent
        packages = torch_folder.parent / "nvidia"
        folders = [self.programs.parent / "lib", torch_folder / "lib", *sorted(packages.glob("*/lib"))]
        return os.environ | {"LD_LIBRARY_PATH": ":".join(map(str, folders))}

    def call(self, program, *arguments, codes=(0,)):
        """Standard output of a program that ends with one of these exit codes."""
        command = [self.programs / program, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, env=self.environment())
        if result.returncode not in codes:
            raise RuntimeError(f"{program} {' '.join(map(str, arguments))}\n{result.stderr}")
        return result.stdout

    def call_until(self, deadline, program, *arguments):
        """The same, told to stop at that time of time.monotonic(): programs save what they have then."""
        process = subprocess.Popen(
            [self.programs / program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(),
        )
        try:
            _, errors = process.communicate(timeout=max(1.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.terminate()
            process.communicate(timeout=60)
            raise Stopped from None
        if process.returncode != 0:
            raise RuntimeError(f"{program} {' '.join(map(str, arguments))}\n{errors}")

    def tables(self, encoding, tokens, heads, head_dim):
        file = self.work / f"{encoding}-{tokens}-{heads}-{head_dim}.safetensors"
        if not file.exists():
            windows = ["1/512", 5] if encoding.startswith("alibi") else []
            toml = ROOT / "theory" / "encodings" / f"{encoding}.toml"
            partial = file.with_suffix(f".{os.getpid()}.tmp")  # another process may make the same tables
            self.call("tables_tool", toml, tokens, heads, head_dim, partial, *windows)
            partial.replace(file)
        return load_tensors(file)

    def peak_bytes(self, function):
        """The most memory of the device that a call takes beyond what is there; 0 on the CPU."""
        if self.rehearse:
            function()
            return 0
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        function()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before

    def about(self):
        return {
            "command": "python3 tests/bench/device/everything.py --output FOLDER --seconds N --data data/gpt2",
            "machine": machine(),
            "version": version(self),
            "date": datetime.date.today().isoformat(),
            "torch": torch.__version__,
            "python": platform.python_version(),
        }


TYPES = {"F64": torch.float64, "F32": torch.float32, "BF16": torch.bfloat16, "I32": torch.int32}


def load_tensors(file):
    """The tensors of a safetensors file; the package is not everywhere."""
    content = bytearray(Path(file).read_bytes())
    begin = 8 + int.from_bytes(content[:8], "little")
    result = {}
    for name, about in json.loads(content[8:begin]).items():
        if name != "__metadata__":
            first, last = about["data_offsets"]
            numbers = torch.frombuffer(content[begin + first : begin + last], dtype=TYPES[about["dtype"]])
            result[name] = numbers.view(about["shape"])
    return result


def machine():
    result = {"CPU": CPU()}
    if torch.cuda.is_available():
        found = torch.cuda.get_device_properties(0)
        result |= {"device": found.name, "multiprocessors": found.multi_processor_count, "bytes": found.total_memory}
        asked = ("driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "power.limit", "temperature.gpu")
        query = subprocess.run(
            ["nvidia-smi", f"--query-gpu={','.join(asked)}", "--format=csv,noheader"], capture_output=True, text=True
        )
        if query.returncode == 0:
            answers = query.stdout.splitlines()[0].split(",")
            result |= {name: answer.strip() for name, answer in zip(asked, answers, strict=True)}
    return result


def version(place):
    """Of the programs, and the git trees of their sources: where git is absent, as pack.py wrote it."""
    if (PACK / "version.txt").exists() and place.programs == (PACK / "bin").resolve():
        return (PACK / "version.txt").read_text().strip()
    text = place.call("train-tsm", "--version").strip()
    return f"{text}, {trees()}"


def summary(result):
    """The numbers of a row that its goal is about, in a line."""
    parts = []
    for key, value in result.items():
        if key == "ratio":
            parts.append(f"ratio {value['median']:.3g} ({value['low']:.3g} to {value['high']:.3g})")
        elif key in ("errors", "worst", "skipped", "factor", "over_eager", "over_compiled", "over_floor", "seconds"):
            parts.append(f"{key} {value:.3g}")
        elif key in ("encodings", "contexts"):
            parts.append(", ".join(f"{name} {part['factor']:.3g}" for name, part in value.items()))
        elif key == "flex" and "ratio" in value:
            parts.append(f"flex {value['ratio']['median']:.3g}")
    return "; ".join(parts)


def median_speed(log):
    """Tokens per second of the second half of a run's log: before that, libraries set themselves up."""
    entries = [json.loads(line) for line in Path(log).read_text().splitlines()]
    speeds = [entry["tokens_per_second"] for entry in entries if "tokens_per_second" in entry]
    late = speeds[len(speeds) // 2 :]
    return {"median": statistics.median(late), "low": min(late), "high": max(late), "samples": len(late)}


if __name__ == "__main__":
    sys.exit("a module of the scripts beside it")
