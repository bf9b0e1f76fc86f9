"""From spans to latencies and occupancies.

Symbols: a *copy* is one measured instruction of one warp; c is the number of cycles from one copy to the next of a warp, k
the number of warps on a sub-partition, l the latency, n the occupancy. By the semantics of docs/machines.md (one issue a
cycle, one instance of a unit) long loops have

    dependent copies, k = 1        c = max(l, n)
    dependent copies, any k        max(l, k n) <= c <= max(l, n) + (k - 1) n      (the right side is Theorem 1)
    independent copies             c = max(l / CHAINS, k n, k)

with 4 k for k where the unit is shared by four sub-partitions that all have k warps. What does not follow this is reported
as a residual, and a hypothesis whose worst residual is above `TOLERANCE` is rejected.
"""

import math
import statistics

from .ptx import CHAINS, UNROLLS

SCHEDULERS = 4
TOLERANCE, SLACK = 0.08, 0.5  # of a prediction, and cycles: what the start and the end of a loop may add
CANDIDATES = [half / 2 for half in range(1, 257)]


def trimmed(spans):
    """Spans without the longest and the shortest, if there are many: an interruption of one launch is no latency."""
    return sorted(spans)[1:-1] if len(spans) >= 8 else spans


def cycles(sample):
    """c of a sample as (least, middle, most): from the spans of two unrollings, so that what a loop costs cancels. The
    outer ones take the spans that are farthest apart."""
    few, many = (trimmed(sample["spans"][str(unroll)]) for unroll in UNROLLS)
    copies = (UNROLLS[1] - UNROLLS[0]) * sample["rounds"]
    return ((min(many) - max(few)) / copies, (statistics.median(many) - statistics.median(few)) / copies,
            (max(many) - min(few)) / copies)


def pick(samples, kind, place, warps):
    return next((one for one in samples if (one["kind"], one["place"], one["warps"]) == (kind, place, warps)), None)


def predicted(sample, latency, private, shared):
    """c of independent copies, each of which holds a private unit and one shared by all for so many cycles."""
    everywhere = sample["warps"] * (SCHEDULERS if sample["place"] == "all" else 1)
    return max(latency / CHAINS, sample["warps"] * private, everywhere * shared, sample["warps"])


def residual(seen, expected):
    """How far c is from what was expected, in parts of it, past the slack."""
    gap = abs(seen - expected) - SLACK
    return 0.0 if gap <= 0 else math.copysign(gap / expected, seen - expected)


def hypothesis(name, used, latency):
    """The occupancies that fit independent copies best under a hypothesis, and its residuals. `private`: each sub-partition
    has its own unit; `shared`: all have one; `both`: a private unit, and behind it one for all that is faster than four."""
    seen = [cycles(one)[1] for one in used]

    def best(points, form, least=0):
        def error(n):
            return sum((value / predicted(one, latency, *form(n)) - 1) ** 2 for one, value in points)

        return min([n for n in CANDIDATES if n >= least], key=error)

    points = list(zip(used, seen))
    private = shared = 0
    if name == "private":
        private = best(points, lambda n: (n, 0), least=1)
    elif name == "shared":
        shared = best(points, lambda n: (0, n))
    else:
        private = best([point for point in points if point[0]["place"] == "one"], lambda n: (n, 0), least=1)
        shared = best([point for point in points if point[0]["place"] == "all"], lambda n: (private, n))
    rows = []
    for one, value in points:
        expected = predicted(one, latency, private, shared)
        rows.append({"place": one["place"], "warps": one["warps"], "seen": round(value, 3), "expected": round(expected, 3),
                     "residual": round(residual(value, expected), 3)})
    worst = max((abs(row["residual"]) for row in rows), default=0.0)
    accepted = bool(rows) and worst <= TOLERANCE
    if name == "both":
        # With the one part or the other never in the way this is one of the simpler hypotheses.
        accepted = accepted and private / SCHEDULERS < shared < private
    return {"name": name, "private": private, "shared": shared, "worst_residual": worst, "accepted": accepted, "points": rows}


