"""Kernels that keep memory busy and note, warp by warp, when each piece of their work was done, as PTX.

A warp goes through *chunks*: some batches of `UNROLL` accesses of each lane, which do not wait for one another. At the end of
a chunk it waits until its loads have come, or its writes are performed, and notes `globaltimer`. It ends after a time, not
after an amount of work, so that all warps are busy until the end. The launch says which places are accessed:

    access n is at        n * stride mod size, and after each time round a line further on (`turn`), or
                          at place p(n), where p is a permutation of all places, so that none comes twice in one time round.

Both take few instructions beside the access, so that memory is waited for and not arithmetic. What is computed depends on
parameters only, so no compiler can tell that lanes meet at one address and add for them beforehand.
"""

import collections
import re

from . import sass

UNROLL = 4
THREADS = 256  # of a block
HEAD_WORDS = 8  # before the marks: clock64 and globaltimer of one warp, at its start and at its end
TICKS = 4096  # readings of the timer that show its step

# place: how an access finds its place; access: its PTX, with its place in {p} and its registers {x0} to {x3}; loaded: how
# many registers of a lane it loads; amount: what counts of one lane's access, in bytes, or lanes for atomics; opcodes: the
# instructions of SASS that it becomes.
Kernel = collections.namedtuple("Kernel", "place access loaded amount opcodes")

WIDE = "ld.global.cg.v4.u32 {{{x0}, {x1}, {x2}, {x3}}}, [{p}];"
LONE = "ld.global.cg.u32 {x0}, [{p}];"
LOAD_WIDE, STORE_WIDE, LOAD_LONE = r"LDG?\.(.*\.)?128(\..*)?", r"STG?\.(.*\.)?128(\..*)?", r"LDG?\.(?!.*(64|128)).*"
KERNELS = {
    "read": Kernel("stride", WIDE, 4, 16, (LOAD_WIDE,)),
    "write": Kernel("stride", "st.global.cg.v4.u32 [{p}], {{%value, %value, %value, %value}};", 0, 16, (STORE_WIDE,)),
    "copy": Kernel("stride", WIDE, 4, 32, (LOAD_WIDE, STORE_WIDE)),
    "sector": Kernel("stride", LONE, 1, 32, (LOAD_LONE,)),
    "random_sector": Kernel("sector", LONE, 1, 32, (LOAD_LONE,)),
    "random_line": Kernel("line", WIDE, 4, 16, (LOAD_WIDE,)),
    "atomic": Kernel("stride", "atom.global.add.u32 {x0}, [{p}], %value;", 1, 1, (r"ATOMG?\.(?!.*F32).*ADD.*",)),
    "reduce": Kernel("stride", "red.global.add.u32 [{p}], %value;", 0, 1, (r"REDG?\.(?!.*F32).*ADD.*",)),
    "float": Kernel("stride", "red.global.add.f32 [{p}], %real;", 0, 1, (r"REDG?\..*ADD.*F32.*",)),
}

PLACES = {
    # The part of the product above the size counts the times round; `turn` keeps of it what fits between two places.
    "stride": """    mul.wide.u32 %q12, %n, %stride;
    and.b64 {o}, %q12, %mask;
    shr.u64 %q12, %q12, %shift;
    and.b64 %q12, %q12, %turn;
    add.u64 {o}, {o}, %q12;""",
    # A product with an odd number and what is added of higher bits to lower ones can both be undone within the places.
    "sector": """    mul.lo.u32 %r20, %n, 0x9E3779B1;
    and.b32 %r20, %r20, %places;
    shr.u32 %r21, %r20, 12;
    xor.b32 %r20, %r20, %r21;
    mul.lo.u32 %r20, %r20, 0x85EBCA77;
    and.b32 %r20, %r20, %places;
    shr.u32 %r21, %r20, 12;
    xor.b32 %r20, %r20, %r21;
    mul.wide.u32 {o}, %r20, 32;""",
}
# Eight lanes read the sixteen bytes each of one line.
PLACES["line"] = ("    shr.u32 %r22, %n, 3;\n" + PLACES["sector"].replace("%r20, %n,", "%r20, %r22,").replace("{o}, %r20, 32", "{o}, %r20, 128")
                  + "\n    and.b32 %r21, %n, 7;\n    mul.wide.u32 %q12, %r21, 16;\n    add.u64 {o}, {o}, %q12;")
