"""Frozen objects of records: what all of them can do."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar, Union

from warpspan import _html, _native

_P = TypeVar("_P", bound="Part")
_A = TypeVar("_A", bound="Answer")


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a record: its fields are those of the JSON object."""

    @classmethod
    def of_dict(cls: type[_P], record: Mapping[str, Any]) -> _P:
        """Make the object of a JSON object. Fields that it does not know are left out."""
        read = _readers(cls)
        return cls(**{name: read[name](value) for name, value in record.items() if name in read})


#: Flags of `solve` that write files, which a drawing has no use for.
_WRITING = ("--schedule=", "--best-schedule=", "--certificate=", "--write-model=", "--solver-log=")


class Answer(Part):
    """A record: what a command answers."""

    #: The name and the version of the record.
    SCHEMA: ClassVar[str] = ""

    @classmethod
    def of_line(cls: type[_A], line: str, arguments: Sequence[str] = ()) -> _A:
        """Make the object of a line of JSON, as the command line prints it with `--format json`."""
        answer = cls.of_dict(json.loads(line))
        object.__setattr__(answer, "_line", line)
        object.__setattr__(answer, "_arguments", tuple(arguments))
        return answer

    def to_json(self) -> str:
        """Return the record as the line of JSON that the command line prints."""
        line: str = self.__dict__["_line"]
        return line.rstrip("\n")

    def to_dict(self) -> dict[str, Any]:
        """Return the record as the command line prints it in JSON: dictionaries, lists, texts and numbers."""
        record: dict[str, Any] = json.loads(self.to_json())
        return record

    def figures(self) -> dict[str, str]:
        """Return the drawings of the record as SVG, by name: of an answer of `solve` a Gantt chart.

        The chart shows a worst schedule. An answer without it is computed once more for the drawing, if that took at
        most five seconds;
        else solve `with_schedule=True`. The dictionary is empty where there is nothing to draw.
        """
        found, _ = _native.figures(self.to_json())
        again: tuple[str, ...] = self.__dict__["_arguments"]
        quick = getattr(self, "seconds", 0.0) <= 5
        if not found and again[:1] == ("solve",) and quick:
            arguments = [one for one in again[1:] if not one.startswith(_WRITING)]
            out, _, _, failure = _native.run(["solve", "--with-schedule", *arguments])
            # A file may have changed meanwhile.
            if failure is None and _same(json.loads(out), self.to_dict()):
                found, _ = _native.figures(out)
        return dict(found)

    def _repr_html_(self) -> str:
        return _html.answer(self.to_dict(), self.figures())


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("instance", "lower", "upper"))


#: Of each class the functions that make its fields, once they are known.
_READERS: dict[type[Part], dict[str, Any]] = {}


def _readers(cls: type[Part]) -> dict[str, Any]:
    if cls not in _READERS:
        hints = typing.get_type_hints(cls)
        _READERS[cls] = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(cls)}
    return _READERS[cls]


def _reader(hint: Any) -> Any:
    """Return the function that makes a value of this type of a JSON value."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:  # the records have no others than Optional
        inner = _reader(args[0])
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        inner = _reader(args[0])
        return lambda value: tuple(inner(one) for one in value)
    if isinstance(hint, type) and issubclass(hint, Part):
        return hint.of_dict
    return lambda value: value