def letter(samples):
    """Latency interval, occupancy, private or shared, with all residuals, of the samples of one letter."""
    alone = pick(samples, "dep", "one", 1)
    chain = cycles(alone) if alone else None
    # Without a chain (a store gives nothing to the next) the latency is not seen.
    latency = chain[1] if chain else 0.0
    # Few warps show a latency that is not known, so they say nothing of the unit where there is no chain.
    used = [one for one in samples if one["kind"] == "ind" and (chain or one["warps"] >= 4)]
    tried = [hypothesis(name, used, latency) for name in ("private", "shared", "both")]
    accepted = [one for one in tried if one["accepted"]]
    best = min(accepted or tried, key=lambda one: one["worst_residual"])
    found = {"hypotheses": tried, "verdict": "one fits" if len(accepted) == 1 else "several fit" if accepted else "none fits",
             "fit": best["name"], "private_rejected": not tried[0]["accepted"],
             "occupancy_fit": max(best["private"], best["shared"]), **as_letter(used, best, accepted)}
    if chain:
        low, high = round_down(chain[0]), round_up(chain[2])
        # A chain shows max(l, n): where n reaches it, the latency itself may be anything up to it.
        found["latency"] = [1 if found["occupancy_fit"] >= chain[1] - SLACK else max(1, low), max(1, high)]
        found["chain"] = [round(value, 4) for value in chain]
        found["checks"] = checks(samples, found)
        # Chains may be slower than eight chains of each warp side by side (on an H100 those of FP32 and FP64 are), and what
        # a bound is made of must cover both.
        found["occupancy"] = max(found["occupancy"], occupancy_of_chains(samples, found["latency"][1]))
    found["issues_per_cycle"] = round(max((one["warps"] / cycles(one)[1] for one in samples if one["place"] == "one" and cycles(one)[1] > 0),
                                          default=0.0), 3)
    return found


def round_down(value):
    return math.floor(value + 0.1)


def round_up(value):
    return math.ceil(value - 0.1)


def as_letter(used, best, accepted):
    """A whole occupancy, and private or shared, such that no sample is slower: a letter of a machine holds one unit, and what
    holds a private and a shared one is safely one that holds the shared one for the longer time."""
    if accepted:
        return {"occupancy": max(1, round_up(max(best["private"], best["shared"]))), "shared": best["shared"] > 0}
    most = {place: max((cycles(one)[2] / one["warps"] for one in used if one["place"] == place and one["warps"] >= 4), default=0.0)
            for place in ("one", "all")}
    shared = most["all"] > most["one"] * (1 + TOLERANCE)
    return {"occupancy": max(1, round_up(max(most["one"], most["all"] / SCHEDULERS if shared else 0))), "shared": shared}


def checks(samples, found):
    """Chains of several warps on one sub-partition against both sides of the law above: what lies outside refutes the fit."""
    low, high = found["latency"]
    outside = []
    for one in samples:
        if one["kind"] != "dep" or one["place"] != "one":
            continue
        least, _, most = cycles(one)
        upper = max(high, found["occupancy"]) + (one["warps"] - 1) * found["occupancy"]
        lower = max(low, one["warps"] * found["occupancy_fit"])
        if most > upper + SLACK or least < lower * (1 - TOLERANCE) - SLACK:
            outside.append({"warps": one["warps"], "seen": [round(least, 3), round(most, 3)], "allowed": [lower, upper]})
    return {"outside": outside, "ok": not outside}


def occupancy_of_chains(samples, latency):
    """The least whole occupancy n with which no chain of several warps on a sub-partition is slower than the law allows:
    c <= max(l, n) + (k - 1) n."""
    least = 1
    for one in samples:
        if one["kind"] == "dep" and one["place"] == "one" and one["warps"] > 1:
            most = cycles(one)[1] * (1 - TOLERANCE / 2)
            while max(latency, least) + (one["warps"] - 1) * least + SLACK < most:
                least += 1
    return least


def pair(sample):
    """Whether two letters take turns: loops that end together alone take twice as long then. They may share a unit, or the
    one that goes first fills the issue or the ports of the registers."""
    ratio = sample["ratio"]
    states = [check["ok"] for check in sample["sass"]]
    verdict = "not comparable" if False in states else "take turns" if ratio >= 1.6 else "side by side" if ratio <= 1.3 else "unclear"
    return {"letters": sample["letters"], "ratio": ratio, "verdict": verdict, "issued_per_cycle": sample["issued_per_cycle"],
            "dual_issue": False not in states and sample["issued_per_cycle"] > 1.05, "checked": None not in states}


def percentiles(values):
    """Least, middle, 99th and 99.9th percentile, most of a list of numbers."""
    ordered = sorted(values)

    def at(part):
        return ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1 if part else 0)]

    return {"count": len(ordered), "least": at(0), "middle": at(0.5), "p99": at(0.99), "p999": at(0.999), "most": ordered[-1]}
