#!/usr/bin/env python3
"""Be12 Fig. 5 with spread: solves models that warpspan writes, with several kernels, seeds and solvers.

    pip install highspy pyscipopt
    scripts/formulations.py              # writes docs/reproduction/fig5-spread.csv, in half an hour
    scripts/formulations.py --summary    # prints the tables of docs/reproduction.md from that file

The program writes each model as LP or MPS, and HiGHS and SCIP read it as they are on PyPI, so this is also a check that
a model solves elsewhere unchanged: every optimum must be the worst case that the closed form proves. Times are of the
processor, one thread, without reading. The environment variable WARPSPAN names another program than scripts/warpspan.
"""

import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "reproduction" / "fig5-spread.csv"
WARPSPAN = os.environ.get("WARPSPAN", str(ROOT / "scripts" / "warpspan"))
KERNELS = ["LLCLL", "LCLCL", "LLLCC", "CLLCL"]
LIMIT = 20
# Solver, whether the formulation is as published, warps, and seeds, in the order in which they are run.
RUNS = [
    ("highs", True, [3], range(5)),
    ("highs", False, [4, 5, 6], range(5)),
    ("scip", True, [3], range(3)),
    ("scip", False, [4, 5], range(3)),
    ("highs", True, [4], range(3)),
]


def warpspan(*args):
    return subprocess.run([WARPSPAN, *args], cwd=ROOT, capture_output=True, text=True)


def worst_case(kernel, warps):
    record = json.loads(warpspan("solve", "--kernel", kernel, "--warps", str(warps), "--engine", "phase", "--format", "json").stdout)
    assert record["lower"] == record["upper"], record
    return record["upper"]


def write(path, kernel, warps, formulation, plain):
    flags = ["--plain"] if plain else []
    model = ["--formulation", formulation, "--time-limit", "1s", "--write-model", str(path)]
    result = warpspan("solve", "--kernel", kernel, "--warps", str(warps), *model, *flags)
    assert result.returncode in (0, 3), result.stderr


def by_highs(path, seed):
    import highspy

    highs = highspy.Highs()
    for option, value in [("output_flag", False), ("threads", 1), ("random_seed", seed), ("time_limit", float(LIMIT))]:
        highs.setOptionValue(option, value)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    start = time.process_time()
    highs.run()
    seconds = time.process_time() - start
    info = highs.getInfo()
    solved = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs.version(), seconds, solved, info.mip_node_count, info.objective_function_value


def by_scip(path, seed):
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.setParam("randomization/randomseedshift", seed)
    model.setParam("limits/time", LIMIT)
    model.readProblem(str(path))
    start = time.process_time()
    model.optimize()
    seconds = time.process_time() - start
    solved = model.getStatus() == "optimal"
    return str(model.version()), seconds, solved, model.getNTotalNodes(), model.getObjVal() if solved else float("nan")


def measure():
    with TABLE.open("w", newline="") as file, tempfile.TemporaryDirectory() as folder:
        table = csv.writer(file, lineterminator="\n")
        table.writerow("solver version kernel warps formulation plain seed seconds solved nodes optimum worst_case".split())
        for solver, plain, warps, seeds in RUNS:
            solve = by_highs if solver == "highs" else by_scip
            ending = "lp" if solver == "highs" else "mps"
            for kernel in KERNELS:
                for w in warps:
                    exact = worst_case(kernel, w)
                    paths = {formulation: Path(folder) / f"{formulation}.{ending}" for formulation in ("short", "long")}
                    for formulation, path in paths.items():
                        write(path, kernel, w, formulation, plain)
                    # Short and long take turns, so that a slow moment of the machine meets both.
                    for seed in seeds:
                        for formulation, path in paths.items():
                            version, seconds, solved, nodes, optimum = solve(path, seed)
                            assert not solved or round(optimum) == exact, (path, optimum, exact)
                            row = [solver, version, kernel, w, formulation, int(plain), seed, f"{seconds:.4f}", int(solved), nodes]
                            table.writerow(row + [round(optimum) if solved else "", exact])
                            file.flush()
                            print(*row, file=sys.stderr)


def read():
    with TABLE.open() as lines:
        rows = list(csv.DictReader(lines))
    cells = {}
    for row in rows:
        key = row["solver"], row["plain"] == "1", row["kernel"], int(row["warps"])
        cells.setdefault(key, {}).setdefault(row["formulation"], []).append((float(row["seconds"]), row["solved"] == "1"))
    return cells


def spread(runs):
    seconds = sorted(seconds for seconds, solved in runs if solved)
    stopped = len(runs) - len(seconds)
    if not seconds:
        return "all stopped"
    text = f"{statistics.median(seconds):.3g} ({seconds[0]:.3g} to {seconds[-1]:.3g})"
    return text + (f", {stopped} of {len(runs)} stopped" if stopped else "")


def tables():
    """Makes the Markdown of the cells, and of how often each formulation is the quicker one."""
    cells = read()
    lines = ["| solver | rows | kernel | W | short | long | short quicker |", "|---|---|---|---|---|---|---|"]
    wins = {}
    for (solver, plain, kernel, warps), by in sorted(cells.items(), key=lambda item: (item[0][0], not item[0][1], item[0][3], item[0][2])):
        if set(by) != {"short", "long"} or len(by["short"]) != len(by["long"]):
            continue
        # A run that was stopped has taken some time already: it is the slower one if the other took less.
        known = lambda one, other: one[1] and other[1] or one[1] and one[0] < other[0] or other[1] and other[0] < one[0]
        pairs = [(one[0], other[0]) for one, other in zip(by["short"], by["long"]) if known(one, other)]
        won = sum(a < b for a, b in pairs)
        kind = "published" if plain else "renamed, windows"
        lines.append(f"| {solver} | {kind} | {kernel} | {warps} | {spread(by['short'])} | {spread(by['long'])} | {won} of {len(pairs)} |")
        of = wins.setdefault((solver, kind), [0, 0, []])
        of[0] += won
        of[1] += len(pairs)
        of[2] += [a / b for a, b in pairs]
    summary = ["| solver | rows | short quicker | geometric mean of short over long | range |", "|---|---|---|---|---|"]
    for (solver, kind), (won, of, ratios) in wins.items():
        if of:
            mean = statistics.geometric_mean(ratios)
            summary.append(f"| {solver} | {kind} | {won} of {of} | {mean:.2f} | {min(ratios):.2f} to {max(ratios):.2f} |")
    return "\n".join(lines), "\n".join(summary)


if __name__ == "__main__":
    if "--summary" not in sys.argv[1:]:
        measure()
    print(*tables(), sep="\n\n")
