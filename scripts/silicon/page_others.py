"""The parts of the page about scheduling rules, time-triggered tiles, the order of warps, series and the numbers of the machine."""

from .html import Cell, Plot, number, table

# Kr19 Table 4.1 and the raw data of its experiment, on a Jetson TX2: offset in ns, mean in ms, jitter in percent.
KR19 = [("no schedule", 2.397, 1.47), (0, 2.444, 1.20), (1200, 2.499, 1.34), (1300, 2.670, 0.15), (1400, 2.874, 0.04), (2500, 5.120, 0.02)]


def rules(record):
    measured = record.get("rules", {}).get("rules")
    if not measured:
        return "<p>No workload was run.</p>"
    judged = {name: workload.get("judged", {}) for name, workload in measured["workloads"].items()}
    if not any(judged.values()):
        return f"<p>{len(judged)} workloads were run; <code>scripts/on-gpu bound</code> judges them.</p>"
    names, says = [], {}
    for one in judged.values():
        for rule in one.get("rules") or []:
            says.setdefault(rule["rule"], rule["says"])
            names += [rule["rule"]] * (rule["rule"] not in names)
    rows, breaches = [], []
    for name, one in judged.items():
        found = {rule["rule"]: rule for rule in one.get("rules") or []}
        row = [name, sum(launch["blocks"] for _, launches in measured["workloads"][name]["streams"] for launch in launches)]
        for rule in names:
            holds = found.get(rule, {}).get("holds")
            row.append(Cell({True: "yes", False: "NO", None: "-"}[holds], {True: "good", False: "bad", None: ""}[holds]))
            if holds is False:
                breaches.append([name, rule, (found[rule].get("breach") or {}).get("what", "")])
        for key in ("executions_hold", "bounds_hold"):
            holds = one.get(key)
            row.append(Cell({True: "yes", False: "NO", None: "-"}[holds], {True: "good", False: "bad", None: ""}[holds]))
        rows.append(row + [one.get("refused", "")])
    return (table(["workload", " blocks"] + names + ["C kept", "bounds kept", "refused"], rows) + "<h3>First violating blocks</h3>"
            + table(["workload", "rule", "block"], breaches) + "<h3>What the rules say</h3>" + table(["rule", "of blocks"], sorted(says.items())))


def prem(record):
    measured = record.get("prem", {}).get("prem")
    if not measured:
        return "<p>No tiles were run.</p>"
    rows = [["no schedule", None, measured["unscheduled"]["runs"], measured["unscheduled"]["mean_ns"], measured["unscheduled"]["most_ns"],
             measured["unscheduled"]["jitter_percent"], None, None, None, ""]]
    for one in measured["offsets"]:
        said = one.get("judged", {}).get("said", {})
        bound = said.get("execution_ns")
        value = one["most_ns"] / bound if bound else None
        rows.append([f"{one['offset_ns']} ns", one["hyperperiod_ns"], one["runs"], one["mean_ns"], one["most_ns"], one["jitter_percent"],
                     said.get("planned_ns"), bound, None if value is None else Cell(value, "bad" if said.get("exceeds") else "good"),
                     said.get("assumption") or one.get("judged", {}).get("refused", "")])
    phases = [[name, measured["isolated"][name]["mean"], measured["isolated"][name]["most"], measured["contended"][name]["mean"], measured["contended"][name]["most"]]
              for name in ("prefetch", "compute", "writeback")]
    wrong = "" if measured["right"] else "<p><b>The results of the convolution are wrong.</b></p>"
    return (wrong + f"<p>Four kernels of two blocks, 512 tiles a block; a timer with steps of {number(measured['timer_ns'])} ns. The durations below are measured, "
            "so the bounds that rest on them are as good as the longest of these was.</p>"
            + table(["phase", " alone, mean ns", " alone, longest", " four kernels, mean ns", " longest"], phases) + drawing(measured)
            + table(["offset", " hyperperiod ns", " runs", " mean ns", " longest ns", " jitter %", " planned ns", " bound ns", " longest / bound", "the bound assumes"], rows)
            + "<h3>For comparison: Kr19 on a Jetson TX2</h3>" + table(["offset ns", " mean ms", " jitter %"], KR19))


def drawing(measured):
    points = [(one["offset_ns"], one["mean_ns"], one["jitter_percent"]) for one in measured["offsets"]]
    if len(points) < 2:
        return ""
    most = max(mean for _, mean, _ in points)
    plot = Plot(760, 260, (points[0][0], points[-1][0]), (0, most * 1.1))
    for part in range(5):
        plot.mark(most * part / 4, number(round(most * part / 4)))
    plot.line([(offset, mean) for offset, mean, _ in points], "#0969da")
    shaken = max(jitter for _, _, jitter in points) or 1
    plot.line([(offset, jitter / shaken * most) for offset, _, jitter in points], "#bc4c00", dashed=True)
    plot.note(70, 252, f"offset from {points[0][0]} to {points[-1][0]} ns; blue: mean time in ns; orange: jitter, at most {shaken:.3g} %")
    return plot.svg("time and jitter for each offset")


def order(record):
    found = record.get("order", {}).get("order")
    if not found:
        return "<p>It was not looked at.</p>"
    rows = [[title, one["first_end_to_last"], ", ".join(map(str, one["as_they_end"])), one["round"], one["longest"]]
            for title, one in [(f"measured, launch {at + 1}", one) for at, one in enumerate(found["figures"])] + list(found["expected"].items())]
    return (f"<p>Eight warps of one sub-partition repeat rounds of {found['work']} additions that wait for nothing, and a pause. A round takes "
            f"{number(found['figures'][-1]['round_alone'])} cycles alone, and a pause {number(found['pause'])}. Below the launches is a made-up scheduler in each order.</p>"
            + table(["order", " first end / last", "warps as they end", " round beside others / alone, middle", " longest"], rows))


def series(record):
    rows = [[step[len("series-"):], run["company"], run["launches"], run["astray"], *(run["cycles"][place] for place in (0, 5, -2, -1)), run.get("error", "")]
            for step, value in record.get("series", {}).items() for run in value["runs"] if run["cycles"]]
    return "<p>None was run.</p>" if not rows else "<p>One block with warm caches, in cycles. All spans are in <code>series.json</code>.</p>" + table(
        ["kernel", "company", " launches", " astray", " shortest", " middle", " 99 %", " longest", "error"], rows)


def machine(record):
    found = record.get("machine")
    if not found:
        return "<p>Nothing was compared with the shipped machine.</p>"
    rows = []
    for one in found.get("comparison", []):
        seen = one.get("measured") or {}
        kind = {"refuted": "bad", "agrees": "good", "confirmed": "good"}.get(one.get("verdict"), "")
        rows.append([one.get("letter"), interval(one.get("shipped")), (one.get("shipped") or {}).get("occupancy"), interval(seen), seen.get("occupancy"),
                     Cell(one.get("verdict"), kind), one.get("why", "")])
    return f"<p>Compared with {found.get('compared_with', 'no machine')}, in cycles.</p>" + table(
        ["letter", "latency, shipped", " hold, shipped", "latency, seen", " hold, seen", "verdict", "because"], rows)


def interval(entry):
    latency = (entry or {}).get("latency")
    return f"{latency[0]} to {latency[1]}" if latency else ""
