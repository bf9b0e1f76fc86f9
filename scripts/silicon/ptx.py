"""Kernels for micro-measurements, as PTX, so that each measured instruction is the one that was meant.

A kernel has a loop with `unroll` copies of one instruction. In `dep` each copy needs the result of the one before; in `ind`
there are `CHAINS` such chains side by side. Each warp reads what it has to do (its *role*: 0 nothing, 1 and 2 the first and
the second loop) after a barrier, notes `clock64` before and after its loop, and stores what it computed, so that no
compiler may leave it out. `sass.py` checks afterwards what the compiler made of it.
"""

import collections

CHAINS = 8
UNROLLS = (32, 96)  # the difference of two unrollings is free of what a loop costs itself
WARPS = 32
SINK = 4096  # bytes of `data` before the place for results

# name: the letter of a machine; types: PTX type of a chain's registers, and how many registers each has;
# copies: PTX of one copy in terms of x (the chain) and a, b, c, d (loop constants), taken in turns;
# opcodes: what SASS it must become, by a regular expression; beside: SASS that may stand beside each copy;
# since: the capability that first has it.
Op = collections.namedtuple("Op", "name type regs copies opcodes beside since")


def op(name, kind, copies, opcodes, beside=None, since=(5, 0), regs=1):
    return Op(name, kind, regs, (copies, copies) if isinstance(copies, str) else copies, opcodes, beside, since)


MMA = ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{{x0}, {x1}, {x2}, {x3}}}, {{%ua, %ub, %uc, %ud}}, {{%ua, %ub}}, "
       "{{{x0}, {x1}, {x2}, {x3}}};")
ADD = "IADD3?|IADD|IMAD\\.IADD|VIADD|IMAD\\.MOV|LEA"

