"""Completes a record of measured kernels by what warpspan computes of the listings that were measured.

    scripts/on-gpu bound RECORD... --warpspan PATH [--prepared DIR] [--ceiling CYCLES]

The listings are compiled again where `prepare` has not made them, and must be those that were measured, to the byte. Bounds of
loops are those that this version finds for them, whatever was recorded.

For each launch: the bound on the shipped machine of the capability; on the machine that the record's micro-measurements
give, if they do; with a ceiling of the latency of memory, if one is given; on the last of these with one transaction a pass, for
kernels that are declared to be coalesced; for capability 9.0, what follows from all that a user of the kernel knows and says (parameters, sizes,
alignment, loops, and that data of a warm launch are in L2), and the same for one block whose code ends behind the second reading of the clock and
whose loops pass as often as they did; and, which are no bounds for hardware, the paper's model, and for one block the pessimistic makespan and the
estimate of Be12. A launch that contradicts a declaration is named: `blocks.dealt`, where one multiprocessor ran more blocks than it would if they
were dealt evenly. The exit code is 1 if a measurement is above a bound.
"""

import argparse
import functools
import hashlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import as_declared, check, corpus_files, listing
from .as_declared import warps_of
from .tools import ROOT, ToolError, Tools

MEMORY_LETTERS = ("GLOBAL", "LOCAL", "ATOMIC", "CONST", "TEXTURE")
SECONDS = 120


class BoundError(Exception):
    """The record cannot be completed."""


