"""Micro-measurements of instructions: spans of loops in cycles of `clock64`, over warps, sub-partitions and chains.

Each letter is a step. Its samples are the span from the first warp's start to the last one's end, for two unrollings of the
loop, so that what the loop and the clock cost cancels. `fit.py` makes latencies and occupancies of them.
"""

import functools
import random
import struct

from . import play, ptx, sass
from .steps import Step, Unsupported

SCHEDULERS = 4  # that warp i sits on sub-partition i mod 4 is what the step `pinning` looks at
PLAN = [("one", count) for count in range(1, 9)] + [("all", count) for count in (1, 2, 4, 8)]
QUICK_PLAN = [("one", 1), ("one", 2), ("one", 4), ("one", 8), ("all", 1), ("all", 8)]


class Bench:
    """Buffers for the kernels of `ptx`, and launches of them."""

    def __init__(self, context):
        self.driver, self.fake = context.driver, context.fake
        self.out, self.roles = self.driver.alloc(32 * ptx.WARPS), self.driver.alloc(ptx.WARPS)
        self.data = self.driver.alloc(ptx.DATA_BYTES)
        self.data.fill(0)
        # For BRANCH the first is even and the second odd, so that even numbers to which the first is added never meet it.
        self.data.write(struct.pack("<4I4f4d", 4, 9, 3, 7, 1.0001, 0.5, 0.25, 2.0, 1.0001, 0.5, 0.25, 2.0))
        # The made-up device counts cycles in Python, so it gets short loops.
        self.rounds = 2 if self.fake else 64
        self.repeats = 2 if self.fake else 5 if context.quick else 15

    def once(self, kernel, roles, rounds=None, rounds2=None, stride=1):
        """One launch; per active warp (start, end, multiprocessor, warp slot)."""
        rounds = rounds or self.rounds
        self.roles.write(bytes(roles) + bytes(ptx.WARPS - len(roles)))
        self.driver.launch(kernel, 1, 32 * len(roles), [self.out, self.roles, self.data, rounds, rounds2 or rounds, stride])
        self.driver.synchronize()
        raw = self.out.read()
        return {warp: struct.unpack_from("<QQII", raw, 32 * warp) for warp, role in enumerate(roles) if role}

    def spans(self, kernel, roles, **options):
        """Spans of `repeats` launches; one before them, which fills the instruction cache, is left out."""
        found = [span(self.once(kernel, roles, **options)) for _ in range(self.repeats + 1)]
        return found[1:]


def span(warps):
    return max(one[1] for one in warps.values()) - min(one[0] for one in warps.values())


def roles_of(place, count):
    """`one`: `count` warps on the first sub-partition, the others idle; `all`: `count` on each."""
    return [1 if place == "all" or warp % SCHEDULERS == 0 else 0 for warp in range(SCHEDULERS * count)]


def image_of(context, name, bodies):
    return context.tools.of_ptx(ptx.module(context.capability, bodies), context.capability, name)


def checked(image, name, found, kind, unroll):
    if image.sass is None:
        return {"ok": None, "why": "nothing on this machine can disassemble"}
    return sass.check(image.sass, name, found, kind, unroll)


def letter(name, context):
    """All samples of one letter."""
    found = ptx.BY_NAME[name]
    if context.capability < found.since:
        raise Unsupported(f"{name} is measured from capability {found.since[0]}.{found.since[1]} on")
    image = image_of(context, f"micro-{name}", ptx.of_letter(name))
    module, bench = context.driver.module(image.data), Bench(context)
    checks, samples = {}, []
    for kind in ("ind",) if name in ptx.NO_CHAIN else ("dep", "ind"):
        kernels = {unroll: module.function(ptx.kernel_name(name, kind, unroll)) for unroll in ptx.UNROLLS}
        for unroll, kernel in kernels.items():
            checks[kernel.name] = checked(image, kernel.name, found, kind, unroll)
        for place, count in QUICK_PLAN if context.quick else PLAN:
            roles = roles_of(place, count)
            spans = {str(unroll): bench.spans(kernel, roles) for unroll, kernel in kernels.items()}
            samples.append({"kind": kind, "place": place, "warps": count, "rounds": bench.rounds, "spans": spans})
    return {"letter": name, "clock": "clock64", "made_by": image.how, "sass": checks, "samples": samples}