OPS = [
    op("FP32", "f32", "fma.rn.f32 {x}, {x}, {a}, {b};", "FFMA"),
    op("FP16", "u32", "fma.rn.f16x2 {x}, {x}, {a}, {b};", "HFMA2", since=(5, 3)),
    op("FP64", "f64", "fma.rn.f64 {x}, {x}, {a}, {b};", "DFMA"),
    op("INT", "u32", "sub.s32 {x}, {a}, {x}; sub.s32 {x}, {b}, {x};", "IADD3"),
    op("IMUL", "u32", "mad.lo.s32 {x}, {x}, {a}, {b};", "IMAD", since=(7, 0)),
    op("SHIFT", "u32", "shf.l.wrap.b32 {x}, {x}, {a}, {b};", "SHF"),
    op("LOGIC", "u32", ("lop3.b32 {x}, {x}, {a}, {b}, 0xe8;", "lop3.b32 {x}, {x}, {c}, {d}, 0x1e;"), "LOP3"),
    op("COMPARE", "u32", ("min.s32 {x}, {x}, {a};", "max.s32 {x}, {x}, {b};", "min.s32 {x}, {x}, {c};", "max.s32 {x}, {x}, {d};"),
       "IMNMX|VIMNMX"),
    op("SAD", "u32", "sad.u32 {x}, {x}, {a}, {b};", "ISAD|VABSDIFF", "IADD3|IMAD.*"),
    op("SFU", "f32", "rsqrt.approx.ftz.f32 {x}, {x};", "MUFU"),
    op("CVT", "f32", ("cvt.rni.f32.f32 {x}, {x};", "cvt.rpi.f32.f32 {x}, {x};"), "FRND|F2F"),
    op("CVT.WIDE", "f64", ("cvt.rni.f64.f64 {x}, {x};", "cvt.rpi.f64.f64 {x}, {x};"), "FRND|F2F"),
    op("CVT.NARROW", "u32", "{{ .reg .f32 t; cvt.rn.f32.s8 t, {x}; mov.b32 {x}, t; }}", "I2F"),
    op("POPC", "u32", "popc.b32 {x}, {x};", "POPC"),
    op("ZEROS", "u32", "bfind.u32 {x}, {x};", "FLO"),
    op("REVERSE", "u32", "brev.b32 {x}, {x}; add.u32 {x}, {x}, {a};", "BREV|BFE\\.U32\\.BREV", ADD),
    op("SHFL", "u32", "shfl.sync.bfly.b32 {x}, {x}, 1, 31, 0xffffffff;", "SHFL"),
    op("VOTE", "u32", "{{ .reg .pred p; setp.ne.u32 p, {x}, {a}; vote.sync.ballot.b32 {x}, p, 0xffffffff; }}", "VOTEU?",
       "ISETP.*|IMAD\\.U32|MOV|R2UR"),
    op("REDUX", "u32", "redux.sync.add.s32 {x}, {x}, 0xffffffff;", "REDUX", "IMAD\\.U32|MOV|UMOV", since=(8, 0)),
    op("TENSOR", "f32", MMA, "HMMA", "NOP", since=(8, 0), regs=4),
    op("SHARED", "u32", "ld.volatile.shared.u32 {x}, [{x}];", "LDS"),
    op("STORE", "u32", "st.volatile.shared.u32 [%slot], {x};", "STS"),
    op("GLOBAL", "u64", "ld.global.ca.u64 {x}, [{x}];", "LDG"),
    op("GLOBAL.L2", "u64", "ld.global.cg.u64 {x}, [{x}];", "LDG"),
    op("CONST", "u32", "ld.const.u32 {x}, [{x}];", "LDC"),
    op("ATOMIC", "u32", "atom.shared.exch.b32 {x}, [%slot], {x};", "ATOMS"),
    op("ATOMIC.GLOBAL", "u32", "atom.global.exch.b32 {x}, [%place], {x};", "ATOMG?"),
    op("BARRIER", "u32", "bar.sync 0;", "BAR", "DEPBAR.*|NOP|WARPSYNC"),
    op("BRANCH", "u32", "add.u32 {x}, {x}, {a}; setp.eq.u32 %never, {x}, {b}; @%never bra fail;", "BRA", ADD + "|ISETP.*"),
    op("SREG", "u32", "{{ .reg .b64 t; .reg .b32 l, h; mov.u64 t, %clock64; mov.b64 {{l, h}}, t; xor.b32 {x}, {x}, l; }}",
       "CS2R|S2R|S2UR", "LOP3?|LOP32I"),
]
BY_NAME = {found.name: found for found in OPS}
NO_CHAIN = ("STORE", "SREG", "BARRIER")  # one copy gives nothing to the next, so there is no latency to see
PAIRS = [("FP32", "INT"), ("FP32", "IMUL"), ("FP32", "FP16"), ("FP32", "FP64"), ("FP32", "SFU"), ("FP32", "LOGIC"), ("INT", "LOGIC"),
         ("INT", "SHIFT"), ("INT", "COMPARE"), ("INT", "SFU"), ("SFU", "CVT"), ("SFU", "POPC"), ("SFU", "ZEROS"), ("SFU", "SHFL"),
         ("SHARED", "SHFL"), ("SHARED", "CONST"), ("SHARED", "STORE"), ("SHARED", "ATOMIC"), ("FP64", "TENSOR"), ("FP32", "TENSOR"),
         ("FP16", "TENSOR"), ("FP32", "SHARED")]

HEAD = {(9, 0): "7.8", (8, 7): "7.4", (8, 6): "7.1", (8, 0): "7.0", (7, 0): "6.0", (5, 0): "6.0"}
PREFIX = {"u32": "u", "f32": "f", "f64": "g", "u64": "l"}


def module(capability, bodies):
    """Kernels as one module of PTX. A newer capability than 9.0 gets PTX for 9.0, which it runs as well."""
    target = min(tuple(capability), (9, 0))
    version = max(number for since, number in HEAD.items() if since <= target)
    text = f".version {version}\n.target sm_{target[0]}{target[1]}\n.address_size 64\n\n"
    return text + ".const .align 4 .b8 zeros[8192];\n\n" + "\n".join(bodies)


