"""Completion of command lines in bash, zsh and fish: one script for all programs, made from what
their --help prints."""
# Tests: tests/cli/completion.cmake

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpe._errors import Error, SpecError
from gpe._programs import program_path

_TAKES_ENCODINGS = ("check-properties", "compare-encodings", "entropy-frontier", "design-encoding", "train-tsm")
_FILES = re.compile(r"FILE|DIR|FOLDER|PATH|\.(toml|json|csv)")


@dataclass(frozen=True)
class Option:
    """`value` is what --help calls it, empty for a flag; `values` are those that it may have, where they are listed."""

    name: str
    value: str
    values: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Program:
    """A command line: options, and the names that may stand beside files."""

    name: str
    options: list[Option]
    names: tuple[str, ...] = ()


def options_of(text: str) -> list[Option]:
    """The long options of a --help, in its order."""
    result: dict[str, Option] = {}
    for found in re.finditer(
        r"^  (?:-\w, ?)?(--[a-z][a-z-]*)((?: \S+)*)((?:.*\n(?! {0,3}\S|\n))*.*)$", text, re.MULTILINE
    ):
        name, value, words = found.group(1), found.group(2).strip(), " ".join(found.group(3).split())
        if wide := re.fullmatch(r"(\S+ in \[[^]]*\]) (.+)", value):  # a range that leaves one space
            value, words = wide.group(1), f"{wide.group(2)} {words}".strip()
        listed = re.search(r"\{([\w,.-]+)\}", value + words)
        result.setdefault(
            name,
            Option(
                name,
                value.partition(":")[0],
                tuple(listed.group(1).split(",")) if listed else (),
                words.replace(" " + listed.group(0), "") if listed else words,
            ),
        )
    return list(result.values())


def programs(names: list[str], own: Mapping[str, str]) -> list[Program]:
    """Of these programs, those that answer --help here; and of `gpe WHAT`, whose --help is in `own`."""
    found = [Program(f"gpe {what}", options_of(text)) for what, text in own.items()]
    built_in: tuple[str, ...] = ()
    for name in names:
        try:
            text = _printed(name, "--help")
        except (Error, OSError, subprocess.CalledProcessError):
            continue  # it is not there, or what it needs is not
        listed = _first_words(_printed(name, "--list")) if re.search(r"^  --list\b", text, re.MULTILINE) else ()
        built_in = listed if name == "check-properties" else built_in
        found.append(Program(name, options_of(text), built_in if name in _TAKES_ENCODINGS else listed))
    return found


def _printed(name: str, option: str) -> str:
    return subprocess.run(
        [program_path(name), option], capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def _first_words(text: str) -> tuple[str, ...]:
    return tuple(line.split()[0] for line in text.splitlines() if re.match(r"[\w.-]+", line))


def completion(shell: str, known: list[Program], commands: Mapping[str, str], others: Sequence[str] = ()) -> str:
    """The script. `commands` has the program of each `gpe WHAT`; `others` have none. SpecError for another shell."""
    shells = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    if shell not in shells:
        raise SpecError(f"completion '{shell}': expected bash, zsh or fish")
    there = {program.name for program in known}
    own = {program.name.removeprefix("gpe "): program.name for program in known if program.name.startswith("gpe ")}
    present = {what: name for what, name in {**commands, **own}.items() if name in there}
    return shells[shell](known, present, " ".join([*present, *(what for what in others if what not in present)]))


def _called(known: list[Program]) -> str:
    return " ".join(["gpe", *(program.name for program in known if " " not in program.name)])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _bash(known: list[Program], commands: Mapping[str, str], words: str) -> str:
    cases = ""
    for program in known:
        values = "".join(f"\n      {o.name}) values='{' '.join(o.values)}' ;;" for o in program.options if o.values)
        cases += (
            f"    '{program.name}')\n      options='{' '.join(o.name for o in program.options)}' "
            f"names='{' '.join(program.names)}'\n"
            f"      case $before in{values}\n      esac ;;\n"
        )
    whats = "".join(f"      {what}) program='{name}' ;;\n" for what, name in commands.items())
    return f"""\
# Completion of gpe and its programs in bash: source <(gpe completion bash)
_gpe() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} program=${{COMP_WORDS[0]##*/}}
  local options='' names='' values=''
  if [[ $program == gpe ]]; then
    if (( COMP_CWORD == 1 )); then
      mapfile -t COMPREPLY < <(compgen -W '{words}' -- "$current")
      return
    fi
    case ${{COMP_WORDS[1]}} in
{whats}      completion) values='bash zsh fish' ;;
    esac
  fi
  case $program in
{cases}  esac
  if [[ $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current"; compgen -f -- "$current")
  fi
}}
complete -o filenames -F _gpe {_called(known)}
"""


def _zsh(known: list[Program], commands: Mapping[str, str], offered: str) -> str:
    cases = ""
    for program in known:
        parts = []
        for o in program.options:
            action = "_files" if _FILES.search(o.value) else " "
            if o.values:
                action = f"({' '.join(o.values)})"
            words = re.sub(r"([\\\[\]:])", r"\\\1", o.words)
            name = re.sub(r"([\\:])", r"\\\1", o.value.split()[0]) if o.value else ""
            parts.append(_quoted(f"*{o.name}[{words}]" + (f":{name}:{action}" if o.value else "")))
        names = f"'names:built-in:({' '.join(program.names)})' " if program.names else ""
        parts.append(_quoted(f"*:file:{{_alternative {names}'files:file:_files'}}"))
        cases += f"    '{program.name}')\n      _arguments " + " \\\n        ".join(parts) + " ;;\n"
    whats = "".join(f"      {what}) program='{name}' ;;\n" for what, name in commands.items())
    return f"""\
#compdef {_called(known)}
# Completion of gpe and its programs in zsh, after compinit: source <(gpe completion zsh)
_gpe() {{
  local program=${{words[1]:t}}
  if [[ $program == gpe ]]; then
    if (( CURRENT == 2 )); then
      compadd {offered}
      return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{whats}      completion) compadd bash zsh fish; return ;;
    esac
  fi
  case $program in
{cases}  esac
}}
if [[ $funcstack[1] == _gpe ]]; then
  _gpe "$@"
else
  compdef _gpe {_called(known)}
fi
"""


def _fish(known: list[Program], commands: Mapping[str, str], words: str) -> str:
    lines = [
        "# Completion of gpe and its programs in fish: gpe completion fish | source",
        f"complete -c gpe -n __fish_use_subcommand -f -a '{words}'",
        "complete -c gpe -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'",
    ]
    whats = {name: what for what, name in commands.items()}
    for program in known:
        heads = [] if " " in program.name else [f"complete -c {program.name}"]
        if program.name in whats:
            heads.append(f"complete -c gpe -n '__fish_seen_subcommand_from {whats[program.name]}'")
        for head in heads:
            for o in program.options:
                values = ""
                if o.values:
                    values = f" -x -a '{' '.join(o.values)}'"
                elif o.value:
                    values = " -r -F" if _FILES.search(o.value) else " -x"
                words = o.words.replace("\\", "\\\\").replace("'", "\\'")
                lines.append(f"{head} -l {o.name[2:]}{values} -d '{words}'")
            if program.names:
                lines.append(f"{head} -a '{' '.join(program.names)}'")
    return "\n".join(lines) + "\n"
