"""Programs, libraries, tests and token files for a machine with a device: device/pack.tar.gz, which git ignores.

Usage: .venv/bin/python tests/bench/device/pack.py [--build FOLDER] [--data FOLDER]

Carry the archive beside the repository's own files, with which it is refused beyond 64 MiB; the scripts unpack it
there. The programs are built without MPI in a folder of their own. LibTorch, CUDA and Python are those of the other
machine: torch 2.11 with CUDA 13."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import place

ROOT = place.ROOT
PROGRAMS = ("train-tsm", "evaluate-tsm", "probe-attention", "tests_cuda", "tests_device", "tables_tool")
LIBRARIES = ("libgpe_kernels.so", "libgpe_cuda.so", "liblane_kernels.so")  # the last for a rehearsal
MOST_PACK, MOST = 50 << 20, 64 << 20
LEFT = re.compile(
    r"/(torch|nvidia)/|/(lib(c|m|dl|pthread|rt|util|resolv|gcc_s|stdc\+\+)\.so|ld-linux)"
)  # of the other machine


def build(folder):
    subprocess.run(
        [
            "cmake",
            "-S",
            ROOT,
            "-B",
            folder,
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DGPE_MODEL=ON",
            "-DGPE_TESTS=ON",
            "-DGPE_MPI=OFF",
            "-DGPE_CUDA_ARCHITECTURES=80;90",
            "-DGPE_TESTS_SOURCE_DIR=.",
        ],
        check=True,
    )  # tests are run in the repository's root
    subprocess.run(
        ["cmake", "--build", folder, "--target", *PROGRAMS, "gpe_kernels", "gpe_cuda", "lane_library"], check=True
    )


def needed(binary):
    """Paths of the libraries that a binary finds here."""
    text = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    found = [line.split(" => ")[1].split(" (")[0] for line in text.splitlines() if " => /" in line]
    return [Path(path) for path in found if not LEFT.search(path)]


def collect(folder, data, pack_to):
    (pack_to / "bin").mkdir()
    (pack_to / "lib").mkdir()
    binaries = []
    for name in PROGRAMS:
        source = next(
            (path for path in (folder / "bin" / name, *folder.glob(f"tests/**/{name}")) if path.is_file()), None
        )
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
    version = subprocess.run(
        [folder / "bin" / "train-tsm", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (pack_to / "version.txt").write_text(f"{version}, {place.trees()}\n")


def pack(folder, data):
    shutil.rmtree(place.PACK, ignore_errors=True)
    place.PACK.mkdir()
    archive = place.PACK / place.ARCHIVE
    with tempfile.TemporaryDirectory() as work:
        collect(folder, data, Path(work))
        with tarfile.open(archive, "w:gz") as to:
            for path in sorted(Path(work).iterdir()):
                to.add(path, path.name)
    listed = [ROOT / name for name in place.git("ls-files").splitlines()]
    sources = sum(path.stat().st_size for path in listed if path.is_file())
    size = archive.stat().st_size
    print(
        f"carry: {archive.relative_to(ROOT)}, {size / (1 << 20):.1f} MiB, and the sources, "
        f"{sources / (1 << 20):.1f} MiB"
    )
    if size > MOST_PACK or size + sources > MOST:
        sys.exit(f"more than {MOST_PACK >> 20} MiB, or {MOST >> 20} with the sources: pack fewer token files")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build-device")
    parser.add_argument("--data", type=Path, help="token files of prepare-data, for trio.py")
    parser.add_argument("--no-build", action="store_true", help="what is built in --build already")
    arguments = parser.parse_args()
    if arguments.data is not None and not (arguments.data / "train.bin").exists():
        sys.exit(f"{arguments.data}: there is no train.bin")
    if not arguments.no_build:
        build(arguments.build)
    pack(arguments.build.resolve(), arguments.data)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