def kernel_name(name, kind, unroll):
    return f"micro_{name.replace('.', '_')}_{kind}_{unroll}"


def pair_name(first, second):
    return f"pair_{first.replace('.', '_')}_{second.replace('.', '_')}"


def copies(found, kind, unroll):
    """The lines of a loop's body."""
    prefix = PREFIX[found.type]
    lines = []
    for index in range(unroll):
        chain = index % CHAINS if kind == "ind" else 0
        names = {f"x{part}": f"%{prefix}x{chain * found.regs + part}" for part in range(found.regs)}
        turn = index // CHAINS if kind == "ind" else index
        lines.append("    " + found.copies[turn % len(found.copies)].format(x=names["x0"], **names, **{v: f"%{prefix}{v}" for v in "abcd"}))
    return lines


def loop(found, kind, unroll, label, counter):
    return [f"{label}:", '    .pragma "nounroll";', *copies(found, kind, unroll), f"    sub.u32 {counter}, {counter}, 1;",
            f"    setp.ne.u32 %again, {counter}, 0;", f"    @%again bra {label};"]


def entry(name, first, kind, unroll, second=None):
    """A kernel with one loop, or with two for roles 1 and 2."""
    body = SETUP.replace("NAME", name)
    body += "    @%second bra two;\n" if second else ""
    lines = ["    mov.u64 %start, %clock64;", *loop(first, kind, unroll, "one", "%n"), "    mov.u64 %end, %clock64;"]
    if second:
        lines += ["    bra done;", "two:", "    mov.u64 %start, %clock64;", *loop(second, kind, unroll, "more", "%m"),
                  "    mov.u64 %end, %clock64;", "done:"]
    body += "\n".join(lines) + "\n"
    # Only the registers of the measured types are kept: others would be work that is not there otherwise.
    for type_, prefix in PREFIX.items():
        used = [one for one in (first, second) if one and one.type == type_]
        for index in range(max((one.regs for one in used), default=0) * (CHAINS if kind == "ind" else 1)):
            body += f"    st.volatile.global.{type_} [%sink+{index * 8 * 1024}], %{prefix}x{index};\n"
    return body + FINISH


def of_letter(name):
    """The kernels of one letter."""
    found = BY_NAME[name]
    kinds = ("ind",) if name in NO_CHAIN else ("dep", "ind")
    return [entry(kernel_name(name, kind, unroll), found, kind, unroll) for kind in kinds for unroll in UNROLLS]


def of_pair(first, second):
    return [entry(pair_name(first, second), BY_NAME[first], "ind", UNROLLS[0], BY_NAME[second])]


PLACES = SINK + 8 * 1024 * CHAINS * 4  # bytes of `data` before each lane's word of global memory
DATA_BYTES = PLACES + 32 * 32 * 8

