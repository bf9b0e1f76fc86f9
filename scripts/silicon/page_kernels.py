"""The part of the page about kernels: measured times beside their bounds."""

from .html import Cell, Plot, details, number, table, text

COLOURS = {"alone": "#0969da", "spin": "#8250df", "memory": "#bc4c00"}
TITLES = {"shipped": "shipped machine", "measured": "measured machine", "ceiling": "ceiling of memory", "coalesced": "one transaction a pass", "declared": "as declared",
          "as_run": "as run"}


def runs_of(record):
    """(kernel, entry, run) of all runs with a measurement."""
    return [(step[len("kernel-"):], entry, run) for step, entry in record.get("kernels", {}).items()
            for run in entry["runs"] if run.get("cycles")]


def titles_of(record):
    found = {title for _, _, run in runs_of(record) for title in run.get("bounds", {})}
    return [title for title in TITLES if title in found]


def judged_by(run):
    """The bound that counts: the least of those that there are."""
    return min((bound for bound in run.get("bounds", {}).values() if bound is not None), default=None)


def ratio(run, bound):
    return run["cycles"][-1] / bound if bound else None


def section(record):
    runs = runs_of(record)
    if not runs:
        return "<p>No kernel was run.</p>"
    best = [(name, run, ratio(run, judged_by(run))) for name, _, run in runs]
    known = [one for one in best if one[2] is not None]
    parts = []
    if known:
        ordered = sorted(value for _, _, value in known)
        above = sum(value > 1 for value in ordered)
        model = [(run["cycles"][-1], run["paper"]["model"]) for _, run, _ in best if run.get("paper", {}).get("model")]
        parts.append(f"<p>Longest measured time over the least bound, {len(ordered)} launches: from {number(ordered[0])} to {number(ordered[-1])}, "
                     f"{number(ordered[len(ordered) // 2])} in the middle; above 1: <b>{above}</b>. The paper's model, which has no latency and is no bound for hardware, "
                     f"is below the measurement in {sum(found > said for found, said in model)} of {len(model)} launches.</p>")
        parts.append(drawing(known))
    else:
        parts.append("<p>No bounds were computed yet: <code>scripts/on-gpu bound RECORD --warpspan PATH</code> does it.</p>")
    bounded = record.get("bounded", {})
    refused = {**bounded.get("refused", {}), **{f"{name}, as declared": why for name, why in bounded.get("undeclared", {}).items()}}
    if refused:
        parts.append("<h3>Kernels without a bound</h3>" + table(["kernel", "because"], sorted(refused.items())))
    parts.append("<h3>All launches</h3>")
    for step, entry in record["kernels"].items():
        name = step[len("kernel-"):]
        mine = [(run, value) for other, run, value in best if other == name]
        worst = max((value for _, value in mine if value is not None), default=None)
        kind = ' class="above"' if worst is not None and worst > 1 else ""
        said = f"longest over bound at most {number(worst)}" if worst is not None else "no bound"
        errors = "".join(f"<li>{text(error)}</li>" for error in entry.get("errors", []))
        about = f"<p>{text(entry['file'])}.cu for {text(entry['capability'])}, {text(entry['how'])}; {entry['registers']} registers, {entry['shared']} bytes of shared memory.</p>"
        parts.append(details(f"<b{kind}>{text(name)}</b>: {len(mine)} launches, {said}",
                             about + launches(record, mine) + (f"<ul>{errors}</ul>" if errors else "")))
    return "\n".join(parts)


def drawing(known):
    """Each launch as a dot: longest over bound, on a logarithmic axis, in rising order."""
    known = sorted(known, key=lambda one: one[2])
    models = [(at, run["cycles"][-1] / run["paper"]["model"], name) for at, (name, run, _) in enumerate(known) if run.get("paper", {}).get("model")]
    values = [value for _, _, value in known] + [value for _, value, _ in models]
    low, high = min([*values, 0.5]) / 1.5, max([*values, 1]) * 1.5
    plot = Plot(1100, 380, (0, max(len(known) - 1, 1)), (low, high), log=True)
    step = 10.0 ** -9
    while step < high:
        if step > low:
            plot.mark(step, f"{step:g}")
        step *= 10
    plot.line([(0, 1), (max(len(known) - 1, 1), 1)], "#cf222e", dashed=True)
    for at, value, name in models:
        plot.dot(at, value, "#8c959f", f"{name}: measured over the paper's model {value:.3g}", hollow=True)
    for at, (name, run, value) in enumerate(known):
        plot.dot(at, value, "#cf222e" if value > 1 else COLOURS[run["company"]], f"{name}, {run['shape']}, {run['cache']}, {run['company']}: {value:.3g}")
    plot.note(70, 372, "each dot a launch: longest measured time over its bound; hollow: over the paper's model. Blue alone, violet beside spinning neighbours, orange beside memory traffic")
    return plot.svg("longest measured time over bound")


def launches(record, mine):
    titles = titles_of(record)
    heads = ["shape", "grid", "block", "caches", "company", " runs", " least", " median", " 99 %", " longest", " mean"]
    for title in titles:
        heads += [f" bound, {TITLES[title]}", " longest / bound"]
    heads += [" paper's model", " longest / model", " Be12 estimate", " pessimistic T"]
    rows = []
    for run, _ in mine:
        cycles, paper = run["cycles"], run.get("paper", {})
        row = [run["shape"], "x".join(map(str, run["grid"])), "x".join(map(str, run["block"])), run["cache"], run["company"],
               run["repetitions"], cycles[0], cycles[5], cycles[9], cycles[-1], run["mean_cycles"]]
        for title in titles:
            bound = run["bounds"].get(title)
            value = ratio(run, bound)
            row += [bound, None if value is None else Cell(value, "bad" if value > 1 else "good")]
        model = paper.get("model")
        value = cycles[-1] / model if model else None
        row += [model, None if value is None else Cell(value, "low" if value > 1 else ""), paper.get("min-over-y"), paper.get("pessimistic")]
        rows.append(row)
    return table(heads, rows)
