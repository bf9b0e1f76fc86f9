#!/usr/bin/env python3
"""A sweep on several machines: its shards run on a Dask cluster, and their rows are put together and counted.

    scripts/sweep_dask.py -o table.csv -- --all-strings 1..6 --warps 1..64                  # a local cluster
    scripts/sweep_dask.py --scheduler tcp://head:8786 -o table.csv -- --kernels LLCLL ...    # an existing one

What follows -- are the flags of `warpspan sweep` that name the grid, and --memory-limit and --yes; files that
they name, and the program itself (--program), must be found under the same path on every worker. Nothing else
is shared: rows travel through Dask. A shard whose worker is lost runs again elsewhere. Finished shards are
kept in OUTPUT.shards until all are there, so that a sweep whose head was lost goes on where it was. The table
is then checked: each cell once, all of the same grid.

Needs python3 with venv and pip; installs dask and distributed into .tools/dask at its first run. The workers
of an existing cluster need nothing of this but the program.
"""

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".tools" / "dask"
PACKAGE = "distributed==2026.*"

try:
    import dask
    from dask.distributed import Client, LocalCluster, as_completed
except ImportError:
    if os.environ.get("WARPSPAN_DASK"):
        sys.exit(f"sweep_dask: {PACKAGE} cannot be imported")
    if not (VENV / "bin" / "dask").exists():
        print(f"installing {PACKAGE} into {VENV.relative_to(ROOT)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin" / "pip", "install", "--quiet", PACKAGE], check=True)
    python = str(VENV / "bin" / "python")
    os.execve(python, [python, *sys.argv], {**os.environ, "WARPSPAN_DASK": "1"})


def run_shard(program, flags, shard, shards, jobs, ending):
    """Runs on a worker and returns the table of a shard as bytes."""
    import pathlib
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / f"shard{ending}"
        command = [program, "sweep", *flags, "--shard", f"{shard}/{shards}", "--jobs", str(jobs), "-o", str(table)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"shard {shard}/{shards}, exit code {done.returncode}: {done.stderr.strip()}")
        return table.read_bytes()


def rows(table, ending):
    """Returns (grid, cell, line) of each row, and the header."""
    lines = table.decode().splitlines(keepends=True)
    if ending == ".jsonl":
        records = [json.loads(line) for line in lines]
        return [(r["grid"], int(r["cell"]), line) for r, line in zip(records, lines)], ""
    header, lines = lines[0], lines[1:]
    names = next(csv.reader(io.StringIO(header)))
    grid, cell = names.index("grid"), names.index("cell")
    records = [next(csv.reader(io.StringIO(line))) for line in lines]
    return [(r[grid], int(r[cell]), line) for r, line in zip(records, lines)], header


def write(path, content):
    """Writes the whole file or leaves it as it was."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as out:
        out.write(content)
    os.chmod(out.name, 0o644)
    os.replace(out.name, path)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of an existing cluster; without it a local one is started")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="of the local cluster [default: all cores]")
    parser.add_argument("--shards", type=int, help="parts of the grid [default: eight a worker]")
    parser.add_argument("--jobs", type=int, default=1, help="cells side by side on a worker [default: 1]")
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "warpspan"), help="on each worker")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the table, .csv or .jsonl")
    parser.add_argument("--pids", type=Path, help=argparse.SUPPRESS)  # the test kills one of the workers
    parser.add_argument("flags", nargs="+", metavar="FLAG", help="of `warpspan sweep`")
    return parser.parse_args()


def main():
    args = arguments()
    ending = args.output.suffix
    if ending not in (".csv", ".jsonl"):
        sys.exit(f"sweep_dask: {args.output}: want a name that ends in .csv or .jsonl")
    plan = subprocess.run([args.program, "sweep", *args.flags, "--dry-run"], capture_output=True, text=True)
    if plan.returncode != 0:
        print(plan.stderr, end="", file=sys.stderr)
        return 2
    plan = json.loads(plan.stdout)
    parts = args.output.with_name(args.output.name + ".shards")
    parts.mkdir(exist_ok=True)

    # A shard is tried again even if many workers are lost while it runs.
    dask.config.set({"distributed.scheduler.allowed-failures": 20})
    cluster = None if args.scheduler else LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
    with Client(args.scheduler or cluster) as client:
        if args.pids:
            args.pids.write_text(json.dumps(list(client.run(os.getpid).values())))
        workers = max(1, len(client.scheduler_info()["workers"]))
        shards = min(args.shards or 8 * workers, plan["cells"])
        part = {k: parts / f"{plan['grid']}-{k}-of-{shards}{ending}" for k in range(1, shards + 1)}
        todo = {
            client.submit(
                run_shard, args.program, args.flags, k, shards, args.jobs, ending, retries=3, pure=False, key=f"shard-{k}-{plan['grid']}"
            ): k
            for k in part
            if not part[k].exists()
        }
        for count, future in enumerate(as_completed(todo), start=1):
            write(part[todo[future]], future.result())
            print(f"\rshards {shards - len(todo) + count} of {shards}", end="", file=sys.stderr)
        print(file=sys.stderr)
    if cluster:
        cluster.close()

    found, header = [], ""
    for path in part.values():
        more, header = rows(path.read_bytes(), ending)
        found += more
    grids = {grid for grid, _, _ in found}
    cells = sorted(cell for _, cell, _ in found)
    if grids != {plan["grid"]} or cells != list(range(1, plan["cells"] + 1)):
        print(f"sweep_dask: {len(cells)} rows of {plan['cells']} cells, grids {grids}: the shards stay in {parts}", file=sys.stderr)
        return 1
    found.sort(key=lambda row: row[1])
    write(args.output, (header + "".join(line for _, _, line in found)).encode())
    for path in part.values():
        path.unlink()
    if not any(parts.iterdir()):
        parts.rmdir()
    print(f"{args.output}: {len(found)} cells of {shards} shards")
    return 0


if __name__ == "__main__":
    sys.exit(main())
