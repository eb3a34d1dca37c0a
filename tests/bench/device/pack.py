"""What a machine with a device takes along: programs, libraries, tables and token files, in the folder device/, which git ignores.

Usage: .venv/bin/python tests/bench/device/pack.py [--build FOLDER] [--data FOLDER]

Carry the folder beside the repository's own files; it is refused beyond 64 MiB. The programs are built without MPI in a folder of
their own. LibTorch, CUDA and Python are those of the other machine: torch 2.11 with CUDA 13."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import place

ROOT = place.ROOT
PROGRAMS = ("train-tsm", "evaluate-tsm", "probe-attention", "tests_cuda", "tests_device", "tables_tool")
LIBRARIES = ("libgpe_kernels.so", "libgpe_cuda.so")
MOST = 64 << 20
LEFT = re.compile(r"/(torch|nvidia)/|/(lib(c|m|dl|pthread|rt|util|resolv|gcc_s|stdc\+\+)\.so|ld-linux)")  # of the other machine


def build(folder):
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DGPE_MODEL=ON", "-DGPE_TESTS=ON",
                    "-DGPE_MPI=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", *PROGRAMS, "gpe_kernels", "gpe_cuda"], check=True)


def needed(binary):
    """Paths of the libraries that a binary finds here."""
    text = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    found = [line.split(" => ")[1].split(" (")[0] for line in text.splitlines() if " => /" in line]
    return [Path(path) for path in found if not LEFT.search(path)]


def pack(folder, data, pack_to):
    shutil.rmtree(pack_to, ignore_errors=True)
    (pack_to / "bin").mkdir(parents=True)
    (pack_to / "lib").mkdir()
    binaries = []
    for name in PROGRAMS:
        source = next((path for path in (folder / "bin" / name, *folder.glob(f"tests/**/{name}")) if path.is_file()), None)
        if source is None:
            sys.exit(f"{folder}: there is no {name}")
        binaries.append(shutil.copy(source, pack_to / "bin" / name))
    binaries += [shutil.copy(folder / "lib" / name, pack_to / "lib" / name) for name in LIBRARIES]
    for binary in binaries:
        for library in needed(binary):
            if not (pack_to / "lib" / library.name).exists():
                shutil.copy(library, pack_to / "lib" / library.name)
    for path in [*(pack_to / "bin").iterdir(), *(pack_to / "lib").iterdir()]:
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
    if data is not None:
        shutil.copytree(data, pack_to / "data", ignore=shutil.ignore_patterns("*.txt"))
    version = subprocess.run([folder / "bin" / "train-tsm", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    (pack_to / "version.txt").write_text(f"{version}, {place.trees()}\n")
    size = sum(path.stat().st_size for path in pack_to.rglob("*") if path.is_file())
    print(f"carry: {pack_to.relative_to(ROOT)} ({size / (1 << 20):.1f} MiB)")
    if size > MOST:
        sys.exit(f"that is more than {MOST >> 20} MiB: pack fewer token files")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build-device")
    parser.add_argument("--data", type=Path, help="token files of prepare-data, for matrix.py")
    parser.add_argument("--no-build", action="store_true", help="what is built in --build already")
    arguments = parser.parse_args()
    if arguments.data is not None and not (arguments.data / "train.bin").exists():
        sys.exit(f"{arguments.data}: there is no train.bin")
    if not arguments.no_build:
        build(arguments.build)
    pack(arguments.build.resolve(), arguments.data, place.PACK)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
