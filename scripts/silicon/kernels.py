"""Measures the kernels of tests/corpus and of units: one step for each, which launches it in several shapes and companies.

| shape | what is launched |
| --- | --- |
| `one` | one block, with as many threads as declared |
| `warps` | one block of 1 to 32 warps, where any block may run |
| `packed` | the whole declared grid on one multiprocessor, since neighbours fill all others; of the kernels of `units`, as many blocks of 1 to 32 warps as it holds at once |
| `whole` | the whole declared grid on the whole GPU |

The caches are `warm` (the same launch came before) or `cold` (a sweep of the L2 cache came before). The company is `alone`,
`spin` (neighbours that issue instructions on the other multiprocessors, and use no memory) or `memory` (they read and write).

Of each run the longest span on one multiprocessor counts, from the first reading of a warp to the last one, in cycles of
its clock, and the span of the global timer over all. What the kernel writes is restored before each run.
"""

import re
import time
from collections import Counter

from . import corpus_files
from .bench import Bench, volume
from .driver import CudaError
from .instrument import MARKS
from .steps import Broken, Step, Unsupported, first
from .tools import ROOT

REPETITIONS, QUICK_REPETITIONS = 1000, 100
LEAST_REPETITIONS = 5
# Seconds for one shape in one company; what has not been repeated by then is left out, and the record has the number.
# There are about 1200 of them, and all must fit the budget.
SHARE, QUICK_SHARE = 0.2, 0.05
SECONDS = 40
QUANTILES = (0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100)


def names():
    """The entries that may be measured, with their files, without reading TOML."""
    found = {}
    for path in sorted(corpus_files.CORPUS.glob("*.toml")) + sorted(corpus_files.UNITS.glob("*.toml")):
        for name, body in re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", path.read_text(), re.M | re.S):
            if "measure = false" not in body:
                found[name] = path.stem
    return found


def shapes(kernel, most_threads, quick):
    """The launches of a kernel: dictionaries with shape, grid, block and the companies (cache, company) to run in."""
    one, grid = [1, 1, 1], kernel["grid"]
    alone = [("warm", "alone"), ("cold", "alone")]
    found = [{"shape": "one", "grid": one, "block": kernel["block"], "companies": alone + [("warm", "memory")]},
             {"shape": "packed", "grid": grid, "block": kernel["block"],
              "companies": [("warm", "spin"), ("cold", "spin"), ("warm", "memory")]},
             {"shape": "whole", "grid": grid, "block": kernel["block"], "companies": alone}]
    if kernel["any_block"]:
        for warps in (1, 32) if quick else (1, 2, 4, 8, 16, 32):
            if 32 * warps <= most_threads and [32 * warps, 1, 1] != kernel["block"]:
                found.append({"shape": "warps", "grid": one, "block": [32 * warps, 1, 1], "companies": alone})
    return found


def packs(bench, quick):
    """The launches of a kernel that keeps one unit busy, as `shapes`: blocks of each size, as many as are there at once."""
    found = []
    for warps in (1, 8, 32) if quick else (1, 2, 4, 8, 16, 32):
        if 32 * warps <= bench.attributes["max_threads"]:
            together = bench.function.resident(32 * warps, bench.kernel["shared"])
            found += [{"shape": "packed", "grid": [blocks, 1, 1], "block": [32 * warps, 1, 1], "companies": [("warm", "spin")]}
                      for blocks in sorted({1, together})]
    return found


def most_blocks(marks, warps):
    """The most blocks, of so many warps each, that one multiprocessor ran. All warps of a block are where its first one is."""
    return max(Counter(marks[4::MARKS * warps]).values())


def spans(marks, narrow=False):
    """The longest span on one multiprocessor in cycles, the span of the timer in ns, and the multiprocessors. `narrow`: the
    readings have 32 bits and may have started again from 0."""
    first, last, base = {}, {}, {}
    for at in range(0, len(marks), MARKS):
        if marks[at + 5] != 1:
            raise ValueError(f"warp {at // MARKS} left no marks")
        where, begin, end = marks[at + 4], marks[at], marks[at + 2]
        if narrow:
            origin = base.setdefault(where, begin)
            begin, end = signed(begin - origin), signed(end - origin)
        first[where] = min(first.get(where, begin), begin)
        last[where] = max(last.get(where, end), end)
    times = [marks[1::MARKS], marks[3::MARKS]]
    if narrow:
        times = [[signed(time - marks[1]) for time in column] for column in times]
    return max(last[where] - first[where] for where in first), max(times[1]) - min(times[0]), set(first)


def signed(difference):
    """A difference of two readings of 32 bits."""
    return (difference + 2**31) % 2**32 - 2**31


def quantiles(values):
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in QUANTILES]


