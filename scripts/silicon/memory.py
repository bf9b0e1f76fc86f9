"""Latencies of memory by pointer chases that time each access, bank conflicts, scattered accesses, atomics, barriers.

One thread follows a chain of addresses through more memory than the caches before hold, in an order that nothing can guess.
The times of its accesses are kept one by one, so that the longest is known; with `loaded` all other multiprocessors read
memory meanwhile. The longest time seen is the longest seen, and no bound.
"""

import functools
import random
import struct

from . import fit, micro, ptx
from .steps import Step

SPINS = 60_000  # reads of each thread that makes noise: longer than a chase under it
THREADS = 256  # of a block
COUNT = 4000  # accesses of a launch; their times stay in shared memory until the end
# name: load, bytes of the chain, distance of its places, whether it goes once round before it is timed
CHASES = {
    "none": ("mov.b64 %p, %p;", 4096, 256, True),
    "l1": ("ld.global.ca.u64 %p, [%p];", 8 << 10, 128, True),
    "l2": ("ld.global.cg.u64 %p, [%p];", 1 << 20, 256, True),
    "dram": ("ld.global.cg.u64 %p, [%p];", 256 << 20, 2048, False),
}
STRIDES = {"SHARED": (1, 2, 4, 8, 16, 32), "GLOBAL": (1, 2, 4, 8, 16), "GLOBAL.L2": (1, 2, 4, 8, 16), "ATOMIC": (0, 1, 2, 4, 8, 16, 32),
           "ATOMIC.GLOBAL": (0, 1, 4, 16)}


def chase_kernel(name):
    load = CHASES[name][0]
    return f""".visible .entry chase_{name}(.param .u64 out, .param .u64 first, .param .u32 count, .param .u32 warm, .param .u64 noise,
    .param .u64 mask, .param .u32 spins)
{{
    .reg .b32 %r<16>; .reg .b64 %q<14>, %p, %sum; .reg .pred %c;
    .shared .align 16 .b8 times[16384];
    .shared .align 16 .b8 sink[16];
    ld.param.u64 %q1, [out];
    ld.param.u64 %p, [first];
    ld.param.u32 %r1, [count];
    ld.param.u32 %r2, [warm];
    cvta.to.global.u64 %q1, %q1;
    cvta.to.global.u64 %p, %p;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %tid.x;
    setp.ne.u32 %c, %r3, 0;
    @%c bra noisy;
    setp.ne.u32 %c, %r4, 0;
    @%c bra done;
    mov.u32 %r5, times;
    mov.u32 %r6, sink;
    setp.eq.u32 %c, %r2, 0;
    @%c bra timed;
around:
    .pragma "nounroll";
    {load}
    st.volatile.shared.u64 [%r6], %p;
    sub.u32 %r2, %r2, 1;
    setp.ne.u32 %c, %r2, 0;
    @%c bra around;
timed:
    mov.u32 %r7, %r1;
    mov.u64 %q8, %globaltimer;
    mov.u64 %q10, %clock64;
    // The store needs what was loaded, and the second clock is read after the store.
next:
    .pragma "nounroll";
    mov.u32 %r8, %clock;
    {load}
    st.volatile.shared.u64 [%r6], %p;
    mov.u32 %r9, %clock;
    sub.u32 %r9, %r9, %r8;
    st.volatile.shared.u32 [%r5], %r9;
    add.u32 %r5, %r5, 4;
    sub.u32 %r7, %r7, 1;
    setp.ne.u32 %c, %r7, 0;
    @%c bra next;
    mov.u64 %q11, %clock64;
    mov.u64 %q9, %globaltimer;
    sub.u64 %q11, %q11, %q10;
    st.global.u64 [%q1], %q8;
    st.global.u64 [%q1+8], %q9;
    st.global.u64 [%q1+16], %q11;
    mov.u32 %r5, times;
    add.u64 %q1, %q1, 32;
copy:
    .pragma "nounroll";
    ld.volatile.shared.u32 %r9, [%r5];
    st.global.u32 [%q1], %r9;
    add.u32 %r5, %r5, 4;
    add.u64 %q1, %q1, 4;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %c, %r1, 0;
    @%c bra copy;
    bra done;
noisy:
    // Each thread of the other blocks reads its own words, all over the memory, `spins` times.
    ld.param.u64 %q2, [noise];
    ld.param.u64 %q3, [mask];
    ld.param.u32 %r10, [spins];
    cvta.to.global.u64 %q2, %q2;
    mov.u32 %r11, %ntid.x;
    mov.u32 %r12, %nctaid.x;
    mad.lo.u32 %r13, %r3, %r11, %r4;
    mul.lo.u32 %r14, %r11, %r12;
    cvt.u64.u32 %q4, %r13;
    cvt.u64.u32 %q5, %r14;
    mov.u64 %sum, 0;
read:
    .pragma "nounroll";
    and.b64 %q6, %q4, %q3;
    shl.b64 %q6, %q6, 2;
    add.u64 %q6, %q6, %q2;
    ld.volatile.global.u32 %r15, [%q6];
    cvt.u64.u32 %q7, %r15;
    add.u64 %sum, %sum, %q7;
    add.u64 %q4, %q4, %q5;
    sub.u32 %r10, %r10, 1;
    setp.ne.u32 %c, %r10, 0;
    @%c bra read;
    mov.u64 %q9, %globaltimer;
    // What was read is all zero; the store keeps the reads, and the largest of these times says how long the noise lasted.
    add.u64 %q9, %q9, %sum;
    atom.global.max.u64 %q9, [%q1+24], %q9;
done:
    ret;
}}
"""


