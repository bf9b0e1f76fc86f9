"""From what a caller writes to the words that a flag takes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import timedelta
from fractions import Fraction
from typing import Union

#: Instructions that warps may issue in a cycle: a whole number or `1/n`.
Rate = Union[int, str, Fraction]
#: A path.
File = Union[str, "os.PathLike[str]"]
#: Seconds, or a number with a unit as the command line takes it: `30s`, `5m`, `10us`.
Time = Union[str, float, timedelta]
#: Bytes, or a number with a unit: `500M`, `2G`.
Size = Union[int, str]
#: Several values: in one text as the command line takes it, one by one, or a range such as `range(1, 65)`.
Many = Union[str, int, Fraction, range, Iterable[object]]
#: Names and what is said of each: a mapping, or texts such as `NAME=N`.
Pairs = Union[str, Mapping[str, object], Iterable[str]]


def seconds(value: Time | None) -> str | None:
    """Write a time as a flag takes it."""
    if value is None or isinstance(value, str):
        return value
    length = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{round(length * 1e9)}ns"


def joined(value: Many | None) -> str | None:
    """Write several values in one text, with commas between them."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, range):
        if len(value) == 0 or value.step < 0:
            return ",".join(map(str, value))
        step = "" if value.step == 1 else f"/{value.step}"
        return f"{value[0]}..{value[-1]}{step}"
    if isinstance(value, Iterable):
        return ",".join(joined(one) or "" if isinstance(one, range) else str(one) for one in value)
    return str(value)


def listed(value: str | Iterable[object] | None) -> list[str]:
    """Write the values of a flag that is given several times."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(one) for one in value]


def pairs(value: Pairs | None, between: str) -> list[str]:
    """Write the values of a flag that is given several times, each a name with what is said of it."""
    if isinstance(value, Mapping):
        return [f"{name}{between}{said}" for name, said in value.items()]
    return listed(value)


def paths(value: File | Iterable[File] | None) -> list[str]:
    """Write the files of a flag that is given several times."""
    if value is None:
        return []
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(one) for one in value]