SETUP = """.visible .entry NAME(.param .u64 out, .param .u64 roles, .param .u64 data, .param .u32 rounds, .param .u32 rounds2,
    .param .u32 stride)
.maxntid 1024, 1, 1
{
    .reg .b32 %t<12>, %ux<32>, %ua, %ub, %uc, %ud, %n, %m, %slot;
    .reg .f32 %fx<32>, %fa, %fb, %fc, %fd;
    .reg .f64 %gx<32>, %ga, %gb, %gc, %gd;
    .reg .b64 %q<12>, %lx<32>, %la, %lb, %lc, %ld, %start, %end, %sink, %place;
    .reg .pred %idle, %second, %again, %never, %lead;
    .shared .align 16 .b8 bank[4224];
    ld.param.u64 %q1, [out];
    ld.param.u64 %q2, [roles];
    ld.param.u64 %q3, [data];
    ld.param.u32 %n, [rounds];
    ld.param.u32 %m, [rounds2];
    ld.param.u32 %t6, [stride];
    cvta.to.global.u64 %q1, %q1;
    cvta.to.global.u64 %q2, %q2;
    cvta.to.global.u64 %q3, %q3;
    mov.u32 %t1, %tid.x;
    shr.u32 %t2, %t1, 5;
    and.b32 %t3, %t1, 31;
    cvt.u64.u32 %q4, %t2;
    add.u64 %q4, %q4, %q2;
    ld.global.u32 %ua, [%q3];
    ld.global.u32 %ub, [%q3+4];
    ld.global.u32 %uc, [%q3+8];
    ld.global.u32 %ud, [%q3+12];
    ld.global.f32 %fa, [%q3+16];
    ld.global.f32 %fb, [%q3+20];
    ld.global.f32 %fc, [%q3+24];
    ld.global.f32 %fd, [%q3+28];
    ld.global.f64 %ga, [%q3+32];
    ld.global.f64 %gb, [%q3+40];
    ld.global.f64 %gc, [%q3+48];
    ld.global.f64 %gd, [%q3+56];
    // Each lane's word of shared memory holds its own address, `stride` words from that of its neighbour.
    mul.lo.u32 %slot, %t3, %t6;
    shl.b32 %slot, %slot, 2;
    mov.u32 %t8, bank;
    add.u32 %slot, %slot, %t8;
    // Zero, but constant memory is thereby there.
    ld.const.u32 %t7, [zeros];
    add.u32 %slot, %slot, %t7;
    st.shared.u32 [%slot], %slot;
    // And its word of global memory, of 8 bytes, likewise.
    mul.wide.u32 %place, %t3, %t6;
    shl.b64 %place, %place, 3;
    add.u64 %place, %place, %q3;
    add.u64 %place, %place, PLACES;
    st.global.u64 [%place], %place;
INITIAL    mul.wide.u32 %sink, %t1, 8;
    add.u64 %sink, %sink, %q3;
    add.u64 %sink, %sink, 4096;
    mov.u64 %start, 0;
    mov.u64 %end, 0;
    bar.sync 0;
    ld.global.u8 %t5, [%q4];
    setp.eq.u32 %idle, %t5, 0;
    setp.eq.u32 %second, %t5, 2;
    bar.sync 0;
    @%idle bra store;
"""


def initial():
    """Chains begin at what memory holds, with the lane's word of shared memory, which is what a chase needs."""
    lines = []
    for index in range(32):
        # The kernel cannot tell what these are, so nothing is computed beforehand by the compiler.
        lines += [f"    ld.global.u32 %ux{index}, [%q3+{64 + 4 * index}];", f"    add.u32 %ux{index}, %ux{index}, %slot;",
                  f"    ld.global.f32 %fx{index}, [%q3+{256 + 4 * index}];", f"    ld.global.f64 %gx{index}, [%q3+{512 + 8 * index}];",
                  f"    ld.global.u64 %lx{index}, [%q3+{768 + 8 * index}];", f"    add.u64 %lx{index}, %lx{index}, %place;"]
    return "\n".join(lines) + "\n"


SETUP = SETUP.replace("INITIAL", initial()).replace("PLACES", str(PLACES))

FINISH = """    setp.eq.u32 %lead, %t3, 0;
    @!%lead bra store;
    mul.wide.u32 %q5, %t2, 32;
    add.u64 %q5, %q5, %q1;
    mov.u32 %t9, %smid;
    mov.u32 %t10, %warpid;
    st.global.u64 [%q5], %start;
    st.global.u64 [%q5+8], %end;
    st.global.u32 [%q5+16], %t9;
    st.global.u32 [%q5+20], %t10;
store:
    ret;
fail:
    // Where the branches of BRANCH lead, none of which is taken.
    st.volatile.global.u64 [%q1], %sink;
    bra store;
}
"""
