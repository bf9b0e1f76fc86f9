"""The tiled convolution that `warpspan prem --emit-cuda` writes, with a schedule and without: jitter and time for each offset.

The kernel is the emitted one, crates/prem/src/cuda/kernels.cu; only its header of the schedule is another one, in which
offset and hyperperiod are variables, so that one cubin serves all offsets. The case is that of Kr19 section 4.2: four kernels
of two blocks of 512 threads, an image of 1026 x 1022 under a mask of 3 x 3. First the phases of one kernel by itself and of all
four without a schedule are measured; from these come the hyperperiod and the durations under contention.
"""

import array
import json
import math
import struct
import tempfile
import time
from pathlib import Path

from .bench import long, number
from .steps import Step, Unsupported
from .tools import ROOT

SOURCE = ROOT / "crates" / "prem" / "src" / "cuda" / "kernels.cu"
KERNELS, BLOCKS, THREADS, TILES = 4, 2, 512, 512
HEIGHT, WIDTH, RESULTS = 1026, 1022, 1024 * 1020
STAMPS = 1024
RUNS, QUICK_RUNS = 300, 20
LEAD_NS = 2_000_000
LATE_NS = 100_000  # after the start a block has surely been launched too late, by a host that was busy
OFFSETS, QUICK_OFFSETS = 16, 4

PLAN = """
#define PLAN_IMAGE_HEIGHT 1026u
#define PLAN_IMAGE_WIDTH 1022u
#define PLAN_MASK_HEIGHT 3u
#define PLAN_MASK_WIDTH 3u
#define PLAN_TILE_HEIGHT 4u
#define PLAN_TILE_WIDTH 512u
#define PLAN_RESULTS_HEIGHT 1024u
#define PLAN_RESULTS_WIDTH 1020u
#define PLAN_ACROSS 2u
#define PLAN_TILES 1024u
#define PLAN_TILES_OF_BLOCK 512u
#define PLAN_THREADS 512u
#define PREM_STAMPS 1024u
"""
SCHEDULE = """
__device__ unsigned long long ws_offset, ws_hyperperiod;
#define PREM_PREFETCH_START_NS(start, kernel, block, tile) ((start) + (tile) * ws_hyperperiod + (kernel) * ws_offset)
"""


def source():
    """The emitted kernels with sizes and a schedule of variables in place of their headers."""
    return SOURCE.read_text().replace('#include "plan.h"', PLAN.strip()).replace('#include "prem.h"', SCHEDULE.strip())


def write_source(folder):
    path = Path(folder) / "prem_kernels.cu"
    path.write_text(source())
    return path