PLACE_BYTES = {"stride": 128, "sector": 32, "line": 128}


def place(number, places):
    """The permutation of the kernels: place of access `number` among `places`, a power of two."""
    found = number * 0x9E3779B1 & (places - 1)
    found ^= found >> 12
    found = found * 0x85EBCA77 & (places - 1)
    return found ^ found >> 12


def batch(found):
    """One batch: all places and loads, then what needs them."""
    lines = []
    registers = [[f"%x{4 * turn + part}" for part in range(4)] for turn in range(UNROLL)]
    for turn in range(UNROLL):
        names = {f"x{part}": register for part, register in enumerate(registers[turn])}
        lines += [PLACES[found.place].format(o=f"%o{turn}"), f"    add.u64 %p{turn}, %data, %o{turn};",
                  "    " + found.access.format(p=f"%p{turn}", **names), "    add.u32 %n, %n, 32;"]
    for turn in range(UNROLL):
        if len(found.opcodes) == 2:
            lines += [f"    add.u64 %p{turn}, %other, %o{turn};", f"    st.global.cg.v4.u32 [%p{turn}], {{{', '.join(registers[turn])}}};"]
        else:
            lines += [f"    add.u32 %sum, %sum, {register};" for register in registers[turn][:found.loaded]]
    return "\n".join(lines)


def kernel(name):
    found = KERNELS[name]
    # The store needs all that was loaded; a fence waits for what was written. The timer is read after either.
    waits = found.loaded and len(found.opcodes) == 1
    return (TEXT.replace("NAME", name).replace("BATCH\n", batch(found) + "\n").replace("PLACE_BITS", str(PLACE_BYTES[found.place].bit_length() - 1))
            .replace("COUNT_BITS", str((32 * UNROLL).bit_length() - 1)).replace("HEAD_BYTES", str(8 * HEAD_WORDS)).replace("THREADS", str(THREADS))
            .replace("WAIT", "st.volatile.shared.u32 [%slot], %sum;" if waits else "membar.gl;"))


