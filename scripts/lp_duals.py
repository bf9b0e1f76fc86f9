#!/usr/bin/env python3
"""What the LP relaxation of Be12's ILP proves of the worst case, by dual values that are checked in exact arithmetic.

usage: scripts/lp_duals.py [N [SEED]]

Takes N random kernels (30 by default). Each plain model is written by `warpspan solve --plain --write-model`, once with
the pessimistic horizon of Be12 and once with the program's own, and HiGHS solves its relaxation in floating point. By
weak duality any dual values prove a bound, so they are rounded to multiples of 2^-20, and what they prove is computed in
fractions. The program `warpspan` must be in PATH; needs `highspy` from PyPI.
"""

import json
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import highspy

UNLIMITED = 1e20


def proved(model):
    """The bound that the rounded dual values of a solved relaxation prove."""
    lp = model.getLp()
    sense = -1 if lp.sense_ == highspy.ObjSense.kMaximize else 1
    duals = [Fraction(round(dual * 2**20), 2**20) * sense for dual in model.getSolution().row_dual]
    bound = Fraction(lp.offset_) * sense
    for row, dual in enumerate(duals):
        side = lp.row_lower_[row] if dual > 0 else lp.row_upper_[row]
        if abs(side) >= UNLIMITED:
            duals[row] = Fraction(0)
        else:
            bound += dual * Fraction(side)
    reduced = [Fraction(cost) * sense for cost in lp.col_cost_]
    matrix = lp.a_matrix_
    by_column = matrix.format_ == highspy.MatrixFormat.kColwise
    for outer in range(len(matrix.start_) - 1):
        for place in range(matrix.start_[outer], matrix.start_[outer + 1]):
            inner = matrix.index_[place]
            row, column = (inner, outer) if by_column else (outer, inner)
            reduced[column] -= duals[row] * Fraction(matrix.value_[place])
    for column, cost in enumerate(reduced):
        if cost:
            side = lp.col_lower_[column] if cost > 0 else lp.col_upper_[column]
            assert abs(side) < UNLIMITED, "every variable of the model is bounded"
            bound += cost * Fraction(side)
    return bound * sense


def relaxation(instance, flags):
    """The bound from the relaxation of the model that these flags write."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.lp"
        subprocess.run(
            ["warpspan", "solve", *instance, *flags, "--write-model", path], check=False, capture_output=True
        )
        model = highspy.Highs()
        model.silent()
        model.readModel(str(path))
        columns = model.getNumCol()
        kinds = [highspy.HighsVarType.kContinuous] * columns
        model.changeColsIntegrality(columns, list(range(columns)), kinds)
        model.run()
        return proved(model)


def main():
    count, seed = (int(text) for text in (sys.argv[1:] + ["30", "7"][len(sys.argv) - 1 :])[:2])
    draw = random.Random(seed)
    print("kernel warps sigma | worst case | relaxation, horizon of Be12 | relaxation, our horizon")
    for _ in range(count):
        kernel = "LC" + "".join(draw.choice("LC") for _ in range(draw.randint(1, 4)))
        warps, sigma = draw.randint(2, 4), (draw.choice([1, 1, 2]), draw.choice([1, 2, 4]))
        instance = f"--kernel {kernel} --warps {warps} --sigma-l {sigma[0]} --sigma-c {sigma[1]}".split()
        answer = subprocess.run(
            ["warpspan", "solve", *instance, "--format", "json"], check=True, capture_output=True
        )
        worst = json.loads(answer.stdout)["lower"]
        plain, ours = (relaxation(instance, ["--formulation", "short", *flags]) for flags in (["--plain"], []))
        print(kernel, warps, *sigma, "|", worst, "|", float(plain), "|", float(ours), flush=True)


if __name__ == "__main__":
    main()
