"""A made-up memory for the kernels of `rate_ptx`, for tests and `--fake`. Its numbers are invented.

Each pattern has a rate, of which all warps get an equal part. Beside another kernel it is less, and in a part of each period,
as if the memory did something else then, it is half. Chunks take a little more or less time, and the timer has steps.
"""

import random

from . import rate_ptx

TIMER_NS = 32
PERIOD_NS, SLOW_NS, SLOW_PART = 600_000, 200_000, 0.5  # the last SLOW_NS of each period, and what is left of a rate then
BESIDE_PART = 0.4
CHANNEL_STRIDE = 1 << 20  # at which all accesses fall to one channel
# Bytes in a nanosecond for each kernel and stride; a stride that is not there has the rate of None.
BYTES = {("read", 16): 900, ("write", 16): 700, ("copy", 16): 800, ("sector", 128): 240, ("sector", 4096): 220, ("sector", None): 210,
         ("sector", CHANNEL_STRIDE): 25, ("random_sector", 0): 150, ("random_line", 0): 600}
L2_BYTES = 2500
# Lanes in a nanosecond, likewise; the made-up clock has one cycle in each.
LANES = {("atomic", 0): 2, ("reduce", 0): 4, ("float", 0): 1.5, ("atomic", 4): 64, ("atomic", 32): 16}


class MadeUp:
    def __init__(self, properties, jitter=0.02, seed=3):
        self.properties, self.jitter, self.noise = properties, jitter, random.Random(seed)
        self.now = 1_000_000

    def rate(self, kernel, stride, size):
        if rate_ptx.KERNELS[kernel].amount == 1:
            return LANES[kernel, stride]
        if size <= self.properties["l2_bytes"]:
            return L2_BYTES
        return BYTES.get((kernel, stride)) or BYTES[kernel, None]

    def play(self, launch):
        values = [getattr(one, "value", one) for one in launch.arguments]
        if launch.name == "rate_timer":
            launch.arguments[0].put("Q", 0, *(self.now + tick // 3 * TIMER_NS for tick in range(values[1])))
            return
        mask, stride, batches, marks, ns, warm = values[3], values[6], values[8], values[9], values[10], values[11]
        kernel = launch.name[len("rate_"):]
        others = [one for one in launch.driver.pending if one.stream is not launch.stream]
        # Where nothing else is on its way, all that came before is over.
        if not others:
            self.now += 2_000_000_000
        begin = self.now + 3_000 * len(others)
        warps = launch.grid[0] * launch.block[0] // 32
        chunk = batches * rate_ptx.UNROLL * 32 * rate_ptx.KERNELS[kernel].amount
        each = chunk * warps / self.rate(kernel, stride, mask + 1) / (BESIDE_PART if others else 1)
        out = launch.arguments[0]
        for warp in range(warps):
            start = begin + self.noise.randrange(2_000)
            found, work, time = [stepped(start)], worked(start), start
            while time - start < ns:
                work += each * self.noise.uniform(1 - self.jitter, 1 + self.jitter)
                time = when(work)
                found[0 if time - start < warm else len(found):] = [stepped(time)]
            if len(found) > marks:
                found = found[:marks - 1] + found[-1:]
            out.put("Q", rate_ptx.HEAD_WORDS + warp * marks, *found)
        cycles = ns * self.properties["clock_khz"] // 1_000_000
        out.put("Q", 0, 1000, 1000 + cycles, begin, begin + ns)


def stepped(time):
    return int(time) // TIMER_NS * TIMER_NS


def worked(time):
    """How long the memory has worked at its full rate by a time: in the slow part it does less."""
    periods, rest = divmod(time, PERIOD_NS)
    quick = PERIOD_NS - SLOW_NS
    return periods * (quick + SLOW_NS * SLOW_PART) + min(rest, quick) + max(0, rest - quick) * SLOW_PART


def when(work):
    """The time at which it has worked so long."""
    quick = PERIOD_NS - SLOW_NS
    periods, rest = divmod(work, quick + SLOW_NS * SLOW_PART)
    return periods * PERIOD_NS + (rest if rest <= quick else quick + (rest - quick) / SLOW_PART)
