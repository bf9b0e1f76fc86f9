"""The part of the page about rates of the whole GPU: lines, sectors and atomics."""

from .html import Cell, details, number, table, text
from .rate_fit import COMPANIES


def section(record):
    steps = record.get("rate", {})
    if not steps:
        return "<p>No rate was measured.</p>"
    parts = ["<p>GB/s, or lanes in a cycle for atomics. A window is the time in which all warps together do a fixed amount of work; the least "
             "of n windows is no bound, and if windows are alike, one more is below it with probability 1 / (n + 1). "
             "Beside: with a kernel that copies on the other half of the places for blocks.</p>",
             rates(steps), servers(record), strides(steps)]
    return "".join(parts)


def rates(steps):
    rows = []
    for name, value in steps.items():
        loop = {True: "as meant", None: Cell("not checked", "low")}.get(value["sass"]["ok"], Cell(value["sass"]["why"], "low"))
        for company in COMPANIES:
            sample = value.get(company)
            if not sample:
                continue
            found = sample.get("rates") or {"samples": 0}
            if not found["samples"]:
                rows.append([name, value["stride"], company, *[""] * 8, Cell(sample.get("why", "no window"), "low")])
                continue
            rows.append([name, value["stride"], company, found["unit"], sample["amount"], found["window_ns"], found["samples"], found["median"], found["p1"],
                         found["least"], sample.get("neighbours_gbs", ""), loop])
    return table(["step", " bytes apart", "company", "unit", " bytes or lanes of a window", " ns of a window", " windows", " median", " 1 %", " least",
                  " neighbours, GB/s", "loop"], rows)


def servers(record):
    found = record.get("machine", {}).get("servers", [])
    said = ", ".join(f"{one['name']} {one['rate']}" + (f" (a lone sector costs {number(one['lone_sector'])} bytes)" if "lone_sector" in one else "") for one in found)
    return f"<p>In the machine file: {text(said or 'no server, because a step of each is missing, or its loop was not checked')}.</p>"


def strides(steps):
    rows = [[one["stride"], one["samples"], one.get("median", ""), one.get("least", "")] for value in steps.values() for one in value.get("strides", [])]
    if not rows:
        return ""
    return details("sectors far apart: the slowest stride is that of one channel, if it is one", table([" bytes apart", " windows", " median", " least"], rows))
