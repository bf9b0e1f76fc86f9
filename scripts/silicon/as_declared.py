"""What a user of a kernel of capability 9.0 knows of it and says, and the bounds that follow.

Known are integer parameters, sizes of the launch and of arrays, pointers aligned to 256 bytes, bounds of loops, and where the data is: in L2
before a warm launch that nobody else disturbs. Nothing of it was counted by executing, but for the passes of loops in `as_run`.
"""

import json
import math
import re

from .tools import ROOT

# Parameters of 9.0 begin here in the bank of constants (c[0x0]).
PARAMETERS = 0x210
GPU = {"H100": "h100", "H200": "h200"}
# How often the first block of each kernel passed each loop, and the kernels in which that depends on races or on launches before.
PASSES = ROOT / "tests" / "data" / "silicon" / "passes.json"
UNSTEADY = {"persistent_blocks", "reduce_last_block", "reduce_max_cas", "spin_lock"}
INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?);")


def warps_of(run):
    x, y, z = run["block"]
    return -(-x * y * z // 32)


def end_of(text, marks):
    """The line behind the last `EXIT` before the stores of the marks, which one lane reaches behind the second reading of the clock."""
    code = [(number, match[1]) for number, line in enumerate(text.split("\n"), 1) if (match := INSTRUCTION.match(line))]
    readings, found = 0, None
    for at, (number, words) in enumerate(code):
        if number >= min(marks):
            break
        readings += "SR_CLOCK" in words
        if readings >= 2 and re.match(r"@!?U?P\d+ EXIT", words) and at + 1 < len(code):
            found = code[at + 1][0]
    return found


def words_read(text):
    """The words of the bank of constants that the code reads."""
    found = set()
    for line in text.split("\n"):
        for offset in re.findall(r"c\[0x0\]\[0x([0-9a-f]+)\]", line):
            found |= set(range(int(offset, 16), int(offset, 16) + (16 if ".128" in line else 8 if ".64" in line else 4), 4))
        if "c[0x0][RZ]" in line:
            found.add(0)
    return found


def parameters(kernel, text):
    """The flags for the integer parameters that the code reads, a word each, with that of the size of the grid that the harness adds."""
    read, at, flags = words_read(text), PARAMETERS, ["--param", "pointers=*256"]
    for one in kernel["parameters"] + [{"type": "unsigned", "value": kernel["grid"][0]}]:
        kind = one["type"].replace("const ", "").strip()
        size = 8 if "elements" in one or kind in ("double", "long long", "unsigned long long") else 4
        at = -(-at // size) * size
        if kind in ("int", "unsigned", "long long", "unsigned long long") and isinstance(one.get("value"), int):
            words = ((at + 4 * index, one["value"] >> 32 * index & 0xFFFFFFFF) for index in range(size // 4))
            signed = kind == "int"
            flags += [flag for place, word in words if place in read for flag in ("--param", f"c[0x0][0x{place:x}]={word - (word >> 31 << 32) if signed else word}")]
        at += size
    return flags


def sizes(run, read):
    """The flags for the sizes of the launch of which the code reads these words, for a command that has no other for them."""
    names = [f"{name}.{axis}" for name in ("blockDim", "gridDim") for axis in "xyz"]
    return [flag for word, (name, size) in enumerate(zip(names, run["block"] + run["grid"])) if 4 * word in read
            for flag in ("--param", f"{name}={size}")]


def size_of(kernel, text):
    """The bytes of all arrays, and of the stack of all threads."""
    kinds = {"char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "half": 2, "double": 8, "long long": 8, "unsigned long long": 8, "float2": 8, "float4": 16,
             "int2": 8, "int4": 16, "uint4": 16, "uchar4": 4, "float3": 12, "int": 4, "float": 4, "unsigned": 4}
    arrays = sum(one["elements"] * kinds.get(one["type"].replace("const ", "").replace("*", "").replace("__restrict__", "").strip(), 32)
                 for one in kernel["parameters"] if "elements" in one)
    # Taken off the pointer of the stack, as a negative number or as what that is in 32 bits.
    frames = [int(bytes_, 16) for bytes_ in re.findall(r"R1, R1, -0x([0-9a-f]+)", text)]
    frames += [(1 << 32) - int(bytes_, 16) for bytes_ in re.findall(r"R1, R1, 0x(f[0-9a-f]{7})\b", text)]
    frame = max(frames, default=0)
    threads = math.prod(kernel["grid"]) * math.prod(kernel["block"])
    # What one array has in whole lines, and the marks of each warp.
    return arrays + 128 * len(kernel["parameters"]) + frame * max(threads, 1024) + 48 * max(threads, 1024)


def loops(warpspan, path, name, entry, known):
    """The flags for the loops whose bound is not inferred, or is larger than the one that is declared."""
    done = warpspan("extract", path, "--entry", name, *known, "--format", "json")
    inferred = {}
    for one in json.loads(done.stdout).get("entries", []) if done.stdout.startswith("{") else []:
        inferred = {loop["label"]: loop.get("most") for loop in one.get("loop_bounds", [])}
    said = [(loop["label"], loop["most"]) for loop in entry["declared"]["loops"]]
    return [flag for label, most in said if not isinstance(inferred.get(label), int) or inferred[label] > most
            for flag in ("--loop-bound", f"{label}={most}")]


def is_structured(extracted):
    """Whether the structure of the code is known."""
    return extracted.stdout.startswith("{") and not json.loads(extracted.stdout)["entries"][0].get("structure_error")


class Kernel:
    def __init__(self, warpspan, path, name, entry, kernel, gpu):
        self.warpspan, self.path, self.name, self.entry, self.gpu = warpspan, path, name, entry, gpu
        text = path.read_text()
        end = end_of(text, entry["declared"]["marks"])
        self.size, self.read, known = size_of(kernel, text), words_read(text), parameters(kernel, text)
        cut = [*known, *(["--unreachable", end] if end else [])]
        # Where the code behind the reading meets the path of other threads again, it cannot be left out.
        cut += loops(warpspan, path, name, entry, cut)
        is_whole = is_structured(warpspan("extract", path, "--entry", name, *cut, "--format", "json"))
        one = [flag for line in entry["declared"]["marks"] for flag in ("--transactions", f"{line}=1")]
        self.with_marks = known + loops(warpspan, path, name, entry, known) + one
        self.without_marks = cut if is_whole else self.with_marks

    def flags(self, run, is_cut):
        """The flags for the code. Behind the second reading a lone warp does nothing that its span has; of several, some store their marks within it."""
        is_lone = math.prod(run["grid"]) * warps_of(run) == 1
        return self.without_marks if is_cut or is_lone else self.with_marks

    def time(self, run, flags, memory):
        """The bound with what is said of the memory: what L2 holds, or that nothing else uses the DRAM."""
        grid, block = ("x".join(map(str, run[key])) for key in ("grid", "block"))
        common = ["time", self.path, "--entry", self.name, "--gpu", self.gpu, "--grid", grid, "--block", block, *flags,
                  "--registers", self.entry["registers"], "--dynamic-shared", 0, "--shared", self.entry["shared"], memory, "--format", "json"]
        if run["shape"] == "whole":
            found = self.cycles([*common, "--blocks-dealt", "evenly"])
            return found if isinstance(found, int) else self.cycles(common)
        return self.cycles([*common, "--multiprocessors", 1] if run["shape"] == "packed" else common)

    def cycles(self, arguments):
        done = self.warpspan(*arguments)
        found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        return found.get("bound_cycles") or done.stderr.strip().split("\n")[0] or "no bound"

    def bound(self, run, flags):
        """The bound with the latencies of the machine, or those of flags."""
        blocks = run["grid"][0] * run["grid"][1] * run["grid"][2]
        shape = ["--warps-per-block", warps_of(run)] + (["--warps", warps_of(run)] if blocks == 1 else
                 ["--blocks", blocks, "--resident", run["resident"], "--multiprocessors", run["multiprocessors"]])
        record, error = self.warpspan.bound("--ptx", self.path, "--entry", self.name, "--machine", "9.0", *shape, *flags)
        return record["upper"] if record else error

    def declared(self, run, more=(), is_cut=True):
        flags = [*self.flags(run, is_cut), *more]
        if run["cache"] == "warm" and run["company"] != "memory":
            return self.time(run, flags, f"--l2-holds={self.size}")
        if run["cache"] == "cold" and run["company"] == "alone" and run["shape"] in ("one", "warps"):
            return self.time(run, flags, "--dram-idle")
        # Beside others the latencies of the machine are none: bounds with all that is known are exceeded there (docs/silicon.md).
        return self.bound(run, [*flags, *(sizes(run, self.read) if run["company"] != "memory" else [])])

    def columns(self, run, passes):
        """Both columns of a record, and why one of them has no bound."""
        found = {"declared": self.declared(run, is_cut=False), "as_run": self.as_run(run, passes)}
        refused = next((bound for bound in found.values() if isinstance(bound, str)), None)
        return {title: bound for title, bound in found.items() if isinstance(bound, int)}, refused

    def as_run(self, run, passes):
        """The same as of `coalesced`, with loops of one block that pass as often as they did."""
        if run["shape"] != "one" or self.name in UNSTEADY:
            return None
        loops = [flag for label, count in passes[self.name].items() for flag in ("--loop-bound", f"{label}={max(count, 1)}")]
        return self.declared(run, [*self.of_passes(run), *loops])

    def coalesced(self, run):
        """The same, where the corpus also declares that each pass of an access is one transaction."""
        return self.declared(run, self.of_passes(run))

    def of_passes(self, run):
        """What the corpus declares of passes."""
        return ["--transactions", "*=1"] if self.entry["coalesced"] and run["company"] != "memory" else []


def passes_of_corpus():
    return json.loads(PASSES.read_text())["passes"]


def gpu_of(record):
    """The preset of the GPU of a record; none where it has no one of its own."""
    return next((short for name, short in GPU.items() if name in json.dumps(record["device"])), None)
