"""Answers as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import Any

from warpspan._wording import in_arguments

#: Larger drawings would make the notebook slow.
_MOST_SVG = 2_000_000


#: What a number holds under, by the names that records have for it, and what stands before it on a page.
_CONDITIONS = {
    "declared": "Declared",
    "assumed": "Assumed",
    "modelled": "Rules of the model",
    "sourced": "From sources",
    "provided": "Provided that",
    "assumes": "Assumed",
    "not_covered": "Not covered",
}


def answer(record: dict[str, Any], figures: dict[str, str]) -> str:
    """Return the verdict of a record, what it holds under, its table, its notes and its drawings.

    The conditions are in the paragraph after the number and in the same element, so that nobody sees one without them.
    """
    parts = [f"<p><strong>{escape(verdict(record))}</strong></p>", _conditions(record), _table(record)]
    parts += [f"<p>note: {_said(record, note)}</p>" for note in record.get("notes", []) if isinstance(note, str)]
    # As an image, a drawing brings its own style, dark mode included, and no script runs in it.
    for name, svg in figures.items():
        if len(svg) <= _MOST_SVG:
            parts.append(f'<figure title="{escape(name)}" style="overflow-x:auto;margin:0">{svg}</figure>')
        else:
            parts.append(f"<p>{escape(name)} is too large to be shown: figures() has it</p>")
    return "<div>" + "".join(parts) + "</div>"


def conditions(record: object) -> dict[str, list[str]]:
    """Return what the numbers of a record hold under, also that of its parts, each sentence once."""
    found: dict[str, list[str]] = {}

    def collect(value: object) -> None:
        if isinstance(value, list):
            for one in value:
                collect(one)
        elif isinstance(value, dict):
            for key, inner in value.items():
                sentences = [inner] if isinstance(inner, str) else inner
                if key == "assumptions" and isinstance(inner, list):
                    for one in inner:
                        found.setdefault(one["kind"], []).append(f"{one['subject']}: {one['value']}")
                elif key in _CONDITIONS and isinstance(sentences, list):
                    found.setdefault(key, []).extend(one for one in sentences if isinstance(one, str))
                else:
                    collect(inner)

    collect(record)
    return {key: list(dict.fromkeys(found[key])) for key in _CONDITIONS if found.get(key)}


def _conditions(record: dict[str, Any]) -> str:
    lists = [
        f"<p>{_CONDITIONS[key]}:</p><ul>{''.join(f'<li>{_said(record, one)}</li>' for one in sentences)}</ul>"
        for key, sentences in conditions(record).items()
    ]
    if not lists and kind_of(record) in ("time", "rta", "partition"):
        test = record.get("test")
        lists = [f"<p>The record names no assumptions{f' besides the test {escape(str(test))}' if test else ''}.</p>"]
    return "".join(lists)


def _said(record: dict[str, Any], sentence: str) -> str:
    """Return a sentence of a record, which names flags, as Python says it."""
    return escape(in_arguments(kind_of(record), sentence)[0])


def kind_of(record: dict[str, Any]) -> str:
    """Return the name of a record's schema."""
    # Only the rows of a table have no schema.
    kind: str = record.get("schema", "warpspan/sweep-row").split("/")[1]
    return kind


def line(record: dict[str, Any]) -> str:
    """Return the answer in a line: what it says, on which GPU, and under how many conditions."""
    parts = [verdict(record)]
    if isinstance(record.get("gpu"), str):
        parts.append(record["gpu"])
    count = sum(map(len, conditions(record).values()))
    if count:
        parts.append(f"{count} condition{'s' if count > 1 else ''}")
    return " ".join(", ".join(parts).split())


def verdict(record: dict[str, Any]) -> str:
    """Return the answer in a sentence."""
    kind = kind_of(record)
    lower, upper = record.get("lower"), record.get("upper")
    if kind in ("solve", "bound"):
        name = ", ".join(f"{_short(group['kernel'])}, {group['warps']} warps" for group in record["instance"]["groups"])
        if upper is None:
            return f"{name}: no bound"
        if lower == upper:
            return f"{name}: exactly {upper} cycles in the worst case"
        return f"{name}: from {lower} to {upper} cycles in the worst case"
    if kind == "sweep-row":
        return f"cell {record['cell']}: {record.get('kernel')}, {record.get('warps')} warps: {lower} to {upper} cycles"
    if kind == "time":
        said = f"{record['verdict']}, " if record.get("verdict") else ""
        bound = record.get("bound_ns")
        least = record.get("least_ns")
        number = "no bound" if bound is None else f"at most {bound} ns"
        if record.get("reason"):
            number += f" ({record['reason']})"
        deadline = record.get("deadline_ns")
        more = (f", at least {least} ns" if least else "") + (f", deadline {deadline} ns" if deadline else "")
        return f"{record['entry']}: {said}{number}{more}"
    if kind == "rta":
        rows = [f"{row['name']} {_or_none(row['response_bound'])}" for row in record["kernels"][:3]]
        more = f" and {len(record['kernels']) - 3} more" if len(record["kernels"]) > 3 else ""
        return f"rta: {record['verdict']}, response times in {record['unit']}: {', '.join(rows)}{more}"
    if kind == "partition":
        if record["verdict"] == "impossible":
            return "impossible: no partitions pass the test"
        return f"schedulable on {record['used']} multiprocessors" if record["schedulable"] else "no partitions found"
    if kind == "co-located":
        said = "proved to hold" if record["schedulable"] else "not proved to hold"
        return f"all deadlines together in one partition: {said}"
    if kind == "prem" and record.get("execution_ns") is not None:
        return f"at most {record['execution_ns']} ns"
    if kind == "gpus":
        return f"{record['title'] or record['name']}, compute capability {record['compute_capability']}"
    if kind == "check":
        refuted = [claim["claim"] for claim in record.get("claims") or [] if claim["judgement"] == "refuted"]
        is_valid = "a valid schedule" if record["valid"] else "no valid schedule"
        return is_valid + "".join(f", {claim} refuted" for claim in refuted)
    if kind == "verify":
        weakest = record.get("weakest")
        rest = f", at the weakest {weakest['checked']} ({weakest['number']})" if weakest else ""
        return f"{record.get('of') or 'theorems'}: {len(record['numbers'])} numbers{rest}"
    word = record.get("verdict")
    return f"{kind}: {word}" if isinstance(word, str) else kind


def _short(kernel: str) -> str:
    """Return a kernel string, or the beginning of a long one."""
    return kernel if len(kernel) <= 60 else f"{kernel[:57]}..."


def _or_none(bound: object) -> str:
    return "without a bound" if bound is None else f"at most {bound}"


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