class Warpspan:
    def __init__(self, path):
        self.path = str(path)
        self.version = self("--version").stdout.split("\n")[0]

    def __call__(self, *arguments):
        try:
            return subprocess.run([self.path, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 3, "", f"no answer in {SECONDS} s")
        except OSError as error:
            raise BoundError(f"{self.path} does not run: {error}") from None

    @functools.lru_cache(maxsize=None)
    def bound(self, *arguments):
        """The record of `bound`, or the message that refused it. Records of one kind of GPU have most launches in common."""
        done = self("bound", *arguments, "--format", "json")
        if done.stdout.startswith("{"):
            return json.loads(done.stdout), None
        text = (done.stderr.strip() or f"exit code {done.returncode}").split("\n")[0]
        return None, text[len("warpspan: "):] if text.startswith("warpspan: ") else text


def declared(entry, machine):
    """The flags for a listing: bounds of loops, and one transaction for the stores of the marks."""
    said = entry.get("declared") or {"loops": [], "marks": []}
    flags = [flag for loop in said["loops"] for flag in ("--loop-bound", f"{loop['label']}={loop['most']}")]
    return flags + ([flag for line in said["marks"] for flag in ("--transactions", f"{line}=1")] if machine else [])


def of_launch(warpspan, listing, name, entry, run, machines):
    """Bounds of one launch: machine to cycles; the paper's figures; and what was refused."""
    warps, blocks = warps_of(run), run["grid"][0] * run["grid"][1] * run["grid"][2]
    shape = ["--warps-per-block", warps, "--blocks", blocks, "--resident", run["resident"], "--multiprocessors", run["multiprocessors"]]
    if blocks == 1:
        shape = ["--warps-per-block", warps, "--warps", warps]
    common = ["--ptx", listing, "--entry", name]
    bounds, refused = {}, None
    if entry.get("coalesced"):
        machines = dict(machines, coalesced=list(machines.values())[-1] + ["--transactions", "*=1"])
    for title, flags in machines.items():
        own = [] if title == "coalesced" else declared(entry, True)
        record, error = warpspan.bound(*common, *(own or declared(entry, False)), *flags, *shape)
        bounds[title] = record and record["upper"]
        refused = refused or error
        if error:
            break
    # Without this the code of a listing runs on the machine of its capability.
    paper, common = {}, [*common, *declared(entry, False), "--compute-capability", entry["capability"]]
    record, _ = warpspan.bound(*common, *shape)
    if record:
        paper["model"] = record["upper"]
        paper.update({bound["name"]: bound["value"] for bound in record["bounds"] if bound["name"] == "min-over-y"})
    if blocks == 1:
        record, _ = warpspan.bound(*common, "--warps-per-block", 1, "--warps", 1)
        if record and record["upper"] is not None:
            paper["pessimistic"] = warps * record["upper"]
    return bounds, paper, refused


def machines_of(record, capability, options, folder):
    """The machines to bound on: title to flags."""
    found = {"shipped": ["--machine", capability]}
    measured = options.machine and Path(options.machine).read_text() or text_of_machine(record.get("machine"))
    if measured:
        # Each machine has a name of its own, so that answers which are kept are never those of another one.
        path = Path(folder, hashlib.sha256(measured.encode()).hexdigest()[:16] + ".toml")
        path.write_text(measured)
        found["measured"] = ["--machine", path]
    if options.ceiling:
        base = found.get("measured", found["shipped"])
        found["ceiling"] = base + [flag for letter in MEMORY_LETTERS for flag in ("--latency-of", f"{letter}=1..{options.ceiling}")]
    return found


def text_of_machine(value):
    """The machine file that the micro-measurements wrote, wherever in their part of the record it stands."""
    if isinstance(value, str):
        return value if "[machine]" in value and "[[unit]]" in value else None
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next(filter(None, map(text_of_machine, inner)), None)


def listing_of(tools, prepared, folder, name, entry):
    """A file with the listing that was measured, without other entries, and the kernel as the corpus has it; what is declared of it goes into the entry."""
    capability = tuple(map(int, entry["capability"].split(".")))
    try:
        found = corpus_files.manifest(tools, prepared, capability, entry["file"])
    except ToolError as error:
        raise BoundError(f"the listing of {entry['file']} cannot be made here: {error}") from None
    if found["sha256"] != entry["sha256"]:
        raise BoundError(f"the listing of {entry['file']} in {prepared} is not the one that was measured: its SHA-256 is {found['sha256']}, "
                         f"want {entry['sha256']}, of the same sources by the same compilers ({entry['how']})")
    entry["declared"] = found["kernels"][name]["declared"]
    path = Path(folder, f"{name}.{entry['capability']}.sass")
    if not path.exists():
        # Reading is most of the work, and a file of many kernels would be read for each launch of each of them.
        path.write_text(listing.alone(Path(prepared, found["listing"]).read_text(), name))
    return path, found["kernels"][name]


def evenly(run):
    """The most blocks that one multiprocessor gets if they are dealt evenly (`time --blocks-dealt evenly`); none where not all have room at once."""
    blocks, places = run["grid"][0] * run["grid"][1] * run["grid"][2], run["multiprocessors"]
    return -(-blocks // places) if blocks <= places * run["resident"] else None


def complete(record, options, warpspan, tools, folder):
    """Puts bounds into the record; returns it. `folder` is for files."""
    kernels = record.get("kernels", {})
    refused, unsaid, tasks, known, listings = {}, {}, [], {}, {}
    gpu, passes = options.gpu or as_declared.gpu_of(record), as_declared.passes_of_corpus()
    with ThreadPoolExecutor(options.jobs) as pool:
        for step, entry in kernels.items():
            name = step[len("kernel-"):]
            listings[name], kernel = listing_of(tools, options.prepared, folder, name, entry)
            user = gpu and entry["capability"] == "9.0" and pool.submit(as_declared.Kernel, warpspan, listings[name], name, entry, kernel, gpu)
            # Made once: a file that is written again could be read while it is empty.
            if entry["capability"] not in known:
                known[entry["capability"]] = machines_of(record, entry["capability"], options, folder)
            machines = known[entry["capability"]]
            launches = {}
            for run in entry["runs"]:
                key = json.dumps([run["grid"], run["block"], run["resident"], run["multiprocessors"]])
                if key not in launches:
                    launches[key] = pool.submit(of_launch, warpspan, listings[name], name, entry, run, machines)
                tasks.append((name, run, launches[key], user and pool.submit(lambda user, run: user.result().columns(run, passes), user, run)))
        for name, run, task, said in tasks:
            # The folder is one of the machine that judges, and the name of the listing one of the version that prepared it.
            without_folder = lambda error: error.replace(str(listings[name]), f"{kernels[f'kernel-{name}']['file']}.sass")  # noqa: B023, E731
            found, run["paper"], error = task.result()
            more, why = said.result() if said else ({}, None)
            # Launches that differ in their caches or neighbours alone have the first bounds in common, and not these.
            run["bounds"] = {**found, **more}
            if why:
                unsaid[name] = without_folder(why)
            if error:
                refused[name] = without_folder(error)
    exceeded = [dict(kernel=name, machine=title, bound=bound, measured=run["cycles"][-1],
                     **{key: run[key] for key in ("shape", "grid", "block", "cache", "company")})
                for name, run, _, _ in tasks if run.get("cycles")
                for title, bound in run["bounds"].items() if bound is not None and run["cycles"][-1] > bound]
    contradicted = [dict(kernel=name, declaration="blocks.dealt", most=evenly(run), measured=run["most_blocks"],
                         **{key: run[key] for key in ("shape", "grid", "block", "cache", "company")})
                    for name, run, _, _ in tasks if evenly(run) and run.get("most_blocks", 0) > evenly(run)]
    record["bounded"] = {"warpspan": warpspan.version, "ceiling": options.ceiling, "refused": refused, "undeclared": unsaid, "exceeded": exceeded, "contradicted": contradicted,
                         "kernels": len(kernels), "with_bound": len(kernels) - len(refused)}
    return record


def main(arguments):
    parser = argparse.ArgumentParser(prog="on-gpu bound", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORD", help="record.json of a run; it is completed in place, and the page beside it is written again")
    parser.add_argument("--warpspan", required=True, metavar="PATH", help="the program")
    parser.add_argument("--prepared", type=Path, default=ROOT / "target" / "silicon" / "prepared", metavar="DIR", help="the folder of the listings, which are compiled where they are not there (default: target/silicon/prepared)")
    parser.add_argument("--machine", metavar="FILE", help="the measured machine, in place of that of the record")
    parser.add_argument("--gpu", metavar="NAME", help="the preset of the bounds as declared (default: that of an H100 or H200; of other GPUs there are none)")
    parser.add_argument("--ceiling", type=int, metavar="CYCLES", help="also bound with this latency of memory at most")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="how many runs of warpspan at a time (default: 4)")
    options = parser.parse_args(arguments)
    from . import page, prem, rules
    above = False
    try:
        warpspan, tools = Warpspan(options.warpspan), Tools()
        with tempfile.TemporaryDirectory() as folder:
            for path in options.records:
                record = complete(check.read(path), options, warpspan, tools, folder)
                rules.judge(record, warpspan)
                prem.judge(record, warpspan)
                # As it stood: those of docs/silicon have one line, which is less than half as long.
                spaces = {"indent": 1} if check.text_of(path).count("\n") > 1 else {"separators": (",", ":")}
                check.write(path, json.dumps(record, **spaces) + "\n")
                check.write(page.beside(path), page.page(record))
                for text in verdict(record):
                    print(text if len(options.records) == 1 else f"{path.name}: {text}")
                above = above or bool(failures(record))
    except (BoundError, check.CheckError, OSError) as error:
        print(f"on-gpu: {error}", file=sys.stderr)
        return 2
    return 1 if above else 0


def failures(record):
    """What was measured and is above a bound."""
    return [entry for key in ("bounded", "rules", "prem") for entry in record.get(key, {}).get("exceeded", [])]


def verdict(record):
    """Lines for a person."""
    found = record.get("bounded")
    lines = [] if record["measured"] else ["The device was made up: nothing was measured."]
    if not found:
        return lines + ["No bounds were computed yet."]
    lines.append(f"{found['with_bound']} of {found['kernels']} kernels have a bound.")
    lines += [f"{one['kernel']} contradicts the declaration {one['declaration']}: {one['measured']} blocks ran on one multiprocessor, and dealt evenly it is "
              f"{one['most']} at most: {json.dumps(one)}" for one in found.get("contradicted", [])]
    above = failures(record)
    return lines + ([f"{len(above)} measurements are above their bounds:"] + [json.dumps(one) for one in above] if above else
                    ["No measurement is above its bound."])
