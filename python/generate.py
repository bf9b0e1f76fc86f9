#!/usr/bin/env python3
"""Write warpspan/_records.py and warpspan/_commands.py, from the schemas of the records and the flags of the commands.

    python generate.py            # after a record or a flag has changed, with the package installed
    python generate.py --check    # fails if a file is not what would be written; a test runs this

Names, types and descriptions are those of the command line, so that there is nothing here that could differ from it.
What a generator cannot know, such as the sentence that a function begins with, stands in FUNCTIONS below.
"""

from __future__ import annotations

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from records_of_schemas import argument, native, records

HERE = Path(__file__).resolve().parent
HEAD = "# Written by generate.py: change that, or the flags and records that it reads, and run it again.\n"


@dataclass
class Function:
    """A function of the package, and the command that it runs."""

    name: str
    command: str
    #: The record that it returns.
    record: str
    #: What it does, with units and source.
    what: str
    #: The flags that are arguments before the star, in order.
    first: tuple[str, ...] = ()
    #: Flags that are always given.
    fixed: tuple[str, ...] = ()
    #: Flags that are of other functions.
    without: tuple[str, ...] = ()
    #: Flags that must be given.
    wanted: tuple[str, ...] = ()
    #: Files that need not be given.
    optional: tuple[str, ...] = ()


