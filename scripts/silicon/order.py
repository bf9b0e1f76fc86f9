"""In which order does a scheduler issue the warps that are ready?

All warps sit on one sub-partition (see `micro.pinning`). Each repeats rounds: `WORK` independent additions, which never wait,
between two readings of the clock, and then a pause, because a branch asks for a result of the special functions. The times
of all rounds are kept, and compared with those of a made-up scheduler in each of the orders. It pauses in `PIECES`, between
which an instruction must be issued, as the kernel does.
"""

import array

from . import ptx
from .micro import SCHEDULERS
from .steps import Step

WORK, PIECES, MOST, WARPS = 64, 4, 32, 32
# Greedy: the same warp for as long as it is ready. Oldest is the least number of a warp, since all start together.
POLICIES = ("round robin", "oldest first", "youngest first", "greedy, then round robin", "greedy, then oldest", "greedy, then youngest")
# name: rounds of each of the warps 0, 4, 8 and so on.
PLANS = {"alone": [16], "two": [16] * 2, "eight": [16] * 8, "first is short": [4] + [16] * 3, "last is short": [16] * 3 + [4]}

KERNEL = """.visible .entry order(.param .u64 out, .param .u64 rounds, .param .u32 addend)
.maxntid 1024, 1, 1
{
    .reg .b32 %t<8>, %begin, %end, %rounds, %addend;
    .reg .f32 %x<9>, %a;
    .reg .b64 %q<6>;
    .reg .pred %p, %more, %lead, %idle;
    ld.param.u64 %q1, [out];
    ld.param.u64 %q2, [rounds];
    ld.param.u32 %addend, [addend];
    cvta.to.global.u64 %q1, %q1;
    cvta.to.global.u64 %q2, %q2;
    mov.u32 %t1, %tid.x;
    shr.u32 %t2, %t1, 5;
    and.b32 %t3, %t1, 31;
    setp.eq.u32 %lead, %t3, 0;
    cvt.u64.u32 %q3, %t2;
    add.u64 %q3, %q3, %q2;
    ld.global.u8 %rounds, [%q3];
    mul.wide.u32 %q4, %t2, ROW;
    add.u64 %q4, %q4, %q1;
    cvt.rn.f32.u32 %a, %addend;
    cvt.rn.f32.u32 %x0, %t1;
INITIAL
    setp.eq.u32 %idle, %rounds, 0;
    bar.sync 0;
    @%idle bra leave;
round:
    sub.u32 %rounds, %rounds, 1;
    setp.ne.u32 %more, %rounds, 0;
    mov.u32 %begin, %clock;
ADDITIONS
    mov.u32 %end, %clock;
    @%lead st.global.v2.u32 [%q4], {%begin, %end};
    add.u64 %q4, %q4, 8;
    rsqrt.approx.ftz.f32 %x8, %x0;
    setp.eq.f32 %p, %x8, 0fC0000000;
    @%p bra sink;
    @%more bra round;
    bra leave;
sink:
    // Never reached: a square root is not negative. But the compiler must keep the additions.
SINK
leave:
    ret;
}
"""
CHAINS = range(8)
KERNEL = (KERNEL.replace("ROW", str(8 * MOST)).replace("INITIAL", "\n".join(f"    add.f32 %x{i}, %x0, 0f{0x3F800000 + (i << 20):08X};" for i in (*range(1, 8), 0)))
          .replace("ADDITIONS", "\n".join(f"    add.f32 %x{i % 8}, %x{i % 8}, %a;" for i in range(WORK)))
          .replace("SINK", "\n".join(f"    st.global.f32 [%q1+{4 * i}], %x{i};" for i in CHAINS)))


