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


#: Flags that write files, which a drawing has no use for.
_WRITING = ("--schedule=", "--best-schedule=", "--certificate=", "--write-model=", "--solver-log=")


class Answer(Part):
    """A record: what a command answers."""

    #: The name and the version of the record.
    SCHEMA: ClassVar[str] = ""

    @classmethod
    def of_line(
        cls: type[_A],
        line: str,
        arguments: Sequence[str] = (),
        texts: Mapping[str, str] | None = None,
        took: float = 0.0,
    ) -> _A:
        """Make the object of a line of JSON, as the command line prints it with `--format json`.

        What it was asked, with which texts, and how many seconds that took is for a drawing of it.
        """
        answer = cls.of_dict(json.loads(line))
        object.__setattr__(answer, "_line", line)
        object.__setattr__(answer, "_asked", (tuple(arguments), dict(texts or {}), took))
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
        """Return the drawings of the record as SVG, by name.

        Of `time` they show what adds up to the bound and what lines add, of `rta` the response times beside their
        deadlines, of `partition` the partitions, of `compare` what has changed, and of `solve` and `rta` a schedule.
        An answer without its schedule is computed once more for that drawing, if it took at most five seconds; else
        ask `with_schedule=True`. The dictionary is empty where there is nothing to draw.
        """
        found, _ = _native.figures(self.to_json())
        arguments, texts, took = self.__dict__["_asked"]
        if took > 5 or arguments[:1] not in (("solve",), ("rta",)) or self.to_dict().get("schedule"):
            return dict(found)
        again = [one for one in arguments[1:] if not one.startswith(_WRITING)]
        out, _, _, failure = _native.run([arguments[0], "--with-schedule", *again], None, texts)
        if failure is None and self._is_same(out):
            found, _ = _native.figures(out)
        return dict(found)

    def _is_same(self, line: str) -> bool:
        """Return whether this is the same answer; a file may have changed meanwhile."""
        other, own = json.loads(line), self.to_dict()
        left_out = ("seconds", "schedule", "checks", "notes")
        return all(own[key] == other[key] for key in own.keys() & other.keys() if key not in left_out)

    def __repr__(self) -> str:
        """Return what it is about and what it says, in a line."""
        if "_line" not in self.__dict__:
            fields = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self))
            return f"{type(self).__name__}({', '.join(fields)})"
        return f"<{type(self).__name__}: {_html.line(self.to_json())}>"

    def _repr_html_(self) -> str:
        return _html.answer(self.to_json(), self.figures())


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
