# Written by generate.py: change that, or the flags and records that it reads, and run it again.
"""The records as frozen objects, with the fields and the descriptions of their JSON Schemas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Optional

from warpspan._result import Answer, Part

#: A number that no source gives.
Assumed = Literal["latency", "occupancy", "instances"]



@dataclass(frozen=True)
class Assumption(Part):
    """Something that the numbers of a record rest on."""

    id: str
    """Its name, which stays from release to release: `clock.highest`. `docs/assumptions.md` has all of them."""

    kind: SolveKind
    """Who vouches for it."""

    subject: str
    """What it is about: `DRAM`."""

    value: str
    """What is taken to be true of that: `122.8 GB/s in lines`."""

    margin: Optional[Margin] = None
    """How far it may be wrong before a deadline is no longer proved to be met, while all else stays as it is;
    absent where that was not asked, or is not known.
    """

    remedy: Optional[str] = None
    """What says otherwise, in the words of the command line; absent where nothing does."""

    source: Optional[str] = None
    """Where that is from, such as a flag or a data sheet; absent where nobody says more."""



@dataclass(frozen=True)
class Basis(Part):
    """What a number follows from."""

    checked: Checked
    """How the step from there to the number is checked."""

    name: BasisName
    """The theorem or the computation."""


#: The theorem or the computation that a number follows from, as records name it: one name for each family.
BasisName = Literal["schedule", "closed-form", "phase", "critical-path", "memory", "reachable", "lrr", "oldest", "gto", "cggty", "phase-width-latency", "pipelined", "bottleneck", "segments", "program", "relay", "exhaustive", "ilp-dual"]



@dataclass(frozen=True)
class Build(Part):
    """From which state of its code a program was built."""

    clean: Optional[bool]
    """Whether no file of the checkout differed from the commit; null where that is not known."""

    commit: str
    """The commit, in hexadecimal digits; `unknown` where it was built outside a checkout."""



@dataclass(frozen=True)
class SolveCheck(Part):
    """What an engine said of the answer of another."""

    by: str
    """The engine that checked: `states`, `ilp` or `phase`."""

    detail: str
    """How much was searched, or why nothing was."""

    result: CheckResult
    """The outcome."""


#: What came of a check. A contradiction is not among these: it is an error.
CheckResult = Literal["agrees", "consistent", "unfinished", "untried"]


#: How a number is checked.
Checked = Literal["tested", "paper", "machine"]



@dataclass(frozen=True)
class SolveEvidence(Part):
    """What the two ends of an interval follow from."""

    lower: Optional[Basis]
    """Of the lower end; null in older records of programs, whose lower end was 0."""

    upper: Optional[Basis]
    """Of the upper end."""



@dataclass(frozen=True)
class Grid(Part):
    """Blocks that wait in one queue for room on equal multiprocessors."""

    blocks: int
    """How many blocks there are."""

    multiprocessors: int
    """How many multiprocessors there are."""

    resident: int
    """How many blocks a multiprocessor holds at once."""

    warps_per_block: int
    """How many warps a block has."""



@dataclass(frozen=True)
class GridIssueRecord(Part):
    """One issue of a schedule of a grid as it stands in files and in the JSON of `solve`: every index from 1.
    The place and the first cycle of a block stand in each of its issues.
    """

    block: int
    """Block."""

    cycle: int
    """Cycle."""

    instruction: int
    """Instruction of the expanded kernel."""

    multiprocessor: int
    """Multiprocessor."""

    slot: int
    """Slot of the multiprocessor."""

    start: int
    """Cycle from which the block is in its slot."""

    unit: str
    """Letter of the instruction."""

    warp: int
    """Warp in the block."""



@dataclass(frozen=True)
class Group(Part):
    """Warps that run the same kernel."""

    kernel: str
    """The kernel string, or the text of a program with branches or loops."""

    warps: int
    """How many warps run it."""

    waits: Optional[tuple[Optional[Waits], ...]] = None
    """On a machine, what waits for each instruction of a straight line that was read from a listing, in the
    order of the string and without barriers; null for one that makes the next one wait for its result.
    Absent where all are so, and where the code has several paths.
    """


#: How a number is checked.
How = Literal["unknown", "tested", "paper", "machine", "assumed", "no-bound"]



@dataclass(frozen=True)
class Input(Part):
    """A file that a command had read."""

    file: str
    """Its name, as it was given."""

    sha256: str
    """The SHA-256 of its bytes, in hexadecimal digits."""



@dataclass(frozen=True)
class Instance(Part):
    """Warps of one or more kernels on a multiprocessor."""

    groups: tuple[Group, ...]
    """The kernels and how many warps run each of them."""

    grid: Optional[Grid] = None
    """The blocks of a grid, which wait for room and follow one another; absent where all warps start together
    on one multiprocessor.
    """

    machine: Optional[Machine] = None
    """The machine with latency and issue width, whose letters the kernels are written in; absent for the
    multiprocessor of two sigmas.
    """

    same_path: Optional[bool] = None
    """True where all warps of a group are assumed to take the same path through a program; absent elsewhere."""

    sigma_c: Optional[str] = None
    """CUDA-core instructions that warps may issue in a cycle: a whole number, or a ratio such as `3/2`;
    absent where there is a `machine`.
    """

    sigma_l: Optional[str] = None
    """Load/store instructions that warps may issue in a cycle: a whole number, or a ratio such as `1/2`;
    absent where there is a `machine`.
    """

    warps_per_block: Optional[int] = None
    """Warps of a block; absent unless a kernel has barriers and a group is more than one block."""



@dataclass(frozen=True)
class IssueRecord(Part):
    """One issue as it stands in files and in the JSON of `solve`: every index from 1."""

    cycle: int
    """Cycle."""

    group: int
    """Group."""

    instruction: int
    """Instruction of the expanded kernel."""

    unit: str
    """Letter of the instruction."""

    warp: int
    """Warp in the group."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
SolveKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Letter(Part):
    """A letter: an instruction that warps issue."""

    latency: tuple[int, int]
    """The least and the greatest latency, in cycles."""

    name: str
    """Its name."""

    occupancy: int
    """The cycles for which an issue holds an instance of the unit."""

    unit: str
    """The name of its unit."""

    assumed: Optional[tuple[Assumed, ...]] = None
    """The numbers that no source gives; absent where there is none."""

    requests: Optional[tuple[tuple[int, int], ...]] = None
    """What an issue asks of each server, in their order: the amount, and how much work left from before it
    makes the server do at most. Absent where it asks nothing.
    """

    sources: Optional[str] = None
    """Where the numbers are from; absent where that is not said."""


#: A limit that stops a run before it has its answer.
Limit = Literal["time-limit", "memory-limit", "interrupted"]



@dataclass(frozen=True)
class Machine(Part):
    """A machine with latency, issue width, schedulers and any kinds of unit."""

    issue_width: Optional[int]
    """How many instructions a scheduler issues in a cycle; null for any number."""

    letters: tuple[Letter, ...]
    """Its letters: one for each unit, in their order, and then the others."""

    name: str
    """Its name, or the file that it is from; empty where it has none."""

    schedulers: int
    """How many schedulers it has."""

    units: tuple[Unit, ...]
    """Its kinds of unit."""

    servers: Optional[tuple[SolveServer, ...]] = None
    """The memory that all multiprocessors share; absent where that is without limit."""



@dataclass(frozen=True)
class MachineIssueRecord(Part):
    """One issue on a machine as it stands in files: every index from 1."""

    cycle: int
    """Cycle."""

    group: int
    """Group."""

    instruction: int
    """Instruction of the line, barriers not counted."""

    latency: int
    """Latency that the adversary chose, in cycles."""

    letter: str
    """Name of the letter."""

    warp: int
    """Warp in the group."""



@dataclass(frozen=True)
class Margin(Part):
    """How far a value may be wrong, or which one would do."""

    breaks_at: Optional[str]
    """The next value, with which they are not; null where they are with every value, or with none that would
    be better.
    """

    holds_to: Optional[str]
    """The last value with which all deadlines are proved to be met: `1184 MHz`; null where they are with
    every value, or with none that would be better.
    """

    is_most: bool
    """Whether a larger value is worse, and not a smaller one."""

    would_do: bool
    """Whether nothing is proved with the value as it is: `holds_to` is then what would do."""

    is_cut: Optional[bool] = None
    """Whether a limit ended the search: `holds_to` is then a value with which they are known to be met, and
    `breaks_at` one with which they are not, or null where none was found.
    """



@dataclass(frozen=True)
class Model(Part):
    """The size of an integer linear program."""

    columns: int
    """Variables."""

    nonzeros: int
    """Coefficients that are not zero."""

    rows: int
    """Constraints."""


#: Why an interval has more than one number although no limit stopped the run.
NotExact = Literal["several-blocks", "paths", "no-engine", "states", "search-time", "machine-grid", "memory", "dependences", "not-asked", "order", "beam", "horizon"]



@dataclass(frozen=True)
class Number(Part):
    """A number of a record, or a verdict."""

    by: tuple[str, ...]
    """The names of the theorems that it follows from."""

    checked: How
    """How that is checked."""

    name: str
    """The field, with the names of what it is about."""

    rests_on: tuple[str, ...]
    """The names of what it rests on, of those in `assumptions`: of a bound from below those alone that make
    it smaller where they are wrong.
    """

    side: NumberSide
    """On which side of the truth it is."""

    value: str
    """What it is."""

    why: Optional[str]
    """Why it is not known how it is checked, or what else to know; else null."""


#: The side of a number.
NumberSide = Literal["upper", "lower", "exact", "estimate", "given", "verdict"]


#: The order in which a scheduler tries its warps in a cycle. Warps are numbered over all groups in their order, and a smaller number is older.
Order = Literal["worst", "lrr", "oldest", "gto", "cggty"]



@dataclass(frozen=True)
class PathLine(Part):
    """A line that warps run along a path of their program."""

    group: int
    """The group of the warps, from 1."""

    kernel: str
    """The kernel string of the line."""

    warps: int
    """How many warps run it."""



@dataclass(frozen=True)
class SolvePhase(Part):
    """The phase bound."""

    labels: tuple[str, ...]
    """A best labelling of each group, a letter for each instruction of the expanded kernel; empty for
    programs.
    """

    rates: tuple[str, ...]
    """a of each group, a whole number or a ratio such as `7/2`: the cycles that a further warp adds."""

    theta: str
    """The price of a change of label, in cycles, at which the labelling is a best one."""

    upper: int
    """The worst case takes at most so many cycles."""



@dataclass(frozen=True)
class SolveServer(Part):
    """A part of the memory that all multiprocessors share."""

    before: int
    """The most work that is left from before."""

    line: int
    """What a line of 128 bytes costs."""

    lone_sector: int
    """What a sector of 32 bytes costs that comes alone in its line."""

    name: str
    """Its name."""

    rate: str
    """The least amount that it serves in a cycle while requests wait, as a number or a ratio; bytes, or
    lanes.
    """

    assumed: Optional[bool] = None
    """Whether no source gives the rate; absent where one does."""

    others: Optional[tuple[int, str]] = None
    """What others take: at most at once, and in each cycle; absent where nobody else takes anything."""

    pauses: Optional[tuple[int, int, int]] = None
    """The cycles of a pause, from one to the next, and how many may be put off; absent where it never pauses."""

    sources: Optional[str] = None
    """Where the rate is from; absent where that is not said."""



@dataclass(frozen=True)
class Unit(Part):
    """A kind of unit."""

    instances: int
    """How many instances there are, for each scheduler if they are private."""

    name: str
    """Its name."""

    shared: bool
    """Whether all schedulers share them."""


#: Whether the two ends of an interval are equal.
SolveVerdict = Literal["exact", "bounded"]



