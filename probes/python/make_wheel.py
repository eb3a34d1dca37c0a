"""The wheel that needs no compiler and no package of the system: from a build folder, with the
libraries of Debian that its programs need.

    python make_wheel.py BUILD OUTPUT

auditwheel copies the libraries and names the oldest glibc with which the wheel runs. Of NTL, to which FLINT refers for
conversions between the two, it gets the names alone: NTL itself would ask for a libstdc++ newer than that of the
systems meant (GLIBCXX_3.4.30).
"""
# Tests: tests/package/package_test.py

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

HERE = Path(__file__).resolve().parent
OF_TORCH = ("libtorch*", "libc10*", "libgomp*")  # there where torch is, or the operators are not loaded
IN_PROGRAMS = ("nlohmann-json3-dev", "libtomlplusplus-dev", "libcli11-dev", "libeigen3-dev")  # headers
COMMON = Path("/usr/share/common-licenses")


def output_of(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def libraries_of(programs, first=""):
    """{"libflint.so.17": its path, ...}: what these load, without glibc, libstdc++ and libgcc;
    those in the folder `first` go first."""
    told = "".join(output_of("ldd", program, env=os.environ | {"LD_LIBRARY_PATH": str(first)}) for program in programs)
    own = re.compile(r"lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux")
    return {
        name: Path(path) for name, path in sorted(re.findall(r"^\t(\S+) => (\S+)", told, re.M)) if not own.match(name)
    }


def symbols_of(library, defined):
    with open(library, "rb") as file:
        table = ELFFile(file).get_section_by_name(".dynsym")
        return {
            symbol.name: symbol.entry
            for symbol in table.iter_symbols()
            if (symbol.entry.st_shndx != "SHN_UNDEF") == defined and symbol.name
        }


def names_alone(name, libraries, folder):
    """A library of this name with those of its symbols to which the others refer; to call one ends the program."""
    asked = {symbol for other, path in libraries.items() if other != name for symbol in symbols_of(path, defined=False)}
    lines = []
    for symbol, entry in sorted(symbols_of(libraries[name], defined=True).items()):
        if symbol in asked and "ntl" in symbol.lower():
            if entry.st_info.type == "STT_FUNC":
                lines.append(f"void {symbol}(void) {{ __builtin_trap(); }}")
            else:
                thread = "__thread " if entry.st_info.type == "STT_TLS" else ""
                lines.append(f"{thread}char {symbol}[{entry.st_size}] __attribute__((aligned(16)));")
    (folder / "names.c").write_text("\n".join(lines) + "\n")
    run(
        "cc",
        "-shared",
        "-fPIC",
        "-O2",
        "-w",
        "-nostdlib",
        f"-Wl,-soname,{name}",
        "-o",
        folder / name,
        folder / "names.c",
    )


def write_licenses(libraries, folder):
    """The texts of what the wheel holds, and where its sources are."""
    owners = {output_of("dpkg-query", "-S", f"*/{name}").partition(":")[0] for name in libraries}
    texts, sources = {}, []
    for package in (*sorted(owners), *IN_PROGRAMS):
        texts[package] = Path(f"/usr/share/doc/{package}/copyright").read_text()
        sources.append(
            f"{package}: source package "
            + output_of("dpkg-query", "-W", "-f=${source:Package} ${source:Version}\n", package).splitlines()[0]
        )
    for name in sorted(
        {Path(path).name for text in texts.values() for path in re.findall(rf"{COMMON}/[\w.-]*\w", text)} | {"GPL-3"}
    ):
        texts[name] = (COMMON / name).read_text()
    (folder / "licenses.txt").write_text(
        "The libraries and headers of Debian in this wheel, unchanged but for run paths and names of files; "
        "their sources are those of Debian:\n"
        + "\n".join(sources)
        + "\n\n"
        + "\n".join(f"==== {name}\n\n{text}" for name, text in texts.items())
    )


def main(build, output):
    work = build / "wheel"
    shutil.rmtree(work, ignore_errors=True)
    (work / "libraries").mkdir(parents=True)
    programs = [path for path in (build / "bin").iterdir() if path.read_bytes()[:4] == b"\x7fELF"]
    needed = libraries_of(programs)
    for name in needed:
        if name.startswith("libntl.so"):
            names_alone(name, needed, work / "libraries")
    loaded = libraries_of(programs, work / "libraries")
    write_licenses([name for name, path in loaded.items() if path.parent not in (build, work / "libraries")], work)
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-index",
        "--no-build-isolation",
        "--no-deps",
        f"--config-settings=cmake.define.GPE_BUILD={build}",
        "-w",
        work,
        HERE,
    )
    (wheel,) = work.glob("gpe-*.whl")
    environment = {"LD_LIBRARY_PATH": str(work / "libraries"), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    for old in output.glob("gpe-*.whl"):
        old.unlink()
    run(
        sys.executable,
        "-m",
        "auditwheel",
        "repair",
        "-z",
        "9",
        "--plat",
        "auto",
        "-w",
        output,
        *(word for name in OF_TORCH for word in ("--exclude", name)),
        wheel,
        env=environment,
    )
    print(*(f"{path}: {path.stat().st_size / 1e6:.1f} MB" for path in output.glob("gpe-*.whl")))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