EXPERIMENTS = (
    "classify", "tolerance", "experiment", "quick", "output", "resume", "seed", "tasks", "sets", "multiprocessors",
    "memory-share", "deadline-ratio", "periods", "shortest", "serial", "factor",
)  # fmt: skip
#: Flags of `rta` that are for kernels that are launched one by one, and for models.
ALONE = (
    "measured", "tolerance", "method", "horizon", "schedule", "certificate", "with-schedule", "chain", "at-offsets",
    "annotate", "csv", "big-sm",
)  # fmt: skip
#: The functions, in the order of the file.
FUNCTIONS = (
    Function(
        "solve", "solve", "Solve",
        "Find the worst-case makespan in cycles: exact, or the narrowest interval that is proved within the limits.\n\n"
        "The model is that of Be12 (K. Berezovskyi, K. Bletsas, B. Andersson, ECRTS 2012), or a machine with latency "
        "where one is given. `lower` and `upper` of the answer are cycles and always valid, whatever stopped it.",
        first=("kernel",),
    ),
    Function(
        "bound", "bound", "Bound",
        "Find every bound and estimate of the makespan in cycles, with its side, its equation and whether it is safe.",
        first=("kernel",),
    ),
    Function(
        "simulate", "simulate", "Simulate",
        "Simulate warp-scheduling policies on an instance, in cycles, with the exact worst and best case (Si21).",
        first=("kernel",),
    ),
    Function(
        "extract", "extract", "Extract",
        "Read instruction strings and structured programs from PTX or SASS.",
        first=("file",),
    ),
    Function(
        "rta", "rta", "Rta",
        "Bound the response times of kernels on a GPU, in the unit of the system file (Pa19 and bounds of our own).",
        first=("file",), without=("chain", "annotate", "csv", "measured", "tolerance"),
    ),
    Function(
        "rta_graphs", "rta", "RtaGraphs",
        "Bound the makespans and response times of graphs of kernels, copies and host work.",
        first=("file",), without=ALONE,
    ),
    Function(
        "rta_model", "rta", "RtaModel",
        "Bound the response times of the tasks of an AMALTHEA model.",
        first=("file",),
        without=(
            "measured", "tolerance", "method", "horizon", "schedule", "certificate", "with-schedule", "margins",
            "big-sm",
        ),
    ),
    Function(
        "rta_processes", "rta", "RtaProcesses",
        "Bound the response times of tasks or kernels of several processes that share a GPU.",
        first=("file",), without=(*ALONE, "explain"),
    ),
    Function(
        "time", "time", "Time",
        "Bound how long a launch of a kernel takes, from a listing, a GPU and a grid to a deadline.",
        first=("file",), without=("short",),
    ),
    Function(
        "budget", "budget", "Budget",
        "Find out whether the kernels of a file are proved to meet their deadlines, each with the answer of `time`.",
        first=("file",),
    ),
    Function(
        "partition", "partition", "Partition",
        "Find which GPU tasks share which multiprocessors, so that all deadlines hold (Si21).",
        first=("file",), without=(*EXPERIMENTS, "co-located", "reading"),
    ),
    Function(
        "co_located", "partition", "CoLocated",
        "Bound all kernels of a task set together in one partition, in any work-conserving order of warps.",
        first=("file",), fixed=("co-located",),
        without=(*EXPERIMENTS, "order", "pairs", "baseline", "exact", "test", "slices", "margins", "chart"),
    ),
    Function(
        "prem", "prem", "Prem",
        "Find a time-triggered schedule of tiles in prefetch, compute and writeback phases, in nanoseconds (Kr19).",
        first=("file",), without=("plan", "offsets", "chart", "measured", "emit-cuda"),
    ),
    Function(
        "prem_offsets", "prem", "PremOffsets",
        "Find time and jitter of tiles over a range of offsets, in nanoseconds (Kr19 Fig. 4.9).",
        first=("file", "offsets"), wanted=("offsets",),
        without=("plan", "search", "rule", "prefetch-offset", "schedule", "measured", "emit-cuda"),
    ),
    Function(
        "prem_plan", "prem", "PremPlan",
        "Say how the image of a `[plan]` is cut into tiles and what their phases move; it needs no durations.",
        first=("file",), fixed=("plan",),
        without=(
            "mode", "rule", "prefetch-offset", "writeback-offset", "timer", "search", "offsets", "chart", "jitter",
            "runs", "seed", "schedule", "emit-cuda", "measured", "time-limit", "memory-limit", "threads",
        ),
    ),
    Function(
        "compare", "compare", "Compare",
        "Compare the bounds of two versions of the code, and find the lines that make them larger or smaller.",
        first=("old", "new"),
    ),
    Function(
        "check", "check", "Check",
        "Verify a schedule, or each claim of an answer of `solve`, by plain routes and without an engine.\n\n"
        "An answer needs `with_schedule=True`.",
        first=("file", "instance"), optional=("instance",),
    ),
    Function(
        "verify", "verify", "Verify",
        "Say what of an answer is machine-checked, proved on paper, or tested; without one, of every theorem.",
        first=("files",), optional=("files",),
    ),
    Function(
        "explain", "explain", "Explain",
        "Say why a number of an answer is what it is, or why a warp of a schedule waits.",
        first=("file", "instance"), optional=("instance",),
    ),
    Function(
        "sweep", "sweep", "Table",
        "Solve a grid of kernels, sigmas, numbers of warps and engines, and return the table of its cells.",
        first=("file",), without=("shard", "dry-run", "output"),
    ),
)  # fmt: skip
#: Flags whose file is read whole, so that it may be a text or a dictionary.
READ = ("evt", "ncu", "ptx", "loop-bounds", "classes", "kernels-file", "system", "machine")
#: Only builds with HiGHS have these.
ILP = ("formulation", "horizon", "plain", "write-model", "solver-log")


