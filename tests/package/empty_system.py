"""Systems with nothing in them but what is named: folders that are the root of what runs in them. For root alone."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ENTER = (
    'root=$1; shift; while [ "$1" != -- ]; do mkdir -p "$root$2"; mount --bind "$1" "$root$2"; shift 2; done; '
    'shift; exec chroot "$root" "$@"'
)


def why_not():
    """Why there can be none here; empty where they can."""
    if os.geteuid() != 0:
        return "an empty system is made and entered by root alone"
    tried = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "mount", "--bind", "/", "/mnt"],
        capture_output=True,
        text=True,
    )
    return "" if tried.returncode == 0 else f"nothing can be mounted here ({tried.stderr.strip()})"


def copy(root, path):
    """The file, and what it is a link to, each where it is."""
    path = Path(path)
    target = root / path.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        real = path.parent / os.readlink(path)
        if not os.path.lexists(target):
            target.symlink_to(os.readlink(path))
        copy(root, os.path.normpath(real))
    elif not target.exists():
        shutil.copy2(path, target)


def folders(root):
    for folder in ("tmp", "proc", "dev", "root", "etc", "usr/bin"):
        (root / folder).mkdir(parents=True)
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    for folder in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):  # links, where all is under /usr
        if Path("/", folder).is_symlink():
            (root / folder).symlink_to(os.readlink(f"/{folder}"))
            (root / "usr" / folder).mkdir(exist_ok=True)


def with_libraries(root, files):
    for file in files:
        copy(root, file)
        told = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
        for library in re.findall(r"(?:=> |^\t)(/\S+)", told, re.M):
            copy(root, library)


def of_python(root):
    """glibc, libstdc++, a shell and this Python, with nothing that was installed into it."""
    folders(root)
    library = Path(sysconfig.get_path("stdlib"))
    python = Path(sys.executable).resolve()
    shutil.copytree(
        library,
        root / library.relative_to("/"),
        symlinks=False,
        ignore_dangling_symlinks=True,
        ignore=shutil.ignore_patterns(
            "test", "tests", "site-packages", "dist-packages", "__pycache__", "idlelib", "ensurepip", "config-*"
        ),
    )
    told = subprocess.run(["ldd", python], check=True, capture_output=True, text=True).stdout
    (folder,) = {Path(path).parent for path in re.findall(r"libc\.so\.6 => (\S+)", told)}
    of_c = [
        folder / f"{name}.so.{version}"
        for name, version in [
            ("libpthread", 0),
            ("libdl", 2),
            ("librt", 1),
            ("libutil", 1),
            ("libm", 6),
            ("libgcc_s", 1),
        ]
    ]
    plus = [
        path
        for path in (folder / "libstdc++.so.6", Path("/usr") / folder.relative_to("/") / "libstdc++.so.6")
        if path.exists()
    ][:1]
    with_libraries(root, ["/bin/sh", python, *(library / "lib-dynload").glob("*.so"), *of_c, *plus])
    (root / "usr" / "bin" / "python3").symlink_to(python)


def of_packages(root, depends):
    """What Debian's essential packages and these, and all that they depend on, have installed
    here; and dpkg's list of them."""
    fields = "${Package}\t${Status}\t${Essential}\t${Provides}\t${Depends}, ${Pre-Depends}\n"
    lines = subprocess.run(
        ["dpkg-query", "-W", "-f", fields], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    installed = {line.split("\t")[0]: line.split("\t") for line in lines if line.split("\t")[1].endswith(" installed")}
    homes = {
        word.split()[0]: name for name, line in installed.items() for word in line[3].split(",") if word.strip()
    } | {name: name for name in installed}
    wanted, chosen = [name for name, line in installed.items() if line[2] == "yes"], set()
    queue = [*wanted, *depends.split(",")]
    while queue:
        choices = [re.split(r"[\s:(]", choice.strip())[0] for choice in queue.pop().split("|")]
        name = next((homes[choice] for choice in choices if choice in homes), None)
        if name is None and any(choices):
            sys.exit(f"{' | '.join(choices)} is not installed, so it cannot be copied")
        if name is not None and name not in chosen:
            chosen.add(name)
            queue += installed[name][4].split(",")
    listed = subprocess.run(
        ["dpkg-query", "-L", *sorted(chosen)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    files = sorted({line for line in listed if line.startswith("/") and line != "/." and os.path.lexists(line)})
    folders(root)
    (root.parent / "files").write_text("\n".join(files))
    subprocess.run(
        f"tar -C / --no-recursion -cf - -T '{root.parent}/files' | tar -C '{root}' -xf -",
        shell=True,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    for folder in ("info", "updates"):
        (root / "var" / "lib" / "dpkg" / folder).mkdir(parents=True, exist_ok=True)
    with open(root / "var" / "lib" / "dpkg" / "status", "w") as status:
        subprocess.run(["dpkg-query", "-s", *sorted(chosen)], check=True, stdout=status)
    (root / "var" / "lib" / "dpkg" / "available").touch()


def run(root, *command, mounts=(), exit_code=0, **variables):
    """What the command prints, both streams; ends with what it said where its exit code is another."""
    words = [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        ENTER,
        "enter",
        root,
        "/proc",
        "/proc",
        "/dev",
        "/dev",
        *(word for pair in mounts for word in pair),
        "--",
        *command,
    ]
    begin = time.monotonic()
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        env={"PATH": "/env/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root", "LC_ALL": "C.UTF-8"} | variables,
    )
    shown = " ".join(str(word) for word in command)
    print(f"{time.monotonic() - begin:6.1f} s  {shown[:150]!r}", flush=True)
    if done.returncode != exit_code:
        sys.exit(f"{shown}\nexit {done.returncode}, expected {exit_code}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr
