"""Launches that fill all multiprocessors, with neighbours or without, for `rates.py`.

All multiprocessors run half of the blocks that they hold at once; the other half is left to the neighbours, or empty. How
large a chunk is and how long a launch runs is found first, so that a window is long beside the step of the timer and has
several chunks of each warp.
"""

import array

from . import micro, rate_fit, rate_ptx
from .bench import long, number
from .steps import Unsupported

WINDOW_NS = 20_000  # a window is about so long or longer, and about STEPS_IN_WINDOW steps of the timer or more
STEPS_IN_WINDOW, ROUNDS = 64, 4  # in a window each warp has ROUNDS chunks or more, on average
WINDOWS_OF_LAUNCH = 32
MOST_MARKS, MOST_BATCHES, MOST_NS = 2048, 64, 400_000_000
FIRST_NS, FIRST_MARKS, NEIGHBOUR_MARKS, NEIGHBOUR_BATCHES = 200_000, 512, 512, 16
FAKE_MULTIPROCESSORS, FAKE_BYTES = 2, 4096


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
        self.out = [None, None]
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

    def room(self, which, kernel, marks):
        """Makes room for the marks of a launch; returns its blocks and its warps. This waits for the device, so it comes before
        all launches that shall run at the same time."""
        blocks = max(1, self.module.function(f"rate_{kernel}").resident(rate_ptx.THREADS) // 2) * self.multiprocessors
        warps = blocks * rate_ptx.THREADS // 32
        size = 8 * (rate_ptx.HEAD_WORDS + warps * marks)
        if self.out[which] is None or self.out[which].size < size:
            if self.out[which]:
                self.out[which].free()
            self.out[which] = self.driver.alloc(size)
        self.out[which].fill(0)
        return blocks, warps

    def start(self, which, kernel, blocks, stride, size, data, other, batches, marks, ns, warm):
        """Launches a kernel in one of the two streams."""
        turn = (stride - 1) & ~127 if stride > 128 else 0
        arguments = [self.out[which], data, other, long(size - 1), long(turn), number(size.bit_length() - 8), number(stride),
                     number(self.first), number(batches), number(marks), number(ns), number(warm), number(1)]
        self.driver.launch(self.module.function(f"rate_{kernel}"), blocks, rate_ptx.THREADS, arguments, 0, self.streams[which])

    def found(self, which, warps, marks):
        """The marks of a launch, and the frequency of clock64 in it in MHz."""
        words = array.array("Q", self.out[which].read(8 * (rate_ptx.HEAD_WORDS + warps * marks)))
        cycles, passed = words[1] - words[0], words[3] - words[2]
        if cycles <= 0 or passed < 0:
            raise ValueError(f"a warp ended {-cycles} cycles and {-passed} ns before it began")
        return rate_fit.Marks(words[rate_ptx.HEAD_WORDS:], warps, marks), round(1000 * cycles / passed, 1) if passed else None

    def once(self, plan):
        """One launch: its marks, MHz, first and last end to look at, marks of the neighbours."""
        blocks, own = self.room(0, plan.kernel, plan.marks)
        beside = None
        if plan.beside:
            places, warps = self.room(1, "copy", NEIGHBOUR_MARKS)
            # They begin earlier and last longer, which is looked at afterwards.
            self.start(1, "copy", places, 16, self.large // 4, *self.spaces, NEIGHBOUR_BATCHES, NEIGHBOUR_MARKS,
                       2 * plan.ns + 500_000, plan.warm_ns)
        self.start(0, plan.kernel, blocks, plan.stride, plan.size, self.data, self.other, plan.batches, plan.marks, plan.ns, plan.warm_ns)
        for stream in self.streams:
            stream.synchronize()
        marks, mhz = self.found(0, own, plan.marks)
        # The next launch goes on behind the places of this one.
        self.first = (self.first + len(marks.ends) * plan.batches * 32 * rate_ptx.UNROLL) & 0xFFFFFFFF
        if plan.beside:
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
