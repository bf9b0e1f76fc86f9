#!/usr/bin/env python3
"""Compares the checker with a search over all schedules and with the phase bound written out again: compare.py [SEED [COUNT]].

For each random small instance the checker must accept the bound, refuse it lowered by one, accept a longest schedule that the
search found, and refuse it with one issue removed. Nothing here is shared with the proofs or with the program in Rust.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checker")
OTHER = {"L": "C", "C": "L"}


def worst(strings, sigma):
    """The largest makespan of all work-conserving schedules, and a schedule that takes it."""
    @lru_cache(None)
    def longest(at):
        ready = {unit: [w for w, s in enumerate(strings) if s[at[w] : at[w] + 1] == unit] for unit in "LC"}
        best = (0, None)
        if ready["L"] or ready["C"]:
            for loads in combinations(ready["L"], min(sigma["L"], len(ready["L"]))):
                for computes in combinations(ready["C"], min(sigma["C"], len(ready["C"]))):
                    issues = loads + computes
                    after = tuple(p + (w in issues) for w, p in enumerate(at))
                    best = max(best, (1 + longest(after)[0], issues), key=lambda choice: choice[0])
        return best

    at, schedule = (0,) * len(strings), []
    while longest(at)[1] is not None:
        issues = longest(at)[1]
        schedule.append(sorted(issues))
        at = tuple(p + (w in issues) for w, p in enumerate(at))
    return len(schedule), schedule


def finishes(groups, sigma, thetas):
    """For each group the least of the critical path and the phase bounds (docs/closed-form.md, section 3, a to c)."""
    slow = "L" if sigma["L"] <= sigma["C"] else "C"
    fast = OTHER[slow]
    worth = {unit: Fraction(1, sigma[unit]) for unit in "LC"}
    warps = sum(count for _, count in groups)
    bounds = []
    for own, (string, _) in enumerate(groups):
        others = [(s, count - (group == own)) for group, (s, count) in enumerate(groups)]
        best = len(string)
        for unit in "LC":
            if unit in string and sigma[unit] < warps:
                best += sum(s.count(unit) * count for s, count in others) // sigma[unit]
        changes = sum(a != b for a, b in zip(string, string[1:]))
        switches = sum(a == slow and b == fast for a, b in zip(string, string[1:]))
        first = string[0]
        run = len(string) - len(string.lstrip(first))
        doubles = sum(count for s, count in others if 2 * fast in s)
        for theta in thetas:
            if not worth[fast] <= theta <= worth[slow]:
                continue
            kappa = {slow: theta, fast: worth[fast]}

            @lru_cache(None)
            def earns(budget, label, s):
                if not s:
                    return Fraction(0)
                agree = lambda unit: worth[unit] if unit == s[0] else 0
                keep = agree(label) + earns(budget, label, s[1:])
                if budget == 0:
                    return keep
                other = OTHER[label]
                return max(keep, agree(other) + earns(budget - 1, other, s[1:]) - kappa[label])

            total = lambda budget, label: sum(earns(budget, label, s) * count for s, count in others)
            c = min(sigma[fast] - 1, doubles) * (theta - worth[fast])
            waits = total(changes, first)
            if changes:
                waits = max(waits, total(changes - 1, OTHER[first]) - (c if first == slow else 0) - run)
            best = min(best, len(string) + (switches * c + waits) // 1)
        bounds.append(int(best))
    return bounds


def main():
    seed, count = (int(a) for a in (sys.argv[1:] + ["1", "200"][len(sys.argv) - 1 :])[:2])
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "certificate.json")

        def verdict(instance, **claims):
            with open(file, "w") as out:
                json.dump({**instance, **claims}, out)
            return subprocess.run([CHECKER, file], stdout=subprocess.DEVNULL).returncode

        for _ in range(count):
            pair = choose.choice([(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (2, 3), (1, 4), (3, 1)])
            sigma = dict(zip("LC", pair))
            some = choose.randint(1, 3)
            groups = [("".join(choose.choices("LC", k=choose.randint(1, 5))), choose.randint(1, 3 if some < 3 else 2))
                      for _ in range(some)]
            most, schedule = worst([s for s, n in groups for _ in range(n)], sigma)
            thetas = [Fraction(1, pair[0]), Fraction(1, pair[1]), Fraction(sum(pair), 2 * pair[0] * pair[1])]
            bounds = finishes(groups, sigma, thetas)
            fractions = [[t.numerator, t.denominator] for t in thetas]
            instance = {"schema": "warpspan/certificate/1", "sigma_l": [pair[0], 1], "sigma_c": [pair[1], 1],
                        "kernels": [{"kernel": s, "warps": n} for s, n in groups]}
            upper = lambda cycles: {"at_most": {"cycles": cycles, "by": "phases", "thetas": fractions}}
            lower = lambda rows: {"at_least": {"cycles": most, "schedule": rows}}
            false = [list(row) for row in schedule]
            row = choose.choice(false)
            row.remove(choose.choice(row))
            exact = pair == (1, 1) and (some == 1 or [n for _, n in groups] == [1, 1])
            checks = {
                "the bound is at least the worst case": max(bounds) >= most,
                "the bound is accepted": verdict(instance, **upper(max(bounds))) == 0,
                "a lower bound is refused": verdict(instance, **upper(max(bounds) - 1)) == 1,
                "the schedule is accepted": verdict(instance, **lower(schedule)) == 0,
                "a false schedule is refused": verdict(instance, **lower(false)) == 1,
                "the closed form is the worst case":
                    not exact or verdict(instance, at_most={"cycles": most, "by": "theorem"}) == 0,
            }
            for what, holds in checks.items():
                if not holds:
                    sys.exit(f"compare.py: not so: {what}: {groups} at sigma {pair}, worst case {most}, bounds {bounds}")
    print(f"{count} instances agree")


if __name__ == "__main__":
    main()
