"""Answers as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import Any

#: Larger drawings would make the notebook slow.
_MOST_SVG = 2_000_000


def answer(record: dict[str, Any], figures: dict[str, str]) -> str:
    """Return the verdict of a record, its table, its notes and its drawings."""
    parts = [f"<p><strong>{escape(verdict(record))}</strong></p>", _table(record)]
    parts += [f"<p>note: {escape(note)}</p>" for note in record.get("notes", []) if isinstance(note, str)]
    # As an image, a drawing brings its own style, dark mode included, and no script runs in it.
    for name, svg in figures.items():
        if len(svg) <= _MOST_SVG:
            parts.append(f'<figure title="{escape(name)}" style="overflow-x:auto;margin:0">{svg}</figure>')
        else:
            parts.append(f"<p>{escape(name)} is too large to be shown: figures() has it</p>")
    return "<div>" + "".join(parts) + "</div>"


def verdict(record: dict[str, Any]) -> str:
    """Return the answer in a sentence."""
    kind = record["schema"].split("/")[1]
    lower, upper = record.get("lower"), record.get("upper")
    if kind in ("solve", "bound"):
        name = ", ".join(f"{group['kernel']}, {group['warps']} warps" for group in record["instance"]["groups"])
        if upper is None:
            return f"{name}: no bound"
        if lower == upper:
            return f"{name}: exactly {upper} cycles in the worst case"
        return f"{name}: from {lower} to {upper} cycles in the worst case"
    if kind == "partition":
        return f"schedulable on {record['used']} multiprocessors" if record["schedulable"] else "no partitions found"
    if kind == "prem" and record.get("execution_ns") is not None:
        return f"at most {record['execution_ns']} ns"
    said = record.get("verdict")
    return f"{kind}: {said}" if isinstance(said, str) else kind


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