@dataclass
class Flag:
    """A flag of a command as an argument of a function."""

    flag: str
    help: str
    named: bool
    value: str | None
    words: list[str]
    several: str | None

    @property
    def argument(self) -> str:
        """Its name in Python; the files of a command are one file here."""
        return argument(self.flag)

    @property
    def types(self) -> tuple[str, str]:
        """Its type, and the function that writes it as words of the command line."""
        value = self.value or ""
        if self.value is None:
            return "bool", "{}"
        if self.words and self.several:
            return "Many", "joined({})"
        if self.words:
            return "Literal[" + ", ".join(f'"{word}"' for word in self.words) + "]", "{}"
        if self.several == ",":
            return "Many", "joined({})"
        if self.several and self.named and ("=" in value or value == "STRING:N"):
            return "Pairs", 'pairs({}, "' + ("=" if "=" in value else ":") + '")'
        if self.several and self.named and "FILE" in value.split(":")[0] and ":" not in value:
            return "File | Iterable[File]", "paths({})"
        if self.several and self.named:
            return "Each", "listed({})"
        if self.flag == "horizon":
            return "str | float", "{}"
        if value == "TIME":
            return "Time", "seconds({})"
        if value.split("|")[0] == "SIZE":
            return "Size", "{}"
        if "NxM" in self.help:
            return "Shape", "shape({})"
        if value == "N[xM]":
            return "Shape", 'shape({}, "x")'
        if value == "W":
            return "Shape", 'shape({}, ":")'
        if value == "A..B:STEP":
            return "str | range", "steps({})"
        if value in ("MHZ", "LOW..HIGH") or (value == "BYTES" and self.flag in ("dram-bytes", "l2-bytes")):
            return "Interval", "interval({})"
        if value == "RATE":
            return "Bandwidth", "bandwidth({})"
        if value == "R" and self.flag.startswith("sigma"):
            return "Rate", "{}"
        if value in ("N", "M", "R", "X", "NS", "BYTES", "T"):
            return "int", "{}"
        if "," in value or value in ("NUMBERS", "NAMES", "LENGTHS", "X.Y"):
            return ("Many", "joined({})") if value != "X.Y" or "instead" in self.help.lower() else ("str | float", "{}")
        if self.flag in READ and not self.several:
            # A machine whose name has no ending is one that the program knows.
            ending = ".toml" if self.flag == "machine" else ""
            return "Source", f'source({{}}, "<{self.argument}>{ending}")'
        if not self.named:
            return "Source", 'source({}, "-")'
        if "FILE" in value:
            return "File", "{}"
        return "str", "{}"


VALUES = (
    "Bandwidth", "Each", "File", "Interval", "Many", "Pairs", "Rate", "Shape", "Size", "Source", "Time", "bandwidth",
    "interval", "joined", "listed", "pairs", "paths", "seconds", "shape", "source", "steps",
)  # fmt: skip


def commands() -> str:
    """Return the text of the module of functions."""
    out = [
        HEAD,
        '"""The commands as functions. Each argument is a flag of the command line, with `_` for `-`."""\n',
        "from __future__ import annotations\n",
        "from collections.abc import Iterable",
        "from typing import Any, Literal\n",
        "from warpspan import _records",
        "from warpspan._run import Progress, Word, ask, ilp_flags, places",
        "from warpspan._sweep import Table, run_sweep",
        "from warpspan._values import (",
        *(f"    {name}," for name in VALUES),
        ")\n",
    ]
    return "\n".join(out) + "".join(function(one) for one in FUNCTIONS)


def function(of: Function) -> str:
    """Return the text of a function."""
    flags = [Flag(*one) for one in native.flags(of.command)]
    left_out = {"format", *of.fixed, *of.without, *ILP * (of.command == "solve")}
    flags = [flag for flag in flags if flag.flag not in left_out]
    unknown = {*of.first, *of.without} - {"files", *(Flag(*one).flag for one in native.flags(of.command))}
    assert not unknown, f"{of.name}: no such flags: {unknown}"
    first = [next(flag for flag in flags if flag.flag == name) for name in of.first]
    rest = [flag for flag in flags if flag not in first]
    is_sweep = of.name == "sweep"
    lines = [f"\n\ndef {of.name}("]
    for flag in first:
        needed = flag.flag in of.wanted or (not flag.named and not is_sweep and flag.flag not in of.optional)
        lines.append(f"    {flag.argument}: {flag.types[0]}{'' if needed else ' | None = None'},")
    lines.append("    *,")
    for flag in rest:
        kind = flag.types[0]
        # There is one answer, so there is one file.
        lines.append(
            f"    {flag.argument}: {kind} = False," if kind == "bool" else f"    {flag.argument}: {kind} | None = None,"
        )
    if is_sweep:
        lines += ["    output: File | None = None,", "    client: Any = None,", "    shards: int | None = None,"]
    lines.append("    progress: Progress = None,")
    if of.name == "solve":
        lines.append("    **ilp: Any,")
    returns = "Table" if is_sweep else f"_records.{of.record}"
    lines.append(f") -> {returns}:")
    lines += docstring(of, [*first, *rest])
    lines.append("    values: dict[str, Word] = {")
    named = [flag for flag in [*first, *rest] if flag.named]
    lines += [f'        "{flag.flag}": {flag.types[1].format(flag.argument)},' for flag in named]
    lines += [f'        "{flag}": True,' for flag in of.fixed]
    if of.name == "solve":
        lines.append("        **ilp_flags(ilp),")
    lines.append("    }")
    files = [flag.argument for flag in [*first, *rest] if not flag.named]
    # The first of several files is standard input if it is a text, as where there is one alone.
    names = ["-" if flag == files[0] and of.name != "compare" else f"<{flag}>" for flag in files]
    positional = f"places({', '.join(f'source({flag}, {chr(34)}{name}{chr(34)})' for flag, name in zip(files, names))})"
    if is_sweep:
        lines.append(f"    return run_sweep(values, {positional}, output, client, shards, progress)")
    else:
        lines.append(f'    return ask({returns}, "{of.command}", values, {positional}, progress)')
    return "\n".join(lines) + "\n"


