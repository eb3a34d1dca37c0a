"""gpe: one command for the programs, which keep their names, and for pictures and pages of their reports."""
# Tests: tests/python/pictures_test.py, tests/python/package_parts_test.py

from __future__ import annotations

import os
import sys
from pathlib import Path

from gpe._command.drawing import ENDINGS, checked, output_of, picture_of, plot, shown
from gpe._errors import Error, SpecError, meant
from gpe._files import write
from gpe._programs import help_of, program_path, replace_by

PROGRAMS = {
    "check": "check-properties",
    "limit": "asymptotics",
    "compare": "compare-encodings",
    "frontier": "entropy-frontier",
    "design": "design-encoding",
    "audit": "audit-claims",
    "verify": "verify-certificate",
    "probe": "probe-attention",
    "train": "train-tsm",
    "evaluate": "evaluate-tsm",
    "sample": "sample-tsm",
    "export": "export-tsm",
    "import": "import-model",
    "prepare": "prepare-data",
    "stories": "make-stories",
    "tasks": "make-tasks",
    "configs": "compare-configs",
    "baseline": "ngram-baseline",
}

SUMMARY = """\
gpe WHAT ARGUMENT...; gpe WHAT --help says more

  list, show, new    the built-in encodings [with a WORD]; the file of one; a file to begin your own with
  check, limit       verdicts and certified numbers of encodings; the limit of an expression in n
  compare, frontier, design, configs    encodings, parameters that meet requirements, two config.json
  audit, verify      claims of a paper; certificates
  prepare, stories, tasks, baseline    token files, and what counting n-grams predicts
  train, evaluate, sample, import, export, probe    models, and what their heads do
  plot, page, completion    a report as a picture; of a probe as a page; source <(gpe completion bash)
  help, version, doctor     more on one of these; the version; which parts are installed
"""

#: What begins or informs, with what follows it.
STARTING = {"list": "[WORD]", "show": "NAME", "new": "NAME", "doctor": "", "version": "", "help": "[WHAT]"}
OTHERS = ("plot", "page", "completion", *STARTING)

PLOT_TOO = """\
gpe check ENCODING... --plot FILE draws the encodings, too: .svg, .png or .pdf (needs ./setup.sh --plots)
"""

PLOT = """\
A picture of a report of any program, or of encodings.

Usage: gpe plot [OPTIONS] REPORT.json
       gpe plot [OPTIONS] ENCODING...

  REPORT.json                 what a program printed with --format json, or - for standard input
  ENCODING                    a built-in name, a .toml file, or a config.json: scores, weights, Z
                              and H

Options:
  -h,--help                   print this and exit
  -o,--output FILE            where it goes, .svg, .png or .pdf; also without -o
                              (default: named after the report or encoding, .svg, and printed)
  --ground GROUND             light, dark, or reader: an SVG that follows its reader's choice
                              (default reader for .svg, light for others) {light,dark,reader}
  --column                    3.3 inches wide, for a page of two columns; default 5.5
  --version                   print the version and exit

Examples:
  gpe plot alibi mine.toml -o both.png
  check-properties ape --format json --curves 200 | gpe plot - -o ape.svg
  gpe plot probe.json -o probe.pdf --column
Exit: 0 done, 2 bad use, a wrong file, or no matplotlib (./setup.sh --plots), 1 anything else.
"""

PAGE = """\
A report of probe-attention, gpe.probe or gpe.probe_gates as one page of HTML.

Usage: gpe page [OPTIONS] REPORT.json

  REPORT.json                 what probe-attention --format json wrote, or to_dict() of a report of
                              Python as JSON; - for standard input

Options:
  -h,--help                   print this and exit
  -o,--output FILE            where it goes; also without -o, if it ends in .html
                              (default: named after the report, .html, and printed)
  --version                   print the version and exit

Examples:
  gpe page report.json                              writes report.html
  probe-attention RUN --tokens val.bin --format json | gpe page - -o run.html
Exit: 0 done, 2 bad use, a wrong file, or no jinja2 (./setup.sh --plots), 1 anything else.
"""


class _Done(Exception):
    """Text for standard output, and nothing else."""


