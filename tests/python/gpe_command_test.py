"""The command gpe, and the pictures and pages that it makes; needs matplotlib and jinja2, and no torch.

python tests/python/gpe_command_test.py FOLDER-OF-PROGRAMS WORK"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import without_torch  # which makes gpe importable
from example_reports import probe
from without_torch import ROOT, ask

import gpe
from gpe._command import verify as _verify


def command(programs, *arguments, expect=0, given=None, cwd=None, **environment):
    done = subprocess.run(
        [programs / "gpe", *arguments],
        capture_output=True,
        input=given,
        cwd=cwd,
        env=os.environ | {"GPE_PYTHON": sys.executable} | environment,
    )
    assert done.returncode == expect, (arguments, done.returncode, done.stderr.decode())
    assert done.stderr.count(b"\n") == (expect != 0), done.stderr
    return done.stdout.decode(), done.stderr.decode()


def test_the_command(programs, work):
    summary, _ = command(programs)
    assert len(summary.splitlines()) <= 10 and command(programs, "--help")[0] == summary
    for word in re.findall(r"(?m)^  ([a-z, ]+?)  +", summary):
        for name in word.split(", "):
            assert f"'{name}' is not known" not in command(programs, name, "--help")[0] if shutil.which(name) else True
    check = ("check", "rope", "--require", "cn", "--quiet", "--content-bound", "1")
    assert command(programs, *check, expect=3)[1].startswith("gpe check: required")
    for words in (("check", "--help"), ("help", "check")):
        assert "Usage: gpe check [OPTIONS]" in command(programs, *words)[0]
    limit = subprocess.run([programs / "asymptotics", "1/n"], capture_output=True, text=True).stdout
    assert command(programs, "limit", "1/n")[0] == limit
    assert command(programs, "limit", "--nosuch", expect=2)[1].startswith("gpe limit: ")
    assert "did you mean 'plot'" in command(programs, "plto", expect=2)[1]
    report = json.dumps(ask(programs, "entropy-frontier alibi ape")).encode()
    (work / "report.json").write_bytes(report)
    for ending, begins in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        command(programs, "plot", work / "report.json", "-o", work / f"a.{ending}")
        command(programs, "plot", "-", "-o", work / f"b.{ending}", given=report)
        assert (work / f"a.{ending}").read_bytes() == (work / f"b.{ending}").read_bytes()
        assert (work / f"a.{ending}").read_bytes().startswith(begins)
    named = report.replace(b'"alibi"', '"al\\u001b[31m\\u202e字"'.encode())
    command(programs, "plot", "-", "-o", work / "named.svg", given=named)  # no warning of a font
    assert "\\u001b[31m\\u202e" in (work / "named.svg").read_text()  # as text, nothing that a terminal acts on
    assert "prefers-color-scheme: dark" in (work / "a.svg").read_text()
    command(programs, "plot", work / "report.json", "-o", work / "dark.svg", "--ground", "dark")
    dark = (work / "dark.svg").read_text()
    assert "#12161b" in dark and "prefers-color-scheme" not in dark
    refuses(programs, work)


def test_the_first_minutes(programs, work):
    """list, show, new, doctor, version and help."""
    listed = subprocess.run([programs / "check-properties", "--list"], capture_output=True, text=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    assert [line.split()[0] for line in command(programs, "list")[0].splitlines()] == names
    found = command(programs, "list", "Kernel")[0]
    assert "kerple-log" in found and all("kernel" in line.lower() for line in found.splitlines())
    assert "did you mean 'alibi'?" in command(programs, "list", "alibbi", expect=2)[1]
    assert command(programs, "show", "ape")[0].encode() == (ROOT / "theory/encodings/ape.toml").read_bytes()
    assert "did you mean 'ape'?" in command(programs, "show", "appe", expect=2)[1]
    assert "expected gpe show NAME" in command(programs, "show", expect=2)[1]
    mine = work / "mine.toml"
    assert f"gpe check {mine}" in command(programs, "new", mine)[0]
    text = mine.read_text()
    assert command(programs, "check", mine, "--require", "cn", "--quiet")[0]
    assert f"{mine} exists" in command(programs, "new", work / "mine", expect=2)[1] and mine.read_text() == text
    for wrong in ("a b", "Mine", "häß", "x" * 65):  # what an encoding cannot be called
        assert "expected a name of up to 64 of a-z" in command(programs, "new", wrong, cwd=work, expect=2)[1]
    assert re.fullmatch(r"gpe \d+\.\d+\.\d+\n", command(programs, "version")[0])
    assert command(programs, "help")[0] == command(programs)[0]
    assert command(programs, "help", "plot")[0] == command(programs, "plot", "--help")[0]
    parts = command(programs, "doctor")[0]
    assert re.search(rf"(?m)^verdicts +there +{re.escape(str(programs))}/check-properties$", parts), parts
    bare = command(programs, "doctor", GPE_PROGRAMS="/nowhere", GPE_ENCODINGS="/nowhere")[0]
    assert re.search(r"(?m)^built-in encodings +absent ", bare), bare
    (work / "half" / "torch").mkdir(parents=True)
    (work / "half" / "torch" / "__init__.py").write_text("raise OSError('libcudart.so: absent')\n")
    half = command(programs, "doctor", PYTHONPATH=str(work / "half"))[0]
    assert re.search(r"(?m)^attention in torch +absent +torch: \./setup\.sh --tests, or pip", half), half
    path = os.pathsep.join([str(work / "half"), str(ROOT / "probes" / "python")])
    asked = [sys.executable, "-c", "import gpe; gpe.check; gpe.probe"]
    done = subprocess.run(asked, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path})
    says = (
        "gpe.probe needs torch, which cannot be imported; ./setup.sh --tests installs all of it (libcudart.so: absent)"
    )
    assert done.stderr.endswith(f"Error: {says}\n"), done.stderr


def test_what_was_meant(programs, work):
    """gpe compare of three, or of models; gpe verify and gpe baseline of a folder."""
    assert "gpe check alibi ape rope" in command(programs, "compare", "alibi", "ape", "rope", expect=2)[1]
    for name in ("one", "two"):
        (work / name).mkdir()
        (work / name / "config.json").write_text("{}")
    assert "expected gpe configs" in command(programs, "compare", work / "one", work / "two", expect=2)[1]
    assert "json: gpe configs a.json b.json" in command(programs, "compare", "a.json", "b.json", expect=2)[1]
    (work / "empty").mkdir()
    proofs = work / "proofs"
    subprocess.run([programs / "check-properties", "alibi", "--certificates", proofs, "--quiet"], capture_output=True)
    said = command(programs, "verify", "--spec", "alibi", proofs)[0]
    assert said.count("proved: alibi, ") == len(list(proofs.iterdir())) > 5
    assert "a folder without certificates" in command(programs, "verify", work / "empty", expect=2)[1]
    bare = {"GPE_PYTHON": str(bare_python(work))}
    alone = subprocess.run([programs / "gpe", "verify", proofs], capture_output=True, text=True, env=os.environ | bare)
    assert (alone.returncode, alone.stderr) == (0, _verify.ABSENT) and _verify.AGREED not in alone.stdout, alone
    parts = command(programs, "doctor", **bare)[0]
    assert re.search(r"(?m)^second verifier +absent +python-flint: pip install", parts), parts
    if importlib.util.find_spec("flint"):
        assert said.endswith(f"{len(list(proofs.iterdir()))} of {len(list(proofs.iterdir()))} proved\n{_verify.AGREED}")
    if (programs / "ngram-baseline").exists():
        made = work / "made"
        made.mkdir()
        for name in ("train.bin", "val.bin"):
            (made / name).write_bytes(b"")
        assert "train.bin" in command(programs, "baseline", made, expect=2)[1]  # which is read, and is empty


def test_second_verifier_is_independent(programs, work):
    """gpe.verifier uses nothing else of gpe, and is not in __init__."""
    for file in sorted((ROOT / "probes" / "python" / "gpe" / "verifier").glob("*.py")):
        used = re.findall(r"(?m)^\s*(?:from|import) (gpe[.\w]*)", file.read_text())
        assert all(name.startswith("gpe.verifier") for name in used), (file, used)


def test_verifiers_that_disagree(programs, work):
    """A file that one accepts and the other refuses is an error that says so; one over its budget proves nothing."""
    first = "a: proved: it\nb: not valid: no\n"
    assert _verify.compared(["a", "b"], first, "a: accepted\nb: not accepted: no\n") == (0, _verify.AGREED)
    assert _verify.compared(["a"], None, "a: accepted\n") == (0, _verify.AGREED)
    for second, code in (("b: accepted", 1), ("a: not accepted: TooLong: s\nb: not accepted: no", 4)):
        got, told = _verify.compared(["a", "b"], first, second)
        assert got == code and "the verifiers disagree" in told, told
    folder = work / "names"  # that a terminal would show otherwise, a file that is empty, and one that is not valid
    command(programs, "check", "nope", "--certificates", folder, "--content-bound", "1", "--quiet")
    for path in set(folder.glob("*")) - set(folder.glob("nope.cn.*")):
        path.unlink()
    (folder / "empty.json").write_text("")
    for name in ("é.json", "a: not valid: b.json", "a\nb.json", "\x1b[31mred.json"):
        (folder / name).write_text("{}")
    said = command(programs, "verify", folder, expect=4)
    assert "disagree" not in said[1] and _verify.AGREED in said[0] and "\x1b" not in "".join(said), said
    found = gpe.verify(*sorted(map(str, folder.glob("nope*.json"))), folder / "é.json")
    assert [bool(one) for one in found] == [True] * (len(found) - 1) + [False]
    for budget in ("nan", "-1", "abc", "1e9"):
        asked = [sys.executable, "-m", "gpe.verifier", "--budget", budget, folder / "nope.cn.expected.json"]
        done = subprocess.run(
            asked, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "probes/python")}
        )
        assert done.returncode == 2 and done.stderr.startswith("gpe.verifier: --budget: expected a number up"), done


def test_pictures_of_encodings(programs, work):
    """gpe check --plot, gpe plot ENCODING..., the name of the picture in place of -o, and the default name."""
    (work / "mine.toml").write_text('schema = 1\nname = "mine"\n[score]\nbias = "-n/8"\n')
    plain = subprocess.run([programs / "check-properties", "alibi"], capture_output=True, text=True).stdout
    assert command(programs, "check", "alibi", "--plot", work / "one.png")[0] == plain
    command(programs, "check", "alibi", "--require", "ldcp", "--quiet", f"--plot={work / 'one.svg'}", expect=3)
    given = (work / "mine.toml").read_bytes()
    assert "mine" in command(programs, "check", "-", "--plot", work / "given.svg", given=given)[0]
    printed = ("--format", "csv", "--curves", "9", "--output", work / "curves.csv")
    command(programs, "check", "alibi", *printed, "--plot", work / "nine.svg")
    assert (work / "curves.csv").read_text().count("\nalibi,") == 9 and (work / "nine.svg").exists()
    command(programs, "plot", "alibi", work / "mine.toml", "-o", work / "two.svg")
    assert ">mine<" in (work / "two.svg").read_text() and ">alibi<" in (work / "two.svg").read_text()
    config = ROOT / "tests" / "cases" / "configs" / "llama-3.1-8b.json"
    assert command(programs, "plot", config, cwd=work)[0] == "llama-3.1-8b.svg\n"
    assert ">llama<" in (work / "llama-3.1-8b.svg").read_text()
    report = json.dumps(ask(programs, "check-properties alibi mine.toml --curves 200", cwd=work))
    (work / "two.json").write_text(report)
    command(programs, "plot", work / "two.json", work / "again.svg")
    assert (work / "again.svg").read_bytes() == (work / "two.svg").read_bytes()
    assert command(programs, "plot", "two.json", cwd=work)[0] == "two.svg\n"
    assert command(programs, "plot", "-", cwd=work, given=report.encode())[0] == "picture.svg\n"
    assert (work / "picture.svg").exists() and not (work / "-.svg").exists()
    assert (work / "two.svg").read_bytes() == (work / "again.svg").read_bytes()
    assert (work / "one.png").read_bytes().startswith(b"\x89PNG") and (work / "one.svg").exists()


def test_pages(programs, work):
    """gpe page goes where gpe plot does: to --output, to the name of a page, or to one named after the report."""
    report = json.dumps(probe())
    (work / "heads.json").write_text(report)
    assert command(programs, "page", "heads.json", cwd=work)[0] == "heads.html\n"
    text = (work / "heads.html").read_text()
    assert text.startswith("<!DOCTYPE html>")
    for arguments in (("-o", "one.html"), ("--output=two.htm",), ("three.html",)):
        assert command(programs, "page", "heads.json", *arguments, cwd=work)[0] == ""
        assert (work / arguments[-1].rpartition("=")[2]).read_text() == text
    assert command(programs, "page", "heads.json", "-o", "/dev/stdout", cwd=work)[0] == text
    assert command(programs, "page", "-", cwd=work, given=report.encode())[0] == "page.html\n"
    assert (work / "page.html").read_text() == text
    (work / "linked.json").write_text(report)
    (work / "linked.html").symlink_to("linked.json")
    for arguments in (("linked.json",), ("linked.json", "-o", "linked.json")):
        assert "the file that is read" in command(programs, "page", *arguments, cwd=work, expect=2)[1]
    assert (work / "linked.json").read_text() == report
    assert "one output at a time" in command(programs, "page", "heads.json", "a.html", "b.html", cwd=work, expect=2)[1]


def refuses(programs, work):
    """Nothing is written where something is wrong."""
    before = sorted(work.iterdir())
    for arguments, message in (
        (["plot", "alibbi", "-o", work / "c.svg"], "did you mean 'alibi'"),
        (["check", "alibi", "--plot", work / "c.gif"], "expected a name that ends in .svg, .png or .pdf"),
        (["check", "alibbi", "--plot", work / "c.svg"], "did you mean 'alibi'"),
        (["check", "alibi", "--plot"], "--plot: expected a FILE"),
        (["plot", work / "report.json", "-o", work / "a.gif"], ".svg, .png or .pdf"),
        (["plot", "-o", work / "c.svg"], "no report given"),
        (["page", work / "report.json", "-o", ""], "--output: the value is empty; expected FILE"),
        (["plot", work / "absent.json", "-o", work / "c.svg"], "absent.json: No such file or directory"),
        (
            ["plot", work / "report.json", "-o", work / "c.png", "--ground", "reader"],
            "light or dark; reader is for .svg",
        ),
        (["plot", "--outptu", "x", work / "report.json"], "did you mean '--output'?"),
        (["page", work / "report.json"], "report.json: no object with heads"),
        (["plot", "-", "-o", work / "c.svg"], "standard input:1:1: not JSON"),
    ):
        assert message in command(programs, *arguments, expect=2, given=b"")[1], message
    for empty in (b"{}", b'{"encodings": []}'):
        told = command(programs, "plot", "-", "-o", work / "c.svg", expect=2, given=empty)[1]
        assert "nothing to draw; expected the JSON of check-properties" in told, told
    for closed, says in (
        ("completion bash >&-", "standard output cannot be written"),
        ("plot - -o c.svg <&-", "standard input: cannot be read"),
        ("plot - -o c.svg <&- 2>&-", ""),
    ):
        done = subprocess.run(["sh", "-c", f"'{programs / 'gpe'}' {closed}"], cwd=work, capture_output=True, text=True)
        expected = (1 + closed.startswith("plot"), says and f"gpe: {says}\n")
        assert (done.returncode, done.stderr) == expected, (closed, done)
    command(programs, "plot", work / "report.json", "-o", work / "absent" / "c.svg", expect=1)
    assert sorted(work.iterdir()) == before


def bare_python(folder):
    """A Python without the packages of its environment."""
    bare = folder / "bare_python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    return bare


def test_without_matplotlib_the_command_says_what_installs_it(programs, work):
    bare = bare_python(work)
    report = work / "report.json"
    report.write_text(json.dumps(probe()))
    for arguments in (
        ["plot", report, "-o", work / "no.svg"],
        ["page", report],
        ["check", "alibi", "--plot", work / "no.svg"],
    ):
        assert "./setup.sh --plots" in command(programs, *arguments, expect=2, GPE_PYTHON=str(bare))[1]
    assert not (work / "no.svg").exists()


if __name__ == "__main__":
    without_torch.run(globals())