def chain(size, distance, address, seed=1):
    """Bytes of a buffer at `address` in which each place holds the address of the next, once round all of them."""
    places = list(range(0, size, distance))
    random.Random(seed).shuffle(places)
    data = bytearray(size)
    for place, after in zip(places, places[1:] + places[:1]):
        struct.pack_into("<Q", data, place, address + after)
    return data, places


def chase(name, loaded, context):
    """Times of single accesses: all of them as percentiles, with those of the same code without a load."""
    driver = context.driver
    image = micro.image_of(context, "chase", [chase_kernel(one) for one in CHASES])
    module = driver.module(image.data)
    times, overlap, clocks = {}, [], []
    out = driver.alloc(32 + 4 * COUNT)
    noise_size = (256 << 10) if driver.fake else 256 << 20
    noise = driver.alloc(noise_size)
    noise.fill(0)
    for one in ("none", name):
        _, size, distance, warm = CHASES[one]
        size = min(size, 1 << 16) if driver.fake else size
        buffer = driver.alloc(size)
        address = buffer.address if driver.fake else buffer.address.value
        data, places = chain(size, distance, address)
        buffer.write(data)
        if not warm:
            noise.fill(0)  # what stayed in a cache from the copy is driven out of it
        kernel = module.function(f"chase_{one}")
        found = []
        # The first launch, in which the clock may still rise, is left out.
        for turn in range(3 if context.quick or driver.fake else 9):
            out.fill(0)
            first = address + places[(turn * COUNT) % len(places)]
            # As many threads as the GPU holds at once: each waits for its word, so fewer would not fill the memory's width.
            full = driver.properties["multiprocessors"] * (driver.properties["threads_per_multiprocessor"] // THREADS)
            driver.launch(kernel, full if loaded and one == name else 1, THREADS, [out, u64(first), COUNT, len(places) if warm else 0, noise, u64(noise_size // 4 - 1), SPINS])
            driver.synchronize()
            raw = out.read()
            start, end, cycles, last = struct.unpack_from("<4Q", raw)
            if turn == 0:
                continue
            clocks.append(round(cycles / (end - start) * 1000, 1) if end > start else None)
            found += struct.unpack_from(f"<{COUNT}I", raw, 32)
            if loaded and one == name:
                overlap.append(last >= end)
        times[one] = found
        buffer.free()
    seen, own = fit.percentiles(times[name]), fit.percentiles(times["none"])
    # An issue before the load and one after it lie within each time, so two cycles are surely not the load's.
    return {"clock": "clock", "clock_mhz": clocks, "loaded": loaded, "made_by": image.how, "cycles_with_clock": seen, "cycles_of_clock": own,
            "latency": {"least": max(1, seen["least"] - own["most"]), "middle": max(1, seen["middle"] - own["middle"]),
                        "most": max(1, seen["most"] - 2)},
            "histogram": histogram(times[name]), "noise_lasted": all(overlap) if loaded else None, "repetitions": len(times[name]) // COUNT}


def u64(value):
    import ctypes
    return ctypes.c_uint64(value)


def histogram(values, bins=40):
    """Counts between the least and the most, as [[from, count], ...] without empty ones."""
    low, high = min(values), max(values)
    width = max(1, -(-(high - low + 1) // bins))
    counts = {}
    for value in values:
        counts[low + (value - low) // width * width] = counts.get(low + (value - low) // width * width, 0) + 1
    return [[start, counts[start]] for start in sorted(counts)]


def stride(name, context):
    """A letter of memory with its lanes `stride` words apart (4 bytes in shared, 8 in global memory; 0: all at one)."""
    found = ptx.BY_NAME[name]
    image = micro.image_of(context, f"micro-{name}", ptx.of_letter(name))
    module, bench = context.driver.module(image.data), micro.Bench(context)
    rows = []
    for apart in STRIDES[name]:
        row = {"stride": apart}
        for key, kind, place, count in (("chain", "dep", "one", 1), ("one", "ind", "one", 8), ("all", "ind", "all", 8)):
            kernels = {unroll: module.function(ptx.kernel_name(name, kind, unroll)) for unroll in ptx.UNROLLS}
            spans = {str(unroll): bench.spans(kernel, micro.roles_of(place, count), stride=apart) for unroll, kernel in kernels.items()}
            cycles = fit.cycles({"rounds": bench.rounds, "spans": spans})
            # Cycles of a chain's link, and cycles of the unit for one access of a warp.
            row[key] = [round(one / (1 if key == "chain" else count if key == "one" else count * micro.SCHEDULERS), 3) for one in cycles]
        rows.append(row)
    checks = [micro.checked(image, ptx.kernel_name(name, kind, unroll), found, kind, unroll) for kind in ("dep", "ind") for unroll in ptx.UNROLLS]
    return {"letter": name, "clock": "clock64", "made_by": image.how, "sass": checks, "rows": rows}


def barrier(context):
    """Cycles from one barrier to the next of a block, over its warps, which do nothing else."""
    image = micro.image_of(context, "micro-BARRIER", ptx.of_letter("BARRIER"))
    module, bench = context.driver.module(image.data), micro.Bench(context)
    rows = []
    for warps in (1, 2, 4, 8, 16, 32):
        spans = {str(unroll): bench.spans(module.function(ptx.kernel_name("BARRIER", "ind", unroll)), [1] * warps) for unroll in ptx.UNROLLS}
        rows.append({"warps": warps, "cycles": [round(one, 3) for one in fit.cycles({"rounds": bench.rounds, "spans": spans})]})
    checks = [micro.checked(image, ptx.kernel_name("BARRIER", "ind", unroll), ptx.BY_NAME["BARRIER"], "ind", unroll) for unroll in ptx.UNROLLS]
    return {"clock": "clock64", "made_by": image.how, "sass": checks, "rows": rows}


def prepare(tools, folder, capability):
    tools.prepare(folder, "chase", capability, ptx=ptx.module(capability, [chase_kernel(one) for one in CHASES]))


def players(properties):
    """A made-up memory: a fixed time with a tail, longer under load."""
    middle = {"none": 11, "l1": 45, "l2": 250, "dram": 700}
    noise = random.Random(2)

    def play(launch):
        name, out, loaded = launch.name.split("_")[1], launch.arguments[0], launch.grid[0] > 1
        out.put("Q", 0, 0, 1000, 1000, 2000)
        base = middle[name] + (0 if name == "none" else 11) + (150 if loaded else 0)
        out.put("I", 8, *[base + (0 if name == "none" else min(400, int(noise.expovariate(0.1)))) for _ in range(COUNT)])

    return [("^chase_", play)]


STEPS = [Step(f"chase-{name}{'-loaded' * loaded}", "micro", functools.partial(chase, name, loaded), 60,
              f"latency of {name.upper()}, each access timed{', while all else reads memory' * loaded}")
         for name in CHASES if name != "none" for loaded in (False, True)]
STEPS += [Step(f"stride-{name}", "micro", functools.partial(stride, name), 40, f"{name} with lanes apart") for name in STRIDES]
STEPS += [Step("barrier", "micro", barrier, 30, "barriers of a block, over its warps")]