def main(arguments: list[str] | None = None) -> int:
    """The exit code of `gpe ARGUMENT...`."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        except _Done as done:
            return _print(str(done).encode())
    except Error as error:  # wrong input, or the program or the packages are not there
        return _fail(str(error), 2)
    except (OSError, MemoryError, RuntimeError) as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    what, rest = (words[0], words[1:]) if words else ("--help", [])
    if what in ("--help", "-h"):
        raise _Done(SUMMARY)
    if what == "--version":
        raise _Done(f"gpe {_version()}\n")
    if what == "help" and rest[:1] and rest[0] not in STARTING:
        what, rest = rest[0], ["--help", *rest[1:]]
    if what == "verify" and rest not in (["--help"], ["-h"]):
        return _verified(rest)
    if what in ("check", "configs"):
        rest = _with_configs(what, rest)
    if what == "compare":
        _refuse_others(rest)
    if what == "baseline":
        rest = [file for word in rest for file in _token_files(word)]
    if what == "check" and (picture := picture_of(rest)):
        return checked(*picture)
    if what in PROGRAMS:
        if rest in (["--help"], ["-h"]):
            more = f"\n{PLOT_TOO}" if what == "check" else ""
            raise _Done(help_of(PROGRAMS[what], f"gpe {what}") + more)
        replace_by(program_path(PROGRAMS[what]), rest, f"gpe {what}")
    if what in STARTING:
        raise _Done(_starting(what, rest))
    if what == "completion":
        raise _Done(_completion(rest))
    if what not in ("plot", "page"):
        near = meant(what, [*PROGRAMS, *OTHERS], "; gpe alone says what there is")
        raise SpecError(f"'{what}' is not known{near}")
    given, words = _options(what, rest)
    named = "--output" in given
    code = plot(given, words) if what == "plot" else _page(given, words)
    return code if named else _print(f"{shown(given['--output'])}\n".encode())


def _with_configs(what: str, words: list[str]) -> list[str]:
    """The words, models of the Hugging Face hub as the files of their config.json."""
    from gpe._hub import is_id, with_files

    if not any(map(is_id, words)):
        return words
    from gpe._command.completion import options_of

    options = options_of(help_of(PROGRAMS[what], f"gpe {what}"))
    return with_files(words, [option.name for option in options if option.value])


def _verified(words: list[str]) -> int:
    """Prints what both verifiers say of certificates."""
    from gpe._command.verify import both

    code, out, errors = both(words)
    sys.stdout.write(out)
    sys.stderr.write(errors)
    return code


def _refuse_others(words: list[str]) -> None:
    """SpecError for what `gpe compare` does not compare, with the command that does."""
    first = [word for word in words[:3] if not word.startswith("-")]
    if len(first) == 3:
        raise SpecError(f"compare: two encodings at a time; for one table of all: gpe check {' '.join(first)}")
    if len(first) == 2 and all((Path(word) / "config.json").is_file() for word in first):
        raise SpecError(f"compare: folders with a config.json; expected gpe configs {' '.join(first)}")
    if len(first) == 2 and all(word.endswith(".json") for word in first):
        raise SpecError(f"compare: files of JSON, not encodings; two config.json: gpe configs {' '.join(first)}")


def _token_files(word: str) -> list[str]:
    """train.bin and val.bin of a folder that prepare-data or make-stories wrote, or the word itself."""
    files = [Path(word) / "train.bin", Path(word) / "val.bin"]
    return [str(file) for file in files] if all(file.is_file() for file in files) else [word]


def _starting(what: str, words: list[str]) -> str:
    """What `gpe list [WORD]`, `show`, `new`, `doctor`, `version` and `help` print."""
    from gpe._command import starting as _starting

    takes = STARTING[what]
    if words[:1] in (["--help"], ["-h"]):
        return f"Usage: gpe {what} {takes}".rstrip() + "\n"
    if len(words) > (takes != "") or (len(words) == 0 and takes == "NAME"):
        raise SpecError(f"{what}: expected gpe {what} {takes}".rstrip())
    word = words[0] if words else ""
    if what == "list":
        return _starting.listed(word)
    if what == "show":
        return _starting.shown(word)
    if what == "new":
        return _starting.started(word)
    if what == "doctor":
        return _starting.doctor()
    if what == "version":
        return f"gpe {_version()}\n"
    return f"Usage: gpe {word} {STARTING[word]}".rstrip() + "\n" if word else SUMMARY


def _completion(words: list[str]) -> str:
    if len(words) != 1:
        raise SpecError("completion: expected bash, zsh or fish")
    from gpe._command.completion import completion, programs

    known = programs(sorted(PROGRAMS.values()), {"plot": PLOT, "page": PAGE})
    return completion(words[0], known, PROGRAMS, OTHERS)


def _options(what: str, words: list[str]) -> tuple[dict[str, str], list[str]]:
    """{"--output": FILE, ...}, where a flag has "yes", and the other words: reports, or encodings."""
    takes = {"--output"} | ({"--ground"} if what == "plot" else set())
    flags = {"--column"} if what == "plot" else set()
    given: dict[str, str] = {}
    others: list[str] = []
    queue = list(words)
    while queue:
        word = queue.pop(0)
        option, equals, value = word.partition("=")
        option = {"-o": "--output", "-h": "--help"}.get(option, option)
        if option == "--help":
            raise _Done(PLOT if what == "plot" else PAGE)
        if option == "--version":
            raise _Done(f"gpe {_version()}\n")
        if option in flags and not equals:
            given[option] = "yes"
        elif option in takes:
            if not equals and not queue:
                raise SpecError(
                    f"{option}: the value is missing; expected FILE (see --help)"
                    if option == "--output"
                    else f"{option}: light, dark or reader"
                )
            given[option] = value if equals else queue.pop(0)
            if not given[option]:
                raise SpecError(
                    f"{option}: the value is empty; expected "
                    f"{'FILE' if option == '--output' else 'light, dark or reader'}"
                )
        elif word.startswith("-") and word != "-":
            near = meant(option, [*takes, *flags], "; see --help")
            raise SpecError(f"'{shown(word)}' is not an option of {what}{near}")
        elif word.endswith(ENDINGS if what == "plot" else ".html"):
            if "--output" in given:
                raise SpecError(f"one output at a time; '{shown(word)}' is one too many")
            given["--output"] = word
        elif what == "page" and others:
            raise SpecError(f"one report at a time; '{shown(word)}' is one too many")
        else:
            others.append(word)
    if not others:
        raise SpecError("no report given; expected a file of JSON, or - for standard input")
    return given, others


def _page(given: dict[str, str], words: list[str]) -> int:
    from gpe._plots.page import page, require_jinja
    from gpe._reports import read_report

    report = read_report(words[0])
    require_jinja()
    output = output_of(given, words, "page", "html")
    text = page(report, "standard input" if words == ["-"] else shown(words[0])).encode()
    write(output, text)
    return 0


def _print(data: bytes) -> int:
    try:
        os.write(1, b"")  # where it is closed, Python has no sys.stdout
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing more is said at the end
        return _fail("standard output cannot be written", 1)


def _fail(message: str, code: int) -> int:
    if sys.stderr is not None:  # closed
        sys.stderr.write(f"gpe: {shown(message, 1500)}\n")
    return code


def _version() -> str:
    from gpe._programs import version

    return version()


if __name__ == "__main__":
    sys.exit(main())