class Bench:
    def __init__(self, context):
        self.driver = driver = context.driver
        with tempfile.TemporaryDirectory() as folder:
            self.module = driver.module(context.tools.of_source(write_source(folder), context.capability).data)
        self.kernel, self.timer = self.module.function("convolution_tiled"), self.module.function("timer_steps")
        self.streams = [driver.stream() for _ in range(KERNELS)]
        image = array.array("f", (i % 251 for i in range(HEIGHT * WIDTH))).tobytes()
        self.image, self.results, self.stamps, self.times, self.places = [], [], [], [], []
        for _ in range(KERNELS):
            self.image.append(driver.alloc(len(image)))
            self.image[-1].write(image)
            for buffers, size in ((self.results, 4 * RESULTS), (self.stamps, 48 * BLOCKS * TILES), (self.times, 16 * BLOCKS), (self.places, 4 * BLOCKS)):
                buffers.append(driver.alloc(size))
        self.module.constant("PREM_MASK").write(struct.pack("<9f", *[1.0] * 9))
        self.clock = driver.alloc(8 * STAMPS)
        driver.synchronize()

    def now(self):
        self.driver.launch(self.timer, 1, 1, [self.clock])
        self.driver.synchronize()
        return array.array("Q", self.clock.read())

    def granularity(self):
        stamps = self.now()
        return min((b - a for a, b in zip(stamps, stamps[1:]) if b > a), default=1000)

    def set(self, offset, hyperperiod):
        self.module.constant("ws_offset").write(struct.pack("<Q", offset))
        self.module.constant("ws_hyperperiod").write(struct.pack("<Q", hyperperiod))

    def run(self, kernels=KERNELS, scheduled=False, stamps=False):
        """One run; returns for each kernel the times of its blocks, from the start on, and its stamps."""
        start = self.now()[-1] + LEAD_NS
        for k in range(kernels):
            self.driver.launch(self.kernel, BLOCKS, THREADS,
                               [self.image[k], self.results[k], long(start), number(k), number(int(scheduled)),
                                self.stamps[k] if stamps else long(0), self.times[k], self.places[k]], 0, self.streams[k])
        for k in range(kernels):
            self.streams[k].synchronize()
        return ([[t - start for t in array.array("Q", self.times[k].read())] for k in range(kernels)],
                [array.array("Q", self.stamps[k].read()) for k in range(kernels)] if stamps else None)

    def right(self):
        """True if the results are the sums of their neighbourhoods, at some places."""
        found = array.array("f", self.results[0].read())
        image = [i % 251 for i in range(HEIGHT * WIDTH)]
        return all(found[y * 1020 + x] == sum(image[(y + v) * WIDTH + x + u] for v in range(3) for u in range(3))
                   for y in range(0, 1024, 37) for x in range(0, 1020, 53))


def phases(stamps):
    """The mean and the longest prefetch, computation and writeback, in ns."""
    found = {}
    for name, at in (("prefetch", 0), ("compute", 2), ("writeback", 4)):
        spans = [one[i + at + 1] - one[i + at] for one in stamps for i in range(0, len(one), 6)]
        found[name] = {"mean": round(sum(spans) / len(spans), 1), "most": max(spans)}
    return found


def series(bench, runs, scheduled, end):
    """Times of runs as `warpspan prem --measured` reads them, with their mean and jitter."""
    blocks, spans, late = [[] for _ in range(KERNELS)], [], 0
    for done in range(runs):
        if done >= 5 and time.monotonic() > end:
            break
        found, _ = bench.run(scheduled=scheduled)
        if max(t for one in found for t in one[::2]) > LATE_NS:
            late += 1
            continue
        spans.append(max(t for one in found for t in one[1::2]) - min(t for one in found for t in one[::2]))
        for k in range(KERNELS):
            blocks[k] += found[k]
    if not spans:
        raise Unsupported(f"all of {late} launches came later than {LEAD_NS // 1000} us after they were asked for")
    mean = sum(spans) / len(spans)
    return {"runs": len(spans), "late": late, "mean_ns": round(mean, 1), "least_ns": min(spans), "most_ns": max(spans),
            "jitter_percent": round(100 * (max(spans) - min(spans)) / mean, 4),
            "data": {"nofThreads": THREADS, "nofBlocks": BLOCKS, "nofKernel": KERNELS, "nof_repetitions": len(spans),
                     "blocktimes": [t for one in blocks for t in one]}}


def prem(context):
    bench, runs = Bench(context), QUICK_RUNS if context.quick else RUNS
    end = time.monotonic() + context.seconds - 15
    step = bench.granularity()
    bench.run()
    # The longest of several runs, since a single one may have been lucky.
    alone = [one for _ in range(5) for one in bench.run(kernels=1, stamps=True)[1]]
    together = [one for _ in range(5) for one in bench.run(stamps=True)[1]]
    isolated, contended = phases(alone), phases(together)
    tile = sum(isolated[name]["most"] for name in isolated)

    def up(ns):
        return math.ceil(ns / step) * step

    count = QUICK_OFFSETS if context.quick else OFFSETS
    offsets = sorted({up(tile * k / (count - 1)) for k in range(count)})
    found = {"timer_ns": step, "isolated": isolated, "contended": contended, "right": bench.driver.fake or bench.right(),
             "unscheduled": series(bench, runs, False, end), "offsets": []}
    for offset in offsets:
        if time.monotonic() > end:
            break
        hyperperiod = max(KERNELS * offset, up(tile))
        bench.set(offset, hyperperiod)
        found["offsets"].append(dict(offset_ns=offset, hyperperiod_ns=hyperperiod, **series(bench, runs, True, end)))
    return found


