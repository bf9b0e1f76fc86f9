"""Rates of the whole GPU: lines, sectors and atomics, each alone and beside a kernel that copies.

Warps note the end of each chunk of their work (`rate_ptx.py`, `rate_bench.py`), and `rate_fit.py` makes windows and rates of
these times. Each step keeps the times of all its windows.
"""

import collections
import functools
import time

from . import ptx, rate_fit, rate_play, rate_ptx
from .rate_bench import NEIGHBOUR_BATCHES, WINDOWS_OF_LAUNCH, Bench, Plan
from .steps import Step, Unsupported

WINDOWS, QUICK_WINDOWS = 256, 64
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
    tools.prepare(folder, "rates", capability, ptx=ptx.module(capability, rate_ptx.bodies()))


def players(properties):
    return [("^rate_", rate_play.MadeUp(properties).play)]


def finish(record):
    rate_fit.finish(record)


STEPS = [Step(f"rate.{name}", "rate", functools.partial(rate, name), 40, spec.about) for name, spec in SPECS.items()]
