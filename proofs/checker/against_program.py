#!/usr/bin/env python3
"""Compares the program with the proofs: against_program.py PROGRAM [SEED [BOUNDS [EXACT]]], where PROGRAM is a warpspan.

* For BOUNDS random instances (2,000), mixes of up to three kernels at sigmas from 1 to 4, the extracted checker accepts the
  bound of `bound --certificate` and refuses it lowered by one, even with eight more prices theta offered. So the two compute
  the same bound. The cycles are also those of the best safe row that `bound` prints.
* For EXACT random instances (200), Coq goes through every legal cycle of Model/Semantics.v (Checker/EverySchedule.v), and the
  best and worst cases are those of `solve --engine states`.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKER = os.path.join(HERE, "checker")


def instance(choose, most_groups, most_letters, most_warps):
    """Groups of a kernel and its warps, and both sigmas."""
    groups = [("".join(choose.choices("LC", k=choose.randint(1, most_letters))), choose.randint(1, most_warps))
              for _ in range(choose.randint(1, most_groups))]
    return groups, [choose.randint(1, 4), choose.randint(1, 4)]


def said(program, command, file, groups, sigma, *flags):
    """What the program says of an instance, in JSON. A mix goes into a file."""
    with open(file, "w") as out:
        out.write(f'[multiprocessor]\nsigma_l = {sigma[0]}\nsigma_c = {sigma[1]}\n')
        for kernel, warps in groups:
            out.write(f'[[group]]\nstring = "{kernel}"\nwarps = {warps}\n')
    run = subprocess.run([program, command, file, "--format", "json", *flags], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{command} {groups} {sigma}: {run.stderr}")
    return json.loads(run.stdout)


def stop(what, groups, sigma):
    sys.exit(f"against_program.py: not so: {what}: {groups} at sigma {sigma}")


def bounds(program, choose, count, folder):
    file, proof = os.path.join(folder, "instance.toml"), os.path.join(folder, "certificate.json")

    def accepts(certificate):
        with open(proof, "w") as out:
            json.dump(certificate, out)
        code = subprocess.run([CHECKER, proof], stdout=subprocess.DEVNULL).returncode
        if code == 2:
            sys.exit("against_program.py: the checker cannot read a certificate")
        return code == 0

    kinds = {}
    for _ in range(count):
        groups, sigma = instance(choose, 3, 8, 5)
        rows = said(program, "bound", file, groups, sigma, "--certificate", proof)["bounds"]
        with open(proof) as lines:
            certificate = json.load(lines)
        claim = certificate["at_most"]
        kinds[claim["by"]] = kinds.get(claim["by"], 0) + 1
        printed = min(row["value"] for row in rows if row["side"] == "upper" and row["safe"])
        if claim["cycles"] != printed:
            stop(f"the certificate says {claim['cycles']} and the table {printed}", groups, sigma)
        lower = certificate.get("no_less")
        if lower and lower["cycles"] > min(row["value"] for row in rows if row["name"] == "bottleneck"):
            stop("the fullest unit is no more than the bottleneck", groups, sigma)
        if not accepts(certificate):
            stop(f"the bound {claim['cycles']} is accepted", groups, sigma)
        claim["cycles"] -= 1
        if claim["by"] == "phases":
            low, high = sorted(Fraction(1, min(s, sum(n for _, n in groups))) for s in sigma)
            more = [low + (high - low) * Fraction(choose.randint(0, 60), 60) for _ in range(8)]
            claim["thetas"] += [[t.numerator, t.denominator] for t in more]
        if accepts(certificate):
            stop(f"the bound {claim['cycles']}, lowered by one, is refused", groups, sigma)
    kinds = ", ".join(f"{n} by {kind}" for kind, n in sorted(kinds.items()))
    print(f"{count} instances: the checker's bound is the program's ({kinds})")


def exact(program, choose, count, folder):
    file, text = os.path.join(folder, "instance.toml"), os.path.join(folder, "every.v")
    cases, answers = [], []
    while len(cases) < count:
        groups, sigma = instance(choose, 3, 5, 3)
        if sum(n for _, n in groups) > 5 or sum(n * len(s) for s, n in groups) > 18:
            continue
        answer = said(program, "solve", file, groups, sigma, "--engine", "states")
        if answer["verdict"] != "exact":
            stop("the states fit in memory", groups, sigma)
        cases.append((groups, sigma))
        answers.append((answer["best_case"], answer["upper"]))
    with open(text, "w") as out:
        out.write("From Coq Require Import List NArith String.\nImport ListNotations.\n"
                  "From Warpspan.Checker Require Import Instance EverySchedule.\n")
        for groups, sigma in cases:
            given = "; ".join(f'(kernel "{s}", {n}%N)' for s, n in groups)
            out.write(f"Eval vm_compute in best_and_worst {sigma[0]} {sigma[1]} [{given}].\n")
    run = subprocess.run(["coqc", "-q", "-Q", os.path.dirname(HERE), "Warpspan", text], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    found = [(int(a), int(b)) for a, b in re.findall(r"\((\d+)(?:%N)?, (\d+)(?:%N)?\)", run.stdout)]
    if len(found) != count:
        sys.exit(f"against_program.py: {len(found)} answers of Coq to {count} instances")
    for (groups, sigma), coq, rust in zip(cases, found, answers):
        if coq != rust:
            stop(f"best and worst are {coq} in Coq and {rust} in the program", groups, sigma)
    apart = sum(best != worst for best, worst in found)
    print(f"{count} instances: best and worst case of all legal schedules are the program's (apart in {apart})")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    seed, most, few = (int(a) for a in (sys.argv[2:] + ["1", "2000", "200"][len(sys.argv) - 2 :])[:3])
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        if most:
            bounds(sys.argv[1], choose, most, folder)
        if few:
            exact(sys.argv[1], choose, few, folder)


if __name__ == "__main__":
    main()
