"""design, audit, verify, frontier and stack: the other programs' JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from gpe._errors import Error, SpecError
from gpe._programs import argument_of, ended, option_arguments, run, several_arguments
from gpe._shown import html_table
from gpe._specs import Spec, encodings_folder, file_of
from gpe._tables import count, text_table
from gpe._verdicts.options import AuditOptions, DesignOptions, FrontierOptions, StackOptions, refuse_unknown


def design(family: Spec, **options: Unpack[DesignOptions]) -> dict[str, Any]:
    """Parameters of a family that meet requirements, or the proof that there are none (docs/design.md).

    Args:
        family: as for `gpe.check`.
        options: those of design-encoding: `vary=["m=1/100..1"]`, `entropy=">= 6"`, `cache="1e-3 <= 4096"`,
            `maximize="m"`, ... Those that may be repeated take a list.

    Returns:
        The report of `design-encoding --format json`; `outcome` is "found", "infeasible" or "undecided".
    """
    refuse_unknown(options, DesignOptions)
    argument, given = argument_of(family)
    result: dict[str, Any] = run("design-encoding", [argument, *_repeated(options)], given, also=(3, 5))
    return result


def audit(claims: str | os.PathLike[str] | None = None, **options: Unpack[AuditOptions]) -> dict[str, Any]:
    """The claims of a file, or of a built-in one, each proved, refuted or undecided (docs/audit.md).

    Args:
        claims: a file of claims, or the name of a built-in one, by default vetcha2025; with `claim=`, the encoding that
            the claim is about, by default the built-in ones that it names.
        options: those of audit-claims: `claim="for all m > 0: eb(alibi)"`, `only="T1.i"`, ...
    """
    refuse_unknown(options, AuditOptions)
    names = [] if claims is None else [argument_of(claims)[0]]
    result: dict[str, Any] = run("audit-claims", [*names, *option_arguments(options)])
    return result


def frontier(encodings: Spec | Sequence[Spec] = (), **options: Unpack[FrontierOptions]) -> dict[str, Any]:
    """What encodings spend in entropy for local range, window and far weight (docs/compare.md)."""
    refuse_unknown(options, FrontierOptions)
    arguments, given = several_arguments(encodings)
    result: dict[str, Any] = run("entropy-frontier", [*arguments, *_repeated(options)], given)
    return result


class StackReport(dict[str, Any]):
    """What `check-properties --stack` says (docs/configs.md): a dict that prints as a table."""

    def __repr__(self) -> str:
        return f"<StackReport of {self['config']}: {self['all_layers']} layers>"

    def __str__(self) -> str:
        return text_table([_KINDS, *self._rows()])

    def _repr_html_(self) -> str:
        return html_table(_KINDS, self._rows(), repr(self)[1:-1])

    def _rows(self) -> list[list[str]]:
        return [
            [
                kind["name"],
                str(len(kind["layers"])),
                kind["position"],
                *(count(kind[key]) for key in ("base", "window", "heads", "key_heads", "head_dim")),
                count(kind["cache"]["keys"]),
            ]
            for kind in self["kinds"]
        ]


_KINDS = ["encoding", "layers", "position", "base", "window", "heads", "key heads", "dimension", "keys to cache"]


def stack(config: str | os.PathLike[str], **options: Unpack[StackOptions]) -> StackReport:
    """The layers of a config.json as a whole, and what a context asks of them (docs/configs.md).

    Args:
        config: a config.json, or the folder that holds it.
        options: `context=`, in tokens, and others of `check-properties --stack`.
    """
    refuse_unknown(options, StackOptions)
    return StackReport(run("check-properties", [os.fspath(config), "--stack", *option_arguments(options)]))


@dataclass(frozen=True)
class Verified:
    """What verify-certificate says of one file."""

    file: str
    valid: bool
    text: str  #: the claim that is proved, or the first step that does not follow

    def __bool__(self) -> bool:
        return self.valid


def verify(*certificates: str | os.PathLike[str], spec: str | os.PathLike[str] | None = None) -> list[Verified]:
    """Proves again what certificates claim.

    Args:
        certificates: files, or folders that hold them.
        spec: a built-in name or a file: the score function that every certificate must be about.
    """
    arguments = ["--spec", spec_file(os.fspath(spec))] if spec is not None else []
    files = certificate_files([os.fspath(one) for one in certificates])
    done = ended("verify-certificate", ["--verbose", *arguments, *files])
    if done.returncode not in (0, 4):
        message = done.stderr.strip().removeprefix("verify-certificate: ")
        raise (SpecError if done.returncode == 2 else Error)(message)
    said = [said_of(file, done.stdout) for file in files]
    if None in said:
        raise SpecError(done.stderr.strip().removeprefix("verify-certificate: "))
    return [
        Verified(file, words.startswith("proved"), words.partition(": ")[2])
        for file, words in zip(files, filter(None, said), strict=True)
    ]


LINE_END = {"\n": "\\n"}


def said_of(file: str, lines: str) -> str | None:
    """What verify-certificate, with --verbose, or gpe.verifier says of a file; None where it says nothing."""
    signs = (chr(c) for c in os.fsencode(file))  # one line of ASCII, as they have it
    name = "".join(c if " " <= c <= "~" else LINE_END.get(c, f"\\x{ord(c):02x}") for c in signs)
    return next((line[len(name) + 2 :] for line in lines.split("\n") if line.startswith(f"{name}: ")), None)


def certificate_files(names: Sequence[str]) -> list[str]:
    """The files themselves, and those of folders: *.json, by name. SpecError for a folder without any."""
    files = []
    for name in names:
        inside = sorted(str(path) for path in Path(name).glob("*.json")) if Path(name).is_dir() else [name]
        if not inside:
            raise SpecError(f"{name}: a folder without certificates; expected *.json in it")
        files += inside
    return files


def spec_file(name: str) -> str:
    """The file of a built-in encoding, or the name itself."""
    built_in = encodings_folder() / f"{name}.toml"
    return str(built_in) if file_of(name) is None and built_in.is_file() else name


def _repeated(options: Any) -> list[str]:
    """As option_arguments, but a list is the option given several times."""
    return [
        argument
        for name, value in options.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        for argument in option_arguments({name: one})
    ]