def case(record, measured, offset):
    """The file of `prem` for an offset: the durations are those that were measured, rounded up."""
    found = record["device"]["device"]["properties"]
    lines = [f"kernels = {KERNELS}", f"blocks = {BLOCKS}", f"tiles = {TILES}", f"timer_ns = {measured['timer_ns']}",
             f"threads_per_block = {THREADS}", "shared_memory = 16384", "[gpu]", f"multiprocessors = {found['multiprocessors']}",
             f"threads = {found['threads_per_multiprocessor']}", f"shared_memory = {found['shared_per_multiprocessor']}",
             f"blocks = {found['blocks_per_multiprocessor']}"]
    for title, phase in (("phases", "isolated"), ("contended", "contended")):
        lines += [f"[{title}]"] + [f"{name}_ns = {max(1, measured[phase][name]['most'])}" for name in ("prefetch", "compute", "writeback")]
    return "\n".join(lines + ["[offsets]", f"prefetch_ns = {offset}"]) + "\n"


def judge(record, warpspan):
    """Puts into the record the bound of each offset, and whether a run was above it."""
    measured = record.get("prem", {}).get("prem")
    # Without the step `device` it is not known what the GPU has.
    if not measured or "device" not in record.get("device", {}):
        return
    exceeded = []
    for one in measured["offsets"]:
        with tempfile.TemporaryDirectory() as folder:
            path, data = Path(folder, "case.toml"), Path(folder, "measured.json")
            path.write_text(case(record, measured, one["offset_ns"]))
            data.write_text(json.dumps(one["data"]))
            done = warpspan("prem", path, "--measured", data, "--format", "json")
        # The folder is one of this machine and of this run.
        out, error = (text.replace(str(folder) + "/", "") for text in (done.stdout, done.stderr.strip()))
        if not out.startswith("{"):
            one["judged"] = {"refused": error or f"exit code {done.returncode}"}
            continue
        said = json.loads(out)
        one["judged"] = {"exit": done.returncode, "said": said}
        if done.returncode == 5:
            exceeded.append({"offset_ns": one["offset_ns"], "measured_ns": one["most_ns"]})
    record["prem"]["exceeded"] = exceeded


STEPS = [Step("prem", "prem", prem, 90, "time-triggered tiles: time and jitter for each offset")]


def prepare(tools, folder, capability):
    with tempfile.TemporaryDirectory() as scratch:
        tools.prepare(folder, "prem_kernels", capability, write_source(scratch))


def players(properties):
    """A made-up convolution, in which each phase takes as long as it always does."""
    def convolution(launched):
        start, stamps, times, places = (launched.arguments[at] for at in (2, 5, 6, 7))
        begin, of_phase = start.value, (1600, 480, 320)
        for block in range(BLOCKS):
            now = begin
            if hasattr(stamps, "put"):
                for tile in range(TILES):
                    marks = []
                    for span in of_phase:
                        marks += [now, now + span]
                        now += span
                    stamps.put("Q", 6 * (block * TILES + tile), *marks)
            else:
                now += TILES * sum(of_phase)
            times.put("Q", 2 * block, begin, now)
            places.put("I", block, block % properties["multiprocessors"])

    def steps(launched):
        now = time.monotonic_ns()
        launched.arguments[0].put("Q", 0, *(now + 32 * k for k in range(STAMPS)))

    return [("^convolution_tiled$", convolution), ("^timer_steps$", steps)]
