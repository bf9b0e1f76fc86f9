"""Rates of the whole GPU: lines, sectors and atomics, each alone and beside a kernel that copies.

All multiprocessors run half of the blocks that they hold at once; the other half is left to the neighbours, or empty. Warps
note the end of each chunk of their work (`rate_ptx.py`), and `rate_fit.py` makes windows and rates of these times. How large
a chunk is and how long a launch runs is found first, so that a window is long beside the step of the timer and has several
chunks of each warp.
"""

import array
import collections
import functools
import time

from . import micro, rate_fit, rate_play, rate_ptx
from .bench import long, number
from .steps import Step, Unsupported

WINDOW_NS = 20_000  # a window is at least so long, and at least STEPS_IN_WINDOW steps of the timer
STEPS_IN_WINDOW, ROUNDS = 64, 4  # in a window each warp has ROUNDS chunks or more, on average
WINDOWS, QUICK_WINDOWS, WINDOWS_OF_LAUNCH = 256, 64, 32
MOST_MARKS, MOST_BATCHES, MOST_NS = 2048, 64, 400_000_000
FIRST_NS, FIRST_MARKS, NEIGHBOUR_MARKS, NEIGHBOUR_BATCHES = 200_000, 512, 512, 16
FAKE_MULTIPROCESSORS, FAKE_BYTES = 2, 4096
STRIDES = [64 << power for power in range(10, 20)]  # 64 KiB to 32 MiB

# kernel: of `rate_ptx`; stride: bytes from one lane's access to the next one's; region: `dram`, or `l2` for half of that cache.
Spec = collections.namedtuple("Spec", "kernel stride region about")
SPECS = {
    "read": Spec("read", 16, "dram", "reads of lines one after another"),
    "write": Spec("write", 16, "dram", "writes of lines one after another"),
    "copy": Spec("copy", 16, "dram", "copies of lines one after another; bytes read and bytes written count"),
    "stride-128": Spec("sector", 128, "dram", "reads of one sector of each line"),
    "stride-4096": Spec("sector", 4096, "dram", "reads of one sector of each 4 KiB"),
    "one-channel": Spec("sector", None, "dram", "reads of sectors farther apart: the slowest stride"),
    "random-sectors": Spec("random_sector", 0, "dram", "reads of sectors in an order that nothing can guess"),
    "random-lines": Spec("random_line", 0, "dram", "reads of lines in an order that nothing can guess"),
    "l2-read": Spec("read", 16, "l2", "reads of lines that the L2 cache holds"),
    "atomic-same": Spec("atomic", 0, "l2", "atomic additions with a result, all at one word"),
    "atomic-same-reduce": Spec("reduce", 0, "l2", "atomic additions without a result, all at one word"),
    "atomic-same-float": Spec("float", 0, "l2", "atomic additions of floats without a result, all at one word"),
    "atomic-words": Spec("atomic", 4, "l2", "atomic additions with a result, each lane at its own word"),
    "atomic-sectors": Spec("atomic", 32, "l2", "atomic additions with a result, each lane at its own sector"),
}


def power_below(size):
    return 1 << max(0, int(size).bit_length() - 1)


