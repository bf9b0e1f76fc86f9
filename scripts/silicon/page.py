"""The page of a record: one HTML file that needs nothing but itself. `scripts/on-gpu page RECORD` writes it again."""

import argparse
import sys
from pathlib import Path

from . import bounds, check, page_kernels, page_micro, page_others, page_rates
from .html import STYLE, details, table, text

LIMITS = [
    "Times of a launch begin with the first reading of a clock in a warp and end with the last one; what the hardware does before and after, such as starting the grid, is in no number here. The bounds count the code around these readings too.",
    "A measured longest time is no worst case. A time below its bound proves nothing; a time above it refutes the bound, or an assumption of it.",
    "The clocks of one multiprocessor are taken to agree between its warps. Times of several multiprocessors are compared by the global timer, which has steps.",
    "The bounds assume that each access to memory has its result within the latency of its letter, whatever the others do. What was measured under load is no ceiling of that.",
    "Misses of instruction caches, page faults, other processes, and changes of the clock within a launch are not covered.",
    "A block that waits is assumed to start as soon as there is room; real hardware takes some time to place it.",
    "Neighbours leave their multiprocessor to the measured kernel before it starts; runs with blocks elsewhere are left out and counted as astray.",
]


def page(record):
    name = record.get("device", {}).get("device", {}).get("properties", {}).get("name", "an unknown device")
    title = f"warpspan on {name}"
    parts = [f"<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{text(title)}</title><style>{STYLE}</style></head><body>",
             f"<h1>{text(title)}</h1>", head(record), verdict(record),
             "<h2>Kernels</h2>", page_kernels.section(record),
             "<h2>Scheduling rules of the whole GPU</h2>", page_others.rules(record),
             "<h2>Time-triggered tiles</h2>", page_others.prem(record),
             "<h2>Order of warps</h2>", page_others.order(record),
             "<h2>Series</h2>", page_others.series(record),
             "<h2>Numbers of the machine</h2>", page_others.machine(record),
             "<h2>Instructions and memory</h2>", page_micro.section(record),
             "<h2>Rates of memory</h2>", page_rates.section(record),
             "<h2>Disagreements</h2>", disagreements(record),
             "<h2>Limits</h2><ul>" + "".join(f"<li>{text(limit)}</li>" for limit in LIMITS) + "</ul>",
             "<h2>Steps</h2>", steps(record), "</body></html>"]
    return "\n".join(parts) + "\n"


def head(record):
    if not record["measured"]:
        return '<p class="banner"><b>MADE UP.</b> The device does not exist: nothing was measured, and every number here only shows the form of the page.</p>'
    return f"<p>Measured from {text(record.get('started', 'a time that is not said'))} on, in {text(record.get('seconds', '?'))} s.</p>"


def verdict(record):
    above = bounds.failures(record)
    if above:
        kind, said = "red", f"{len(above)} measurements are above what was predicted; each is to be explained below, or becomes a stated limit."
    elif "bounded" not in record:
        kind, said = "", "No bounds were computed yet, so nothing is judged."
    else:
        kind, said = "green", "No measurement is above its bound."
    where = "" if record["measured"] else " The numbers are made up."
    return f'<div class="verdict {kind}">{said}{where}</div>'


def disagreements(record):
    """Each measurement above its bound, and each refuted number of the machine, with room for what explains it: the record's
    key `explained` takes a sentence for each text of the first column."""
    rows = []
    for one in record.get("bounded", {}).get("exceeded", []):
        rows.append([f"{one['kernel']}, {one['shape']}, {one['cache']}, {one['company']}", f"{one['measured']} cycles",
                     f"{one['bound']} cycles on the {one['machine']} machine"])
    for one in record.get("rules", {}).get("exceeded", []):
        breach = one.get("breach") or {}
        rows.append([f"rule {one['rule']}, workload {one['workload']}", breach.get("what", "broken") if isinstance(breach, dict) else breach, "the rule holds"])
    for one in record.get("prem", {}).get("exceeded", []):
        rows.append([f"tiles, offset {one['offset_ns']} ns", f"{one['measured_ns']} ns", "the bound of prem"])
    for one in record.get("machine", {}).get("comparison", []):
        if one.get("verdict") == "refuted":
            rows.append([f"letter {one['letter']} of {record['machine'].get('compared_with')}", one.get("why", ""), "the shipped number"])
    explained = record.get("explained", {})
    return table(["what", "measured", "predicted", "explanation, or the limit that it becomes"],
                 [row + [explained.get(row[0], "open")] for row in rows])


def steps(record):
    rows = [[step["name"], step["status"], step.get("seconds"), step.get("error", "").split("\n")[-1]] for step in record["steps"]]
    bad = [row for row in rows if row[1] != "done"]
    summary = f"{len(rows) - len(bad)} of {len(rows)} steps done"
    return (table(["step", "status", " seconds", "error"], bad) if bad else "") + details(summary, table(["step", "status", " seconds", "error"], rows))


def beside(record):
    """Where the page of a record goes."""
    name = record.name.partition(".json")[0]
    return record.with_name("page.html" if name == "record" else f"{name}.html")


def main(arguments):
    parser = argparse.ArgumentParser(prog="on-gpu page", description="Writes the page of a record again.")
    parser.add_argument("record", type=Path, metavar="RECORD", help="record.json of a run; page.html is written beside it (NAME.html beside NAME.json and NAME.json.xz)")
    options = parser.parse_args(arguments)
    try:
        record = check.read(options.record)
    except check.CheckError as error:
        print(f"on-gpu: {error}", file=sys.stderr)
        return 2
    check.write(beside(options.record), page(record))
    return 1 if bounds.failures(record) else 0
