"""The part of the page about instructions, units and memory: fits with what refutes them, and single accesses."""

from .html import Cell, Plot, details, number, table, text


def section(record):
    steps = record.get("micro", {})
    if not steps:
        return "<p>No instruction was measured.</p>"
    found = record.get("machine", {})
    parts = [warnings(steps, found), "<h3>Units</h3>", letters(found), points(found), "<h3>Two letters side by side</h3>", pairs(found),
             "<h3>Memory, each access timed</h3>", chases(steps), drawings(steps), "<h3>Lanes apart</h3>", strides(steps), barriers(steps)]
    return "".join(parts)


def warnings(steps, found):
    said = []
    if found.get("warning"):
        said.append(f'<p class="banner">{text(found["warning"])}</p>')
    pinning = steps.get("pinning")
    if pinning:
        said.append(f"<p>Warps that share a sub-partition with warp 0: {', '.join(map(str, pinning['with_warp_0'])) or 'none'}.</p>")
    rates = found.get("issues_per_cycle")
    if rates:
        said.append(f"<p>Most instructions that one sub-partition issued in a cycle: {number(rates['most_seen'])}, by {text(rates['by'])}.</p>")
    return "".join(said)


def letters(found):
    rows = []
    for name, one in found.get("letters", {}).items():
        loops = {True: "as meant", None: "not checked"}.get(one["sass"], "; ".join(one["sass_why"]))
        outside = one.get("checks", {}).get("outside", [])
        chains = "" if not one.get("checks") else Cell(f"{len(outside)} outside", "bad") if outside else Cell("within", "good")
        latency = one.get("latency")
        rows.append([name, f"{latency[0]} to {latency[1]}" if latency else "", one["occupancy"], one["fit"], Cell(one["verdict"], "low" * (one["verdict"] != "one fits")),
                     *(worst(one, kind) for kind in ("private", "shared", "both")), chains, Cell(loops, "" if one["sass"] else "low"), one.get("companions") or ""])
    return table(["letter", "latency", " hold", "unit", "hypotheses", " residual: private", " shared", " both", "chains of several warps", "loop", "beside each one"], rows)


def worst(one, kind):
    return next((f"{100 * tried['worst_residual']:.1f} %" for tried in one["hypotheses"] if tried["name"] == kind), "")


def points(found):
    """Every point of the hypothesis that was taken, folded away."""
    rows = []
    for name, one in found.get("letters", {}).items():
        for point in next((tried["points"] for tried in one["hypotheses"] if tried["name"] == one["fit"]), []):
            rows.append([name, point["place"], point["warps"], point["seen"], point["expected"], f"{100 * point['residual']:.1f} %"])
    return details(f"{len(rows)} points: cycles from one instruction to the next of a warp",
                   table(["letter", "sub-partitions", " warps on each", " seen", " expected", " residual"], rows))


def pairs(found):
    rows = [[" and ".join(one["letters"]), one["ratio"], one["verdict"], one["issued_per_cycle"], Cell("two at once", "low") if one["dual_issue"] else ""]
            for one in found.get("pairs", [])]
    return table(["letters", " time together / alone", "verdict", " issued in a cycle", "issue"], rows)


def chases(steps):
    rows = []
    for name, one in steps.items():
        if name.startswith("chase-"):
            seen, latency = one["cycles_with_clock"], one["latency"]
            lasted = {True: "yes", False: Cell("no", "low")}.get(one["noise_lasted"], "")
            rows.append([name[6:], seen["count"], latency["least"], latency["middle"], latency["most"], seen["p99"], seen["p999"], seen["most"],
                         one["cycles_of_clock"]["middle"], lasted])
    return ("<p>Cycles. The last columns are of the raw times, with the clock's own part.</p>"
            + table(["chain", " accesses", " latency, least", " middle", " most", " raw, 99 %", " 99.9 %", " most", " clock alone", "noise to the end"], rows))


def drawings(steps):
    return "".join(f"<p>{text(name)}</p>{histogram(one['histogram'])}" for name, one in steps.items() if name.startswith("chase-"))


def histogram(bins):
    if len(bins) < 2:
        return ""
    plot = Plot(760, 140, (bins[0][0], bins[-1][0]), (0.5, max(count for _, count in bins) * 1.2), log=True)
    for start, count in bins:
        plot.dot(start, count, "#0969da", f"{count} accesses from {start} cycles on")
    plot.note(70, 136, f"cycles with the clock's own, from {bins[0][0]} to {bins[-1][0]}; upwards the number of accesses, by powers of ten")
    return plot.svg("how many accesses took how long")


def strides(steps):
    rows = []
    for name, one in steps.items():
        if name.startswith("stride-"):
            loops = all(check["ok"] for check in one["sass"])
            rows += [[one["letter"], row["stride"], row["chain"][1], row["one"][1], row["all"][1], "as meant" if loops else Cell("not as meant, or not checked", "low")]
                     for row in one["rows"]]
    return ("<p>Cycles of an access: of a chain, and of the unit with eight warps on one sub-partition and on each.</p>"
            + table(["letter", " words apart", " chain", " one sub-partition", " all", "loop"], rows))


def barriers(steps):
    found = steps.get("barrier")
    if not found:
        return ""
    return "<h3>Barriers</h3>" + table([" warps of the block", " cycles, least", " middle", " most"], [[row["warps"], *row["cycles"]] for row in found["rows"]])
