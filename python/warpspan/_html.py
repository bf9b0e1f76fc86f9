"""Answers as a notebook shows them."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from warpspan import _native

#: Larger drawings would make the notebook slow.
_MOST_SVG = 2_000_000


def answer(text: str, figures: dict[str, str]) -> str:
    """Return what a record tells, as the page of `report` has it, and its drawings."""
    record = json.loads(text)
    parts = [page for _, page in _native.told(text)]
    parts = parts or [f"<p><strong>{escape(line(text))}</strong></p>", _table(record)]
    # As an image, a drawing brings its own style, dark mode included, and no script runs in it.
    for name, svg in figures.items():
        if len(svg) <= _MOST_SVG:
            parts.append(f'<figure title="{escape(name)}" style="overflow-x:auto;margin:0">{svg}</figure>')
        else:
            parts.append(f"<p>{escape(name)} is too large to be shown: figures() has it</p>")
    return "<div>" + "".join(parts) + "</div>"


def kind_of(record: dict[str, Any]) -> str:
    """Return the name of a record's schema."""
    # Only the rows of a table have no schema.
    kind: str = record.get("schema", "warpspan/sweep-row").split("/")[1]
    return kind


def line(text: str) -> str:
    """Return the answer in a line: what it is of, what it says, and under how many conditions."""
    told = [said for said, _ in _native.told(text)]
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    return " ".join((told[0] + more if told else _verdict(json.loads(text))).split())


def _verdict(record: dict[str, Any]) -> str:
    """Return what a record says that is for programs first of all."""
    kind = kind_of(record)
    if kind == "sweep-row":
        worst = f"{record['lower']} to {record['upper']} cycles"
        return f"cell {record['cell']}: {record.get('kernel')}, {record.get('warps')} warps: {worst}"
    return kind


def _table(record: dict[str, Any]) -> str:
    """Return the longest list of objects in the record as a table."""
    lists = [
        value
        for key, value in record.items()
        if key not in ("schedule", "checks") and isinstance(value, list) and value and isinstance(value[0], dict)
    ]
    if not lists:
        return ""
    return table(max(lists, key=len))


def table(rows: list[dict[str, Any]], most: int = 50) -> str:
    """Return the plain values of rows as a table."""
    columns = list(dict.fromkeys(key for row in rows for key, value in row.items() if _is_plain(value)))
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = [
        "<tr>" + "".join(f"<td>{_cell(row.get(column))}</td>" for column in columns) + "</tr>" for row in rows[:most]
    ]
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def _is_plain(value: object) -> bool:
    return value is not None and not isinstance(value, (list, dict))


def _cell(value: object) -> str:
    return escape(str(value)) if _is_plain(value) else ""