def played(policy, plan, work=WORK, pause=60):
    """A scheduler that issues one instruction a cycle: [(begin, end) of each round] of each warp."""
    gaps = [1] * (work - 1) + [1 + pause // PIECES] * PIECES
    issued, ready, found = [0] * len(plan), [0] * len(plan), [[] for _ in plan]
    last, now = -1, 0
    while any(count < rounds * len(gaps) for count, rounds in zip(issued, plan)):
        able = [warp for warp, rounds in enumerate(plan) if issued[warp] < rounds * len(gaps) and ready[warp] <= now]
        if able:
            turn = min(able, key=lambda warp: (warp - last - 1) % len(plan))
            if not (policy.startswith("greedy") and last in able):
                last = able[0] if "oldest" in policy else able[-1] if "youngest" in policy else turn
            place = issued[last] % len(gaps)
            if place == 0:
                found[last].append([now, now])
            if place < work:
                found[last][-1][1] = now + 1
            issued[last], ready[last] = issued[last] + 1, now + gaps[place]
        now += 1
    return found


def figures(times):
    """What tells the orders apart, of plans to the times of their warps. Of eight equal warps: the first end of all to the
    last one, the warps as they end, and how much longer a round takes than alone, in the middle and at most."""
    alone = middle([end - begin for begin, end in times["alone"][0]])
    begin = min(warp[0][0] for warp in times["eight"])
    ends = [warp[-1][1] - begin for warp in times["eight"]]
    lengths = [round((end - start) / alone, 2) for warp in times["eight"] for start, end in warp]
    return {"round_alone": alone, "first_end_to_last": round(min(ends) / max(ends), 3), "as_they_end": sorted(range(len(ends)), key=ends.__getitem__),
            "round": middle(lengths), "longest": max(lengths)}


def middle(values):
    return sorted(values)[len(values) // 2]


def expected(alone, pause):
    """The figures of a made-up scheduler in each order."""
    return {policy: figures({name: played(policy, PLANS[name], alone, pause) for name in ("alone", "eight")}) for policy in POLICIES}


def order(context):
    image = context.tools.of_ptx(ptx.module(context.capability, [KERNEL]), context.capability, "order")
    driver = context.driver
    kernel = driver.module(image.data).function("order")
    out, rounds = driver.alloc(8 * MOST * WARPS), driver.alloc(WARPS)
    times, repeats = {}, 2 if context.fake or context.quick else 6
    for name, plan in PLANS.items():
        roles = [0] * WARPS
        roles[:SCHEDULERS * len(plan):SCHEDULERS] = plan
        rounds.write(bytes(roles))
        # The first launch fills the instruction cache and is left out.
        times[name] = [once(driver, kernel, out, rounds, roles) for _ in range(repeats)][1:]
    seen = [figures({name: runs[at] for name, runs in times.items()}) for at in range(repeats - 1)]
    pause = middle([after[0] - before[1] for run in times["alone"] for before, after in zip(run[0], run[0][1:])])
    return {"made_by": image.how, "work": WORK, "plans": PLANS, "pause": pause, "figures": seen, "times": {name: runs[-1] for name, runs in times.items()},
            "expected": expected(seen[-1]["round_alone"], pause)}


def once(driver, kernel, out, rounds, roles):
    """The rounds of each warp that has some, in cycles from the first beginning on."""
    driver.launch(kernel, 1, 32 * WARPS, [out, rounds, 1])
    driver.synchronize()
    raw = array.array("I", out.read())
    warps = [raw[2 * MOST * warp:2 * (MOST * warp + count)] for warp, count in enumerate(roles) if count]
    origin = warps[0][0]
    signed = [[(time - origin + 2**31) % 2**32 - 2**31 for time in warp] for warp in warps]
    least = min(warp[0] for warp in signed)
    return [[[begin - least, end - least] for begin, end in zip(warp[::2], warp[1::2])] for warp in signed]


def prepare(tools, folder, capability):
    tools.prepare(folder, "order", capability, ptx=ptx.module(capability, [KERNEL]))


def players(properties, policy="greedy, then youngest"):
    def play(launch):
        out, rounds = launch.arguments[:2]
        warps = [warp for warp, count in enumerate(rounds.data) if count]
        for warp, found in zip(warps, played(policy, [rounds.data[warp] for warp in warps])):
            out.put("I", 2 * MOST * warp, *(time for one in found for time in one))

    return [("^order$", play)]


STEPS = [Step("order", "order", order, 40, "the order in which a scheduler issues its warps")]