def pinning(context):
    """Which warps share a sub-partition: warps 0 and j alone, for each j, against warp 0 alone, on the special functions,
    of which one warp's independent ones fill the unit."""
    image = image_of(context, "micro-SFU", ptx.of_letter("SFU"))
    kernel = context.driver.module(image.data).function(ptx.kernel_name("SFU", "ind", ptx.UNROLLS[0]))
    bench = Bench(context)
    alone = min(bench.spans(kernel, [1] + [0] * 31))
    ratios = {}
    for other in range(1, ptx.WARPS):
        roles = [int(warp in (0, other)) for warp in range(ptx.WARPS)]
        ratios[str(other)] = round(min(bench.spans(kernel, roles)) / alone, 3)
    together = [int(other) for other, ratio in ratios.items() if ratio > 1.5]
    slots = {warp: one[3] for warp, one in bench.once(kernel, [1] * 32).items()}
    return {"alone": alone, "ratio_with_warp_0": ratios, "with_warp_0": together, "warp_slots": slots,
            "as_modelled": together == list(range(SCHEDULERS, ptx.WARPS, SCHEDULERS))}


def pair(first, second, context):
    """Two letters side by side on one sub-partition, four warps each, with loops that take equally long alone."""
    for name in (first, second):
        if context.capability < ptx.BY_NAME[name].since:
            raise Unsupported(f"{name} is measured from capability {ptx.BY_NAME[name].since[0]}.{ptx.BY_NAME[name].since[1]} on")
    image = image_of(context, f"pair-{first}-{second}", ptx.of_pair(first, second))
    kernel = context.driver.module(image.data).function(ptx.pair_name(first, second))
    checks = [checked(image, kernel.name, ptx.BY_NAME[name], "ind", ptx.UNROLLS[0]) for name in (first, second)]
    bench = Bench(context)
    half = [[], []]
    for warp in range(ptx.WARPS):
        on_one = warp % SCHEDULERS == 0
        half[0].append(1 if on_one and warp < ptx.WARPS // 2 else 0)
        half[1].append(2 if on_one and warp >= ptx.WARPS // 2 else 0)
    both = [a or b for a, b in zip(*half)]
    rounds = [bench.rounds * 4, bench.rounds * 4]
    alone = [min(bench.spans(kernel, one, rounds=rounds[0], rounds2=rounds[1])) for one in half]
    # The faster one gets more rounds, so that the two would end together if they did not meet.
    quick = alone.index(min(alone))
    rounds[quick] = max(1, round(rounds[quick] * max(alone) / min(alone)))
    alone = [min(bench.spans(kernel, one, rounds=rounds[0], rounds2=rounds[1])) for one in half]
    together = bench.spans(kernel, both, rounds=rounds[0], rounds2=rounds[1])
    issued = sum(one * ptx.UNROLLS[0] * 4 for one in rounds)
    return {"letters": [first, second], "rounds": rounds, "alone": alone, "together": together, "sass": checks,
            "ratio": round(min(together) / max(alone), 3), "issued_per_cycle": round(issued / min(together), 3)}


def prepare(tools, folder, capability):
    for found in ptx.OPS:
        if found.since <= capability:
            tools.prepare(folder, f"micro-{found.name}", capability, ptx=ptx.module(capability, ptx.of_letter(found.name)))
    for first, second in ptx.PAIRS:
        if max(ptx.BY_NAME[first].since, ptx.BY_NAME[second].since) <= capability:
            tools.prepare(folder, f"pair-{first}-{second}", capability, ptx=ptx.module(capability, ptx.of_pair(first, second)))


def players(properties):
    device = play.MadeUp()
    noise = random.Random(1)
    return [("^micro_|^pair_", functools.partial(device.play, noise=noise))]


def finish(record):
    from . import machine
    machine.finish(record)


STEPS = [Step("pinning", "micro", pinning, 40, "which warps share a sub-partition")]
STEPS += [Step(f"letter-{found.name}", "micro", functools.partial(letter, found.name), 40, f"latency and occupancy of {found.name}")
          for found in ptx.OPS if found.name != "BARRIER"]
STEPS += [Step(f"pair-{first}-{second}", "micro", functools.partial(pair, first, second), 30, f"whether {first} and {second} share a unit")
          for first, second in ptx.PAIRS]
