"""A made-up multiprocessor that runs the kernels of `ptx` cycle by cycle, for tests and `--fake`.

It has the semantics of docs/machines.md: schedulers that issue one instruction a cycle, units with an occupancy, private or
shared, and a latency for each letter. Its numbers are invented and differ from any chip's on purpose.
"""

import functools
import heapq
import math
import re

from . import ptx

LOOP = 9  # cycles between the last copy of a round and the first of the next one
# letter: unit, occupancy, latency, whether the unit is shared by all schedulers
INVENTED = {
    "FP32": ("ALU", 2, 5, False), "FP16": ("ALU", 2, 6, False), "FP64": ("DP", 3, 11, False), "INT": ("ALU", 2, 5, False),
    "IMUL": ("ALU", 2, 5, False), "SHIFT": ("ALU", 2, 5, False), "LOGIC": ("ALU", 2, 5, False), "COMPARE": ("ALU", 2, 5, False),
    "SAD": ("ALU", 2, 5, False), "SFU": ("SFU", 7, 19, False), "CVT": ("SFU", 7, 21, False), "CVT.WIDE": ("SFU", 14, 21, False),
    "CVT.NARROW": ("SFU", 7, 21, False), "BRANCH": ("CONTROL", 2, 12, False),
    "POPC": ("SFU", 7, 17, False), "ZEROS": ("SFU", 7, 17, False), "REVERSE": ("SFU", 7, 17, False), "SHFL": ("LSU", 3, 26, True),
    "VOTE": ("ALU", 2, 9, False), "REDUX": ("SFU", 7, 31, False), "TENSOR": ("MMA", 13, 33, False), "SHARED": ("LSU", 3, 31, True),
    "STORE": ("LSU", 3, 31, True), "CONST": ("LSU", 3, 40, True), "ATOMIC": ("LSU", 5, 60, True),
    "GLOBAL": ("LSU", 4, 37, True), "GLOBAL.L2": ("LSU", 6, 230, True), "ATOMIC.GLOBAL": ("LSU", 6, 500, True),
    "BARRIER": ("BAR", 4, 15, True), "SREG": ("SFU", 9, 20, False),
}


class MadeUp:
    def __init__(self, letters=None, schedulers=4, noise=2):
        """`letters`: as INVENTED. `noise`: each span is longer by up to so many cycles."""
        self.letters, self.schedulers, self.noise = letters or INVENTED, schedulers, noise
        self.simulated = functools.lru_cache(maxsize=None)(self._simulate)

    def play(self, launch, noise):
        """Writes what a kernel of `ptx` would write."""
        out, roles, _, rounds, rounds2, stride = launch.arguments
        warps = launch.block[0] // 32
        names, chains, unroll = self._kernel(launch.name)
        found = self.simulated(names, chains, unroll, tuple(roles.data[:warps]), rounds, rounds2, math.gcd(stride, 32) if stride else 1)
        for warp, (start, end) in found.items():
            out.put("Q", warp * 4, 1000 + start, 1000 + end + noise.randint(0, self.noise))
            out.put("I", warp * 8 + 4, 0, warp)

    @staticmethod
    def _kernel(name):
        by_name = {one.name.replace(".", "_"): one.name for one in ptx.OPS}
        single = re.match(r"micro_(\w+)_(dep|ind)_(\d+)$", name)
        if single:
            return (by_name[single.group(1)],), 1 if single.group(2) == "dep" else ptx.CHAINS, int(single.group(3))
        for first, second in ptx.PAIRS:
            if name == ptx.pair_name(first, second):
                return (first, second), ptx.CHAINS, ptx.UNROLLS[0]
        raise KeyError(name)

    def _simulate(self, names, chains, unroll, roles, rounds, rounds2, ways):
        """(start, end) of each warp that has a role, in cycles."""
        unit_free, slot_free, spans = {}, {}, {}
        state = {}
        queue = []
        for warp, role in enumerate(roles):
            if role:
                state[warp] = [0, [0] * chains, (rounds if role == 1 else rounds2) * unroll]
                heapq.heappush(queue, (0, warp))
        while queue:
            time, warp = heapq.heappop(queue)
            count, ready, total = state[warp]
            unit_name, occupancy, latency, shared = self.letters[names[roles[warp] - 1]]
            # Lanes that want one bank follow one another.
            occupancy, latency = (occupancy * ways, latency + ways - 1) if unit_name == "LSU" else (occupancy, latency)
            scheduler = warp % self.schedulers
            unit = (unit_name, None if shared else scheduler)
            at = max(time, unit_free.get(unit, 0), slot_free.get(scheduler, 0))
            if at > time:
                heapq.heappush(queue, (at, warp))
                continue
            unit_free[unit], slot_free[scheduler] = at + occupancy, at + 1
            ready[count % chains] = at + latency
            state[warp][0] = count = count + 1
            if count == total:
                spans[warp] = (0, at + 1)
                continue
            pause = LOOP if count % unroll == 0 else 1
            heapq.heappush(queue, (max(at + pause, ready[count % chains]), warp))
        return spans