@dataclass(frozen=True)
class Waits(Part):
    """What waits for an instruction, where the next one of its warp need not wait for its result."""

    needs: tuple[int, ...]
    """The registers or scoreboards that must be free before it issues."""

    sets: tuple[int, ...]
    """Those that it takes until its result is there."""

    stall: int
    """The next instruction of the warp issues this many cycles later at the earliest."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
BoundKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Row(Part):
    """One bound or estimate."""

    evidence: Optional[Basis]
    """What it follows from; null where it is not safe, and absent in older records."""

    name: str
    """Its name."""

    safe: bool
    """Whether the worst case is certain to be on that side; an estimate is never safe."""

    side: Side
    """On which side of the worst case it is meant to be."""

    source: str
    """The equation or the theorem that it is from."""

    value: int
    """Its value, in cycles."""

    finish: Optional[tuple[int, ...]] = None
    """Of the phase bound, and on a machine with several groups: the cycle by which each group has issued
    everything; absent for all others.
    """

    labels: Optional[tuple[str, ...]] = None
    """Of the phase bound: a best labelling of each group's expanded kernel, empty for programs; absent for
    all others.
    """

    rates: Optional[tuple[str, ...]] = None
    """Of the phase bound: a of each group, a whole number or a ratio such as `7/2`; absent for all others."""

    terms: Optional[tuple[BoundTerm, ...]] = None
    """The terms of the estimate, of which the smallest value counts; absent for all others."""



@dataclass(frozen=True)
class BoundServer(Part):
    """A part of the memory that all multiprocessors share."""

    before: int
    """The most work that is left from before."""

    line: int
    """What a line of 128 bytes costs."""

    lone_sector: int
    """What a sector of 32 bytes costs that comes alone in its line."""

    name: str
    """Its name."""

    rate: str
    """The least amount that it serves in a cycle while requests wait, as a number or a ratio; bytes, or
    lanes.
    """

    assumed: Optional[bool] = None
    """Whether no source gives the rate; absent where one does."""

    others: Optional[tuple[int, str]] = None
    """What others take: at most at once, and in each cycle; absent where nobody else takes anything."""

    pauses: Optional[tuple[int, int, int]] = None
    """The cycles of a pause, from one to the next, and how many may be put off; absent where it never pauses."""

    sources: Optional[str] = None
    """Where the rate is from; absent where that is not said."""


#: A side of the worst case.
Side = Literal["upper", "lower", "estimate"]



@dataclass(frozen=True)
class Skipped(Part):
    """A bound that does not apply."""

    name: str
    """Its name."""

    why: str
    """Why it does not apply."""



@dataclass(frozen=True)
class BoundTerm(Part):
    """One term of the estimate: ceil(W/y) T(y)."""

    makespan: int
    """T(y), the exact worst case of y warps, in cycles."""

    value: int
    """ceil(W/y) T(y), in cycles."""

    y: int
    """y, a number of warps."""


#: Which latency of its interval each issue has.
Draw = Literal["least", "most", "random"]


#: Who vouches for something that numbers rest on, in the order in which answers list it.
SimulateKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Machine2(Part):
    """How policies are simulated."""

    issue_width: str
    """How many instructions a scheduler issues in a cycle: a number, or `unlimited` for as many as the units
    take, as in the model.
    """

    launch: tuple[int, ...]
    """The cycle after which the warps of each group are present."""

    priority: tuple[int, ...]
    """The priority of each group; a larger number is more urgent."""

    schedulers: int
    """Warp schedulers of the multiprocessor."""

    seed: int
    """The seed of the policy `random` and of random latencies."""

    latency: Optional[Draw] = None
    """Which latency of its interval each issue has; absent unless the instance has a `machine`."""

    latency_c: Optional[int] = None
    """Cycles from an issue to the CUDA cores until the warp is ready again; absent where the instance has a
    `machine`.
    """

    latency_l: Optional[int] = None
    """Cycles from an issue to the load/store units until the warp is ready again; absent where the instance
    has a `machine`.
    """


#: A warp-scheduling policy.
SimulatePolicy = Literal["lrr", "gto", "oldest", "rt-paws", "random", "cggty", "worst"]



@dataclass(frozen=True)
class Run(Part):
    """The run of a policy."""

    average: float
    """The mean of the completions, in cycles."""

    completions: tuple[int, ...]
    """The cycle in which the last instruction of each group is complete."""

    idle_slots: int
    """Issues that there was room for, but no ready warp; with an unlimited width, cycles of instances that
    were not held.
    """

    makespan: int
    """The cycles until all warps have finished, with all results."""

    policy: SimulatePolicy
    """The policy."""

    within_model: bool
    """Whether the run is one of the model; only then it lies between the best and the worst case."""

    last_issue: Optional[int] = None
    """The last cycle in which a warp issues; absent unless the instance has a `machine`."""



@dataclass(frozen=True)
class SimulateServer(Part):
    """A part of the memory that all multiprocessors share."""

    before: int
    """The most work that is left from before."""

    line: int
    """What a line of 128 bytes costs."""

    lone_sector: int
    """What a sector of 32 bytes costs that comes alone in its line."""

    name: str
    """Its name."""

    rate: str
    """The least amount that it serves in a cycle while requests wait, as a number or a ratio; bytes, or
    lanes.
    """

    assumed: Optional[bool] = None
    """Whether no source gives the rate; absent where one does."""

    others: Optional[tuple[int, str]] = None
    """What others take: at most at once, and in each cycle; absent where nobody else takes anything."""

    pauses: Optional[tuple[int, int, int]] = None
    """The cycles of a pause, from one to the next, and how many may be put off; absent where it never pauses."""

    sources: Optional[str] = None
    """Where the rate is from; absent where that is not said."""



@dataclass(frozen=True)
class Cost(Part):
    """Cycles that are added to the critical path, by the reasons: whole numbers, or ratios such as `7/2`."""

    adds: str
    """The sum of these."""

    others_slots: str
    """Other warps take the issue slots."""

    others_unit: str
    """Other warps hold the unit."""

    own_issue: str
    """The followed warp issues."""

    own_latency: str
    """The followed warp waits for a result, for its own use of a unit, or for a stall."""

    share: float
    """The same in percent of what all lines add."""

    memory: Optional[str] = None
    """The servers of the memory keep results waiting; absent where that is 0."""



@dataclass(frozen=True)
class Entry(Part):
    """An entry: a kernel that a host can launch."""

    assumptions: tuple[Assumption, ...]
    """What the reading of the entry and its bound rest on, as `docs/assumptions.md` explains; on a machine
    also what stands there.
    """

    barriers: int
    """Barriers of the entry."""

    branches: int
    """Branches of the entry."""

    compute: int
    """Instructions for the CUDA cores."""

    compute_capability: str
    """The compute capability that letters are counted for, such as `8.6`."""

    instructions: int
    """Instructions of the entry."""

    kernel: Optional[str]
    """The kernel string, a letter an instruction before any repetition; null where there are branches."""

    language: Language
    """What the listing is written in."""

    line: int
    """The line where it starts, from 1."""

    load_store: int
    """Instructions for the load/store units."""

    loop_bounds: tuple[Loop, ...]
    """The loops, and how often they run."""

    loops: int
    """Loops of the entry."""

    name: str
    """Its name."""

    program: Optional[str]
    """The text of the program, each instruction as often as it counts; null where there is none."""

    straight: bool
    """Whether there is a kernel string."""

    structure_error: Optional[str]
    """Why there is no program; null where there is one."""

    bound: Optional[EntryBound] = None
    """An upper bound for the warps that were asked for; absent where none were, or it has none."""

    bound_error: Optional[str] = None
    """Why there is no bound although one was asked for; else absent."""

    footprint: Optional[tuple[Footprint, ...]] = None
    """What a block and a launch touch of each array of global memory at most; absent unless a machine was
    named and the sizes of a block are known.
    """

    listing: Optional[tuple[Line, ...]] = None
    """The instructions; absent unless they were asked for."""

    machine: Optional[OnMachine] = None
    """The entry on a machine; absent unless one was named."""

    memory: Optional[tuple[ExtractMemory, ...]] = None
    """What one execution by a warp of each instruction that accesses global or shared memory touches at most;
    absent unless a machine was named.
    """

    notes: Optional[tuple[str, ...]] = None
    """What else should be known of the bound, a sentence each; absent where there is nothing."""

    of_input: Optional[tuple[str, ...]] = None
    """The traces for whose inputs alone all of this holds, since declarations of them were used; absent if it
    holds for every input.
    """

    params: Optional[dict[str, str]] = None
    """The values of parameters and sizes of the launch that were given, by their names: a whole number, or
    `LEAST..MOST`. Everything else holds for these launches only. Absent where none were given.
    """

    symbolic: Optional[Symbolic] = None
    """The bound as an expression in the bounds of loops that have none; absent unless it was asked for, or
    where there is none.
    """

    symbolic_error: Optional[str] = None
    """Why there is no expression although one was asked for; else absent."""

    unknown_opcodes: Optional[tuple[UnknownOpcode, ...]] = None
    """The opcodes that no class has, which count as the most expensive instruction of each unit; absent where
    there is none.
    """

    unplaced: Optional[tuple[int, ...]] = None
    """The lines of accesses of memory behind the multiprocessors of which it is not known where they go, so
    that they are in no footprint; absent where there is none.
    """



@dataclass(frozen=True)
class EntryBound(Part):
    """The bound for so many warps of an entry, alone on a multiprocessor of its capability."""

    exact: bool
    """Whether some schedule of the letters takes as many."""

    lines: tuple[LineShare, ...]
    """What each line of the listing adds, the largest first, without those that add nothing."""

    rate: str
    """a, the cycles that a further warp adds: a whole number or a ratio such as `7/2`."""

    upper: int
    """An upper bound: no schedule takes more cycles."""

    warps: int
    """How many warps there are."""

    warps_per_block: Optional[int]
    """How many of them share barriers; null for all."""

    further: Optional[FurtherShare] = None
    """The lines that were left out of the list, together; absent where there is none."""

    loops: Optional[tuple[LoopShare, ...]] = None
    """What each loop adds with the loops in it, the largest first; absent where no loop adds anything."""

    source: Optional[tuple[SourceShare, ...]] = None
    """What each line of the source adds, the largest first; absent where the listing names no source."""


#: Where a number of transactions is from.
ExtractEvidence = Literal["inferred", "declared", "assumed"]



@dataclass(frozen=True)
class Extent(Part):
    """How many sectors of 32 bytes and lines of 128 bytes of memory something touches at most."""

    lines: int
    """Different lines."""

    sectors: int
    """Different sectors."""



@dataclass(frozen=True)
class Footprint(Part):
    """What accesses of an array of global memory touch at most of which the code shows where they go. Arrays
    are told apart by the parameters that point to them.
    """

    array: str
    """The parameter, in SASS a word of the constant bank."""

    block: Optional[Extent]
    """What a block touches; null where that is not known."""

    launch: Optional[Extent]
    """What all blocks touch together; null where that is not known, such as without the sizes of the grid."""



@dataclass(frozen=True)
class FurtherCost(Part):
    """What several lines add."""

    cost: Cost
    """What they add together."""

    lines: int
    """How many lines these are."""



@dataclass(frozen=True)
class FurtherShare(Part):
    """What several lines add together."""

    adds: str
    """What they add to a, in cycles: a whole number or a ratio such as `7/2`."""

    lines: int
    """How many lines these are."""

    share: float
    """The same in percent of what all lines add."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
ExtractKind = Literal["declared", "assumed", "modelled", "sourced"]


#: What a listing is written in.
Language = Literal["ptx", "sass"]



@dataclass(frozen=True)
class Line(Part):
    """An instruction."""

    count: Optional[int]
    """How many letters it counts; null where no table says."""

    instruction: str
    """Its text."""

    label: Optional[str]
    """The label before it; null where there is none."""

    letter: str
    """Its letter."""

    line: int
    """The line of the listing, from 1."""

    why: str
    """Why it has this letter."""

    adds: Optional[str] = None
    """What it adds to a, in cycles: a whole number or a ratio; absent without a bound."""

    phase: Optional[str] = None
    """The phases that it acts in on a path of the largest a: `L`, `C`, `LC`, or `-` off the path; absent
    without a bound, and where it has no letters.
    """

    share: Optional[float] = None
    """The same in percent of what all lines add; absent without a bound."""



@dataclass(frozen=True)
class LineCost(Part):
    """What a line of the listing adds."""

    cost: Cost
    """What it adds."""

    instruction: Optional[str]
    """The text of the instruction; null in a function that is called."""

    line: int
    """The line of the listing, from 1."""

    by_unit: Optional[dict[str, str]] = None
    """What it adds by the units of the machine and the servers of the memory, in cycles; absent where that is
    not told apart.
    """



@dataclass(frozen=True)
class LineShare(Part):
    """What a line of the listing adds."""

    adds: str
    """What it adds to a, in cycles: a whole number or a ratio such as `7/2`."""

    instruction: Optional[str]
    """The text of the instruction; null in a function that is called."""

    line: int
    """The line of the listing, from 1."""

    share: float
    """The same in percent of what all lines add."""



@dataclass(frozen=True)
class Loop(Part):
    """A loop."""

    inferred: bool
    """Whether the code shows it; else the user says it."""

    label: str
    """The label of its header, or the line where that has none."""

    line: int
    """The line of its header, from 1."""

    most: Optional[int]
    """How often the header is passed at most; null where that is not known."""

    declared: Optional[int] = None
    """What the user says, if that is more than the code shows; else absent."""



@dataclass(frozen=True)
class LoopCost(Part):
    """What a loop adds in the passes that the program repeats."""

    cost: Cost
    """What it adds."""

    label: str
    """The label of its header, or the line where that has none."""

    line: int
    """The line of its header, from 1."""



@dataclass(frozen=True)
class LoopShare(Part):
    """What a loop adds, with the loops in it."""

    adds: str
    """What its lines add to a, in cycles: a whole number or a ratio such as `7/2`."""

    label: str
    """The label of its header, or the line where that has none."""

    line: int
    """The line of its header, from 1."""

    share: float
    """The same in percent of what all lines add."""



@dataclass(frozen=True)
class MachineBound(Part):
    """The bound for so many warps of an entry, alone on a multiprocessor, and where the time of the critical
    path goes. The lines, with the further ones, and what belongs to no line add up to the critical path.
    """

    completion_upper: int
    """An upper bound on the cycle at whose end every result is there."""

    critical_path: int
    """The critical path, in cycles, which is the bound that the lines add up to."""

    lines: tuple[LineCost, ...]
    """What each line adds, the largest first."""

    overlap: str
    """What the cycles of a warp by itself are above the sum of its lines: negative where latencies overlap."""

    own: str
    """The cycles of it that a warp takes by itself."""

    rounding: str
    """What rounding adds, more than -1 and at most 0 where the memory is without limit."""

    several_paths: str
    """What other warps take beyond the lines, where the bound takes a path for each segment between barriers."""

    theorem: str
    """The name of the theorem that it follows from."""

    upper: int
    """An upper bound on the last cycle in which a warp issues: the smallest that applies."""

    warps: int
    """How many warps there are."""

    warps_per_block: Optional[int]
    """How many of them share barriers; null for all."""

    further: Optional[FurtherCost] = None
    """The lines that were left out of the list, together; absent where there is none."""

    loops: Optional[tuple[LoopCost, ...]] = None
    """What each loop adds with the loops in it, the largest first; absent where there is no loop."""

    servers: Optional[tuple[ServerCost, ...]] = None
    """What each server of the memory adds, in cycles; absent where the memory is without limit."""

    source: Optional[tuple[SourceCost, ...]] = None
    """What each line of the source adds, the largest first; absent where the listing names no source."""



@dataclass(frozen=True)
class MachineLine(Part):
    """The letters of an instruction."""

    letters: Optional[str]
    """Its letters as a kernel string, with `|` for a barrier; null where it has none."""

    line: int
    """The line of the listing, from 1."""

    why: str
    """Why it has these letters, or none."""



@dataclass(frozen=True)
class ExtractMemory(Part):
    """What one execution of an instruction by a warp touches at most."""

    evidence: ExtractEvidence
    """Where the numbers are from."""

    line: int
    """The line of the listing, from 1."""

    space: MemorySpace
    """The memory: `global` or `shared`."""

    conflict: Optional[int] = None
    """How often the warp passes because of the banks of shared memory and the width; absent for global
    memory.
    """

    lines: Optional[int] = None
    """Lines of 128 bytes; absent for shared memory. Of a declared number of transactions these."""

    sectors: Optional[int] = None
    """Sectors of 32 bytes; absent for shared memory. Of a declared number of transactions these."""

    source: Optional[Source] = None
    """The line of the source; absent where the listing names none."""


#: The memory of an access.
MemorySpace = Literal["global", "shared"]



@dataclass(frozen=True)
class OnMachine(Part):
    """An entry on a machine."""

    assumptions: tuple[Assumption, ...]
    """What the numbers of the machine rest on, as `docs/assumptions.md` explains."""

    letters: tuple[UsedLetter, ...]
    """The letters that instructions of the entry have."""

    name: str
    """The name of the machine, or the file that it is from."""

    program: Optional[str]
    """The text of the program over the letters of the machine; null where there is none."""

    structure_error: Optional[str]
    """Why there is no program; null where there is one."""

    bound: Optional[MachineBound] = None
    """An upper bound for the warps that were asked for; absent where none were, or it has none."""

    bound_error: Optional[str] = None
    """Why there is no bound although one was asked for; else absent."""

    listing: Optional[tuple[MachineLine, ...]] = None
    """The instructions; absent unless they were asked for."""

    notes: Optional[tuple[str, ...]] = None
    """What else should be known of the bound, a sentence each; absent where there is nothing."""



