"""Measures the kernels of tests/corpus: one step for each, which launches it in several shapes and companies.

| shape | what is launched |
| --- | --- |
| `one` | one block, with as many threads as declared |
| `warps` | one block of 1 to 32 warps, where any block may run |
| `packed` | the whole declared grid on one multiprocessor, since neighbours fill all others |
| `whole` | the whole declared grid on the whole GPU |

The caches are `warm` (the same launch came before) or `cold` (a sweep of the L2 cache came before). The company is `alone`,
`spin` (neighbours that issue instructions on the other multiprocessors, and use no memory) or `memory` (they read and write).

Of each run the longest span on one multiprocessor counts, from the first reading of a warp to the last one, in cycles of
its clock, and the span of the global timer over all. What the kernel writes is restored before each run.
"""

import array
import ctypes
import re
import time

from . import corpus, corpus_files
from .instrument import MARKS
from .steps import Step, Unsupported

REPETITIONS, QUICK_REPETITIONS = 1000, 100
LEAST_REPETITIONS = 5
# Seconds for one shape in one company; what has not been repeated by then is left out, and the record has the number.
SHARE, QUICK_SHARE = 0.5, 0.1
SECONDS = 40
# Neighbours leave by themselves after this time, so that nothing hangs where the host is gone.
NEIGHBOURS_NS = 15_000_000_000
SWEEP_BYTES, NEIGHBOUR_BYTES = 128 << 20, 512 << 20
QUANTILES = (0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100)


def names():
    """The entries that may be measured, with their files, without reading TOML."""
    found = {}
    for path in sorted(corpus_files.CORPUS.glob("*.toml")):
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


def volume(sides):
    return sides[0] * sides[1] * sides[2]