def measure(bench, shape, cache, company, quick):
    """Repeats one shape in one company."""
    repetitions = QUICK_REPETITIONS if quick else REPETITIONS
    surrounded = company != "alone"
    bench.marks.fill(0)
    if surrounded:
        bench.surround(company == "memory")
    cycles, times, astray, most, begin = [], [], 0, 0, time.monotonic()
    try:
        if cache == "warm":
            bench.once(shape, cache)
        share = QUICK_SHARE if quick else SHARE
        for done in range(repetitions):
            if done >= LEAST_REPETITIONS and time.monotonic() - begin > share:
                break
            marks = bench.once(shape, cache)
            span, ns, where = spans(marks, bench.context.capability < (7, 0))
            # Neighbours may have left the multiprocessor to the kernel too late: then it had company there.
            if surrounded and where != {0}:
                astray += 1
                continue
            cycles.append(span)
            times.append(ns)
            most = max(most, most_blocks(marks, -(-volume(shape["block"]) // 32)))
    finally:
        if surrounded:
            bench.dismiss()
    found = {"shape": shape["shape"], "grid": shape["grid"], "block": shape["block"], "cache": cache, "company": company,
             "multiprocessors": 1 if surrounded or shape["shape"] != "whole" else bench.driver.properties["multiprocessors"],
             "resident": bench.function.resident(volume(shape["block"]), bench.kernel["shared"]),
             "repetitions": len(cycles), "astray": astray}
    if cycles:
        found.update(cycles=quantiles(cycles), ns=quantiles(times), mean_cycles=round(sum(cycles) / len(cycles), 1), most_blocks=most)
    return found


def run(name, file):
    def step(context):
        if corpus_files.folder_of(file) == corpus_files.UNITS and context.capability < corpus_files.UNITS_SINCE:
            raise Unsupported("kernels of units are measured from capability {}.{} on".format(*corpus_files.UNITS_SINCE))
        bench = Bench(context, name, file)
        try:
            return all_of(bench, file, context.quick)
        finally:
            bench.close()
    return step


def all_of(bench, file, quick):
    """All launches of a kernel, as the record has them."""
    runs, errors, end = [], [], time.monotonic() + SECONDS - 12
    packed = bench.kernel["packs"]
    for shape in packs(bench, quick) if packed else shapes(bench.kernel, bench.attributes["max_threads"], quick):
        for cache, company in shape["companies"]:
            if time.monotonic() > end:
                errors.append(f"{shape['shape']}, {cache}, {company}: left out, since the time of the step was over")
                continue
            try:
                runs.append(measure(bench, shape, cache, company, quick or packed))
            except (ValueError, Unsupported) as error:
                errors.append(f"{shape['shape']}, {cache}, {company}: {error}")
            except CudaError as error:
                errors.append(f"{shape['shape']}, {cache}, {company}: {first(error)}")
                raise Broken(errors[-1], entry(bench, file, runs, errors)) from None
    if not runs:
        raise Broken(f"no run counts: {errors[0]}", entry(bench, file, runs, errors))
    return entry(bench, file, runs, errors)


def entry(bench, file, runs, errors):
    """What the record has of a kernel."""
    manifest = bench.manifest
    return {"file": file, "how": manifest["how"], "sha256": manifest["sha256"],
            "capability": manifest["capability"], "registers": bench.attributes["registers"],
            "shared": bench.attributes["shared"] + bench.kernel["shared"], "declared": bench.kernel["declared"], "coalesced": bench.kernel["coalesced"],
            "quantiles": QUANTILES, "runs": runs, "errors": errors}


STEPS = [Step(f"kernel-{name}", "kernels", run(name, file), SECONDS, f"{name} of {corpus_files.folder_of(file).relative_to(ROOT)}/{file}.cu")
         for name, file in names().items()]


def prepare(tools, folder, capability):
    corpus_files.prepare(tools, folder, capability)


def players(properties):
    """Made-up kernels: spans that depend on nothing but the launch, so that all above them can be tested."""
    def kernel(launch):
        marks, blocks = launch.arguments[-1], volume(launch.grid)
        warps = -(-volume(launch.block) // 32)
        # Neighbours leave multiprocessor 0 alone, until the host sets their second word of control.
        control = getattr(launch.driver, "control", None)
        places = 1 if control and control.numbers("I")[1] == 0 else properties["multiprocessors"]
        step = getattr(launch.driver, "played", 0) % 7
        launch.driver.played = step + 1
        for at in range(blocks * warps):
            block = at // warps
            begin = 1000 + 50 * (block // places)
            marks.put("Q", MARKS * at, begin, begin, begin + 400 + step, begin + 400 + step, block % places, 1)

    def neighbours(launch):
        control, blocks = launch.arguments[0], launch.arguments[3].value
        control.put("I", 0, blocks, 0, blocks - 2)
        launch.driver.control = control

    def nothing(launch):
        return None

    return [(f"^({'|'.join(names())})$", kernel), ("^ws_neighbours$", neighbours), ("^ws_(copy|sweep)$", nothing)]