@dataclass(frozen=True)
class ServerCost(Part):
    """What a server of the memory adds."""

    cycles: int
    """For how many cycles it may keep results waiting."""

    server: str
    """Its name."""



@dataclass(frozen=True)
class Source(Part):
    """A line of the source."""

    file: str
    """The file as the listing names it."""

    line: int
    """The line, from 1."""



@dataclass(frozen=True)
class SourceCost(Part):
    """What a line of the source adds."""

    cost: Cost
    """What it adds."""

    file: str
    """The file as the listing names it."""

    line: int
    """The line, from 1."""

    by_unit: Optional[dict[str, str]] = None
    """What it adds by the units of the machine and the servers of the memory, in cycles; absent where that is
    not told apart.
    """



@dataclass(frozen=True)
class SourceShare(Part):
    """What a line of the source adds."""

    adds: str
    """What it adds to a, in cycles: a whole number or a ratio such as `7/2`."""

    file: str
    """The file as the listing names it."""

    line: int
    """The line, from 1."""

    share: float
    """The same in percent of what all lines add."""



@dataclass(frozen=True)
class Symbol(Part):
    """A symbol: how often a loop is passed at most."""

    label: str
    """The label of the header of the loop, or the line where that has none."""

    line: int
    """The line of its header, from 1."""

    name: str
    """Its name in the expression."""

    definition: Optional[str] = None
    """What it is for the parameters of a launch: an upper bound of how often the loop is passed, of whole
    numbers, names of parameters, `+`, `-`, `*`, `/`, `max` and `floor`. Absent where the code does not
    show one.
    """

    holds: Optional[tuple[str, ...]] = None
    """The values of the parameters for which the definition holds."""



@dataclass(frozen=True)
class Symbolic(Part):
    """A bound as an expression."""

    expression: str
    """An upper bound in cycles for any values of the symbols from 1 on, of whole numbers, `+`, `-`, `*`, `/`,
    `min`, `max` and `floor`.
    """

    symbols: tuple[Symbol, ...]
    """What the symbols in it are."""

    warps: int
    """How many warps there are."""



@dataclass(frozen=True)
class UnknownOpcode(Part):
    """An opcode that no class has."""

    line: int
    """The first line that has it, from 1."""

    opcode: str
    """Its name with modifiers."""



@dataclass(frozen=True)
class UsedLetter(Part):
    """A letter that instructions have."""

    instructions: int
    """How many instructions have it."""

    latency: tuple[int, int]
    """The least and the greatest latency, in cycles."""

    name: str
    """Its name; a number behind it says how often a memory instruction passes."""

    occupancy: int
    """The cycles for which an issue holds an instance of the unit."""

    unit: str
    """The name of its unit."""



@dataclass(frozen=True)
class CheckedBy(Part):
    """How something is checked."""

    by: VerdictBy
    """What it rests on."""

    checked: Checked
    """How that is checked, and where Algorithm 2 takes C as it was solved, no better than C."""



@dataclass(frozen=True)
class Checks(Part):
    """How a verdict and response bounds are checked."""

    bounds: CheckedBy
    """The response bounds."""

    verdict: Optional[CheckedBy]
    """The verdict; null where there is none, and where it rests on what the bounds rest on."""



@dataclass(frozen=True)
class RtaExplanation(Part):
    """The parts of a bound that needs no assumption of Algorithm 2. All times but the bound itself and
    `before` add up to the bound and `before`.
    """

    before: float
    """How long before the launch enters its queue the window begins in which the shares add up, which is
    taken off.
    """

    bound: float
    """The bound, which counts from the arrival."""

    copy_wait: float
    """How long copies of its stream wait for those of other streams."""

    jitter: float
    """How long after its arrival the launch is released."""

    rounding: float
    """What rounding down the other parts leaves over."""

    shares: tuple[RtaShare, ...]
    """What launches contribute, kernel by kernel."""

    theta: Optional[str]
    """The theta at which the sum is the smallest; null where every C is measured."""

    memory: Optional[tuple[Late, ...]] = None
    """For how long servers of the memory keep results waiting; absent where none does."""



@dataclass(frozen=True)
class Freed(Part):
    """Threads that become free."""

    threads: int
    """How many they are."""

    time: float
    """When they do."""



@dataclass(frozen=True)
class Gpu(Part):
    """The GPU of a system."""

    multiprocessors: int
    """Its multiprocessors."""

    threads: int
    """The threads that each of them holds at once."""



@dataclass(frozen=True)
class RtaKernel(Part):
    """What is known of a kernel."""

    blocks: int
    """Blocks of a launch."""

    completion: Optional[float]
    """An estimate of the time at which the first launch completes, by the method."""

    deadline: Optional[float]
    """How long a launch may take from its arrival; null where it has no deadline."""

    estimate_release: Optional[float]
    """The release of the launch that takes `response_estimate`."""

    execution: float
    """C: a block takes at most so long."""

    jitter: float
    """How long after its arrival a launch is released at most."""

    launches: int
    """How many launches the method covers."""

    measured: Optional[Measured]
    """With which co-running blocks a measured C holds; null where C was computed from code."""

    meets: Meets
    """Whether all launches meet the deadline, as far as is proved."""

    missed: Optional[Missed]
    """A launch that misses its deadline; null where none was found."""

    name: str
    """Its name."""

    period: Optional[float]
    """The time between launches; null where there is one launch only."""

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    release: float
    """The time of the first arrival."""

    response_bound: Optional[float]
    """An upper bound on response times, which count from the arrival: no launch takes longer. Null where
    there is none, for the `reason`.
    """

    response_estimate: Optional[float]
    """An estimate, on neither side: the longest response time that the method finds. Null where it finds
    none.
    """

    response_least: Optional[float]
    """A lower bound on response times where blocks take C: no launch is faster. Null where there is none."""

    simulated_estimate: Optional[float]
    """The longest response time that the simulator finds; null where the simulator is the method, or did not
    run.
    """

    solved: Optional[Solved]
    """How C was solved from code; null where C was given."""

    sporadic: bool
    """Whether launches may be more than a period apart."""

    threads_per_block: int
    """Threads of a block."""

    utilisation: float
    """Threads that the kernel keeps busy in the long run."""

    explanation: Optional[RtaExplanation] = None
    """Where the bound comes from that needs no assumption of Algorithm 2, which is the response bound where
    Algorithm 2 gives none; absent unless it was asked for.
    """

    no_bound: Optional[str] = None
    """Why there is no explanation; absent unless one was asked for and there is none."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
RtaKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Late(Part):
    """What a server of the memory adds to a bound."""

    server: str
    """The name of the server."""

    time: float
    """For how long it may keep results waiting."""



@dataclass(frozen=True)
class Launch(Part):
    """A launch as Algorithm 2 places it."""

    completion: float
    """f, the time at which its last block completes."""

    execution: float
    """C, what its blocks take."""

    kernel: str
    """The name of the kernel."""

    launch: int
    """Which launch of the kernel, from 1."""

    release: float
    """When it is released."""

    steps: tuple[RtaStep, ...]
    """The state each time that blocks are to be placed."""


#: With which co-running blocks a measured C holds.
Measured = Literal["beside-others", "alone", "at-most"]


#: Whether all launches of a kernel meet their deadline.
Meets = Literal["yes", "no", "unknown"]


#: How estimates are found.
RtaMethod = Literal["algorithm2", "closed-form", "simulate"]



@dataclass(frozen=True)
class Missed(Part):
    """A launch that misses its deadline."""

    completion: Optional[float]
    """When it completes; null where it was not seen to complete."""

    launch: int
    """Which launch of the kernel, from 1."""

    release: float
    """When it is released."""



@dataclass(frozen=True)
class RtaShare(Part):
    """What the launches of a kernel contribute to a bound. Each time is rounded down."""

    ahead_a: float
    """What blocks that are present while ours wait add to the time of their multiprocessors."""

    ahead_c: float
    """What they add because they are followed."""

    beside: float
    """What is on the multiprocessor of that block when it starts."""

    blocks_ahead: Optional[int]
    """The number of their blocks that may be present while ours wait; null where there may be any number."""

    blocks_later: Optional[int]
    """The number of their blocks that may start after our last one; null where there may be any number."""

    copies: float
    """The time of its copies, if it is of our stream."""

    kernel: str
    """The name of the kernel."""

    later_a: float
    """What blocks that start after our last one add to the time of their multiprocessors."""

    launches: Optional[int]
    """The number of its launches that count; null where there may be any number."""

    limited: bool
    """Whether less is counted than the blocks cost, because a stream has only one launch on the GPU at a
    time.
    """

    lost: float
    """What is not taken of the multiprocessors where one of its launches has just come to the head of its
    queue.
    """

    resident: float
    """What blocks take of the multiprocessors that were there when the window began."""

    run: float
    """The run of the last block of each launch, if it is of our stream."""

    sum: float
    """All of these times together."""



@dataclass(frozen=True)
class Solved(Part):
    """How C was solved from code."""

    evidence: Optional[Basis]
    """What `upper` follows from; null in older records."""

    kernel: str
    """The kernel string, or the text of a program."""

    lower: Optional[int]
    """The worst case of these warps is at least so many cycles; null where nothing is proved from below."""

    resident_blocks: int
    """The blocks that a multiprocessor holds at once."""

    serial: float
    """What a block takes alone, as a time."""

    upper: int
    """The worst case of these warps is at most so many cycles; on a machine, without what servers of its
    memory add.
    """

    warps: int
    """The warps of these blocks."""



@dataclass(frozen=True)
class Stay(Part):
    """Blocks of a launch on a multiprocessor."""

    blocks: int
    """How many blocks run side by side."""

    end: float
    """When the last of the blocks ends."""

    kernel: str
    """The name of the kernel."""

    launch: int
    """Which launch of the kernel, from 1."""

    multiprocessor: int
    """Which multiprocessor, from 1."""

    rounds: int
    """How many times they run, one after the other."""

    start: float
    """When the first of the blocks starts."""



@dataclass(frozen=True)
class RtaStep(Part):
    """The state of Algorithm 2 when blocks of a launch are to be placed."""

    blocks_left: int
    """`g_i`, the blocks that are left to be placed."""

    free_threads: int
    """The threads that are free then: `g_f` times the threads of a block."""

    h: tuple[Freed, ...]
    """h: what becomes free later."""

    t_a: float
    """`t_a`, the time at which the next block can be placed."""


#: A unit of time.
TimeUnit = Literal["ticks", "cycles", "ns", "us", "ms", "s"]


#: Whether all launches of all kernels meet their deadlines.
RtaVerdict = Literal["proved", "refuted", "undecided"]


#: What a verdict rests on.
VerdictBy = Literal["algorithm2", "bound", "schedule", "least-response", "overload"]



@dataclass(frozen=True)
class Added(Part):
    """What launches of one graph add to the bound of another."""

    graph: str
    """The graph."""

    launches: int
    """How many of its launches may be there."""

    resource: str
    """What nodes of both wait for: `multiprocessors`, `cores`, or the name of a copy engine."""

    time: float
    """What they add, which may be less than what so many launches do where one is there only in part."""



@dataclass(frozen=True)
class CheckedBounds(Part):
    """How bounds are checked: by the statement that they follow from."""

    checked: Checked
    """How it is checked."""

    statement: str
    """Its name in the list of statements."""



@dataclass(frozen=True)
class Copies(Part):
    """The copy engines."""

    engines: tuple[str, ...]
    """Their names."""

    policy: RtaGraphsPolicy
    """In which order they serve what is ready."""



@dataclass(frozen=True)
class Cores(Part):
    """The cores of the host."""

    count: int
    """Their number."""

    policy: RtaGraphsPolicy
    """In which order they serve what is ready."""



@dataclass(frozen=True)
class RtaGraphsExplanation(Part):
    """Where a bound comes from. Each time is rounded up, so the parts may add up to a little more."""

    blocking: float
    """For how long copies of less urgent graphs that have begun delay it."""

    jitter: float
    """The jitter."""

    launches: int
    """The launches of the graph itself: those before one that it may have to wait for, and that one."""

    memory: float
    """For how long the memory keeps results waiting."""

    others: tuple[Added, ...]
    """What other graphs add."""

    own: float
    """What they take with all their nodes, if nothing else runs."""

    path: tuple[str, ...]
    """The nodes of the longest path."""



@dataclass(frozen=True)
class Graph(Part):
    """What is known of a graph."""

    deadline: Optional[float]
    """The time from the arrival by which all nodes must be complete; null where there is none."""

    jitter: float
    """How long after its arrival a launch is released at most."""

    makespan: Optional[float]
    """A launch takes at most so long from its release if nothing else runs; null where that is not known."""

    meets: Meets
    """Whether all launches meet the deadline."""

    multiprocessors: int
    """The multiprocessors that run its blocks; 0 if it launches no kernel."""

    name: str
    """Its name."""

    nodes: tuple[Node, ...]
    """Its nodes, in the order of the file."""

    period: Optional[float]
    """The least time between arrivals; null where it is launched once."""

    priority: int
    """How urgent it is; larger is more urgent."""

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    response_bound: Optional[float]
    """A launch takes at most so long from its arrival; null for the `reason`."""

    shares: bool
    """Whether they run blocks of other graphs too."""

    worst_case_at_least: Optional[float]
    """The worst case is at least so long, from the arrival: a launch that is alone, all of whose nodes take
    as long as they may; null if it is too large.
    """

    explanation: Optional[RtaGraphsExplanation] = None
    """Where the bound comes from; absent unless it was asked for and there is one."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
RtaGraphsKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Node(Part):
    """A node of a graph."""

    after: tuple[str, ...]
    """The nodes that must be complete before it begins."""

    name: str
    """Its name."""

    on: Optional[str]
    """The kernel that it launches, or the copy engine that it uses; else null."""

    time: Optional[float]
    """The time of its copy or on a core, or C of its kernel's blocks; null if it does nothing."""

    work: Work
    """What it does."""


#: In which order cores or copy engines serve what is ready.
RtaGraphsPolicy = Literal["any", "fixed-priority"]



