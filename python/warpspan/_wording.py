"""Messages of the command line in the words of Python: its flags as the arguments of functions."""

from __future__ import annotations

import keyword
import re
from functools import cache

from warpspan import _native

#: The end of a message about flags, which is of use in a shell only.
_HELP = re.compile(r"(?:; usage: warpspan .*?)?; warpspan [a-z-]+ --help says more$", re.DOTALL)
_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
#: What a usage line says of the value of a flag.
_VALUE = re.compile(r"(?<=--)([a-z][a-z0-9-]*)(?:\[?=?| )<[^<>]*>\]?(?:\.\.\.)?")
_MISSING = "the following required arguments were not provided: "


def argument(flag: str) -> str:
    """Return the argument of a function that stands for a flag; the files of a command are one file here."""
    name = {"files": "file"}.get(flag, flag).replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@cache
def _flags(command: str) -> dict[str, bool]:
    """Return the flags of a command, and whether each takes names with what is said of them."""
    return {name: bool(several and "=" in (value or "")) for name, _, _, value, _, several in _native.flags(command)}


def in_arguments(command: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Return a message with arguments in place of flags, and the arguments that it names."""
    flags = _flags(command)
    text = _HELP.sub("", text)
    if text.startswith(_MISSING):
        wanted = re.findall(
            r"--([a-z][a-z0-9-]*)|<([A-Z|]+)>(?:\.\.\.)?(?= |$)", _VALUE.sub(r"\1", text[len(_MISSING) :])
        )
        names = tuple(dict.fromkeys(argument(flag or place.lower()) for flag, place in wanted))
        return f"missing: {', '.join(names)}", names
    text = _VALUE.sub(r"\1", text)
    text = re.sub(r"'<([A-Z|]+)>(?:\.\.\.)?'", lambda found: f"'{found[1].lower()}'", text)
    named = tuple(dict.fromkeys(argument(flag) for flag in _FLAG.findall(text) if flag in flags))
    for flag, is_mapping in flags.items():
        if is_mapping:
            of_flag = re.compile(rf"--{flag} (?:'([^'=]+)=([\w.]+)'|([^\s'=]+)=([\w.]+))")
            text = of_flag.sub(lambda found, flag=flag: _mapping(flag, found), text)  # type: ignore[misc]
    return _FLAG.sub(lambda found: argument(found[1]) if found[1] in flags else found[0], text), named


def _mapping(flag: str, found: re.Match[str]) -> str:
    """Return a flag with a name and what is said of it as a dictionary."""
    name, said = found[1] or found[3], (found[2] or found[4]).rstrip(".")
    end = "." if (found[2] or found[4]).endswith(".") else ""
    least, dots, most = said.partition("..")
    return f'{argument(flag)}={{"{name}": {f"({least}, {most})" if dots else said}}}{end}'
