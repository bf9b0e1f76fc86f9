#!/usr/bin/env python3
"""The state-space engine beside CP-SAT, the strongest general solver known to us, on the same instances in
one run.

    scripts/compare_cp_sat.py              # needs python3 with venv and pip; builds warpspan if need be
    scripts/compare_cp_sat.py LLCLL:12     # other instances, KERNEL:WARPS at sigma 1

CP-SAT (PyPI package ortools) gets two workers and this model, in which warps are an ordered crowd: z[i, k, t]
says that at least k warps have issued instruction i by the end of cycle t. Both must prove the same worst
case.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".tools" / "cp-sat"
PACKAGE = "ortools==9.15.*"
INSTANCES = ["LLCLL:20", "LLCLLCLL:10", "LLLLCCCC:10", "LCLCLC:6"]
WORKERS = 2
REPEATS = 20  # warpspan is too quick to be timed once

try:
    from ortools.sat.python import cp_model
except ImportError:
    if os.environ.get("WARPSPAN_CP_SAT"):
        sys.exit(f"compare_cp_sat: {PACKAGE} cannot be imported")
    print(f"installing {PACKAGE} into {VENV.relative_to(ROOT)}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    subprocess.run([VENV / "bin" / "pip", "install", "--quiet", PACKAGE], check=True)
    python = str(VENV / "bin" / "python")
    os.execve(python, [python, *sys.argv], {**os.environ, "WARPSPAN_CP_SAT": "1"})


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def cp_sat(kernel, warps):
    """Returns the worst case, and the seconds of wall clock and of CPU."""
    model = cp_model.CpModel()
    length = len(kernel)
    horizon = length + (warps - 1) * length  # the critical path
    # Instruction i (from 0) of the k-th warp issues in cycle i + k at the earliest.
    z = {
        (i, k, t): model.new_bool_var(f"z_{i}_{k}_{t}") if t >= i + k else 0
        for i in range(length)
        for k in range(1, warps + 1)
        for t in range(horizon + 1)
    }
    for (i, k, t), done in z.items():
        if t < i + k:
            continue
        if t > i + k:
            model.add_implication(z[i, k, t - 1], done)
        if k > 1:
            model.add_implication(done, z[i, k - 1, t - 1])
        if i > 0:
            model.add_implication(done, z[i - 1, k, t - 1])
    for unit in sorted(set(kernel)):
        on = [i for i in range(length) if kernel[i] == unit]
        for t in range(1, horizon + 1):
            issue = model.new_bool_var(f"{unit}_{t}")  # a variable here is many times faster than the sum
            model.add(issue == sum(z[i, k, t] - z[i, k, t - 1] for i in on for k in range(1, warps + 1)))
            for i in on:  # work-conserving: if a warp is ready, one issues
                for k in range(1, warps + 1):
                    model.add(issue >= (z[i - 1, k, t - 1] if i > 0 else 1) - z[i, k, t - 1])
    # The makespan is the number of cycles after which some warp has not finished, and one more.
    model.maximize(1 + sum(1 - z[length - 1, warps, t] for t in range(1, horizon + 1)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    wall, cpu = time.perf_counter(), cpu_seconds()
    status = solver.solve(model)
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    if status != cp_model.OPTIMAL:
        sys.exit(f"compare_cp_sat: {kernel} W={warps}: {solver.status_name(status)}")
    return round(solver.objective_value), wall, cpu


def warpspan(kernel, warps):
    """Returns the worst case and the least seconds of several runs, with the check by replay and the best case."""
    command = [ROOT / "target" / "release" / "warpspan", "solve", "--kernel", kernel, "--warps", str(warps)]
    command += ["--engine", "states", "--threads", str(WORKERS), "--format", "json"]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(REPEATS)]
    assert all(run["verdict"] == "exact" for run in runs)
    return runs[0]["upper"], min(run["seconds"] for run in runs)


def main():
    subprocess.run([ROOT / "scripts" / "warpspan", "--version"], check=True)
    print(f"{'instance':<14} {'worst':>5} {'CP-SAT wall s':>14} {'CPU s':>8} {'warpspan s':>11} {'CPU ratio':>10}", flush=True)
    for instance in sys.argv[1:] or INSTANCES:
        kernel, _, warps = instance.partition(":")
        worst, wall, cpu = cp_sat(kernel.upper(), int(warps))
        ours, seconds = warpspan(kernel, int(warps))
        if ours != worst:
            sys.exit(f"compare_cp_sat: {instance}: CP-SAT says {worst}, warpspan {ours}")
        print(f"{instance:<14} {worst:>5} {wall:>14.2f} {cpu:>8.2f} {seconds:>11.6f} {cpu / seconds:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