@dataclass(frozen=True)
class RtaGraphsSearch(Part):
    """How a search for multiprocessors ended."""

    allocations: int
    """How many allocations were tried."""

    complete: bool
    """Whether, if none was found, the bounds prove the deadlines with none at all."""

    found: bool
    """Whether one was found with which the bounds prove all deadlines."""


#: Whether all launches of all kernels meet their deadlines.
RtaGraphsVerdict = Literal["proved", "refuted", "undecided"]


#: What a node does.
Work = Literal["kernel", "copy", "host", "nothing"]


#: How jobs of a task are released.
Activated = Literal["recurring", "once", "triggered", "never"]



@dataclass(frozen=True)
class Chain(Part):
    """What is known of an event chain: the time from the arrival of a job of its first task to the end of the
    first job of its last task that its data has reached.
    """

    implicit_lower: Optional[float]
    """Jobs read when they start and write when they end: no reaction is faster."""

    implicit_upper: Optional[float]
    """The same: no reaction takes longer, whatever the offsets."""

    implicit_upper_at_offsets: Optional[float]
    """The same: no reaction takes longer at the offsets of the model."""

    let_lower_at_offsets: Optional[float]
    """The same: the fastest reaction at the offsets of the model."""

    let_upper: Optional[float]
    """Jobs read when they arrive and write a period later: no reaction takes longer, whatever the offsets."""

    let_upper_at_offsets: Optional[float]
    """The same: the slowest reaction at the offsets of the model."""

    limit: Optional[float]
    """The longest reaction that the model allows; null where it sets no limit."""

    meets: Meets
    """Whether the limit is kept under implicit communication."""

    name: str
    """Its name."""

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    tasks: Optional[tuple[str, ...]]
    """Its tasks; null where they cannot be told."""



@dataclass(frozen=True)
class Finding(Part):
    """Something that a reader should know about the model."""

    line: int
    """Its line in the file."""

    warning: bool
    """Whether the results may be those of a system that was not meant."""

    what: str
    """What was found, and what is made of it."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
RtaModelKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class RtaModelStep(Part):
    """A step of a task."""

    access_lower: float
    """Its accesses to labels take at least so long."""

    access_upper: float
    """Its accesses to labels take at most so long."""

    name: str
    """The runnable."""

    ticks_lower: float
    """Its ticks take at least so long."""

    ticks_upper: float
    """Its ticks take at most so long."""



@dataclass(frozen=True)
class RtaModelTask(Part):
    """What is known of a task."""

    activation: Activated
    """How its jobs are released."""

    deadline: Optional[float]
    """Its deadline; null where the model gives none."""

    execution_lower: Optional[float]
    """A job runs at least so long, without waits; null where that is not known."""

    execution_upper: Optional[float]
    """A job runs at most so long, without waits; null where that is not known."""

    jitter: Optional[float]
    """How long after its arrival a job is released at most; null where `period` is."""

    line: int
    """The line of the file at which it begins."""

    meets: Meets
    """Whether all jobs meet the deadline."""

    name: str
    """Its name."""

    period: Optional[float]
    """The least time between arrivals; null where it is not released again and again by a stimulus of its
    own.
    """

    priority: Optional[int]
    """A larger one is more urgent; null where the model gives none."""

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    response_bound: Optional[float]
    """No job takes longer, from its arrival, or from its trigger where a task triggers it; null for the
    `reason`.
    """

    response_least: Optional[float]
    """No job is faster; null where nothing is known."""

    steps: tuple[RtaModelStep, ...]
    """What a job runs, in order."""

    units: tuple[str, ...]
    """The processing units that it may run on; empty where it is not allocated."""

    worst_case_at_least: Optional[float]
    """The worst case is at least so long: a job that takes its upper ticks and has all units to itself."""


#: Whether all launches of all kernels meet their deadlines.
RtaModelVerdict = Literal["proved", "refuted", "undecided"]



@dataclass(frozen=True)
class RtaProcessesKernel(Part):
    """What is known of a kernel."""

    blocks: int
    """Blocks of a launch."""

    deadline: Optional[float]
    """Its deadline, from the arrival; null where it has none."""

    execution: float
    """C, the most time of a block in the turns of its process."""

    meets: Meets
    """Whether all launches meet the deadline; of a kernel without one, whether there is a bound."""

    name: str
    """Its name."""

    period: Optional[float]
    """The least time between launches; null where it is launched once."""

    process: str
    """Its process."""

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    response_bound: Optional[float]
    """No launch takes longer from its arrival; null for the `reason`."""

    response_least: Optional[float]
    """No launch whose blocks take C is faster; null where C says nothing of that."""

    threads_per_block: int
    """Threads of a block."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
RtaProcessesKind = Literal["declared", "assumed", "modelled", "sourced"]


#: Who has the GPU.
RtaProcessesSharing = Literal["time-slices", "preemptive"]



@dataclass(frozen=True)
class RtaProcessesTask(Part):
    """What is known of a task."""

    core: str
    """Its core."""

    deadline: Optional[float]
    """Its deadline, from the arrival; null of a best-effort task."""

    meets: Optional[Meets]
    """Whether all jobs meet the deadline; null of a best-effort task."""

    name: str
    """Its name."""

    period: Optional[float]
    """The least time between arrivals; null of a best-effort task."""

    priority: Optional[int]
    """A larger one is more urgent; null of a best-effort task."""

    published_estimate: Optional[float]
    """What the equations of GCAPS give as they are printed, which may be too low; null where they give
    nothing.
    """

    reason: Optional[str]
    """Why `meets` is not `yes`; else null."""

    response_bound: Optional[float]
    """No job takes longer from its arrival; null for the `reason`."""

    response_least: Optional[float]
    """A job that takes all its times takes no less; null of a best-effort task, whose times are not known."""


#: Whether all launches of all kernels meet their deadlines.
RtaProcessesVerdict = Literal["proved", "refuted", "undecided"]


#: What a job does on its core while the GPU works for it.
Waiting = Literal["suspend", "busy"]



@dataclass(frozen=True)
class Between(Part):
    """A number that is at least `least` and at most `most`."""

    least: int
    """It is at least this."""

    most: int
    """It is at most this."""



@dataclass(frozen=True)
class Clock(Part):
    """The clock of a GPU, in megahertz."""

    assumed: bool
    """Whether it is assumed: the highest one of the data sheet."""

    fastest_mhz: float
    """The fastest, which lower bounds rest on."""

    slowest_mhz: float
    """The slowest, which upper bounds rest on."""



@dataclass(frozen=True)
class CyclesOf(Part):
    """Where the cycles of a bound go. Numbers of cycles are whole, or ratios such as `7/2`."""

    lines: tuple[LineCost, ...]
    """What lines of the listing add, the largest first."""

    others: str
    """What other warps add."""

    own: str
    """The single-warp latency of the warps that are followed, one after another."""

    units: tuple[UnitCost, ...]
    """What instructions of each unit of the machine add, the largest first."""

    memory: Optional[str] = None
    """What the servers of the memory add; absent where that is 0."""

    source: Optional[tuple[SourceCost, ...]] = None
    """What lines of the source add, the largest first; absent where the listing names no source."""



@dataclass(frozen=True)
class Estimate(Part):
    """Measured times of launches, and which times launches exceed with small probabilities: an estimate,
    which no verdict rests on.
    """

    assumes: tuple[str, ...]
    """What no test can tell of the file."""

    file: str
    """The file of the measured times."""

    launches: int
    """How many launches were measured."""

    longest: float
    """The longest measured time."""

    median: float
    """The median of the measured times."""

    methods: tuple[TimeMethod, ...]
    """Block maxima and peaks over a threshold; empty where nothing is estimated."""

    shortest: float
    """The shortest measured time."""

    side: NoSide
    """That it is no bound."""

    tests: tuple[TimeTest, ...]
    """Tests of what both methods assume."""

    unit: str
    """The unit of all times here: `cycles`, `ns`, `us`, `ms` or `s`."""

    unsupported: Optional[str]
    """Why nothing is estimated; null where the methods say themselves."""



@dataclass(frozen=True)
class Hint(Part):
    """A declaration that would lower a bound."""

    bound_ns: int
    """The launch takes at most so many nanoseconds then."""

    condition: str
    """What has to be true."""

    flag: str
    """The flag, as it can be pasted behind the command; `BYTES` and `N` stand for numbers that only the user
    knows.
    """


#: Who vouches for something that numbers rest on, in the order in which answers list it.
TimeKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Law(Part):
    """A generalised extreme value distribution of maxima, or a generalised Pareto distribution above the
    threshold.
    """

    end: Optional[float]
    """The time that no launch exceeds by this law; null where the shape is 0 or above."""

    fitted_shape: float
    """The fitted shape."""

    location: float
    """Its location; of peaks, the threshold."""

    scale: float
    """Its scale."""

    shape: float
    """Its shape; 0 where the fitted one is below 0 and 0 is not rejected."""

    zero_probability: float
    """The probability of the likelihood ratio if the shape is 0."""



@dataclass(frozen=True)
class Level(Part):
    """A time that one launch exceeds with a small probability, as an estimate."""

    high: float
    """Its upper end."""

    low: float
    """The lower end of the interval of 95 %, if the law is the true one."""

    probability: float
    """The probability."""

    time: float
    """The time."""



@dataclass(frozen=True)
class TimeMemory(Part):
    """What the memory that all multiprocessors share adds to a bound."""

    declared: bool
    """Whether the traffic of the launch is declared, so that not every access counts."""

    servers: tuple[TimeServer, ...]
    """The servers that may keep results waiting."""

    undeclared_bound_ns: Optional[int]
    """The launch takes at most so many nanoseconds if nothing is declared of its traffic; null where nothing
    is, and with co-running kernels.
    """



@dataclass(frozen=True)
class TimeMethod(Part):
    """What a method estimates."""

    block: Optional[int]
    """Launches of a block; null of peaks."""

    extremal_index: Optional[float]
    """The extremal index above the threshold, 1 where long times come by themselves; null where it is not
    known.
    """

    law: Optional[Law]
    """The law; null where a test failed."""

    levels: tuple[Level, ...]
    """What launches exceed, the most probable first, for probabilities beyond those that the data show
    themselves; empty where a test failed.
    """

    method: str
    """`block-maxima` or `peaks-over-threshold`."""

    tests: tuple[TimeTest, ...]
    """Tests of what the method assumes besides."""

    threshold: Optional[float]
    """The threshold; null of block maxima."""

    unsupported: Optional[str]
    """Why it estimates nothing; null where it does."""

    used: int
    """How many maxima, or times above the threshold, the law was fitted to."""


#: The side of an estimate, which is none.
NoSide = Literal["estimate"]



@dataclass(frozen=True)
class TimePart(Part):
    """A part of a bound."""

    name: str
    """`launch overhead`, `copy in`, `kernel`, `copy out`, or of a co-running kernel its name and what it
    adds.
    """

    ns: float
    """Its nanoseconds, to the picosecond, rounded up."""



@dataclass(frozen=True)
class Residency(Part):
    """How many blocks a multiprocessor holds at once."""

    least: int
    """At least so many."""

    limits: tuple[str, ...]
    """What keeps a further block out where the number is `most`: `threads`, `shared memory`, `registers`,
    `block slots`.
    """

    most: int
    """At most so many."""

    registers_per_thread: Between
    """Registers of a thread."""

    shared_memory: Between
    """Bytes of shared memory of a block, with those that the launch adds."""

    worst: Optional[int]
    """The number for which the bound is largest; null with co-running kernels."""



@dataclass(frozen=True)
class TimeServer(Part):
    """A server of the memory."""

    cycles: int
    """For how many cycles it may keep results waiting; with co-running kernels 1 stands for any number."""

    name: str
    """Its name: `DRAM`, `L2`, `ATOMICS`, or one of a machine file."""

    rate: str
    """The least rate while requests wait, as a person reads it: `122.8 GB/s`."""

    sources: str
    """Where that is from; empty where it is not said."""



@dataclass(frozen=True)
class TimeTest(Part):
    """A test of an assumption."""

    assumes: str
    """What it is about, as a sentence."""

    passed: bool
    """Whether the assumption is kept."""

    probability: Optional[float]
    """How probable such a statistic is where the assumption holds; null of `grid` and `range`."""

    statistic: float
    """Its statistic; of `grid`, the step of the times over the scale of the law; of `range`, the longest
    measured time.
    """

    test: str
    """Its name: `ljung-box`, `kolmogorov-smirnov`, `mann-kendall`, `wald-wolfowitz`, `anderson-darling`,
    `grid` or `range`.
    """



@dataclass(frozen=True)
class UnitCost(Part):
    """What the instructions of a unit of the machine add."""

    cost: Cost
    """What it adds."""

    unit: str
    """The name of the unit."""


#: Whether all launches of all kernels meet their deadlines.
TimeVerdict = Literal["proved", "refuted", "undecided"]


#: Who vouches for something that numbers rest on, in the order in which answers list it.
PartitionKind = Literal["declared", "assumed", "modelled", "sourced"]


#: What a kernel mostly does.
Kind2 = Literal["memory", "compute"]



@dataclass(frozen=True)
class Mechanism(Part):
    """What sets partitions up on the GPU."""

    multiprocessors_per_tpc: Optional[int]
    """The multiprocessors of a TPC, where the mechanism hands out TPCs; else null."""

    name: MechanismName
    """Its name."""

    sizes: tuple[int, ...]
    """The numbers of multiprocessors that a partition may have."""

    steps: tuple[str, ...]
    """What comes first, for all partitions; empty where there are none."""

    unused: int
    """The multiprocessors that it cannot hand out."""


#: What sets partitions up.
MechanismName = Literal["libsmctrl", "nvtaskset", "green-context", "mig", "mps"]



@dataclass(frozen=True)
class PartitionPart(Part):
    """Multiprocessors and the tasks that share them."""

    conflict: dict[str, bool]
    """By task: whether tasks of other partitions can be in conflict with it."""

    execution: dict[str, float]
    """By task: an upper bound on its execution time on these multiprocessors."""

    multiprocessors: int
    """How many multiprocessors it has."""

    setup: Optional[PartSetup]
    """What sets it up; null where no mechanism is named."""

    tasks: tuple[str, ...]
    """The names of its tasks."""



@dataclass(frozen=True)
class PartSetup(Part):
    """What sets a partition up."""

    call: str
    """The call, or the command."""

    mask: Optional[str]
    """The mask in hexadecimal, in which a set bit disables a TPC; null where there is none."""

    profile: Optional[str]
    """The profile of its instance of MIG; else null."""

    tpcs: Optional[tuple[int, int]]
    """The first and the last of its TPCs, where they are handed out by number; else null."""



