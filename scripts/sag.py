#!/usr/bin/env python3
"""Response bounds of rta against those of the schedule abstraction graph (SAG), kernel by kernel.

    scripts/sag.py [--systems 100] [--seed 1] WARPSPAN NPTEST [OTHER_WARPSPAN]

NPTEST is the program of https://github.com/brandenburg/np-schedulability-analysis (M. Nasri, B. Brandenburg, RTSS 2017; M.
Nasri, G. Nelissen, B. Brandenburg, ECRTS 2018), which knows all releases of all jobs. Kernels whose block fills a
multiprocessor are its non-preemptive jobs on M processors: 3 to 6 kernels of one block, exact releases, and C from 0 to what
is given. With M = 1 its answer is exact. The program prints, for each M, with rate-monotonic priorities and without, how many
kernels both bound and the mean of the ratio of the bounds, and how many only SAG bounds.
"""

import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import tempfile

PERIODS = [10, 20, 25, 40, 50, 100]


def kernels(rng, multiprocessors):
    number = rng.randint(3, 6)
    shares = [rng.expovariate(1) for _ in range(number)]
    load = rng.uniform(0.3, 0.8) * multiprocessors
    chosen = []
    for share in shares:
        period = rng.choice(PERIODS) * 10
        execution = max(1, min(period, round(load * share / sum(shares) * period)))
        chosen.append((period, execution, rng.randrange(period)))
    return sorted(chosen)


def by_rta(binary, multiprocessors, chosen, priorities):
    text = f"[gpu]\nmultiprocessors = {multiprocessors}\nthreads = 32\n"
    for number, (period, execution, release) in enumerate(chosen):
        text += f"[[kernel]]\nblocks = 1\nthreads_per_block = 32\nexecution = {execution}\nperiod = {period}\n"
        text += f"release = {release}\n" + (f"priority = {-number}\n" if priorities else "")
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        command = [binary, "rta", file.name, "--format", "json", "--horizon", "1", "--method", "simulate"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    if not found.stdout:
        raise SystemExit(f"{binary}: {found.stderr}")
    return [kernel["response_bound"] for kernel in json.loads(found.stdout)["kernels"]]


def by_sag(nptest, multiprocessors, chosen, priorities):
    """The longest response of each kernel, or None if the graph has a deadline miss or takes too long."""
    hyperperiod = math.lcm(*(period for period, _, _ in chosen))
    end = 2 * hyperperiod + max(release for _, _, release in chosen)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "jobs.csv")
        with open(name, "w", encoding="ascii") as file:
            print("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority", file=file)
            for number, (period, execution, release) in enumerate(chosen):
                for job, at in enumerate(range(release, end, period), 1):
                    # without priorities, jobs come in the order of their releases, and of the file
                    rank = number if priorities else at * len(chosen) + number
                    row = [number + 1, job, at, at, 0, execution, at + period, rank]
                    print(", ".join(map(str, row)), file=file)
        processors = ["-m", str(multiprocessors)] if multiprocessors > 1 else []
        command = [nptest, "-r", "-l", "20", *processors, name]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(",")
        if found[1].strip() != "1":
            return None
        longest = [0] * len(chosen)
        with open(os.path.join(folder, "jobs.rta.csv"), encoding="ascii") as file:
            for row in list(csv.reader(file))[1:]:
                kernel = int(row[0]) - 1
                longest[kernel] = max(longest[kernel], int(row[5]))
    return longest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpspan")
    parser.add_argument("nptest")
    parser.add_argument("other", nargs="?", help="an earlier version of warpspan")
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    binaries = [args.warpspan] + ([args.other] if args.other else [])
    print("priorities  M  systems  kernels   mean ratio, without a bound, below SAG: each program")
    for priorities in (True, False):
        for multiprocessors in (1, 2, 3):
            rng = random.Random(args.seed)
            systems, number = 0, 0
            ratios, without, below = ([[] for _ in binaries], [0] * len(binaries), [0] * len(binaries))
            for _ in range(args.systems):
                chosen = kernels(rng, multiprocessors)
                longest = by_sag(args.nptest, multiprocessors, chosen, priorities)
                if longest is None:
                    continue
                systems, number = systems + 1, number + len(chosen)
                for which, binary in enumerate(binaries):
                    found = by_rta(binary, multiprocessors, chosen, priorities)
                    for bound, sag in zip(found, longest):
                        if bound is None:
                            without[which] += 1
                        else:
                            ratios[which].append(bound / sag)
                            # with one processor SAG is exact
                            below[which] += multiprocessors == 1 and bound < sag
            each = "".join(
                f"   {statistics.mean(ratio) if ratio else math.nan:5.2f} {none:4d} {low:3d}"
                for ratio, none, low in zip(ratios, without, below)
            )
            print(f"{'yes' if priorities else 'no ':10s}  {multiprocessors}  {systems:7d}  {number:7d}{each}", flush=True)


if __name__ == "__main__":
    main()
