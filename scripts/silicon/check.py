"""Reads a record, and refuses what is cut off or has another form: one line says what is wrong. A file whose name ends in `.xz` is compressed."""

import json
import os

from .steps import SCHEMA, VERSION

STATUSES = ("done", "failed", "timed out", "unsupported", "skipped")


class CheckError(Exception):
    """A file is no record."""


def write(path, text):
    """Writes the whole file or nothing."""
    part = path.with_name(path.name + ".part")
    if path.suffix == ".xz":
        import lzma  # here, since where a GPU is measured it may be missing
        part.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    else:
        part.write_text(text)
    os.replace(part, path)


def text_of(path):
    """The text of a file. What was cut off is a `ValueError`."""
    if path.suffix != ".xz":
        return path.read_text()
    import lzma  # as above
    try:
        return lzma.decompress(path.read_bytes()).decode()
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(str(error)) from None


def read(path):
    try:
        text = text_of(path)
    except (OSError, ValueError) as error:
        raise CheckError(f"{path}: cannot be read: {error}") from None
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise CheckError(f"{path}:{error.lineno}: no whole JSON, {error.msg}: the record is cut off or was changed; want the file that on-gpu wrote") from None
    for place, found, wanted in problems(record):
        raise CheckError(f"{path}: {place} is {found}: want {wanted}")
    return record


def problems(record):
    """What is wrong: (place, what was found, what would do)."""
    if not isinstance(record, dict):
        return [("the record", type(record).__name__, "an object")]
    found = []

    def want(place, value, good, wanted):
        if not good:
            found.append((place, json.dumps(value)[:60], wanted))

    want("schema", record.get("schema"), record.get("schema") == SCHEMA, json.dumps(SCHEMA))
    want("version", record.get("version"), record.get("version") == VERSION, VERSION)
    want("measured", record.get("measured"), isinstance(record.get("measured"), bool), "true or false")
    steps = record.get("steps")
    want("steps", steps, isinstance(steps, list) and all(isinstance(step, dict) and step.get("status") in STATUSES for step in steps),
         f"a list of steps, each with one of {', '.join(STATUSES)}")
    kernels = record.get("kernels", {})
    if not isinstance(kernels, dict):
        return found + [("kernels", type(kernels).__name__, "an object")]
    for name, entry in kernels.items():
        runs = entry.get("runs") if isinstance(entry, dict) else None
        want(f"kernels.{name}.runs", runs, isinstance(runs, list), "a list")
        for number, run in enumerate(runs or []):
            place = f"kernels.{name}.runs[{number}]"
            for key in ("grid", "block"):
                value = run.get(key)
                want(f"{place}.{key}", value, isinstance(value, list) and len(value) == 3 and all(isinstance(n, int) and n > 0 for n in value), "three whole numbers from 1")
            for key in ("resident", "multiprocessors", "repetitions"):
                value = run.get(key)
                want(f"{place}.{key}", value, isinstance(value, int) and value >= 0, "a whole number")
            cycles = run.get("cycles", [])
            want(f"{place}.cycles", cycles, isinstance(cycles, list) and cycles == sorted(cycles) and (len(cycles) == len(entry.get("quantiles", [])) or not cycles),
                 "rising quantiles, as many as entry.quantiles")
    return found