@dataclass(frozen=True)
class Slices(Part):
    """The slices of a GPU."""

    count: int
    """How many there are."""

    multiprocessors: int
    """The multiprocessors of each."""

    unused: int
    """The multiprocessors that belong to none and are not used."""



@dataclass(frozen=True)
class PartitionTask(Part):
    """A task of the file."""

    deadline: float
    """The time from the release of a job by which it must be done."""

    kind: Kind2
    """Whether it is memory-intensive or compute-intensive."""

    name: str
    """Its name."""

    period: float
    """The least time between two jobs."""


#: A test whether all deadlines of a partition hold.
PartitionTest = Literal["edf", "np-edf", "np-dm"]


#: Whether there are partitions.
PartitionVerdict = Literal["schedulable", "not-found", "impossible"]



@dataclass(frozen=True)
class At(Part):
    """A place in a file."""

    file: str
    """The file, relative to the folder of the run if it is in there."""

    line: Optional[int]
    """The line, from 1; null where the file as a whole is meant."""



@dataclass(frozen=True)
class BudgetKernel(Part):
    """A kernel, and what is proved of its deadline."""

    arguments: tuple[str, ...]
    """The words of the command line that answers for this kernel alone, without the name of the program:
    `time` and its options.
    """

    at: At
    """Where to look: the line that costs most, of the source where that file is there, else of the listing;
    of an error what is wrong, or else the table of the kernel, which it also is where the answer rests on
    what is not accepted.
    """

    deadline_ns: float
    """How long the launch may take, in nanoseconds."""

    error: Optional[str]
    """Why there is no answer; null where there is one."""

    exit_code: int
    """The exit code that `time` has for it, or 6 where the deadline is met only by what is not accepted."""

    line: int
    """The line of the file where its table begins, from 1."""

    listing: str
    """Its listing."""

    name: str
    """Its name, which no other kernel of the file has."""

    outcome: Outcome
    """What became of it."""

    time: Optional[BudgetTime]
    """The answer of `time`: the bound, the verdict, and what they assume; null where there is none."""

    accept: Optional[tuple[str, ...]] = None
    """What the answer may rest on, as the budget or the command line says: names of assumptions, in which `*`
    stands for any text. Absent where anything is accepted.
    """

    not_accepted: Optional[tuple[str, ...]] = None
    """The names of the declarations and of what is assumed on which the answer rests though they are not
    accepted; absent where there are none.
    """


#: Who vouches for something that numbers rest on, in the order in which answers list it.
BudgetKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class BudgetMemory(Part):
    """What the memory that all multiprocessors share adds to a bound."""

    declared: bool
    """Whether the traffic of the launch is declared, so that not every access counts."""

    servers: tuple[BudgetServer, ...]
    """The servers that may keep results waiting."""

    undeclared_bound_ns: Optional[int]
    """The launch takes at most so many nanoseconds if nothing is declared of its traffic; null where nothing
    is, and with co-running kernels.
    """



@dataclass(frozen=True)
class BudgetMethod(Part):
    """What a method estimates."""

    block: Optional[int]
    """Launches of a block; null of peaks."""

    extremal_index: Optional[float]
    """The extremal index above the threshold, 1 where long times come by themselves; null where it is not
    known.
    """

    law: Optional[Law]
    """The law; null where a test failed."""

    levels: tuple[Level, ...]
    """What launches exceed, the most probable first, for probabilities beyond those that the data show
    themselves; empty where a test failed.
    """

    method: str
    """`block-maxima` or `peaks-over-threshold`."""

    tests: tuple[BudgetTest, ...]
    """Tests of what the method assumes besides."""

    threshold: Optional[float]
    """The threshold; null of block maxima."""

    unsupported: Optional[str]
    """Why it estimates nothing; null where it does."""

    used: int
    """How many maxima, or times above the threshold, the law was fitted to."""


#: What became of a deadline.
Outcome = Literal["met", "missed", "undecided", "not-accepted", "error"]



@dataclass(frozen=True)
class BudgetPart(Part):
    """A part of a bound."""

    name: str
    """`launch overhead`, `copy in`, `kernel`, `copy out`, or of a co-running kernel its name and what it
    adds.
    """

    ns: float
    """Its nanoseconds, to the picosecond, rounded up."""



@dataclass(frozen=True)
class BudgetServer(Part):
    """A server of the memory."""

    cycles: int
    """For how many cycles it may keep results waiting; with co-running kernels 1 stands for any number."""

    name: str
    """Its name: `DRAM`, `L2`, `ATOMICS`, or one of a machine file."""

    rate: str
    """The least rate while requests wait, as a person reads it: `122.8 GB/s`."""

    sources: str
    """Where that is from; empty where it is not said."""



@dataclass(frozen=True)
class BudgetTest(Part):
    """A test of an assumption."""

    assumes: str
    """What it is about, as a sentence."""

    passed: bool
    """Whether the assumption is kept."""

    probability: Optional[float]
    """How probable such a statistic is where the assumption holds; null of `grid` and `range`."""

    statistic: float
    """Its statistic; of `grid`, the step of the times over the scale of the law; of `range`, the longest
    measured time.
    """

    test: str
    """Its name: `ljung-box`, `kolmogorov-smirnov`, `mann-kendall`, `wald-wolfowitz`, `anderson-darling`,
    `grid` or `range`.
    """



@dataclass(frozen=True)
class BudgetTime(Part):
    """How long a launch takes at most. All bounds rest on `assumptions`."""

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on: what was declared, then what nobody vouches for, the rules of the model, and
    what sources say.
    """

    blocks: int
    """Blocks of the launch."""

    bound_cycles: Optional[int]
    """The kernel takes at most so many cycles on a GPU that it has for itself; null with co-running kernels,
    where the bound is one of time.
    """

    bound_ns: Optional[int]
    """The launch takes at most so many nanoseconds, rounded up; null where there is no bound, for the
    `reason`.
    """

    clock: Clock
    """The clock of the GPU."""

    compute_capability: str
    """The compute capability of the GPU."""

    cycles: Optional[CyclesOf]
    """Where the cycles go; null with co-running kernels."""

    deadline_ns: Optional[float]
    """How long the launch may take, in nanoseconds; null where it has no deadline."""

    entry: str
    """The entry."""

    evidence: Optional[Basis]
    """What the bound follows from; null where there is none."""

    file: str
    """The file of the listing."""

    gpu: Optional[str]
    """The name of the GPU; null where a file gives its numbers."""

    hints: tuple[Hint, ...]
    """The declarations that would lower the bound most, at their best, the best first; empty where none is
    open that lowers it by a hundredth. With co-running kernels they are about the kernel that is timed.
    """

    least_ns: int
    """The launch takes at least so many nanoseconds, rounded down."""

    machine: str
    """The machine whose latencies and occupancies count."""

    memory: Optional[BudgetMemory]
    """What the memory that all multiprocessors share adds; null where nothing is known of it, or nothing is
    asked.
    """

    multiprocessors: int
    """How many multiprocessors the GPU has."""

    not_covered: tuple[str, ...]
    """What no number here covers, a sentence each."""

    notes: tuple[str, ...]
    """What a user should know of what was declared and of what the listing lacks, a sentence each."""

    parts: tuple[BudgetPart, ...]
    """What the bound in nanoseconds is made of."""

    reason: Optional[str]
    """Why there is no bound, or why the verdict is not `proved`; else null."""

    residency: Residency
    """How many blocks a multiprocessor holds at once."""

    threads_per_block: int
    """Threads of a block."""

    verdict: Optional[BudgetVerdict]
    """Whether it is proved to be met, or to be missed; null where there is no deadline."""

    warps_per_block: int
    """Warps of a block."""

    estimate: Optional[Estimate] = None
    """What extreme value theory estimates from measured times, which neither the bound nor the verdict rests
    on; absent where none are given.
    """

    lacks: Optional[tuple[str, ...]] = None
    """What the listing does not say though other listings of the same code do, and which therefore counts as
    the worst: control fields, registers of a thread, shared memory of a block. Absent where it says all.
    """

    of_input: Optional[tuple[str, ...]] = None
    """The traces for whose inputs alone the bound and the verdict hold, since declarations of them were used;
    absent if they hold for every input.
    """


#: Whether all launches of all kernels meet their deadlines.
BudgetVerdict = Literal["proved", "refuted", "undecided"]



@dataclass(frozen=True)
class CoLocatedTask(Part):
    """A task that co-runs with the others."""

    alone: float
    """A safe upper bound on the time of a job that has the multiprocessors to itself."""

    blocks: int
    """The most blocks of a job on a multiprocessor."""

    deadline: float
    """The time from the release of a job by which it must be done."""

    kind: str
    """`memory` or `compute`."""

    name: str
    """Its name."""

    period: float
    """The least time between two jobs."""

    response: float
    """A safe upper bound on the time from the release of a job to its end."""

    rt_paws: Optional[float]
    """The time of a job in one simulated run under RT-PAWS, all released together: no bound, since other runs
    may take longer; null where the code cannot be simulated.
    """


#: Who vouches for something that numbers rest on, in the order in which answers list it.
CoLocatedKind = Literal["declared", "assumed", "modelled", "sourced"]


#: What a bound assumes.
Contention = Literal["apart", "contended"]



@dataclass(frozen=True)
class Durations(Part):
    """Upper bounds on the phases of a tile."""

    compute_ns: int
    """On the computation."""

    prefetch_ns: int
    """On the prefetch."""

    writeback_ns: int
    """On the writeback."""



@dataclass(frozen=True)
class PremKernel(Part):
    """A kernel."""

    blocks: int
    """Its blocks."""

    compute_ns: int
    """An upper bound on the computation of a tile."""

    contended: Optional[Durations]
    """The same while other kernels use memory; null where the file does not say."""

    execution_ns: Optional[int]
    """An upper bound on the time of this kernel, as `execution_ns` of the whole; null where there is none."""

    name: str
    """Its name."""

    prefetch_ns: int
    """An upper bound on the prefetch of a tile."""

    tiles: int
    """The tiles of a block."""

    writeback_ns: int
    """An upper bound on the writeback of a tile."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
PremKind = Literal["declared", "assumed", "modelled", "sourced"]


#: What waits for start times.
Mode = Literal["tile-kernel", "tile-block", "phase-kernel", "phase-block"]



@dataclass(frozen=True)
class Offsets(Part):
    """Offsets between one slot and the next."""

    prefetch_ns: int
    """Between prefetches."""

    writeback_ns: Optional[int]
    """Between writebacks; null where writebacks are not timed."""



@dataclass(frozen=True)
class Overlap(Part):
    """Phases that overlap by plan."""

    count: int
    """Pairs that overlap in the whole run."""

    kernels: tuple[int, int]
    """The two kernels, from 1; equal where blocks of one kernel overlap."""

    longest_ns: int
    """How long a pair overlaps at most."""

    phases: tuple[PremPhase, PremPhase]
    """A phase of each of the two kernels."""

    steady: int
    """Pairs that overlap in each repetition of the pattern."""

    total_ns: int
    """How long all pairs overlap together."""



@dataclass(frozen=True)
class Overrun(Part):
    """A phase that ended later than planned."""

    block: int
    """Of which block, from 1."""

    by_ns: int
    """By how much."""

    kernel: int
    """Of which kernel, from 1."""

    phase: PremPhase
    """Which phase."""

    run: int
    """In which run, from 1."""

    tile: int
    """Of which tile, from 1."""



@dataclass(frozen=True)
class Overruns(Part):
    """Phases that ended later than planned."""

    compute: int
    """How many computations did."""

    first: tuple[Overrun, ...]
    """The first of them."""

    prefetch: int
    """How many prefetches did."""

    writeback: int
    """How many writebacks did."""


#: A phase of a tile.
PremPhase = Literal["prefetch", "compute", "writeback"]


#: Which memory phases may not overlap.
Rule = Literal["strict", "relaxed"]



@dataclass(frozen=True)
class PremSearch(Part):
    """How a search for offsets ended."""

    least_hyperperiod_ns: int
    """A lower bound: no schedule has a shorter hyperperiod."""

    stop: SearchEnd
    """Why the search ended."""


#: Why a search ended.
SearchEnd = Literal["proved", "time-limit", "memory-limit", "interrupted"]



@dataclass(frozen=True)
class SharedRuns(Part):
    """Times of runs in which memory phases that overlap share the memory; an estimate."""

    jitter_percent: float
    """The range of the runs over their mean, in percent."""

    longest_ns: int
    """The longest run."""

    mean_ns: int
    """The mean of the runs, rounded down."""

    shortest_ns: int
    """The shortest run."""

    side: str
    """Always `estimate`: what a model with a fitted capacity says is no bound."""



@dataclass(frozen=True)
class PremSharing(Part):
    """The time if memory phases that overlap share the memory."""

    at_least: Optional[int]
    """How many it is assumed to serve at least; null where the file assumes nothing."""

    bound_ns: Optional[int]
    """An upper bound from the launch of the kernels, however the memory is shared; null where nothing is
    assumed.
    """

    capacity: Optional[str]
    """How many blocks the memory serves at full speed, a decimal number; null where nothing tells it."""

    estimate: Optional[SharedRuns]
    """Runs with that capacity, from the first prefetch to the last writeback; null where there are none."""



@dataclass(frozen=True)
class Simulation(Part):
    """What was seen in simulated runs; an estimate."""

    contention: bool
    """Whether durations grow where memory phases overlap; they never do."""

    high_percent: int
    """Durations are at most so many percent of those planned."""

    jitter_percent: float
    """The range of the times of the runs over their mean, in percent."""

    late_starts: int
    """Phases that started later than planned because the phase before ended late."""

    longest_ns: int
    """The longest run."""

    longest_overrun_ns: int
    """The longest time by which a phase ended later than planned."""

    low_percent: int
    """Durations are at least so many percent of those planned."""

    memory_overlaps: int
    """Pairs of memory phases of different kernels that overlapped."""

    overruns: Overruns
    """Phases that ended later than planned."""

    runs: int
    """How many runs there were."""

    seed: int
    """The seed of the random numbers."""

    shortest_ns: int
    """The shortest run."""

    side: str
    """Always `estimate`: what was seen is no bound."""



