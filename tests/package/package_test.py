"""What the preset package makes, installed in an empty system and used there as docs/python.md says.

    python tests/package/package_test.py wheel|deb BUILD WORK

The wheel: a system of glibc, libstdc++, a shell and Python. The Debian package: Debian's
essential packages and those on which it depends.
"""

import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import empty_system
import pip

ROOT = Path(__file__).resolve().parents[2]
LIMIT_MB, LIMIT_S, NEWEST_GLIBC = 15, 60, 34


def ask(condition, message):
    if not condition:
        sys.exit(message)


def seconds():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def commands(system, table):
    """The programs under their names: the same text as in the build folder, certificates that
    verify, and one message for what is missing."""
    ask(
        empty_system.run(system, "gpe", "check", "rope", "alibi", "ape") == table,
        "gpe check prints another text than the program that was built",
    )
    empty_system.run(
        system, "check-properties", "ape", "--quiet", "--certificates", "/tmp/proofs", "--output", "/tmp/ape.txt"
    )
    proofs = sorted(f"/tmp/proofs/{path.name}" for path in (system / "tmp" / "proofs").iterdir())
    ask(len(proofs) > 3, f"only {len(proofs)} certificates")
    ask("proved" in empty_system.run(system, "verify-certificate", *proofs), "verify-certificate proves nothing")
    ask(
        "ape" in empty_system.run(system, "audit-claims", "vetcha2025", "--format", "json").lower(),
        "audit-claims finds no claims",
    )
    ask(empty_system.run(system, "asymptotics", "n - sqrt(n^2 + 3*n)").find("-3/2") >= 0, "asymptotics")
    said = empty_system.run(system, "gpe", "train", exit_code=2)
    ask(said.count("\n") == 1 and "--preset model" in said, f"gpe train: {said}")


def wheel_test(build, work, table):
    (wheel,) = build.glob("gpe-*.whl")
    (glibc,) = re.findall(r"manylinux_2_(\d+)_", wheel.name)
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.name}: {size:.1f} MB")
    ask(size <= LIMIT_MB and int(glibc) <= NEWEST_GLIBC, f"at most {LIMIT_MB} MB and glibc 2.{NEWEST_GLIBC} are meant")
    system = work / "system"
    empty_system.of_python(system)
    ask(not any(system.rglob("bin/*cc*")), "there is a compiler")
    shutil.copytree(Path(pip.__file__).parent, system / "tools" / "pip")
    shutil.copytree(ROOT / ".venv" / "package" / "wheels", system / "wheels")
    shutil.copy(wheel, system / "wheels")
    wheels = sorted(
        f"/wheels/{path.name}" for path in (system / "wheels").glob("*.whl")
    )  # all that is needed, as in setup.sh
    begin = seconds()
    empty_system.run(system, "python3", "-m", "venv", "--without-pip", "/env")
    empty_system.run(
        system, "python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", *wheels, PYTHONPATH="/tools"
    )
    empty_system.run(system, "gpe", "check", "rope", "alibi", "ape")
    empty_system.run(system, "gpe", "check", "ape", "--format", "json", "--curves", "100", "--output", "/tmp/ape.json")
    empty_system.run(system, "gpe", "plot", "/tmp/ape.json", "-o", "/tmp/ape.svg")
    took = seconds() - begin
    print(f"{took:6.1f} s of CPU time for these five")
    ask((system / "tmp" / "ape.svg").read_text().rstrip().endswith("</svg>"), "no picture")
    ask(took <= LIMIT_S, f"more than {LIMIT_S} s")
    commands(system, table)
    said = empty_system.run(system, "python", "-c", "import gpe; gpe.probe", exit_code=1)
    ask("gpe[probe]" in said.splitlines()[-1], said)
    for name in ("LICENSE", "licenses.txt"):
        ask(next(system.glob(f"env/lib/python3*/site-packages/gpe/{name}")).stat().st_size > 500, name)

    (packages,) = (system / "env").glob("lib/python3*/site-packages")
    (there,) = (ROOT / ".venv").glob("lib/python3*/site-packages")
    (packages / "torch.pth").write_text(f"/there/transformers\n/there/{there.relative_to(ROOT / '.venv')}\n")
    lines = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)[1]
    said = empty_system.run(
        system, "python", "-c", lines, mounts=[((ROOT / ".venv").resolve(), "/there")], HF_HUB_OFFLINE="1"
    )
    ask("mean distance" in said and "entropy boundedness" in said, said)


def deb_test(build, work, table):
    (package,) = build.glob("gpe_*.deb")
    fields = subprocess.run(["dpkg-deb", "-f", package, "Depends"], check=True, capture_output=True, text=True).stdout
    print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB; {fields.strip()}")
    system = work / "system"
    empty_system.of_packages(system, fields)
    shutil.copy(package, system / "gpe.deb")
    empty_system.run(system, "dpkg", "-i", "/gpe.deb")
    commands(system, table)
    empty_system.run(system, "gpe", "check", "ape", "--format", "json", "--curves", "9", "--output", "/tmp/ape.json")
    said = empty_system.run(
        system, "gpe", "plot", "/tmp/ape.json", "-o", "/tmp/ape.svg", exit_code=2
    )  # what it recommends is not there
    ask(said.count("\n") == 1 and "matplotlib" in said, said)


def main(what, build, work):
    if reason := empty_system.why_not():
        print(f"SKIPPED: {reason}")
        return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    table = subprocess.run(
        [build / "bin" / "check-properties", "rope", "alibi", "ape"], check=True, capture_output=True, text=True
    ).stdout
    {"wheel": wheel_test, "deb": deb_test}[what](build, work, table)
    shutil.rmtree(work)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve())
