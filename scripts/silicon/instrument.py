"""Kernels that note when they begin and end: a transformation of CUDA source.

Each entry `extern "C" __global__ void K(..)` becomes a function that is inlined, and a new entry K around it reads the clock
and the global timer before and after, and stores them for each warp with the number of the multiprocessor. All lines of the
source stay where they are, so that loops still find their names; the new entries stand behind the last line. The bound is
computed of the listing of this very code, so what is measured is what is bounded: the first reading comes after the start
of the launch, and the last one before its last result.

The new entry has two more parameters: `ws_grid`, which takes the place of `gridDim.x` (so that one block of a grid can be
measured alone, and its loops over the grid keep their bounds), and `ws_marks`, where the readings go.
"""

import re

# The numbers of a warp in `ws_marks`: clock and global timer at the start, the same at the end, multiprocessor, 1. Below
# capability 7.0 clock and timer have 32 bits.
MARKS = 6

_ENTRY = re.compile(r'^extern "C" __global__ void (\w+)\(([^)]*)\)', re.M)

_HELPERS = """
struct ws_reading { unsigned long long clock, time; };
static __device__ __forceinline__ ws_reading ws_read()
{
    ws_reading r;
#if __CUDA_ARCH__ >= 700
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(r.clock) : : "memory");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(r.time) : : "memory");
#else
    unsigned clock, time; // 64 bits would be a loop there
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock) : : "memory");
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time) : : "memory");
    r.clock = clock;
    r.time = time;
#endif
    return r;
}
static __device__ __forceinline__ void ws_store(unsigned long long *marks, ws_reading a, ws_reading b)
{
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32, smid;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
    if (t % 32 == 0) {
        ulonglong2 *at = (ulonglong2 *)(marks + 6ull * (block * warps + t / 32));
        at[0] = make_ulonglong2(a.clock, a.time); // one lane
        at[1] = make_ulonglong2(b.clock, b.time); // one lane
        at[2] = make_ulonglong2(smid, 1); // one lane
    }
}
"""


def entries(source):
    """The entries of a source: names to lists of (type, name) of their parameters."""
    return {name: parameters(text) for name, text in _ENTRY.findall(source)}


def parameters(text):
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        kind, name = re.fullmatch(r"(.*?)(\w+)", part, re.S).groups()
        found.append((" ".join(kind.replace("*", " * ").split()), name))
    return found


def instrument(source):
    """The source with a measured entry in place of each entry."""
    wrappers = [_HELPERS]

    def inner(match):
        name, text = match.groups()
        names = [parameter for _, parameter in parameters(text)]
        wrappers.append(
            f'extern "C" __global__ void {name}({text}, unsigned ws_grid, unsigned long long *ws_marks)\n'
            "{\n    unsigned ws_lanes = __activemask();\n    ws_reading ws_first = ws_read();\n"
            f"    {name}_measured({', '.join(names + ['ws_grid'])});\n"
            "    __syncwarp(ws_lanes);\n"
            "    ws_store(ws_marks, ws_first, ws_read());\n}\n")
        return f"static __device__ __forceinline__ void {name}_measured({text}, unsigned ws_grid)"

    body = _ENTRY.sub(inner, source).replace("gridDim.x", "ws_grid")
    return body.rstrip("\n") + "\n" + "".join(wrappers)


def store_lines(source):
    """The lines of the stores of readings, in which one lane is active: one transaction each."""
    return [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("// one lane")]