@dataclass(frozen=True)
class Slot(Part):
    """A slot of the hyperperiod."""

    block: Optional[int]
    """Which block of the kernel, from 1; null for all of them."""

    kernel: int
    """Which kernel, from 1."""

    prefetch_ns: int
    """From the start of a hyperperiod to the prefetch."""

    writeback_ns: int
    """From the start of a hyperperiod to the writeback; only planned where whole tiles are scheduled."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
PremOffsetsKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class OffsetRow(Part):
    """What is known of an offset."""

    assumption: Optional[Contention]
    """What `execution_ns` assumes; null where it is."""

    estimate: Optional[SharedRuns]
    """Runs with shared memory; null where there is no schedule or no capacity."""

    execution_ns: Optional[int]
    """An upper bound from the launch of the kernels by the durations of phases; null where there is none."""

    hyperperiod_ns: Optional[int]
    """The length of a hyperperiod; null where there is no schedule."""

    planned_ns: Optional[int]
    """The end of the last writeback by plan; this is no bound. Null where there is no schedule."""

    prefetch_ns: int
    """The offset between prefetches."""

    refused: Optional[str]
    """Why there is no schedule with this offset; null where there is one."""

    shared_bound_ns: Optional[int]
    """An upper bound from the launch of the kernels, however the memory is shared, if it serves `at_least` so
    many blocks; null where there is none.
    """

    writeback_ns: Optional[int]
    """The offset between writebacks; null where writebacks are not timed."""


#: A phase of a tile.
PremPlanPhase = Literal["prefetch", "compute", "writeback"]



@dataclass(frozen=True)
class PhaseWork(Part):
    """What a phase of a full tile does."""

    bytes: int
    """The bytes between shared and global memory."""

    elements: int
    """The elements that are read, computed or written."""

    elements_of_thread: Optional[int]
    """The most elements of a thread; null where the number of threads is not known."""

    phase: PremPlanPhase
    """Which phase."""



@dataclass(frozen=True)
class Size(Part):
    """A size in elements."""

    height: int
    """The number of lines."""

    width: int
    """The elements of a line."""


#: What became of a bound.
Change = Literal["equal", "smaller", "not-by-code", "mixed", "larger", "new", "gone", "unknown", "not-comparable"]



@dataclass(frozen=True)
class Compared(Part):
    """What became of an entry."""

    change: Change
    """What became of its bound."""

    exceeds: bool
    """Whether the new bound is larger by more than it may be."""

    name: str
    """The name of the entry or kernel, or the file of the instance."""

    new: Optional[float]
    """The new upper bound; null where there is none."""

    old: Optional[float]
    """The old upper bound; null where there is none."""

    percent: Optional[float]
    """The difference in percent of the old bound, above 0 where the new one is larger; null where a bound is
    missing, or the old one is 0.
    """

    unit: str
    """The unit of the bounds: `cycles`, or one of time."""

    because: Optional[str] = None
    """What `change` is because of, where it is not because of the code alone: `lower only because of what is
    declared`; or why the bounds are not comparable. Absent where neither is known of.
    """

    differs: Optional[tuple[Difference, ...]] = None
    """What differs between two launches besides the bound: the code, what is declared and assumed, the clock,
    the deadline, the grid. Absent where nothing does, and in results of other commands than `time` and
    `budget` unless they are not comparable.
    """

    lines: Optional[tuple[LineChange, ...]] = None
    """What lines add more or less, the largest change first; lines of the source where both versions name
    them, else lines of the listings. Absent where nothing changed, or the results do not say what lines
    add.
    """

    new_error: Optional[str] = None
    """Why there is no new bound; absent where there is one, or no new version."""

    notes: Optional[tuple[str, ...]] = None
    """What a reader should know besides, a sentence each; absent where there is nothing."""

    of: Optional[Of] = None
    """What the cycles of `lines` are; absent where there are none."""

    old_error: Optional[str] = None
    """Why there is no old bound; absent where there is one, or no old version."""



@dataclass(frozen=True)
class Difference(Part):
    """Something that differs between the two versions."""

    new: Optional[str]
    """What the new version says; null where it says nothing."""

    old: Optional[str]
    """What the old version says; null where it says nothing."""

    what: What
    """What it is."""

    id: Optional[str] = None
    """The name of what is declared or assumed, as `loop.bound`; absent of what is neither."""

    subject: Optional[str] = None
    """What it is about, as `loop .L_x_2`; absent where `what` says it all."""



@dataclass(frozen=True)
class Exact(Part):
    """Cycles without rounding, each a whole number or a ratio such as `7/2`."""

    change: str
    """The new one less the old one."""

    new: str
    """What it adds in the new version."""

    old: str
    """What the line adds in the old version."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
CompareKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class LineChange(Part):
    """What became of a line."""

    change: float
    """The new one less the old one."""

    exact: Exact
    """The same numbers without rounding."""

    file: Optional[str]
    """The file of the source; null for lines of the listings."""

    instruction: Optional[str]
    """The text of the instruction, the new one where there is one; null for lines of the source."""

    new: float
    """What it adds in the new version."""

    new_line: Optional[int]
    """The line of the new version, from 1; null where its listing has no such instruction."""

    old: float
    """What it adds in the old version, in cycles; a number that is not whole is the nearest one of a double."""

    old_line: Optional[int]
    """The line of the old version, from 1; null where its listing has no such instruction."""

    percent: Optional[float]
    """The change in percent of the old one; null where that is 0."""


#: What cycles of lines are.
Of = Literal["further-warp", "critical-path", "kernel"]


#: The outcome of a comparison: that of its gravest entry.
CompareVerdict = Literal["within", "unknown", "gone", "worse"]


#: What differs.
What = Literal["code", "entry", "declared", "assumed", "modelled", "sourced", "file", "clock", "machine", "program", "deadline", "grid", "block", "gpu", "launch"]


#: What a record of `gpus` is about.
GpusKind = Literal["preset", "compute-capability"]



@dataclass(frozen=True)
class GpusMemory(Part):
    """The L2 and the DRAM, which all multiprocessors of a GPU share."""

    assumed: str
    """What is assumed of them without a source; empty where nothing is."""

    dram_bits: int
    """The wires for data between the GPU and its DRAM."""

    dram_bytes_per_second: int
    """The most bytes a second that the DRAM moves by its data sheet; no kernel reaches that."""

    dram_clock_mhz: Optional[float]
    """The clock of the DRAM at that rate, in megahertz, at which a wire carries two bits a cycle; null where
    it is not known.
    """

    l2_bytes: int
    """The size of the L2, in bytes."""

    l2_bytes_per_cycle: int
    """The most bytes that the whole L2 moves in a cycle of the GPU."""

    shared_with_cpu: bool
    """Whether CPU cores have their memory in the same DRAM."""

    source: str
    """Where these numbers are from."""



@dataclass(frozen=True)
class Multiprocessor(Part):
    """What one multiprocessor has. The two ends of a range differ where the sources leave it open; sigmas are
    those of the least.
    """

    blocks: Between
    """Blocks that it holds at once."""

    cuda_cores: int
    """CUDA cores."""

    load_store_units: Between
    """Load/store units."""

    registers: int
    """Registers of 32 bits."""

    registers_per_block: int
    """The most registers of a block."""

    registers_per_thread: int
    """The most registers of a thread."""

    reserved_shared_memory: int
    """Shared memory that the system takes for each block, in bytes."""

    shared_memory: int
    """Shared memory, in bytes."""

    shared_memory_per_block: int
    """The most shared memory of a block, in bytes."""

    sigma_c: str
    """CUDA-core instructions that warps may issue in a cycle."""

    sigma_l: str
    """Load/store instructions that warps may issue in a cycle: a whole number, or a ratio such as `1/2`."""

    threads: int
    """Threads that it holds at once."""

    warps: int
    """Warps that it holds at once."""



@dataclass(frozen=True)
class Judged(Part):
    """A claim and the verdict on it."""

    claim: str
    """The name of the field that claims it, or `schedule`."""

    judgement: Judgement
    """The verdict on it."""

    why: str
    """Why, in a sentence."""


#: The verdict on a claim.
Judgement = Literal["confirmed", "refuted", "not-judged"]



@dataclass(frozen=True)
class CheckServer(Part):
    """A part of the memory that all multiprocessors share."""

    before: int
    """The most work that is left from before."""

    line: int
    """What a line of 128 bytes costs."""

    lone_sector: int
    """What a sector of 32 bytes costs that comes alone in its line."""

    name: str
    """Its name."""

    rate: str
    """The least amount that it serves in a cycle while requests wait, as a number or a ratio; bytes, or
    lanes.
    """

    assumed: Optional[bool] = None
    """Whether no source gives the rate; absent where one does."""

    others: Optional[tuple[int, str]] = None
    """What others take: at most at once, and in each cycle; absent where nobody else takes anything."""

    pauses: Optional[tuple[int, int, int]] = None
    """The cycles of a pause, from one to the next, and how many may be put off; absent where it never pauses."""

    sources: Optional[str] = None
    """Where the rate is from; absent where that is not said."""



@dataclass(frozen=True)
class Contradiction(Part):
    """A number that something else in its record contradicts."""

    number: str
    """The name of the number."""

    why: str
    """What contradicts it."""



@dataclass(frozen=True)
class Coq(Part):
    """A theorem that Coq has checked."""

    file: str
    """Its file."""

    theorem: str
    """Its name."""


#: Who vouches for something that numbers rest on, in the order in which answers list it.
VerifyKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Theorem(Part):
    """What numbers follow from."""

    checked: How
    """How it is checked."""

    coq: tuple[Coq, ...]
    """What Coq has checked of it: all of it only if `checked` is `machine`."""

    name: str
    """Its name."""

    page: str
    """The page of the manual that states it, in `docs`."""

    rest: Optional[str]
    """What it assumes besides; null where that is nothing."""

    says: str
    """What it says."""

    section: str
    """Where on the page: the number or the title of a section, or the name of a theorem."""



@dataclass(frozen=True)
class Weakest(Part):
    """The weakest link."""

    checked: How
    """How the number is checked."""

    number: str
    """The name of the number."""



@dataclass(frozen=True)
class Condition(Part):
    """A condition of a theorem."""

    condition: str
    """What has to hold."""

    found: str
    """What was found."""

    holds: Holds
    """Whether it does."""



@dataclass(frozen=True)
class Division(Part):
    """How the cycles of a warp divide, from cycle 1 to its last issue."""

    cycles: int
    """The cycle of its last issue, which is the sum of all shares."""

    makespan: int
    """The cycles that the whole schedule takes."""

    shares: tuple[ExplainShare, ...]
    """What it does in how many cycles; what it never does is left out."""

    warp: str
    """The warp."""



@dataclass(frozen=True)
class Ended(Part):
    """How a command ended."""

    exit: int
    """Its exit code for this record; several records may make it another."""

    why: str
    """What that means here, and what ended the run, in words."""



@dataclass(frozen=True)
class Holder(Part):
    """An issue that keeps a warp from issuing."""

    cycle: int
    """The cycle of the issue."""

    instruction: int
    """The instruction, from 1."""

    letter: str
    """Its letter."""

    until: int
    """The last cycle in which it holds its unit."""

    warp: str
    """The warp."""


#: Whether a condition holds.
Holds = Literal["yes", "no", "unknown"]


#: Who vouches for something that numbers rest on, in the order in which answers list it.
ExplainKind = Literal["declared", "assumed", "modelled", "sourced"]



@dataclass(frozen=True)
class Moment(Part):
    """What a warp does in a cycle, and why."""

    by: tuple[Holder, ...]
    """The issues that fill the unit or the scheduler, or the one whose result it waits for."""

    cycle: int
    """The cycle."""

    instruction: Optional[int]
    """The instruction that it issues, or that it stands before, from 1; null where there is none."""

    letter: Optional[str]
    """The letter of that instruction; null where it is not ready for one."""

    missing: tuple[str, ...]
    """The warps that have not come to the barrier."""

    state: State
    """What it does."""

    unit: Optional[str]
    """The unit that takes no more; else null."""

    until: Optional[int]
    """The first cycle in which it no longer waits for this; null where that depends on the scheduler."""

    warp: str
    """The warp."""

    why: str
    """What it does and why a work-conserving scheduler may have it so, in words."""



@dataclass(frozen=True)
class Reason(Part):
    """A number of a record, and why it is what it is."""

    by: tuple[str, ...]
    """The names of the theorems that it follows from."""

    checked: How
    """How that is checked; `unknown` where a condition does not hold or the checker refutes the number."""

    conditions: tuple[Condition, ...]
    """The conditions of the theorems, and whether they hold here."""

    judged: tuple[Judged, ...]
    """What a second computation finds, which shares no code with the first; empty where there is none."""

    name: str
    """The field, with the names of what it is about."""

    rests_on: tuple[str, ...]
    """The names of what it rests on, of those in `assumptions`."""

    side: NumberSide
    """On which side of the truth it is."""

    terms: tuple[ExplainTerm, ...]
    """What the number is the sum of, the largest first; empty where the record does not tell."""

    value: str
    """What it is."""

    why: Optional[str]
    """Why it is not known how it is checked, or what else to know; else null."""



@dataclass(frozen=True)
class ExplainShare(Part):
    """Cycles in which a warp does something, or waits for something."""

    cycles: int
    """How many cycles."""

    state: State
    """What it does."""

    unit: Optional[str]
    """The unit, where it waits for one; else null."""


#: What a warp does in a cycle.
State = Literal["issues", "waits-for-unit", "waits-for-issue", "waits-for-latency", "waits-at-barrier", "waits-for-slot", "finished"]



@dataclass(frozen=True)
class ExplainTerm(Part):
    """A part of a number."""

    name: str
    """What it is."""

    percent: int
    """The same in percent of the number, rounded down."""

    value: str
    """How much it is, in the unit of the number."""



