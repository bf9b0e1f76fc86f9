"""Dictionaries as TOML, which the commands read."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real

#: Characters of a key that needs no quotes.
_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def written(table: Mapping[str, object]) -> str:
    """Return a table as TOML: lists of dictionaries are arrays of tables, ratios texts such as `"1/2"`.

    What is None is left out, since TOML has no word for it.

    Raises:
        TypeError: If a key is no text, or a value is of a type that TOML has no word for; it names the key.
    """
    return "\n".join(_table(table, ())) + "\n"


def _table(table: Mapping[str, object], at: tuple[str, ...]) -> list[str]:
    """Return the lines of a table: what is plain comes first, since it would belong to a table that is above it."""
    lines: list[str] = []
    below: list[str] = []
    for key, value in table.items():
        if not isinstance(key, str):
            raise TypeError(f"{'.'.join((*at, repr(key)))}: want a text as the key")
        place = (*at, key)
        name = ".".join(_key(part) for part in place)
        if value is None:
            continue
        if isinstance(value, Mapping):
            below += [f"[{name}]", *_table(value, place)]
        elif _are_tables(value):
            for row in value:  # type: ignore[attr-defined]
                below += [f"[[{name}]]", *_table(row, place)]
        else:
            lines.append(f"{_key(key)} = {_value(value, place)}")
    return lines + below


def _are_tables(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _value(value: object, at: tuple[str, ...]) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, os.PathLike):
        return _text(str(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Fraction):
        return _text(str(value))
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, Real):
        return plain(float(value)) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        pairs = ((_key(str(key)), one, (*at, str(key))) for key, one in value.items() if one is not None)
        return "{" + ", ".join(f"{key} = {_value(one, place)}" for key, one, place in pairs) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(one, at) for one in value) + "]"
    raise TypeError(f"{'.'.join(at)}: a {type(value).__name__}: want a text, a number, a list or a dictionary")


def plain(number: float) -> str:
    """Return a number without an exponent, which the commands do not read everywhere, and with all its digits."""
    text = format(Decimal(repr(number)), "f")
    return text[:-2] if text.endswith(".0") else text


def _key(key: str) -> str:
    return key if key and _BARE.issuperset(key) else _text(key)


def _text(text: str) -> str:
    # A text of JSON is one of TOML, but for the one control character that JSON has as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
