"""Long series of launches, for statistics of extremes: each span in cycles, in the order of the launches.

Four kernels of the corpus, one of arithmetic, one of memory, one of loads that depend on one another and one of atomics, as
`kernels` measures them: one block, caches warm, with the rest of the GPU idle or reading and writing memory without pause.
`apart` takes the spans out of a record, since they are long; `on-gpu` writes them to series.json.
"""

import functools
import time

from .bench import NEIGHBOURS_NS, Bench
from .kernels import names, quantiles, spans
from .steps import Step, Unsupported

KERNELS = ["black_scholes", "saxpy_stride", "search_tree", "histogram_global"]
COMPANIES = ["alone", "memory"]
LAUNCHES, QUICK_LAUNCHES = 20_000, 200
SECONDS = 150
# Neighbours leave by themselves after a while, so they are started again well before.
TURN = NEIGHBOURS_NS / 3e9


def series(name, file, context):
    bench = Bench(context, name, file)
    try:
        shape = {"shape": "one", "grid": [1, 1, 1], "block": bench.kernel["block"]}
        launches = context.launches or (QUICK_LAUNCHES if context.quick else LAUNCHES)
        end = time.monotonic() + context.seconds * 0.8
        return {"sha256": bench.manifest["sha256"], "runs": [one(bench, shape, company, launches, end) for company in COMPANIES]}
    finally:
        bench.close()


def one(bench, shape, company, launches, end):
    """One series; it is shorter if the time of the step is over."""
    found, astray, stopped, turns, error = [], 0, False, 0, None
    while len(found) + astray < launches and not stopped and not error:
        turns += 1
        try:
            astray += turn(bench, shape, company, found, launches - astray, min(time.monotonic() + TURN, end))
        except Unsupported as refused:
            error = str(refused)
        stopped = time.monotonic() > end
    kept = {"shape": shape["shape"], "block": shape["block"], "cache": "warm", "company": company, "launches": len(found), "astray": astray,
            "turns": turns, "spans": found}
    return dict(kept, cycles=quantiles(found) if found else [], **({"error": error} if error else {}))


def turn(bench, shape, company, found, most, end):
    """Launches until there are `most` spans or it is time; returns how many launches were astray."""
    astray = 0
    if company != "alone":
        bench.surround(True)
    try:
        # The first launch fills the caches and is left out.
        bench.once(shape, "warm")
        while len(found) + astray < most and time.monotonic() < end:
            span, _, where = spans(bench.once(shape, "warm"), bench.context.capability < (7, 0))
            if company != "alone" and where != {0}:
                astray += 1
            else:
                found.append(span)
    finally:
        if company != "alone":
            bench.dismiss()
    return astray


def apart(record):
    """The record without the spans, and a list with one object for each series, or None where there are no spans."""
    device = record.get("device", {}).get("device", {}).get("properties", {}).get("name")
    short, long = {}, []
    for step, value in record.get("series", {}).items():
        short[step] = dict(value, runs=[{key: part for key, part in run.items() if key != "spans"} for run in value["runs"]])
        long += [{"kernel": step[len("series-"):], "device": device, "measured": record["measured"], "started": record.get("started"),
                  "shape": run["shape"], "block": run["block"], "caches": run["cache"], "neighbours": run["company"], "spans": run["spans"]}
                 for run in value["runs"] if "spans" in run]
    return (dict(record, series=short) if short else record), long or None


STEPS = [Step(f"series-{name}", "series", functools.partial(series, name, names()[name]), SECONDS, f"many launches of {name}, one after another")
         for name in KERNELS]