def sizes(properties):
    """Bytes of memory that no cache holds, and of a region that is half of the L2 cache, both powers of two."""
    cache = properties.get("l2_bytes", 0)
    if not cache:
        raise Unsupported("the driver does not say how large the L2 cache is")
    large = min(2 * power_below(64 * cache - 1), power_below(properties["memory_bytes"] // 8))
    large = max(large, min(256 << 20, power_below(properties["memory_bytes"] // 8)))
    if large < 8 * cache:
        raise Unsupported(f"{large} bytes of memory can be had, which is not much beside {cache} of the L2 cache")
    return large, power_below(cache // 2)


class Bench:
    """Buffers, streams and kernels of one step."""

    def __init__(self, context):
        self.driver, self.owned, self.first = context.driver, [], 0
        self.large, self.half = sizes(self.driver.properties)
        self.image = micro.image_of(context, "rates", rate_ptx.bodies())
        self.module = self.driver.module(self.image.data)
        self.streams = [self.driver.stream(), self.driver.stream()]
        self.data, self.other = self.memory(self.large), self.memory(self.large)
        self.spaces = [self.memory(self.large // 4), self.memory(self.large // 4)]
        # The made-up device notes the marks of few warps, because it counts them in Python.
        self.multiprocessors = FAKE_MULTIPROCESSORS if self.driver.fake else self.driver.properties["multiprocessors"]
        self.out, self.out_bytes = [None, None], [0, 0]
        self.step = self.timer_step()

    def memory(self, size):
        self.owned.append(self.driver.alloc(FAKE_BYTES if self.driver.fake else size))
        self.owned[-1].fill(0)
        return self.owned[-1]

    def close(self):
        for one in (*self.owned, *filter(None, self.out), *self.streams):
            one.free()

    def timer_step(self):
        """The middle of the steps that the timer makes, in ns."""
        out = self.driver.alloc(8 * rate_ptx.TICKS)
        self.driver.launch(self.module.function("rate_timer"), 1, 1, [out, number(rate_ptx.TICKS)])
        self.driver.synchronize()
        ticks = array.array("Q", out.read())
        out.free()
        steps = sorted(after - before for before, after in zip(ticks, ticks[1:]) if after > before)
        return steps[len(steps) // 2] if steps else 1

    def start(self, which, kernel, stride, size, data, other, batches, marks, ns, warm=0):
        """Launches a kernel in one of the two streams, on half of the places for blocks; returns the number of its warps."""
        function = self.module.function(f"rate_{kernel}")
        blocks = max(1, function.resident(rate_ptx.THREADS) // 2) * self.multiprocessors
        warps = blocks * rate_ptx.THREADS // 32
        room = 8 * (rate_ptx.HEAD_WORDS + warps * marks)
        if self.out_bytes[which] < room:
            if self.out[which]:
                self.out[which].free()
            self.out[which], self.out_bytes[which] = self.driver.alloc(room), room
        self.out[which].fill(0)
        turn = (stride - 1) & ~127 if stride > 128 else 0
        arguments = [self.out[which], data, other, long(size - 1), long(turn), number(size.bit_length() - 8), number(stride),
                     number(self.first), number(batches), number(marks), number(ns), number(warm), number(1)]
        self.driver.launch(function, blocks, rate_ptx.THREADS, arguments, 0, self.streams[which])
        return warps

    def found(self, which, warps, marks):
        """The marks of a launch, and the frequency of clock64 in it in MHz."""
        words = array.array("Q", self.out[which].read(8 * (rate_ptx.HEAD_WORDS + warps * marks)))
        cycles, passed = words[1] - words[0], words[3] - words[2]
        return rate_fit.Marks(words[rate_ptx.HEAD_WORDS:], warps, marks), round(1000 * cycles / passed, 1) if passed else None

    def once(self, plan):
        """One launch, with neighbours where the plan has them: (marks, MHz, first and last end to look at, marks of neighbours)."""
        beside = warps = None
        if plan.beside:
            # They begin earlier and last longer, which is looked at afterwards.
            warps = self.start(1, "copy", 16, self.large // 4, *self.spaces, NEIGHBOUR_BATCHES, NEIGHBOUR_MARKS, min(2 * plan.ns + 500_000, 1 << 30),
                               plan.warm_ns)
        own = self.start(0, plan.kernel, plan.stride, plan.size, self.data, self.other, plan.batches, plan.marks, plan.ns, plan.warm_ns)
        for stream in self.streams:
            stream.synchronize()
        marks, mhz = self.found(0, own, plan.marks)
        # The next launch goes on behind the places of this one.
        self.first = (self.first + len(marks.ends) * plan.batches * 32 * rate_ptx.UNROLL) & 0xFFFFFFFF
        if warps:
            beside, _ = self.found(1, warps, NEIGHBOUR_MARKS)
        low, high = marks.between(beside and beside.begin, beside and beside.over)
        return marks, mhz, low, high, beside


class Plan:
    """What a launch does: it is fitted to the device by a few launches that do not count."""

    def __init__(self, bench, spec, stride, beside):
        self.kernel, self.stride, self.beside = spec.kernel, stride, beside
        self.size = bench.large if spec.region == "dram" else bench.half
        self.amount = rate_ptx.KERNELS[spec.kernel].amount
        cache = bench.driver.properties["l2_bytes"]
        # What the cache had before, or takes without giving it to memory, is not counted; what it shall hold is read once.
        self.warm = 0 if self.amount == 1 else 2 * cache if spec.region == "dram" else self.size
        self.batches, self.ns, self.marks, self.warm_ns = 1, FIRST_NS, FIRST_MARKS, 0
        window = max(WINDOW_NS, STEPS_IN_WINDOW * bench.step)
        for _ in range(12):
            marks, _, low, high, _ = bench.once(self)
            rounds = (high - low) / marks.warps
            if rounds < 2 and self.ns < MOST_NS:
                self.ns = min(MOST_NS, 4 * self.ns)
                continue
            each = (marks.ends[high] - marks.ends[low]) / rounds if high > low else self.ns
            warm = min(MOST_NS // 2, int(each * self.warm / (marks.warps * self.chunk())))
            better = min(MOST_BATCHES, int(self.batches * window / ROUNDS / max(each, 1)))
            if better < 2 * self.batches and warm <= 2 * self.warm_ns:
                break
            self.batches = max(better, self.batches)
            self.warm_ns, self.ns = warm, warm + max(FIRST_NS, int(8 * each))
        self.rounds = max(ROUNDS, -(-window // max(1, int(each))))
        of_launch = max(1, min(WINDOWS_OF_LAUNCH, MOST_MARKS // (2 * self.rounds)))
        rounds = self.rounds * of_launch + 3
        self.warm_ns, self.ns = warm, min(MOST_NS, warm + int(each * rounds))
        self.marks = min(MOST_MARKS, int(1.5 * rounds) + 8)

    def chunk(self):
        return self.batches * rate_ptx.UNROLL * 32 * self.amount


def sample(context, bench, spec, stride, beside, wanted, until):
    """Windows of one pattern, alone or with neighbours."""
    plan = Plan(bench, spec, stride, beside)
    times, clocks, others, launches, useless = [], [], [], 0, 0
    while len(times) < wanted and time.monotonic() < until and useless < 3:
        marks, mhz, low, high, neighbours = bench.once(plan)
        found = marks.windows(plan.rounds * marks.warps, low, high)
        useless = 0 if found else useless + 1
        launches += 1
        times += found
        clocks += [mhz] if mhz else []
        if neighbours and found:
            others += filter(None, [pace(neighbours, marks.ends[low], marks.ends[high])])
    result = {"unit": "lanes" if plan.amount == 1 else "bytes", "amount": plan.rounds * marks.warps * plan.chunk(), "times_ns": times[:wanted],
              "timer_step_ns": bench.step, "clock_mhz": clocks, "launches": launches, "warps": marks.warps, "chunk": plan.chunk(),
              "rounds": plan.rounds, "left_out": plan.warm}
    if beside:
        result["neighbours_gbs"] = sorted(others)[len(others) // 2] if others else None
    if not times:
        result["why"] = "kernel and neighbours did not run at the same time" if beside else "no window fits between start and end of a launch"
    return result


def pace(marks, begin, end):
    """Bytes in a nanosecond of neighbours from one time to another, or None if they had no room for marks then."""
    low, high = marks.between(begin, end)
    if high <= low or marks.ends[high] == marks.ends[low]:
        return None
    bytes_each = NEIGHBOUR_BATCHES * rate_ptx.UNROLL * 32 * rate_ptx.KERNELS["copy"].amount
    return round((high - low) * bytes_each / (marks.ends[high] - marks.ends[low]), 3)


def rate(name, context):
    """All windows of one pattern."""
    spec, begin = SPECS[name], time.monotonic()
    bench = Bench(context)
    try:
        wanted = QUICK_WINDOWS if context.quick or context.fake else WINDOWS
        room = context.seconds - 10
        found = {"kernel": spec.kernel, "stride": spec.stride, "region": spec.region, "made_by": bench.image.how,
                 "bytes": bench.large if spec.region == "dram" else bench.half, "sass": rate_ptx.checked(bench.image.sass, spec.kernel)}
        if spec.stride is None:
            found["strides"] = []
            for stride in STRIDES:
                if stride * 64 <= bench.large:
                    one = sample(context, bench, spec, stride, False, WINDOWS_OF_LAUNCH, begin + room / 3)
                    found["strides"].append(dict(rate_fit.statistics(one), stride=stride))
            seen = [one for one in found["strides"] if one["samples"]]
            if not seen:
                raise Unsupported("no stride has a window")
            found["stride"] = min(seen, key=lambda one: one["median"])["stride"]
        for turn, company in enumerate(rate_fit.COMPANIES):
            until = begin + room * (2 + turn) / 3
            found[company] = sample(context, bench, spec, found["stride"], company == "beside", wanted, until)
        return found
    finally:
        bench.close()


def prepare(tools, folder, capability):
    from . import ptx
    tools.prepare(folder, "rates", capability, ptx=ptx.module(capability, rate_ptx.bodies()))


def players(properties):
    return [("^rate_", rate_play.MadeUp(properties).play)]


def finish(record):
    rate_fit.finish(record)


STEPS = [Step(f"rate.{name}", "rate", functools.partial(rate, name), 40, spec.about) for name, spec in SPECS.items()]