TEXT = """.visible .entry rate_NAME(.param .u64 out, .param .u64 data, .param .u64 other, .param .u64 mask, .param .u64 turn,
    .param .u32 shift, .param .u32 stride, .param .u32 first, .param .u32 batches, .param .u32 marks, .param .u32 ns,
    .param .u32 warm, .param .u32 value)
.maxntid THREADS, 1, 1
{
    .reg .b32 %r<24>, %x<16>, %n, %sum, %stride, %shift, %batches, %ns, %value, %places, %hop, %slot, %left, %warm;
    .reg .f32 %real;
    .reg .b64 %q<14>, %o<4>, %p<4>, %out, %data, %other, %mask, %turn, %mark, %last, %start, %now, %ticks;
    .reg .pred %c, %lead, %more, %counts;
    .shared .align 4 .b8 sink[1024];
    ld.param.u64 %out, [out];
    ld.param.u64 %data, [data];
    ld.param.u64 %other, [other];
    ld.param.u64 %mask, [mask];
    ld.param.u64 %turn, [turn];
    ld.param.u32 %shift, [shift];
    ld.param.u32 %stride, [stride];
    ld.param.u32 %n, [first];
    ld.param.u32 %batches, [batches];
    ld.param.u32 %r1, [marks];
    ld.param.u32 %ns, [ns];
    ld.param.u32 %warm, [warm];
    ld.param.u32 %value, [value];
    cvta.to.global.u64 %out, %out;
    cvta.to.global.u64 %data, %data;
    cvta.to.global.u64 %other, %other;
    cvt.rn.f32.u32 %real, %value;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %ctaid.x;
    mov.u32 %r5, %nctaid.x;
    mad.lo.u32 %r6, %r4, %r3, %r2;
    shr.u32 %r7, %r6, 5;
    and.b32 %r8, %r2, 31;
    mul.lo.u32 %r9, %r5, %r3;
    shr.u32 %r9, %r9, 5;
    setp.eq.u32 %lead, %r8, 0;
    // Chunk k of a warp is number k * warps + warp of all chunks, and has so many accesses one after another.
    shl.b32 %r10, %batches, COUNT_BITS;
    mad.lo.u32 %n, %r7, %r10, %n;
    add.u32 %n, %n, %r8;
    sub.u32 %hop, %r9, 1;
    mul.lo.u32 %hop, %hop, %r10;
    shr.u64 %q1, %mask, PLACE_BITS;
    cvt.u32.u64 %places, %q1;
    mul.wide.u32 %mark, %r7, %r1;
    shl.b64 %mark, %mark, 3;
    add.u64 %mark, %mark, %out;
    add.u64 %mark, %mark, HEAD_BYTES;
    sub.u32 %r11, %r1, 1;
    mul.wide.u32 %last, %r11, 8;
    add.u64 %last, %last, %mark;
    shl.b32 %slot, %r2, 2;
    mov.u32 %r12, sink;
    add.u32 %slot, %slot, %r12;
    mov.u32 %sum, 0;
    mov.u64 %ticks, %clock64;
    mov.u64 %start, %globaltimer;
    @%lead st.global.u64 [%mark], %start;
chunk:
    .pragma "nounroll";
    mov.u32 %left, %batches;
batch:
    .pragma "nounroll";
BATCH
    sub.u32 %left, %left, 1;
    setp.ne.u32 %more, %left, 0;
    @%more bra batch;
    WAIT
    mov.u64 %now, %globaltimer;
    // All lanes go by the time that the first one read.
    sub.u64 %q2, %now, %start;
    cvt.u32.u64 %r13, %q2;
    shfl.sync.idx.b32 %r13, %r13, 0, 31, 0xffffffff;
    // Until the time `warm` the first mark is written again, so that it says from when on the marks count. Where there is no
    // room for a further one, the last is written again.
    setp.ge.u32 %counts, %r13, %warm;
    setp.lt.and.u64 %c, %mark, %last, %counts;
    @%c add.u64 %mark, %mark, 8;
    @%lead st.global.u64 [%mark], %now;
    add.u32 %n, %n, %hop;
    setp.lt.u32 %c, %r13, %ns;
    @%c bra chunk;
    setp.ne.u32 %c, %r6, 0;
    @%c bra done;
    mov.u64 %q3, %clock64;
    mov.u64 %now, %globaltimer;
    st.global.u64 [%out], %ticks;
    st.global.u64 [%out+8], %q3;
    st.global.u64 [%out+16], %start;
    st.global.u64 [%out+24], %now;
done:
    ret;
}
"""

TIMER = """.visible .entry rate_timer(.param .u64 out, .param .u32 count)
{
    .reg .b64 %q<3>; .reg .b32 %r<2>; .reg .pred %more;
    ld.param.u64 %q1, [out];
    ld.param.u32 %r1, [count];
    cvta.to.global.u64 %q1, %q1;
read:
    .pragma "nounroll";
    mov.u64 %q2, %globaltimer;
    st.global.u64 [%q1], %q2;
    add.u64 %q1, %q1, 8;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %more, %r1, 0;
    @%more bra read;
    ret;
}
"""


def bodies():
    """All kernels, as one module."""
    return [kernel(name) for name in KERNELS] + [TIMER]


def checked(text, name):
    """Whether the innermost loop of a kernel holds its accesses and no other access to memory."""
    if text is None:
        return {"ok": None, "why": "nothing on this machine can disassemble"}
    every = sass.functions(text)
    if f"rate_{name}" not in every:
        return {"ok": False, "why": f"the disassembly has no function rate_{name}"}
    memory = re.compile(r"^(LDG?|STG?|ATOMG?|REDG?|LDL|STL|LDS|STS|ATOMS|MEMBAR|BAR|VOTE.*|REDUX.*|MATCH.*)(\.|$)")
    seen = []
    for body in sass.loops(*every[f"rate_{name}"]):
        opcodes = [one.opcode for one in body if memory.match(one.opcode)]
        counts = [sum(bool(re.fullmatch(wanted, opcode)) for opcode in opcodes) for wanted in KERNELS[name].opcodes]
        if counts == [UNROLL] * len(counts) and len(opcodes) == sum(counts):
            return {"ok": True, "why": None, "opcodes": sorted(set(opcodes)), "instructions": len(body)}
        seen.append(", ".join(opcodes) or "no access")
    return {"ok": False, "why": f"no loop holds {UNROLL} of each access and nothing else: {'; '.join(seen) or 'there is no loop'}"}
