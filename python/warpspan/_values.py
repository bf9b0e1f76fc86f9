"""From what a caller writes to the words that a flag takes.

What is of no form that a function here knows is written as it is: the command then says what it wants, and of which
argument.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Union

from warpspan._result import Answer
from warpspan._toml import plain, written

#: Instructions that warps may issue in a cycle: a whole number or `1/n`.
Rate = Union[int, str, Fraction]
#: A path.
File = Union[str, "os.PathLike[str]"]
#: Something to read: a path; the text itself, as a `Text` or a str of several lines; the keys and values of a TOML
#: file as a dictionary; or an answer or a table, whose records are meant.
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], Answer, Sequence[Answer]]
#: Seconds, or a number with a unit as the command line takes it: `30s`, `5m`, `10us`.
Time = Union[str, float, timedelta]
#: Bytes, or a number with a unit: `500M`, `2G`.
Size = Union[int, str]
#: A number, or the least and the most of one.
Interval = Union[str, float, Fraction, tuple[float, float]]
#: A count, or one for each dimension: `(60, 135)`.
Shape = Union[int, str, Sequence[int]]
#: Bytes in a second, or a text with a unit or a share of the data sheet: `140GB/s`, `70%`.
Bandwidth = Union[str, float]
#: Several values: in one text as the command line takes it, one by one, or a range such as `range(1, 65)`.
Many = Union[str, int, Fraction, range, Iterable[object]]
#: One value or several, each as a flag takes it that is given once for each.
Each = Union[str, int, Iterable[object]]
#: Names and what is said of each: a mapping, or texts such as `NAME=N`. A pair is the least and the most.
Pairs = Union[str, Mapping[Any, object], Iterable[str]]


class Text(str):
    """A text that is read in place of a file, such as a listing that is held already.

    A plain str is such a text where it has several lines; this is for one of a single line, or for one with a name,
    under which messages and records know it.

    Attributes:
        name: The name; None for `standard input`, or `<ARGUMENT>` where several texts are given.
    """

    name: str | None

    def __new__(cls, text: str, name: str | None = None) -> Text:
        """Take a text, and the name that it has in messages and records."""
        if name is not None and (not name or name == "-"):
            raise ValueError("name: want the name of a file, or None")
        made = super().__new__(cls, text)
        made.name = name
        return made


@dataclass(frozen=True)
class Given:
    """A text, and the path under which the command reads it."""

    path: str
    text: str


def source(value: Source | None, name: str) -> str | Given | None:
    """Return the path that is read, or the text that a command reads under the path `name`."""
    if value is None:
        return None
    if isinstance(value, Text):
        return Given(value.name or name, str(value))
    if isinstance(value, str):
        return Given(name, value) if "\n" in value else value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return Given(name, written(value))
    if isinstance(value, Answer):
        return Given(name, value.to_json() + "\n")
    answers = [one for one in value if isinstance(one, Answer)] if isinstance(value, Sequence) else []
    if answers and len(answers) == len(value):
        return Given(name, "".join(one.to_json() + "\n" for one in answers))
    raise TypeError(f"{name.strip('<>')}: a {type(value).__name__}: want a path, a text, a dictionary or an answer")


def seconds(value: Time | None) -> str | None:
    """Write a time as a flag takes it."""
    if value is None or isinstance(value, str):
        return value
    length = value.total_seconds() if isinstance(value, timedelta) else value
    is_time = isinstance(length, Real) and math.isfinite(length)
    return f"{round(length * 1e9)}ns" if is_time else str(value)


def number(value: object) -> str:
    """Write a number, or what is no number, as a flag takes it."""
    is_float = isinstance(value, Real) and not isinstance(value, (Integral, Fraction))
    if is_float and math.isfinite(value):  # type: ignore[arg-type]
        return plain(float(value))  # type: ignore[arg-type]
    return str(value)


def interval(value: Interval | None) -> str | None:
    """Write a number, or the least and the most of one."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return f"{number(value[0])}..{number(value[1])}"
    return number(value)


def shape(value: Shape | None, between: str = ",") -> str | None:
    """Write a count, or one for each dimension."""
    if value is None or isinstance(value, str):
        return value
    return between.join(map(str, value)) if isinstance(value, Sequence) else str(value)


def bandwidth(value: Bandwidth | None) -> str | None:
    """Write bytes in a second."""
    if value is None or isinstance(value, str):
        return value
    if not (isinstance(value, Real) and math.isfinite(value)):
        return str(value)
    return f"{Decimal(number(value)).scaleb(-9).normalize():f}GB/s"


def steps(value: str | range | None) -> str | None:
    """Write a range as `A..B:STEP`, of which B is the last."""
    return f"{value[0]}..{value[-1]}:{value.step}" if isinstance(value, range) and value else value  # type: ignore[return-value]


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


def listed(value: Each | None) -> list[str]:
    """Write the values of a flag that is given several times."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [str(value)]
    return [str(one) for one in value]


def pairs(value: Pairs | None, between: str) -> list[str]:
    """Write the values of a flag that is given several times, each a name with what is said of it."""
    if isinstance(value, Mapping):
        return [f"{name}{between}{interval(said)}" for name, said in value.items()]  # type: ignore[arg-type]
    return listed(value)


def paths(value: File | Iterable[File] | None) -> list[str]:
    """Write the files of a flag that is given several times."""
    if value is None:
        return []
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(one) for one in value]
