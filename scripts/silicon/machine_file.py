"""Reads and writes machine files. Only what these files use of TOML is understood: Python before 3.11 has no reader."""

import json
import re


def read_toml(text):
    """The tables of a machine file: {"machine": {}, "sources": {}, "unit": [], "letter": [], "server": []}."""
    found, table = {"machine": {}, "sources": {}, "unit": [], "letter": [], "server": []}, None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[["):
            table = {}
            found.setdefault(line.strip("[]"), []).append(table)
        elif line.startswith("["):
            table = found.setdefault(line.strip("[]"), {})
        else:
            key, equals, value = line.partition("=")
            if not equals or table is None:
                raise ValueError(f"line {number}: {line!r} is no key of a machine file")
            # A table in a line has whole numbers alone.
            table[key.strip()] = json.loads(re.sub(r"(\w+) *=", r'"\1":', value) if value.strip().startswith("{") else value)
    return found


def in_toml(value):
    """A value as a machine file has it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {in_toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def write_toml(found, comment):
    """The text of a machine file, with lines of comment before it."""
    lines = [f"# {line}".rstrip() for line in comment]
    for name in ("machine", "sources"):
        if found[name]:
            lines += ["", f"[{name}]"] + [f"{key} = {in_toml(value)}" for key, value in found[name].items()]
    for name in ("unit", "letter", "server"):
        for entry in found[name]:
            lines += ["", f"[[{name}]]"] + [f"{key} = {in_toml(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


def entries(machine):
    """The letters of a machine by name; a unit is also the letter of its name."""
    units = {unit["name"]: unit for unit in machine["unit"]}
    found = {name: dict(unit, unit=name) for name, unit in units.items()}
    for one in machine["letter"]:
        found[one["name"]] = dict(units[one["unit"]], **one, shared=units[one["unit"]].get("shared", False))
    for one in found.values():
        latency = one.get("latency", 1)
        one["latency"] = [latency, latency] if isinstance(latency, int) else latency
        # A file calls this the hold of the unit, and records of measurements call it occupancy, as files did before.
        one["occupancy"] = one.pop("hold", one.get("occupancy", 1))
    return found