class Bench:
    """A loaded kernel with its data, and the neighbours."""

    def __init__(self, context, name, file):
        self.driver, self.context, self.owned = context.driver, context, []
        self.manifest = corpus_files.manifest(context.tools, context.prepared, context.capability, file)
        self.kernel = self.manifest["kernels"][name]
        module = self.driver.module((context.prepared / self.manifest["cubin"]).read_bytes())
        helpers = self.driver.module(context.tools.of_source(corpus_files.NEIGHBOURS, context.capability).data)
        self.function = module.function(name)
        self.copy, self.sweep, self.neighbours = (helpers.function(f"ws_{part}") for part in ("copy", "sweep", "neighbours"))
        self.attributes = self.function.attributes
        if self.kernel["shared"] > 48 << 10:
            self.function.allow_shared(self.kernel["shared"])
        self.stream, self.beside = self.driver.stream(), self.driver.stream()
        self.control = self.alloc(16)
        self.swept = self.alloc(max(SWEEP_BYTES, 2 * self.driver.properties.get("l2_bytes", 0)))
        self.region = None
        blocks = volume(self.kernel["grid"])
        warps = max(-(-volume(self.kernel["block"]) // 32) * blocks, 32)
        self.marks = self.alloc(8 * MARKS * warps)
        self._data()

    def alloc(self, size):
        self.owned.append(self.driver.alloc(size))
        return self.owned[-1]

    def close(self):
        """Gives the memory back: the process goes on with the next kernel."""
        for buffer in self.owned:
            buffer.free()

    def _data(self):
        """The arguments; `self.restored` has what is copied before each run."""
        self.arguments, self.restored = [], []
        for number, parameter in enumerate(self.kernel["parameters"]):
            if not corpus.is_pointer(parameter):
                self.arguments.append(scalar(parameter))
                continue
            data = corpus.data(parameter, f"{self.kernel['name']} {number}")
            buffer = self.alloc(len(data))
            buffer.write(data)
            self.arguments.append(buffer)
            if not corpus.is_input(parameter):
                pristine = self.alloc(len(data))
                pristine.write(data)
                self.restored.append((buffer, pristine, len(data)))
        self.driver.synchronize()

    def launch(self, shape):
        arguments = [*self.arguments, number(self.kernel["grid"][0]), self.marks]
        self.driver.launch(self.function, shape["grid"], shape["block"], arguments, self.kernel["shared"], self.stream)

    def restore(self):
        for buffer, pristine, size in self.restored:
            self.driver.launch(self.copy, min(-(-size // 256), 1024), 256, [buffer, pristine, long(size)], 0, self.stream)

    def once(self, shape, cache):
        """One run; returns its marks."""
        self.restore()
        if cache == "cold":
            self.driver.launch(self.sweep, 1024, 256, [self.swept, long(self.swept.size // 4)], 0, self.stream)
        self.launch(shape)
        self.stream.synchronize()
        warps = volume(shape["grid"]) * -(-volume(shape["block"]) // 32)
        return array.array("Q", self.marks.read(8 * MARKS * warps))

    def surround(self, memory):
        """Starts neighbours on all multiprocessors but the one with number 0, and waits until they are there."""
        properties = self.driver.properties
        threads = properties["threads_per_multiprocessor"] // 2
        blocks = 2 * properties["multiprocessors"]
        if self.region is None:
            self.region = self.alloc(min(NEIGHBOUR_BYTES, properties["memory_bytes"] // 8))
        self.control.write(b"\0" * 16)
        self.driver.synchronize()
        self.driver.launch(self.neighbours, blocks, threads,
                           [self.control, self.region, long(self.region.size // 8), number(blocks), number(1), number(int(memory)),
                            long(NEIGHBOURS_NS)], 0, self.beside)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            came, _, stay, _ = array.array("I", self.control.read())
            if came == blocks and stay == blocks - 2:
                return
        self.dismiss()
        raise Unsupported(f"{came} of {blocks} neighbours came, {stay} stayed: they do not fill the GPU as they should")

    def dismiss(self):
        self.control.write(b"\1", 4)
        self.beside.synchronize()


def number(value):
    return ctypes.c_uint(value & 0xFFFFFFFF)


def long(value):
    return ctypes.c_ulonglong(value)


def scalar(parameter):
    kinds = {"int": ctypes.c_int, "unsigned": ctypes.c_uint, "float": ctypes.c_float, "double": ctypes.c_double,
             "unsigned long long": ctypes.c_ulonglong, "long long": ctypes.c_longlong}
    return kinds[parameter["type"].replace("const ", "").strip()](parameter.get("value", parameter.get("float")))


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
    cycles, times, astray, begin = [], [], 0, time.monotonic()
    try:
        if cache == "warm":
            bench.once(shape, cache)
        share = QUICK_SHARE if quick else SHARE
        for done in range(repetitions):
            if done >= LEAST_REPETITIONS and time.monotonic() - begin > share:
                break
            span, ns, where = spans(bench.once(shape, cache), bench.context.capability < (7, 0))
            # Neighbours may have left the multiprocessor to the kernel too late: then it had company there.
            if surrounded and where != {0}:
                astray += 1
                continue
            cycles.append(span)
            times.append(ns)
    finally:
        if surrounded:
            bench.dismiss()
    found = {"shape": shape["shape"], "grid": shape["grid"], "block": shape["block"], "cache": cache, "company": company,
             "multiprocessors": 1 if surrounded or shape["shape"] != "whole" else bench.driver.properties["multiprocessors"],
             "resident": bench.function.resident(volume(shape["block"]), bench.kernel["shared"]),
             "repetitions": len(cycles), "astray": astray}
    if cycles:
        found.update(cycles=quantiles(cycles), ns=quantiles(times), mean_cycles=round(sum(cycles) / len(cycles), 1))
    return found


def run(name, file):
    def step(context):
        bench = Bench(context, name, file)
        try:
            return all_of(bench, file, context.quick)
        finally:
            bench.close()
    return step


def all_of(bench, file, quick):
    """All launches of a kernel, as the record has them."""
    runs, errors, end = [], [], time.monotonic() + SECONDS - 12
    for shape in shapes(bench.kernel, bench.attributes["max_threads"], quick):
        for cache, company in shape["companies"]:
            if time.monotonic() > end:
                errors.append(f"{shape['shape']}, {cache}, {company}: left out, since the time of the step was over")
                continue
            try:
                runs.append(measure(bench, shape, cache, company, quick))
            except (ValueError, Unsupported) as error:
                errors.append(f"{shape['shape']}, {cache}, {company}: {error}")
    manifest = bench.manifest
    return {"file": file, "how": manifest["how"], "listing": manifest["listing"], "sha256": manifest["sha256"],
            "capability": manifest["capability"], "registers": bench.attributes["registers"],
            "shared": bench.attributes["shared"] + bench.kernel["shared"], "declared": bench.kernel["declared"],
            "quantiles": QUANTILES, "runs": runs, "errors": errors}


STEPS = [Step(f"kernel-{name}", "kernels", run(name, file), SECONDS, f"{name} of tests/corpus/{file}.cu")
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
        return 0.001

    def neighbours(launch):
        control, blocks = launch.arguments[0], launch.arguments[3].value
        control.put("I", 0, blocks, 0, blocks - 2)
        launch.driver.control = control

    def nothing(launch):
        return None

    return [(f"^({'|'.join(names())})$", kernel), ("^ws_neighbours$", neighbours), ("^ws_(copy|sweep)$", nothing)]