#: What an argument takes besides what its flag does, by its type.
ALSO = {
    "Source": "A path; a text of several lines or a `Text`; a dictionary of the keys of the file; or an answer.",
    "Interval": "A number, or a pair of the least and the most.",
    "Shape": "A number, or one for each dimension: (60, 135).",
    "Bandwidth": "A number is bytes in a second.",
    "Time": "A number is seconds.",
}
SWEEP_ARGUMENTS = {
    "output": "Where the rows are kept as they come, in a file that ends in .jsonl; `resume` goes on with it.",
    "client": "Who solves the parts of the grid: anything with `submit` (a client of Dask, an executor of "
    "concurrent.futures), with `map` (a pool of multiprocessing or Ray), or a `joblib.Parallel`. The package, and "
    "the files that are named, must be found under the same path by every worker. Without it, the threads of this "
    "process.",
    "shards": "Into how many parts the grid is cut for the client. The default is 32, or its cells if there are fewer.",
}
PROGRESS = (
    "A function that is called about twenty times a second with `(lower, upper)` in cycles, or with `(done, all)` "
    "for cells, and that ends the work by returning False; or a bar of tqdm; or True for a new one."
)


def docstring(of: Function, flags: list[Flag]) -> list[str]:
    """Return the lines of a docstring."""
    lines = ['    """' + of.what.split("\n\n")[0]]
    for further in of.what.split("\n\n")[1:]:
        lines += ["", *textwrap.wrap(further, 105, initial_indent="    ", subsequent_indent="    ")]
    lines += ["", "    Args:"]
    about = {flag.argument: said(flag, flags) for flag in flags}
    for flag in flags:
        if also := ALSO.get(flag.types[0]):
            about[flag.argument] = f"{about[flag.argument].rstrip('.')}. {also}"
    if of.name == "sweep":
        about.update(SWEEP_ARGUMENTS)
    about["progress"] = PROGRESS
    if of.name == "solve":
        about["**ilp"] = (
            "Of builds with HiGHS: "
            + ", ".join(name.replace("-", "_") for name in ILP)
            + ", as the command line takes them."
        )
    for name, text in about.items():
        text = f"{name}: {text}{'' if text.endswith('.') else '.'}"
        lines += textwrap.wrap(
            text,
            101,
            initial_indent="        ",
            subsequent_indent="            ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    lines += [
        "",
        "    Raises:",
        "        InputError: If the input is wrong; it says where, and what would do.",
        "        Stopped: If a limit came before there was anything to answer.",
        '    """',
    ]
    return lines


def said(flag: Flag, flags: list[Flag]) -> str:
    """Return what a flag does, with the names of the other flags as they are here."""
    text = flag.help
    for other in sorted(flags, key=lambda other: -len(other.flag)):
        text = text.replace(f"--{other.flag}", f"`{other.argument}`")
    return text.replace(", `-` for standard input", "").replace("; `-` for standard input", "").replace("\\", "\\\\")


def main() -> None:
    """Write the files, or compare them."""
    texts = {"_records.py": HEAD + records(), "_commands.py": commands()}
    for name, text in texts.items():
        path = HERE / "warpspan" / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is not what generate.py writes: run it")


if __name__ == "__main__":
    main()