@dataclass(frozen=True, repr=False)
class Solve(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/solve/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains; absent in older records."""

    best_case: Optional[int]
    """The smallest makespan, in cycles; null unless every state was searched."""

    checks: tuple[SolveCheck, ...]
    """What other engines said of the answer."""

    engine: str
    """The engine that answered: `phase`, `beam`, `states`, `ilp`, `program` for programs with branches or
    loops, or `relay` for blocks that follow one another.
    """

    evidence: SolveEvidence
    """What the two ends follow from."""

    instance: Instance
    """What was solved."""

    lower: int
    """The worst case takes at least so many cycles, however the run ended."""

    model: Optional[Model]
    """The size of the integer linear program; null unless one was built to answer."""

    not_exact: Optional[NotExact]
    """Why `lower` is below `upper` although no limit stopped the run; else null."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    phase: Optional[SolvePhase]
    """The phase bound; null where no engine computed it."""

    seconds: float
    """Wall-clock time of the run."""

    states: Optional[int]
    """The number of states; null unless every state was searched."""

    stop: Optional[Limit]
    """The limit that stopped the run; null where none did."""

    upper: int
    """The worst case takes at most so many cycles, however the run ended."""

    verdict: SolveVerdict
    """Whether the worst case is known exactly."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    completion_upper: Optional[int] = None
    """On a machine with latency: the cycle at whose end every result is there at the latest; absent
    elsewhere.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    grid_schedule: Optional[tuple[GridIssueRecord, ...]] = None
    """The same for a grid, whose records also say where each block is and from when on."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    lower_from: Optional[str] = None
    """What the lower end follows from, in words; absent in older records."""

    machine_schedule: Optional[tuple[MachineIssueRecord, ...]] = None
    """The same on a machine with latency, whose records say the latency of each issue too."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    paths: Optional[tuple[PathLine, ...]] = None
    """The lines that warps of programs with branches or loops run in a schedule that takes `lower` cycles;
    absent for kernels without them, and where no schedule was replayed.
    """

    policy: Optional[Order] = None
    """The order in which the schedulers try their warps, for which alone the numbers hold; absent where they
    hold for every order.
    """

    schedule: Optional[tuple[IssueRecord, ...]] = None
    """A schedule that takes `lower` cycles; absent unless it was asked for and is not too large. Where there
    are `paths`, its groups are those.
    """

    upper_from: Optional[str] = None
    """What the upper end follows from, in words; absent in older records."""



@dataclass(frozen=True, repr=False)
class Bound(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/bound/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains; absent in older records."""

    bounds: tuple[Row, ...]
    """All bounds and estimates."""

    instance: Instance
    """What was bounded."""

    lower: int
    """The largest of the safe lower bounds, in cycles; 0 where there is none."""

    upper: Optional[int]
    """The smallest of the safe upper bounds, in cycles; null where there is none."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    completion_upper: Optional[int] = None
    """On a machine with latency: the cycle at whose end every result is there at the latest; absent
    elsewhere.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    notes: Optional[tuple[str, ...]] = None
    """What else should be known, a sentence each; absent where there is nothing."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    policy: Optional[Order] = None
    """The order in which the schedulers try their warps, for which alone the numbers hold; absent where they
    hold for every order.
    """

    skipped: Optional[tuple[Skipped, ...]] = None
    """The bounds that do not apply, each with the reason; absent where there is none."""



@dataclass(frozen=True, repr=False)
class Simulate(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/simulate/1"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains; absent in older records."""

    best: Optional[int]
    """The best case, in cycles; null where it is not known, or the machine is not that of the model."""

    instance: Instance
    """What was run."""

    interval: Optional[tuple[int, int]]
    """The worst case is at least the first and at most the second number; null where the machine is not that
    of the model.
    """

    machine: Machine2
    """What it ran on."""

    runs: tuple[Run, ...]
    """A run of each policy."""

    version: str
    """The version of the warpspan that wrote the record."""

    worst: Optional[int]
    """The worst case, in cycles; null where it is not known exactly, or the machine is not that of the model."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    completion_upper: Optional[int] = None
    """The same bound on the cycle at whose end every result is there; absent where none is known."""

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    not_exact: Optional[NotExact] = None
    """Why the interval is open although no limit stopped the search; absent elsewhere."""

    notes: Optional[tuple[str, ...]] = None
    """What else should be known, a sentence each; absent where there is nothing."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    stop: Optional[Limit] = None
    """The limit that left the interval open; absent where none did."""

    upper: Optional[int] = None
    """A safe upper bound on `last_issue` of any run that starts together; absent where none is known."""



@dataclass(frozen=True, repr=False)
class Extract(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/extract/2"

    entries: tuple[Entry, ...]
    """Its entries, in the order of the file."""

    file: Optional[str]
    """The file; null where flags alone name the instance."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Rta(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/rta/5"

    assumptions: tuple[Assumption, ...]
    """What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md`
    explains.
    """

    by: Optional[VerdictBy]
    """What the verdict rests on; null where it is undecided."""

    capacity: int
    """The threads that the whole GPU holds at once."""

    checked: Checks
    """How the verdict and the response bounds are checked."""

    follows_algorithm2: bool
    """Whether estimates of Algorithm 2 are those of the simulator: its assumptions hold, except that a
    release or what a block needs may be missing.
    """

    gpu: Gpu
    """What the kernels run on."""

    horizon: Optional[float]
    """The method covers launches before this time; null where that covers all launches."""

    kernels: tuple[RtaKernel, ...]
    """The kernels, in the order in which they are launched."""

    method: RtaMethod
    """The method of the estimates. They take what is given of blocks alone: registers and shared memory that
    are not given limit nothing, as in Pa19.
    """

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    overloaded: bool
    """Whether more threads are asked for in the long run than there are."""

    schedulable: bool
    """Whether the verdict is `proved`."""

    stop: Optional[Limit]
    """The limit that stopped something; null where none did."""

    unit: TimeUnit
    """The unit of all times."""

    utilisation: float
    """Threads that are busy in the long run: the sum over the kernels."""

    verdict: RtaVerdict
    """Whether every launch there will be meets its deadline, if blocks take at most C."""

    version: str
    """The version of the warpspan that wrote the record."""

    without_limit: bool
    """Whether the machine has no server that says how fast the data of its code moves, so that no deadline is
    said to be met.
    """

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    bounds_rest_on: Optional[tuple[Assumption, ...]] = None
    """What response bounds rest on, where the verdict is `refuted` and so rests on something else; else
    absent.
    """

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    mends: Optional[tuple[str, ...]] = None
    """What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there
    is nothing.
    """

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    schedule: Optional[tuple[Stay, ...]] = None
    """What ran where in one run; absent unless it was asked for."""

    trace: Optional[tuple[Launch, ...]] = None
    """How Algorithm 2 places launches; absent unless it was asked for and its assumptions hold."""



@dataclass(frozen=True, repr=False)
class RtaGraphs(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/rta-graphs/2"

    assumptions: tuple[Assumption, ...]
    """What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md`
    explains.
    """

    by: Optional[VerdictBy]
    """What the verdict rests on; null where it is undecided."""

    checked: CheckedBounds
    """What the bounds follow from."""

    copies: Copies
    """What copies run on."""

    cores: Cores
    """What host nodes run on."""

    gpu: Gpu
    """What kernels run on."""

    graphs: tuple[Graph, ...]
    """The graphs, in the order of the file."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    schedulable: bool
    """Whether the verdict is `proved`."""

    search: Optional[RtaGraphsSearch]
    """How the search for multiprocessors ended; null where no graph asks for one."""

    unit: TimeUnit
    """The unit of all times."""

    verdict: RtaGraphsVerdict
    """Whether every launch of every graph meets its deadline."""

    version: str
    """The version of the warpspan that wrote the record."""

    without_limit: bool
    """Whether the machine has no server that says how fast the data of its code moves, so that no deadline is
    said to be met.
    """

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    bounds_rest_on: Optional[tuple[Assumption, ...]] = None
    """What response bounds rest on, where the verdict is `refuted` and so rests on something else; else
    absent.
    """

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    mends: Optional[tuple[str, ...]] = None
    """What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there
    is nothing.
    """

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class RtaModel(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/rta-model/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    at_offsets: bool
    """Whether jobs are assumed to arrive at the offsets of the model."""

    bounds_rest_on: tuple[Assumption, ...]
    """What the response bounds and latencies rest on where the verdict is `refuted`, which rests on other
    things; else empty.
    """

    by: Optional[VerdictBy]
    """What the verdict rests on; null where it is undecided."""

    chains: tuple[Chain, ...]
    """The event chains: those of the file, then those of flags."""

    checked: CheckedBounds
    """What the bounds follow from."""

    findings: tuple[Finding, ...]
    """What looks wrong in the model, and what is not used."""

    namespace: str
    """The namespace of the model, which ends in the version of AMALTHEA."""

    notes: tuple[str, ...]
    """What else is worth knowing."""

    overloaded: Optional[str]
    """The processing unit that is asked for more than it can do; null where that is not proved of any."""

    schedulable: bool
    """Whether the verdict is `proved`."""

    tasks: tuple[RtaModelTask, ...]
    """The tasks, in the order of the file."""

    units: tuple[str, ...]
    """The processing units of the model."""

    verdict: RtaModelVerdict
    """Whether all jobs meet their deadlines, and all event chains keep their limits."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class RtaProcesses(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/rta-processes/2"

    assumptions: tuple[Assumption, ...]
    """What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md`
    explains.
    """

    checked: CheckedBounds
    """What the bounds follow from."""

    cores: tuple[str, ...]
    """The cores that tasks run on; empty of kernels."""

    gpu: Optional[Gpu]
    """What kernels run on; null of tasks."""

    kernels: tuple[RtaProcessesKernel, ...]
    """The kernels; empty of tasks."""

    processes: tuple[str, ...]
    """The processes; of tasks, each of which is one, their names."""

    schedulable: bool
    """Whether the verdict is `proved`."""

    scheduling: RtaProcessesSharing
    """Who has the GPU."""

    slice: Optional[float]
    """L: a turn ends after so long at the latest; null where processes take no turns."""

    switch: Optional[float]
    """theta: how long it takes to change to another process; null where processes take no turns."""

    tasks: tuple[RtaProcessesTask, ...]
    """The tasks, each a process of its own; empty of kernels."""

    unit: TimeUnit
    """The unit of all times."""

    update: Optional[float]
    """epsilon: how long an update of the runlist takes; null where there are none."""

    verdict: RtaProcessesVerdict
    """Whether all jobs, or all launches, meet their deadlines."""

    version: str
    """The version of the warpspan that wrote the record."""

    waiting: Optional[Waiting]
    """What a job does on its core while the GPU works for it; null of kernels."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    bounds_rest_on: Optional[tuple[Assumption, ...]] = None
    """What response bounds rest on, where the verdict is `refuted` and so rests on something else; else
    absent.
    """

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    mends: Optional[tuple[str, ...]] = None
    """What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there
    is nothing.
    """

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Time(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/time/4"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on: what was declared, then what nobody vouches for, the rules of the model, and
    what sources say.
    """

    blocks: int
    """Blocks of the launch."""

    bound_cycles: Optional[int]
    """The kernel takes at most so many cycles on a GPU that it has for itself; null with co-running kernels,
    where the bound is one of time.
    """

    bound_ns: Optional[int]
    """The launch takes at most so many nanoseconds, rounded up; null where there is no bound, for the
    `reason`.
    """

    clock: Clock
    """The clock of the GPU."""

    compute_capability: str
    """The compute capability of the GPU."""

    cycles: Optional[CyclesOf]
    """Where the cycles go; null with co-running kernels."""

    deadline_ns: Optional[float]
    """How long the launch may take, in nanoseconds; null where it has no deadline."""

    entry: str
    """The entry."""

    evidence: Optional[Basis]
    """What the bound follows from; null where there is none."""

    file: Optional[str]
    """The file; null where flags alone name the instance."""

    gpu: Optional[str]
    """The name of the GPU; null where a file gives its numbers."""

    hints: tuple[Hint, ...]
    """The declarations that would lower the bound most, at their best, the best first; empty where none is
    open that lowers it by a hundredth. With co-running kernels they are about the kernel that is timed.
    """

    least_ns: int
    """The launch takes at least so many nanoseconds, rounded down."""

    machine: str
    """The machine whose latencies and occupancies count."""

    memory: Optional[TimeMemory]
    """What the memory that all multiprocessors share adds; null where nothing is known of it, or nothing is
    asked.
    """

    multiprocessors: int
    """How many multiprocessors the GPU has."""

    not_covered: tuple[str, ...]
    """What no number here covers, a sentence each."""

    notes: tuple[str, ...]
    """What a user should know of what was declared and of what the listing lacks, a sentence each."""

    parts: tuple[TimePart, ...]
    """What the bound in nanoseconds is made of."""

    reason: Optional[str]
    """Why there is no bound, or why the verdict is not `proved`; else null."""

    residency: Residency
    """How many blocks a multiprocessor holds at once."""

    threads_per_block: int
    """Threads of a block."""

    verdict: Optional[TimeVerdict]
    """Whether it is proved to be met, or to be missed; null where there is no deadline."""

    version: str
    """The version of the warpspan that wrote the record."""

    warps_per_block: int
    """Warps of a block."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    estimate: Optional[Estimate] = None
    """What extreme value theory estimates from measured times, which neither the bound nor the verdict rests
    on; absent where none are given.
    """

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    lacks: Optional[tuple[str, ...]] = None
    """What the listing does not say though other listings of the same code do, and which therefore counts as
    the worst: control fields, registers of a thread, shared memory of a block. Absent where it says all.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    of_input: Optional[tuple[str, ...]] = None
    """The traces for whose inputs alone the bound and the verdict hold, since declarations of them were used;
    absent if they hold for every input.
    """



@dataclass(frozen=True, repr=False)
class Partition(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/partition/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    mechanism: Optional[Mechanism]
    """What sets partitions up, with the sizes that it can give them; null where they take any number of
    multiprocessors or slices.
    """

    method: str
    """How partitions were looked for: `1G`, `exact`, `SMS-INA`, `SMS-ACT`, `BF-INA` or `BF-ACT`; `given`
    where the file gives them.
    """

    multiprocessors: int
    """The multiprocessors that partitions may take; with slices, those of all slices; with a mechanism, those
    of the largest partition that it can set up.
    """

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    partitions: tuple[PartitionPart, ...]
    """The partitions; empty where there are none."""

    reason: Optional[str]
    """Why there are no partitions; null where there are."""

    required: Optional[int]
    """The multiprocessors that the method got down to; null where it did not get so far."""

    schedulable: bool
    """Whether the verdict is `schedulable`."""

    slices: Optional[Slices]
    """The slices that partitions take; null where they take any number of multiprocessors."""

    test: PartitionTest
    """The test that decides whether deadlines hold."""

    used: Optional[int]
    """The multiprocessors of all partitions; null where there are none."""

    verdict: PartitionVerdict
    """The outcome."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    tasks: Optional[tuple[PartitionTask, ...]] = None
    """All tasks, in the order of the file; absent in older records."""



@dataclass(frozen=True, repr=False)
class Budget(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/budget/2"

    budget: str
    """The file that names the kernels."""

    exit_code: int
    """The exit code of the command: the gravest one of the kernels, 4 before 2 before 5 before 3 before 6
    before 0.
    """

    kernels: tuple[BudgetKernel, ...]
    """The kernels, in the order of the file."""

    outcome: Outcome
    """The outcome: that of the gravest kernel, an error before a deadline that is missed, that before one
    that is undecided, and that before one that is met by what is not accepted.
    """

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class CoLocated(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/co-located/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    multiprocessors: int
    """The multiprocessors that there are."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    one_at_a_time: Optional[int]
    """The fewest multiprocessors that suffice if one kernel runs at a time, by deadline and not preempted;
    null where none of those that there are do.
    """

    reason: Optional[str]
    """Why no deadline is claimed to hold; null where they hold."""

    schedulable: bool
    """Whether all deadlines are proved to hold."""

    tasks: tuple[CoLocatedTask, ...]
    """The tasks; empty where no deadline is claimed to hold."""

    used: Optional[int]
    """The fewest multiprocessors that are proved to suffice; null where none are."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Prem(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/prem/2"

    assumption: Optional[Contention]
    """What the bound assumes; null where there is no bound."""

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    blocks_together: bool
    """Whether a slot starts several blocks together, which then overlap phase by phase."""

    composed_ns: int
    """Tiles times the sum of the durations, the largest of all kernels: a bound on the time without a
    schedule only if the durations are worst cases under contention.
    """

    composed_over_execution: Optional[str]
    """`composed_ns` over `execution_ns`, a whole number or a ratio such as `7/2`; null where there is no
    bound.
    """

    execution_ns: Optional[int]
    """An upper bound under the `assumption`, from the launch of the kernels, prologue and warm-up included;
    null where there is none.
    """

    hyperperiod_ns: int
    """The length of a hyperperiod, after which the slots start again."""

    isolated_ns: int
    """The same with the durations of kernels that run alone."""

    kernels: tuple[PremKernel, ...]
    """The kernels."""

    largest_delay_ns: int
    """The most that rounding to the timer delays a start."""

    memory_overlaps: int
    """Pairs of memory phases of different kernels that overlap by plan."""

    memory_overlaps_within_kernels: int
    """Pairs of memory phases of different blocks of a kernel that overlap by plan."""

    minimal_offset_ns: Optional[int]
    """The least offset between prefetches that satisfies the rule; null where there is none."""

    minimal_writeback_offset_ns: Optional[int]
    """The least offset between writebacks that satisfies the rule; null where there is none, or writebacks
    are not timed.
    """

    mode: Mode
    """What waits for start times: tiles or phases, of kernels or of blocks."""

    no_bound: Optional[str]
    """Why there is no bound; null where there is one."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    offsets: Optional[Offsets]
    """The offsets between slots; null where each slot has its own."""

    one_after_other_ns: int
    """What the kernels take one after the other, each alone and without a schedule."""

    overlaps: tuple[Overlap, ...]
    """Which phases overlap by plan."""

    pattern: int
    """Hyperperiods after which the overlaps repeat: 1 unless rounding to the timer differs from one to the
    next.
    """

    planned_ns: int
    """The end of the last writeback by plan, from the start of the schedule; this is no bound."""

    prologue_ns: Optional[int]
    """The time of a kernel outside its tiles; null where the file does not say, and then 0 is assumed."""

    relaxed: bool
    """Whether the planned durations satisfy the relaxed rule."""

    relaxed_if_early: bool
    """Whether the relaxed rule is satisfied by all durations up to those planned."""

    rule: Rule
    """Which memory phases may not overlap."""

    search: Optional[PremSearch]
    """How a search for offsets ended; null where there was none."""

    sharing: Optional[PremSharing]
    """The time if memory phases that overlap share the memory; null where the file does not say how."""

    simulation: Optional[Simulation]
    """What was seen in simulated runs; null where there were none."""

    slots: tuple[Slot, ...]
    """When the slots of a hyperperiod start."""

    start_ns: int
    """When the schedule starts."""

    strict: bool
    """Whether the planned durations satisfy the strict rule."""

    timer_ns: int
    """The granularity of the timer."""

    version: str
    """The version of the warpspan that wrote the record."""

    warm_up_ns: int
    """From the start of the schedule to the first tile."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class PremOffsets(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/prem-offsets/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    at_least: Optional[int]
    """How many it is assumed to serve at least; null where the file assumes nothing, and then there is no
    `shared_bound_ns`.
    """

    capacity: Optional[str]
    """How many blocks the memory serves at full speed, a decimal number; null where nothing tells it, and
    then there are no estimates.
    """

    high_percent: int
    """Phases take at most so many percent of their durations in the runs."""

    low_percent: int
    """Phases take at least so many percent of their durations in the runs."""

    mode: Mode
    """What waits for start times: tiles or phases, of kernels or of blocks."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    rows: tuple[OffsetRow, ...]
    """A row for each offset, as far as the sweep came."""

    runs: int
    """The runs for each offset."""

    seed: int
    """The seed of the random numbers."""

    unscheduled: Optional[SharedRuns]
    """Runs without a schedule, all kernels starting at once; null where there are no estimates."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    timer_ns: Optional[int] = None
    """The granularity of the timer that starts phases; absent in older records."""



@dataclass(frozen=True, repr=False)
class PremPlan(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/prem-plan/1"

    blocks: int
    """The blocks of the kernel."""

    bytes_read: int
    """The bytes that all tiles together read."""

    bytes_written: int
    """The bytes that all tiles together write."""

    element_bytes: int
    """The bytes of an element."""

    grid: Size
    """How many rows and columns of tiles there are."""

    image: Size
    """The image, in elements."""

    least_read_bytes: int
    """The bytes that are read with it."""

    least_read_tile: Size
    """The tile with which the fewest bytes are read, within the same shared memory."""

    mask: Size
    """The mask."""

    phases: tuple[PhaseWork, ...]
    """What the phases of a full tile do."""

    results: Size
    """The results of the whole image."""

    shared_memory: int
    """The bytes of shared memory that a block needs."""

    threads_per_block: Optional[int]
    """The threads of a block; null where the file does not say."""

    tile: Size
    """The elements that a full tile reads."""

    tile_results: Size
    """The results of a full tile."""

    tiles: int
    """The tiles of the block with the most, `tiles` in a file."""

    tiles_in_all: int
    """How many tiles there are in all."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Compare(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/compare/2"

    allow_gone: bool
    """Whether entries may be gone."""

    entries: tuple[Compared, ...]
    """The entries: those of the new version in their order, then those that are gone."""

    new: str
    """The file of the new version."""

    old: str
    """The file of the old version."""

    verdict: CompareVerdict
    """The outcome."""

    version: str
    """The version of the warpspan that wrote the record."""

    worse_than: Optional[float]
    """By how many percent a bound may rise; null where no limit was given."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    assumptions: Optional[tuple[Assumption, ...]] = None
    """What the bounds of the new version rest on; those of the old one on the same, but for what `differs`.
    Absent in older records.
    """

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class SweepRow(Answer):
    """A cell and its results. A field without a value is empty in CSV and null in JSON lines. Cycles are
    whole numbers. The fields stand in this order in CSV, and have these names in JSON lines.
    """

    asked: str
    """The engine that was asked for: auto, states, phase, ilp-short, ilp-long, ilp-aggregated, or bounds for
    none.
    """

    best_case: Optional[int]
    """The smallest makespan, where an engine searched every state."""

    bottleneck: int
    """The time that the busier unit needs, which is a lower bound."""

    cell: int
    """The number of the cell in the grid, from 1."""

    cggty: Optional[int]
    """The makespan under the policy greedy, then youngest."""

    columns: Optional[int]
    """The columns of the ILP."""

    critical_path: int
    """The critical path, which is an upper bound."""

    engine: str
    """The engine that answered."""

    entry: Optional[str]
    """The name of the listing's entry, if the kernel is from a listing. Older tables lack this column."""

    grid: str
    """The name of the grid: a hash of its contents, so that rows of different grids are not mixed."""

    gto: Optional[int]
    """The makespan under the policy greedy, then oldest."""

    kernel: str
    """The kernel string with its repetitions written out, or the text of a program."""

    lower: int
    """The worst case is at least this number of cycles: a schedule of this length was replayed, or a theorem
    says so.
    """

    lrr: Optional[int]
    """The makespan under loose round robin, if that policy was asked for. Older tables lack the columns of
    policies.
    """

    min_over_y: Optional[int]
    """The estimate of Be12 Eq. 42-43, min over y = 1..x of ceil(W/y) T(y), which is neither an upper nor a
    lower bound.
    """

    nonzeros: Optional[int]
    """The nonzeros of the ILP."""

    not_exact: Optional[str]
    """Why the worst case is not known exactly although nothing stopped the cell: `paths`, `several-blocks` or
    `no-engine`. Older tables lack this column.
    """

    oldest: Optional[int]
    """The makespan where the oldest warp is always the first."""

    pessimistic: int
    """The pessimistic makespan of Be12 Eq. 5-7, which is an upper bound only where both sigmas are at most 1."""

    phase: int
    """The phase bound, which is an upper bound, and exact for one kernel where both sigmas are at most 1."""

    random: Optional[int]
    """The makespan under an order that is drawn anew each cycle."""

    rows: Optional[int]
    """The rows of the ILP, if one was built to answer."""

    rt_paws: Optional[int]
    """The makespan under RT-PAWS (Si21 Algorithm 5)."""

    seconds: float
    """The wall-clock time of the cell in seconds, without that of the estimate."""

    sigma_c: str
    """CUDA-core instructions that warps may issue in a cycle: a whole number, or 1/n."""

    sigma_l: str
    """Load/store instructions that warps may issue in a cycle: a whole number, or 1/n."""

    states: Optional[int]
    """The number of states, if every one was searched."""

    stop: Optional[str]
    """The limit that stopped the cell, `time-limit` or `memory-limit`; no value if none did. Older tables
    also say `proved` here, or what `not_exact` says now.
    """

    term: Optional[int]
    """The last term of the estimate, ceil(W/x) T(x), which is Be12's T^(W, x); no value if T(x) is not known.
    Older tables lack this column.
    """

    up_to: Optional[int]
    """The x of the estimate."""

    upper: int
    """The worst case is at most this number of cycles."""

    verdict: str
    """`exact` if both numbers are equal, else `bounded`."""

    version: str
    """The version of warpspan that wrote the row."""

    warps: int
    """The number of warps."""



@dataclass(frozen=True, repr=False)
class Gpus(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/gpus/1"

    assumed: str
    """What is assumed without a source; empty where nothing is."""

    capability_assumed: str
    """What is assumed of the compute capability without a source; empty where nothing is."""

    capability_source: str
    """Where the numbers of the compute capability are from."""

    compute_capability: str
    """The compute capability, such as `8.7`."""

    highest_clock_mhz: Optional[float]
    """The highest clock in megahertz that the data sheet of a preset names; null for a compute capability,
    and where it names none.
    """

    kind: GpusKind
    """Which of the two it is."""

    memory: Optional[GpusMemory]
    """The memory that all multiprocessors of a preset share; null for a compute capability."""

    multiprocessor: Multiprocessor
    """What one multiprocessor has."""

    multiprocessors: Optional[int]
    """How many multiprocessors a preset has; null for a compute capability."""

    name: str
    """The name by which files and flags call it."""

    source: str
    """Where the numbers are from."""

    title: Optional[str]
    """What is sold under the name of a preset; null for a compute capability."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Check(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/check/2"

    claims: tuple[Judged, ...]
    """The verdict on the schedule, then on each claim of the record."""

    errors: tuple[str, ...]
    """Why each refuted claim is false, a sentence each."""

    instance: Instance
    """What the schedule is of."""

    lower: Optional[int]
    """The lower end that is claimed; null for a schedule without claims."""

    makespan: Optional[int]
    """The cycles that the schedule takes; null where it is not valid."""

    recomputed_by: str
    """The name of the plain route."""

    recomputed_upper: int
    """An upper bound on the worst case, in cycles, by the plain route."""

    upper: Optional[int]
    """The upper end that is claimed; null for a schedule without claims."""

    upper_verified: Optional[bool]
    """Whether `upper` was confirmed; null for a schedule without claims."""

    valid: bool
    """Whether the schedule is valid."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""



@dataclass(frozen=True, repr=False)
class Verify(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/verify/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    numbers: tuple[Number, ...]
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""

    of: Optional[str]
    """The schema of the record, or `sweep-row`; null where there is none."""

    theorems: tuple[Theorem, ...]
    """What the numbers follow from; without a record, all that numbers can follow from."""

    version: str
    """The version of the warpspan that wrote the record."""

    weakest: Optional[Weakest]
    """The number that is checked worst; null where there is no record, or nothing in it claims to be proved."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    contradictions: Optional[tuple[Contradiction, ...]] = None
    """Where the record contradicts itself, so that nothing is known of the number; absent where it does not."""

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""



@dataclass(frozen=True, repr=False)
class Explain(Answer):
    """A record as it is printed: one JSON object on one line."""

    SCHEMA: ClassVar[str] = "warpspan/explain/2"

    assumptions: tuple[Assumption, ...]
    """What the numbers rest on, as `docs/assumptions.md` explains."""

    division: Optional[Division]
    """How the cycles of a warp of the schedule divide; null where there is no schedule, or a moment was asked
    for.
    """

    ended: Optional[Ended]
    """How the command ended that wrote the record; null where the record does not tell."""

    moments: tuple[Moment, ...]
    """What warps do in the cycle that was asked for; empty where none was."""

    notes: tuple[str, ...]
    """What else should be known, a sentence each."""

    of: str
    """The schema of the record that is explained, `sweep-row`, or `schedule`."""

    reasons: tuple[Reason, ...]
    """The numbers of the record, each with the evidence for it; empty where a moment was asked for."""

    smaller: tuple[str, ...]
    """What would make the bounds smaller, a sentence each."""

    theorems: tuple[Theorem, ...]
    """What the numbers follow from."""

    version: str
    """The version of the warpspan that wrote the record."""

    arguments: Optional[tuple[str, ...]] = None
    """Its words without the name of the program; absent as that is."""

    build: Optional[Build] = None
    """From which state of its code that was built; absent in older records."""

    command: Optional[str] = None
    """The command that printed the record, quoted for a shell; absent where no command line printed it, such
    as in Python, in a browser and in the library.
    """

    file: Optional[str] = None
    """The file; null where flags alone name the instance."""

    inputs: Optional[tuple[Input, ...]] = None
    """What the command had read when it printed the record, in that order: listings, declarations, classes,
    traces, machines and the files that name these; absent where it read nothing.
    """

    line: Optional[int] = None
    """The line of the file, from 1, where it holds several instances; else absent."""

    numbers: Optional[tuple[Number, ...]] = None
    """Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`."""
