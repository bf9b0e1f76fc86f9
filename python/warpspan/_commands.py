# Written by generate.py: change that, or the flags and records that it reads, and run it again.

"""The commands as functions. Each argument is a flag of the command line, with `_` for `-`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from warpspan import _records
from warpspan._run import Progress, Word, ask, ilp_flags, places
from warpspan._sweep import Table, run_sweep
from warpspan._values import (
    Bandwidth,
    Each,
    File,
    Interval,
    Many,
    Pairs,
    Rate,
    Shape,
    Size,
    Source,
    Time,
    bandwidth,
    interval,
    joined,
    listed,
    pairs,
    paths,
    seconds,
    shape,
    source,
    steps,
)


def solve(
    kernel: str | None = None,
    *,
    engine: Literal["auto", "states", "ilp", "phase"] | None = None,
    beam: int | None = None,
    policy: Literal["worst", "lrr", "oldest", "gto", "cggty"] | None = None,
    schedule: File | None = None,
    best_schedule: File | None = None,
    certificate: File | None = None,
    with_schedule: bool = False,
    file: Source | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    sigma_l: Rate | None = None,
    sigma_c: Rate | None = None,
    compute_capability: str | float | None = None,
    group: Pairs | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    same_path: bool = False,
    blocks: int | None = None,
    resident: int | None = None,
    multiprocessors: int | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **ilp: Any,
) -> _records.Solve:
    """Find the worst-case makespan in cycles: exact, or the narrowest interval that is proved within the limits.

    The model is that of Be12 (K. Berezovskyi, K. Bletsas, B. Andersson, ECRTS 2012), or a machine with
    latency where one is given. `lower` and `upper` of the answer are cycles and always valid, whatever
    stopped it.

    Args:
        kernel: Kernel string of L and C: LLCLL, L2CL2, (LLC|)16  `|` is a barrier. `solve` and
            `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
        engine: Which engine.
        beam: Only a beam search: the N most promising states after each cycle, for a quick interval
            with its schedule.
        policy: What is known of the order in which the schedulers of a machine try their warps.
        schedule: Write the schedule to a file: .csv, .json or .svg.
        best_schedule: Write a schedule of the best case; makes `engine` auto mean states, which
            finds it.
        certificate: Write the answer with its proof: .v for Coq, .json for the checker, both in the
            folder proofs.
        with_schedule: Put the schedule into the JSON.
        file: Instance files (TOML) or a listing of a kernel. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        warps: Number of warps.
        warps_per_block: Warps of a block, which share their barriers [default: all warps of a
            group].
        sigma_l: Warps that issue an L in a cycle: N, 1/n [default: 1]  L is a load/store
            instruction.
        sigma_c: Warps that issue a C in a cycle: N, 1/n [default: 1]  C is an instruction of the
            CUDA cores.
        compute_capability: Both sigmas by compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0,
            5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3,
            11.0, 12.0, 12.1.
        group: Warps of one of several kernels; repeatable  Instead of `kernel` and `warps`. The
            string may be a program.
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless `compute_capability` or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        same_path: Assume that all warps of a group take the same path  Through a program with
            branches or loops, this makes the interval narrower and often exact. It does not follow
            from branches that are uniform within each warp.
        blocks: Blocks of a grid, which wait for room and follow one another; instead of `warps`,
            with `warps_per_block`.
        resident: Blocks that a multiprocessor holds at once [default: all].
        multiprocessors: Multiprocessors that take blocks from the same queue [default: 1].
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.
        **ilp: Of builds with HiGHS: formulation, horizon, plain, write_model, solver_log, as the
            command line takes them.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "kernel": kernel,
        "engine": engine,
        "beam": beam,
        "policy": policy,
        "schedule": schedule,
        "best-schedule": best_schedule,
        "certificate": certificate,
        "with-schedule": with_schedule,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "sigma-l": sigma_l,
        "sigma-c": sigma_c,
        "compute-capability": compute_capability,
        "group": pairs(group, ":"),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
        "same-path": same_path,
        "blocks": blocks,
        "resident": resident,
        "multiprocessors": multiprocessors,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
        **ilp_flags(ilp),
    }
    return ask(_records.Solve, "solve", values, places(source(file, "-")), progress)


def bound(
    kernel: str | None = None,
    *,
    up_to: int | None = None,
    policy: Literal["worst", "lrr", "oldest", "gto", "cggty"] | None = None,
    certificate: File | None = None,
    file: Source | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    sigma_l: Rate | None = None,
    sigma_c: Rate | None = None,
    compute_capability: str | float | None = None,
    group: Pairs | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    same_path: bool = False,
    blocks: int | None = None,
    resident: int | None = None,
    multiprocessors: int | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.Bound:
    """Find every bound and estimate of the makespan in cycles, with its side, its equation and whether it is safe.

    Args:
        kernel: Kernel string of L and C: LLCLL, L2CL2, (LLC|)16  `|` is a barrier. `solve` and
            `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
        up_to: The x of the estimate by few warps (Be12 Eq. 42)  It is the least of ceil(W/y) T(y)
            over y = 1..x. By default x is 4 where the closed form gives T(y); else there is no
            estimate, since each T(y) is an ILP.
        policy: What is known of the order in which the schedulers of a machine try their warps.
        certificate: Write the bounds with their proof: .v for Coq, .json for the checker, both in
            the folder proofs.
        file: Instance files (TOML) or a listing of a kernel. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        warps: Number of warps.
        warps_per_block: Warps of a block, which share their barriers [default: all warps of a
            group].
        sigma_l: Warps that issue an L in a cycle: N, 1/n [default: 1]  L is a load/store
            instruction.
        sigma_c: Warps that issue a C in a cycle: N, 1/n [default: 1]  C is an instruction of the
            CUDA cores.
        compute_capability: Both sigmas by compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0,
            5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3,
            11.0, 12.0, 12.1.
        group: Warps of one of several kernels; repeatable  Instead of `kernel` and `warps`. The
            string may be a program.
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless `compute_capability` or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        same_path: Assume that all warps of a group take the same path  Through a program with
            branches or loops, this makes the interval narrower and often exact. It does not follow
            from branches that are uniform within each warp.
        blocks: Blocks of a grid, which wait for room and follow one another; instead of `warps`,
            with `warps_per_block`.
        resident: Blocks that a multiprocessor holds at once [default: all].
        multiprocessors: Multiprocessors that take blocks from the same queue [default: 1].
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "kernel": kernel,
        "up-to": up_to,
        "policy": policy,
        "certificate": certificate,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "sigma-l": sigma_l,
        "sigma-c": sigma_c,
        "compute-capability": compute_capability,
        "group": pairs(group, ":"),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
        "same-path": same_path,
        "blocks": blocks,
        "resident": resident,
        "multiprocessors": multiprocessors,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.Bound, "bound", values, places(source(file, "-")), progress)


def simulate(
    kernel: str | None = None,
    *,
    policy: Many | None = None,
    issue_width: str | None = None,
    latency_l: int | None = None,
    latency_c: int | None = None,
    latency: Literal["least", "most", "random"] | None = None,
    launch: Many | None = None,
    priority: Many | None = None,
    reading: Literal["text", "rotating"] | None = None,
    schedulers: int | None = None,
    seed: int | None = None,
    schedule: File | None = None,
    chart: File | None = None,
    file: Source | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    sigma_l: Rate | None = None,
    sigma_c: Rate | None = None,
    compute_capability: str | float | None = None,
    group: Pairs | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.Simulate:
    """Simulate warp-scheduling policies on an instance, in cycles, with the exact worst and best case (Si21).

    Args:
        kernel: Kernel string of L and C: LLCLL, L2CL2, (LLC|)16  `|` is a barrier. `solve` and
            `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
        policy: Which policies: one, or several as lrr,gto,rt-paws.
        issue_width: Instructions that a scheduler issues a cycle [default: unlimited]  Unlimited is
            as many as the units take, which is the model of the worst case.
        latency_l: Cycles from the issue of a load/store until the warp is ready again [default: 1].
        latency_c: Cycles from the issue of a CUDA-core instruction until the warp is ready again
            [default: 1].
        latency: Of each issue on a machine whose letters have intervals of latency [default: most].
        launch: The cycle after which the warps of each group are there: 0,1 [default: 0, that is,
            ready in cycle 1].
        priority: The priority of each group, larger is more urgent: 1,2 [default: all 1].
        reading: Which group of warps goes first under rt-paws [default: text].
        schedulers: Warp schedulers; warp w, in order of launch, belongs to scheduler w mod N
            [default: 1].
        seed: Of the random policy and of random latencies.
        schedule: Write the schedule of a policy: .csv, .json or .svg  A file .svg takes several
            policies.
        chart: Draw the response times of the groups, relative to the first policy, to a file (.svg).
        file: Instance files (TOML) or a listing of a kernel. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        warps: Number of warps.
        warps_per_block: Warps of a block, which share their barriers [default: all warps of a
            group].
        sigma_l: Warps that issue an L in a cycle: N, 1/n [default: 1]  L is a load/store
            instruction.
        sigma_c: Warps that issue a C in a cycle: N, 1/n [default: 1]  C is an instruction of the
            CUDA cores.
        compute_capability: Both sigmas by compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0,
            5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3,
            11.0, 12.0, 12.1.
        group: Warps of one of several kernels; repeatable  Instead of `kernel` and `warps`. The
            string may be a program.
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless `compute_capability` or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "kernel": kernel,
        "policy": joined(policy),
        "issue-width": issue_width,
        "latency-l": latency_l,
        "latency-c": latency_c,
        "latency": latency,
        "launch": joined(launch),
        "priority": joined(priority),
        "reading": reading,
        "schedulers": schedulers,
        "seed": seed,
        "schedule": schedule,
        "chart": chart,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "sigma-l": sigma_l,
        "sigma-c": sigma_c,
        "compute-capability": compute_capability,
        "group": pairs(group, ":"),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.Simulate, "simulate", values, places(source(file, "-")), progress)


def extract(
    file: Source,
    *,
    compute_capability: str | float | None = None,
    explain: bool = False,
    warps: int | None = None,
    warps_per_block: int | None = None,
    top: int | None = None,
    symbolic: bool = False,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    progress: Progress = None,
) -> _records.Extract:
    """Read instruction strings and structured programs from PTX or SASS.

    Args:
        file: PTX, or SASS as cuobjdump, nvdisasm or CuAssembler print it. A path; a text of several
            lines or a `Text`; a dictionary of the keys of the file; or an answer.
        compute_capability: The paper's model, with letters L and C counted for this compute
            capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0, 5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5,
            8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3, 11.0, 12.0, 12.1 [default: with `warps`
            the machine of the file's capability].
        explain: List each instruction with its letter, how often it counts, and why.
        warps: The bound for so many warps, and what each line adds  Each line stands with its phase
            and its share; on a machine with what it adds, and why.
        warps_per_block: Warps of a block, which share its barriers [default: all].
        top: How many lines to list, the most expensive first  These are lines of the source and of
            the listing. By default they are 20 in text and all in JSON; in text without `machine`,
            it is the whole listing in its order.
        symbolic: The bound as an expression in the bounds of those loops that have none.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "compute-capability": compute_capability,
        "explain": explain,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "top": top,
        "symbolic": symbolic,
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
    }
    return ask(_records.Extract, "extract", values, places(source(file, "-")), progress)


def rta(
    file: Source,
    *,
    method: Literal["algorithm2", "closed-form", "simulate"] | None = None,
    horizon: str | float | None = None,
    schedule: File | None = None,
    certificate: File | None = None,
    with_schedule: bool = False,
    explain: bool = False,
    margins: bool = False,
    at_offsets: bool = False,
    big_sm: bool = False,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.Rta:
    """Bound the response times of kernels on a GPU, in the unit of the system file (Pa19 and bounds of our own).

    Args:
        file: A system (TOML), an AMALTHEA model (.amxmi), or a configuration of the CUDA scheduling
            examiner (.json). A path; a text of several lines or a `Text`; a dictionary of the keys
            of the file; or an answer.
        method: How estimates are found [default: algorithm2]  The verdict rests on what is proved,
            whatever the method.
        horizon: Only launches before this time, in the system's unit [default: all].
        schedule: Write which blocks ran where and when: .csv, .json or .svg  These are the blocks on
            each multiprocessor in the computed run.
        certificate: Write the response bounds with their proof: .v, for Coq.
        with_schedule: Put that schedule into the JSON, for `report`.
        explain: Say where each response bound comes from, and how Algorithm 2 places each launch.
        margins: Say how far each number that the answer rests on may be wrong, or which would do
            The last value with which all deadlines are proved is searched for, while all else stays
            as it is.
        at_offsets: Verify the limits of event chains of an AMALTHEA model at its offsets.
        big_sm: Draw all multiprocessors as one, as Pa19 does.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "method": method,
        "horizon": horizon,
        "schedule": schedule,
        "certificate": certificate,
        "with-schedule": with_schedule,
        "explain": explain,
        "margins": margins,
        "at-offsets": at_offsets,
        "big-sm": big_sm,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.Rta, "rta", values, places(source(file, "-")), progress)


def rta_graphs(
    file: Source,
    *,
    explain: bool = False,
    margins: bool = False,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.RtaGraphs:
    """Bound the makespans and response times of graphs of kernels, copies and host work.

    Args:
        file: A system (TOML), an AMALTHEA model (.amxmi), or a configuration of the CUDA scheduling
            examiner (.json). A path; a text of several lines or a `Text`; a dictionary of the keys
            of the file; or an answer.
        explain: Say where each response bound comes from, and how Algorithm 2 places each launch.
        margins: Say how far each number that the answer rests on may be wrong, or which would do
            The last value with which all deadlines are proved is searched for, while all else stays
            as it is.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "explain": explain,
        "margins": margins,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.RtaGraphs, "rta", values, places(source(file, "-")), progress)


def rta_model(
    file: Source,
    *,
    explain: bool = False,
    chain: Each | None = None,
    at_offsets: bool = False,
    annotate: File | None = None,
    csv: File | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.RtaModel:
    """Bound the response times of the tasks of an AMALTHEA model.

    Args:
        file: A system (TOML), an AMALTHEA model (.amxmi), or a configuration of the CUDA scheduling
            examiner (.json). A path; a text of several lines or a `Text`; a dictionary of the keys
            of the file; or an answer.
        explain: Say where each response bound comes from, and how Algorithm 2 places each launch.
        chain: Also bound the reaction along these tasks of an AMALTHEA model: A,B,C (repeatable).
        at_offsets: Verify the limits of event chains of an AMALTHEA model at its offsets.
        annotate: Write the AMALTHEA model again, with the results as custom properties.
        csv: Write the results of the tasks of an AMALTHEA model as a table.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "explain": explain,
        "chain": listed(chain),
        "at-offsets": at_offsets,
        "annotate": annotate,
        "csv": csv,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.RtaModel, "rta", values, places(source(file, "-")), progress)


def rta_processes(
    file: Source,
    *,
    margins: bool = False,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.RtaProcesses:
    """Bound the response times of tasks or kernels of several processes that share a GPU.

    Args:
        file: A system (TOML), an AMALTHEA model (.amxmi), or a configuration of the CUDA scheduling
            examiner (.json). A path; a text of several lines or a `Text`; a dictionary of the keys
            of the file; or an answer.
        margins: Say how far each number that the answer rests on may be wrong, or which would do
            The last value with which all deadlines are proved is searched for, while all else stays
            as it is.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "margins": margins,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.RtaProcesses, "rta", values, places(source(file, "-")), progress)


def time(
    file: Source,
    *,
    gpu: str | None = None,
    grid: Shape | None = None,
    block: Shape | None = None,
    deadline: Time | None = None,
    evt: Source | None = None,
    top: int | None = None,
    margins: bool = False,
    time_limit: Time | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    loop_total: Pairs | None = None,
    multiprocessors: int | None = None,
    blocks_dealt: Literal["evenly"] | None = None,
    registers: int | None = None,
    shared: int | None = None,
    dynamic_shared: int | None = None,
    clock: Interval | None = None,
    overclocked: bool = False,
    launch_overhead: Time | None = None,
    copy_in: Time | None = None,
    copy_out: Time | None = None,
    alone: bool = False,
    co_running: Each | None = None,
    system: Source | None = None,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    dram_bytes: Interval | None = None,
    l2_bytes: Interval | None = None,
    l1_keeps_block: Size | None = None,
    l2_keeps_launch: Literal["sectors", "lines"] | None = None,
    l2_holds: Size | None = None,
    dram_idle: bool = False,
    arrays_distinct: bool = False,
    ncu: Source | None = None,
    progress: Progress = None,
) -> _records.Time:
    """Bound how long a launch of a kernel takes, from a listing, a GPU and a grid to a deadline.

    Args:
        file: PTX, or SASS as cuobjdump or nvdisasm print it. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        gpu: The GPU: "jetson-nano", "jetson-tx2", "jetson-xavier", "jetson-xavier-nx",
            "jetson-orin", "jetson-orin-32gb", "jetson-orin-nx", "jetson-orin-nano",
            "jetson-orin-nano-4gb", "jetson-thor", "jetson-thor-t4000", "titan", "titan-x",
            "titan-v", "v100", "rtx-2060", "rtx-2070", "titan-rtx", "a100", "rtx-3070", "rtx-a6000",
            "h100", "h100-pcie", "h200", "rtx-2080", "rtx-2080-ti", "rtx-3060", "rtx-3080",
            "rtx-3090", "rtx-4060", "rtx-4060-ti", "rtx-4070", "rtx-4080", "rtx-4090", "rtx-5070",
            "rtx-5070-ti", "rtx-5080", "rtx-5090", "a10", "a30", "a40", "l4", "l40s", "b200".
        grid: Blocks of the launch: N, NxM or N,M,K. A number, or one for each dimension: (60, 135).
        block: Threads of a block: N, NxM or N,M,K. A number, or one for each dimension: (60, 135).
        deadline: How long the launch may take: 800ns, 10us, 5ms, 1s. A number is seconds.
        evt: Times of measured launches in their order, to be shown beside the bound with an estimate
            by extreme value theory  The first line is the unit: cycles, ns, us, ms or s; then each
            line is the time of a launch. The estimate is no bound, and the verdict does not depend
            on it. A measured time above the bound ends the command. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        top: How many lines to list with what they add [default: 5 in text, all in JSON].
        margins: Say of each item how far it may be wrong before the deadline is no longer proved to
            be met, while all else stays as it is.
        time_limit: Stop the search for margins after this time: 30s, 5m  A margin that is not found
            by then is an interval. A number is seconds.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        loop_total: The most passes of a loop by all warps of all blocks together, such as of a queue
            Each pass of its header by a warp counts, also the one in which the warp leaves. LABEL
            may be a line.
        multiprocessors: The multiprocessors that run, of which power modes switch some off [default:
            all of the GPU].
        blocks_dealt: How blocks are dealt to multiprocessors: evenly, none gets more than
            ceil(blocks / multiprocessors) [default: in any way]  The GPU has to be the launch's own,
            and hold all its blocks at once. Nothing in CUDA guarantees it; whoever declares it has
            seen on which multiprocessors blocks run (`%smid`).
        registers: Registers of a thread [default: what the listing says].
        shared: Bytes of shared memory that the kernel declares [default: what the listing says].
        dynamic_shared: Bytes of shared memory that the launch adds [default: assumed 0].
        clock: The clock of the GPU in megahertz: 1300, 900..1300  Two numbers are the slowest and
            the fastest clock. By default it is assumed to be the highest of the data sheet. A
            number, or a pair of the least and the most.
        overclocked: The clock may be above the highest of the data sheet.
        launch_overhead: The longest time from the call until blocks may start [default: assumed 0].
            A number is seconds.
        copy_in: The time of copies before the kernel, which the deadline includes [default: assumed
            0]. A number is seconds.
        copy_out: The time of copies after the kernel [default: assumed 0]. A number is seconds.
        alone: Nothing else is on the GPU [default: assumed, unless other kernels are given].
        co_running: Another kernel that may be launched once at any time, or at most once in each
            PERIOD; repeatable.
        system: A system file of `rta` with the GPU, the machine and the other kernels. A path; a
            text of several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        machine: A GPU that `gpus` lists, a compute capability or a TOML file, for latencies and
            holds [default: those of the GPU]. A path; a text of several lines or a `Text`; a
            dictionary of the keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        dram_bytes: The most bytes that the launch reads and writes in DRAM: 537MB, 8KB/block,
            500MB..537MB [default: every access]  Each sector of 32 bytes may come alone in its line,
            unless `:lines` follows: 537MB:lines. Of two numbers, the lower is what it moves at
            least. A number, or a pair of the least and the most.
        l2_bytes: The most bytes that the launch moves through L2, in the same form. A number, or a
            pair of the least and the most.
        l1_keeps_block: The first cache of a multiprocessor keeps what a block has read until the
            block ends  How much that is follows from the addresses in the code. It is refused if
            more may be touched than the cache has while a block runs: by all blocks of the launch,
            unless blocks run one after the other on a multiprocessor. By default the cache is what
            is left if shared memory is as large as it can be.
        l2_keeps_launch: L2 keeps what the launch has touched until the launch ends [if given without
            a value: sectors]  How much that is follows from the addresses in the code. It is refused
            if the launch may touch more than L2 has. With `lines` all that comes from DRAM comes in
            whole lines.
        l2_holds: L2 holds all that the launch touches from before it starts until it ends, so that
            no access waits for DRAM  SIZE is how large all of that is, with local memory of all
            threads that are there at once. If it is not given, it follows from the addresses in the
            code. ARRAYS are the only ones of which L2 holds what the launch touches, by the
            parameters that point to them: k_param_0,k_param_2. It is refused if L2 has less, with
            code and constants, twice where L2 has two halves. How long an access then takes at most
            stands in the machine (`latency_in_l2`).
        dram_idle: Nothing else uses the DRAM while the launch runs, which has one block: no copies
            and no CPU cores  How long an access then takes at most stands in the machine
            (`latency_in_idle_dram`), and for how long the DRAM pauses besides (`idle_dram`).
        arrays_distinct: Pointers that are different parameters are to different arrays, so that a
            store to one leaves the others in the first cache  No two of these arrays share a sector
            of 32 bytes.
        ncu: What Nsight Compute counted of the launch: a file of `ncu --csv` or `--print-raw`. A
            path; a text of several lines or a `Text`; a dictionary of the keys of the file; or an
            answer.
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "gpu": gpu,
        "grid": shape(grid),
        "block": shape(block),
        "deadline": seconds(deadline),
        "evt": source(evt, "<evt>"),
        "top": top,
        "margins": margins,
        "time-limit": seconds(time_limit),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "loop-total": pairs(loop_total, "="),
        "multiprocessors": multiprocessors,
        "blocks-dealt": blocks_dealt,
        "registers": registers,
        "shared": shared,
        "dynamic-shared": dynamic_shared,
        "clock": interval(clock),
        "overclocked": overclocked,
        "launch-overhead": seconds(launch_overhead),
        "copy-in": seconds(copy_in),
        "copy-out": seconds(copy_out),
        "alone": alone,
        "co-running": listed(co_running),
        "system": source(system, "<system>"),
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
        "dram-bytes": interval(dram_bytes),
        "l2-bytes": interval(l2_bytes),
        "l1-keeps-block": l1_keeps_block,
        "l2-keeps-launch": l2_keeps_launch,
        "l2-holds": l2_holds,
        "dram-idle": dram_idle,
        "arrays-distinct": arrays_distinct,
        "ncu": source(ncu, "<ncu>"),
    }
    return ask(_records.Time, "time", values, places(source(file, "-")), progress)


def budget(
    file: Source,
    *,
    output: File | Iterable[File] | None = None,
    accept: Each | None = None,
    progress: Progress = None,
) -> _records.Budget:
    """Find out whether the kernels of a file are proved to meet their deadlines, each with the answer of `time`.

    Args:
        file: Kernels with their launches and deadlines in TOML. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        output: Also write it into a file: .json, .xml (JUnit), .sarif or .md; repeatable.
        accept: What answers may rest on, in place of what the file says: clock.declared, dram.*;
            repeatable  A name of docs/assumptions.md, or a pattern of names in which * stands for
            any text. A kernel fails that rests on another declaration, or on something else that is
            assumed.
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "output": paths(output),
        "accept": listed(accept),
    }
    return ask(_records.Budget, "budget", values, places(source(file, "-")), progress)


def partition(
    file: Source,
    *,
    order: Literal["sms", "bf"] | None = None,
    pairs: Literal["act", "ina"] | None = None,
    baseline: bool = False,
    exact: bool = False,
    test: Literal["edf", "np-edf", "np-dm"] | None = None,
    slices: Shape | None = None,
    mechanism: Literal["libsmctrl", "nvtaskset", "green-context", "mig", "mps"] | None = None,
    margins: bool = False,
    chart: File | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    jobs: int | None = None,
    progress: Progress = None,
) -> _records.Partition:
    """Find which GPU tasks share which multiprocessors, so that all deadlines hold (Si21).

    Args:
        file: A file of tasks (TOML). A path; a text of several lines or a `Text`; a dictionary of
            the keys of the file; or an answer.
        order: Which candidates for a merge come first.
        pairs: Whether pairs of tasks are tested beforehand.
        baseline: One partition of all tasks on all multiprocessors (1G of Si21).
        exact: The fewest multiprocessors; up to 16 tasks.
        test: The policy within a partition and its test  By default it is that of the file, or
            np-edf; of experiments edf, as in Si21.
        slices: Partitions of whole slices, as with MIG: 7, or 7x14 for slices of 14 multiprocessors.
            A number, or one for each dimension: (60, 135).
        mechanism: What sets partitions up  They have sizes that it can give on the GPU, and the
            answer has its masks, calls or commands. By default it is that of the file; without one,
            partitions have any number of multiprocessors.
        margins: Say how far each number that the answer rests on may be wrong with these partitions,
            or which would do.
        chart: Draw partitions or measured times to a file (.svg).
        time_limit: Stop after so long: 30s, 5m, 1h. A number is seconds.
        memory_limit: Memory that bounds of kernel strings may use: 500M, 2G [default: half of what
            is available].
        jobs: Threads; task sets of an experiment side by side [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "order": order,
        "pairs": pairs,
        "baseline": baseline,
        "exact": exact,
        "test": test,
        "slices": shape(slices, "x"),
        "mechanism": mechanism,
        "margins": margins,
        "chart": chart,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "jobs": jobs,
    }
    return ask(_records.Partition, "partition", values, places(source(file, "-")), progress)


def co_located(
    file: Source,
    *,
    reading: Literal["text", "rotating"] | None = None,
    mechanism: Literal["libsmctrl", "nvtaskset", "green-context", "mig", "mps"] | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    jobs: int | None = None,
    progress: Progress = None,
) -> _records.CoLocated:
    """Bound all kernels of a task set together in one partition, in any work-conserving order of warps.

    Args:
        file: A file of tasks (TOML). A path; a text of several lines or a `Text`; a dictionary of
            the keys of the file; or an answer.
        reading: Which group of warps goes first in the simulated run under RT-PAWS [default: text].
        mechanism: What sets partitions up  They have sizes that it can give on the GPU, and the
            answer has its masks, calls or commands. By default it is that of the file; without one,
            partitions have any number of multiprocessors.
        time_limit: Stop after so long: 30s, 5m, 1h. A number is seconds.
        memory_limit: Memory that bounds of kernel strings may use: 500M, 2G [default: half of what
            is available].
        jobs: Threads; task sets of an experiment side by side [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "reading": reading,
        "mechanism": mechanism,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "jobs": jobs,
        "co-located": True,
    }
    return ask(_records.CoLocated, "partition", values, places(source(file, "-")), progress)


def prem(
    file: Source,
    *,
    mode: Literal["tile-kernel", "tile-block", "phase-kernel", "phase-block"] | None = None,
    rule: Literal["strict", "relaxed"] | None = None,
    prefetch_offset: int | None = None,
    writeback_offset: int | None = None,
    timer: int | None = None,
    search: bool = False,
    jitter: Interval | None = None,
    runs: int | None = None,
    seed: int | None = None,
    schedule: File | Iterable[File] | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.Prem:
    """Find a time-triggered schedule of tiles in prefetch, compute and writeback phases, in nanoseconds (Kr19).

    Args:
        file: Kernels cut into tiles (TOML). A path; a text of several lines or a `Text`; a
            dictionary of the keys of the file; or an answer.
        mode: What waits for a start time of its own [default: of the file, else tile-kernel].
        rule: The rule that the least offsets satisfy.
        prefetch_offset: ns between the prefetches of one kernel or block and the next [default: of
            the file, else the least].
        writeback_offset: ns between the writebacks, where these are scheduled [default: of the file,
            else the least].
        timer: Granularity of the timer in ns [default: of the file, else 1000].
        search: Search for the least hyperperiod  Each kernel or block has an offset of its own. For
            different kernels without offsets this is done in any case.
        jitter: Simulate phases of LOW to HIGH percent: 80..105  The phases of these runs take so
            much of their durations, and overruns are reported. A number, or a pair of the least and
            the most.
        runs: Simulated runs.
        seed: Of the simulation.
        schedule: Write the schedule: .csv, .json, .svg or .h; repeatable  The .h is a header for C
            and CUDA.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "mode": mode,
        "rule": rule,
        "prefetch-offset": prefetch_offset,
        "writeback-offset": writeback_offset,
        "timer": timer,
        "search": search,
        "jitter": interval(jitter),
        "runs": runs,
        "seed": seed,
        "schedule": paths(schedule),
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.Prem, "prem", values, places(source(file, "-")), progress)


def prem_offsets(
    file: Source,
    offsets: str | range,
    *,
    mode: Literal["tile-kernel", "tile-block", "phase-kernel", "phase-block"] | None = None,
    writeback_offset: int | None = None,
    timer: int | None = None,
    chart: File | Iterable[File] | None = None,
    jitter: Interval | None = None,
    runs: int | None = None,
    seed: int | None = None,
    time_limit: Time | None = None,
    memory_limit: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> _records.PremOffsets:
    """Find time and jitter of tiles over a range of offsets, in nanoseconds (Kr19 Fig. 4.9).

    Args:
        file: Kernels cut into tiles (TOML). A path; a text of several lines or a `Text`; a
            dictionary of the keys of the file; or an answer.
        offsets: Go through offsets between prefetches: 0..3000:100.
        mode: What waits for a start time of its own [default: of the file, else tile-kernel].
        writeback_offset: ns between the writebacks, where these are scheduled [default: of the file,
            else the least].
        timer: Granularity of the timer in ns [default: of the file, else 1000].
        chart: Write what `offsets` finds to a file: .svg (time and jitter, as Kr19 Fig. 4.9), .csv
            or .json; repeatable.
        jitter: Simulate phases of LOW to HIGH percent: 80..105  The phases of these runs take so
            much of their durations, and overruns are reported. A number, or a pair of the least and
            the most.
        runs: Simulated runs.
        seed: Of the simulation.
        time_limit: Stop after so long: 30s, 5m, 1h  The answer is then what is known by that time. A
            number is seconds.
        memory_limit: Memory that engines may use: 500M, 2G [default: half of what is available].
        threads: Threads [default: all cores].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "offsets": steps(offsets),
        "mode": mode,
        "writeback-offset": writeback_offset,
        "timer": timer,
        "chart": paths(chart),
        "jitter": interval(jitter),
        "runs": runs,
        "seed": seed,
        "time-limit": seconds(time_limit),
        "memory-limit": memory_limit,
        "threads": threads,
    }
    return ask(_records.PremOffsets, "prem", values, places(source(file, "-")), progress)


def prem_plan(
    file: Source,
    *,
    progress: Progress = None,
) -> _records.PremPlan:
    """Say how the image of a `[plan]` is cut into tiles and what their phases move; it needs no durations.

    Args:
        file: Kernels cut into tiles (TOML). A path; a text of several lines or a `Text`; a
            dictionary of the keys of the file; or an answer.
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "plan": True,
    }
    return ask(_records.PremPlan, "prem", values, places(source(file, "-")), progress)


def compare(
    old: Source,
    new: Source,
    *,
    worse_than: str | None = None,
    allow_gone: bool = False,
    top: int | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    compute_capability: str | float | None = None,
    declare_old: File | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    progress: Progress = None,
) -> _records.Compare:
    """Compare the bounds of two versions of the code, and find the lines that make them larger or smaller.

    Args:
        old: The old version: a listing (PTX or SASS), or lines of solve, bound, extract, rta, time
            or budget in JSON. A path; a text of several lines or a `Text`; a dictionary of the keys
            of the file; or an answer.
        new: The new version, of the same kind. A path; a text of several lines or a `Text`; a
            dictionary of the keys of the file; or an answer.
        worse_than: Exit with 5 if a new upper bound is larger by more: 5%.
        allow_gone: Let entries of the old version be gone, which is exit code 5 otherwise.
        top: How many lines to list of each entry [default: 10]  The largest change comes first. In
            JSON all are listed by default.
        warps: Of listings: the bounds for so many warps.
        warps_per_block: Of listings: warps of a block, which share its barriers [default: all].
        compute_capability: Of listings: the paper's model, with letters L and C counted for this
            compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0, 5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2,
            7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3, 11.0, 12.0, 12.1 [default: the
            machine of each file's capability].
        declare_old: Declarations for the old listing, in place of those of `declare`.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "worse-than": worse_than,
        "allow-gone": allow_gone,
        "top": top,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "compute-capability": compute_capability,
        "declare-old": declare_old,
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
    }
    return ask(_records.Compare, "compare", values, places(source(old, "<old>"), source(new, "<new>")), progress)


def check(
    file: Source,
    instance: Source | None = None,
    *,
    input: File | Iterable[File] | None = None,
    kernel: str | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    sigma_l: Rate | None = None,
    sigma_c: Rate | None = None,
    compute_capability: str | float | None = None,
    group: Pairs | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    progress: Progress = None,
) -> _records.Check:
    """Verify a schedule, or each claim of an answer of `solve`, by plain routes and without an engine.

    An answer needs `with_schedule=True`.

    Args:
        file: A schedule (.csv, .json), or lines of `solve --format json --with-schedule`. A path; a
            text of several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        instance: The instance of a schedule file (TOML); lines of `solve` carry their own. A path; a
            text of several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        input: A file that the record must be made from: a listing, declarations, classes, a machine;
            it is refused if the file has changed since. Records of every command have what they were
            made from.
        kernel: Kernel string of L and C: LLCLL, L2CL2, (LLC|)16  `|` is a barrier. `solve` and
            `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
        warps: Number of warps.
        warps_per_block: Warps of a block, which share their barriers [default: all warps of a
            group].
        sigma_l: Warps that issue an L in a cycle: N, 1/n [default: 1]  L is a load/store
            instruction.
        sigma_c: Warps that issue a C in a cycle: N, 1/n [default: 1]  C is an instruction of the
            CUDA cores.
        compute_capability: Both sigmas by compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0,
            5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3,
            11.0, 12.0, 12.1.
        group: Warps of one of several kernels; repeatable  Instead of `kernel` and `warps`. The
            string may be a program.
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless `compute_capability` or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "input": paths(input),
        "kernel": kernel,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "sigma-l": sigma_l,
        "sigma-c": sigma_c,
        "compute-capability": compute_capability,
        "group": pairs(group, ":"),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
    }
    return ask(_records.Check, "check", values, places(source(file, "-"), source(instance, "<instance>")), progress)


def verify(
    file: Source | None = None,
    *,
    progress: Progress = None,
) -> _records.Verify:
    """Say what of an answer is machine-checked, proved on paper, or tested; without one, of every theorem.

    Args:
        file: Records, one a line [default: every theorem]  These are lines of `--format json`, of
            `solve`, `bound`, `simulate`, `extract`, `compare`, `rta`, `time`, `budget`, `prem` or
            `partition`, or of a table of `sweep` in JSON lines. Without any, all is listed that
            numbers can follow from. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
    }
    return ask(_records.Verify, "verify", values, places(source(file, "-")), progress)


def explain(
    file: Source,
    instance: Source | None = None,
    *,
    cycle: int | None = None,
    warp: Shape | None = None,
    kernel: str | None = None,
    warps: int | None = None,
    warps_per_block: int | None = None,
    sigma_l: Rate | None = None,
    sigma_c: Rate | None = None,
    compute_capability: str | float | None = None,
    group: Pairs | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    machine: Source | None = None,
    latency_of: Pairs | None = None,
    hold_of: Pairs | None = None,
    transactions: Pairs | None = None,
    clock: Interval | None = None,
    dram_rate: Bandwidth | None = None,
    dram_clock: Interval | None = None,
    dram_others: Bandwidth | None = None,
    dram_spread: Literal["even", "none"] | None = None,
    host_memory: Many | None = None,
    blocks: int | None = None,
    resident: int | None = None,
    multiprocessors: int | None = None,
    progress: Progress = None,
) -> _records.Explain:
    """Say why a number of an answer is what it is, or why a warp of a schedule waits.

    Args:
        file: Records as `verify` takes them, or a schedule (.csv, .json). A path; a text of several
            lines or a `Text`; a dictionary of the keys of the file; or an answer.
        instance: The instance of a schedule file (TOML); records carry their own. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        cycle: What warps of the schedule do in this cycle, and why they wait.
        warp: This warp of the schedule alone: its number, or GROUP:WARP where there are several
            groups, or BLOCK:WARP of a grid [default: the one that ends last; with `cycle`, all]. A
            number, or one for each dimension: (60, 135).
        kernel: Kernel string of L and C: LLCLL, L2CL2, (LLC|)16  `|` is a barrier. `solve` and
            `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
        warps: Number of warps.
        warps_per_block: Warps of a block, which share their barriers [default: all warps of a
            group].
        sigma_l: Warps that issue an L in a cycle: N, 1/n [default: 1]  L is a load/store
            instruction.
        sigma_c: Warps that issue a C in a cycle: N, 1/n [default: 1]  C is an instruction of the
            CUDA cores.
        compute_capability: Both sigmas by compute capability: 2.0, 2.1, 3.0, 3.2, 3.5, 3.7, 5.0,
            5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.1, 10.3,
            11.0, 12.0, 12.1.
        group: Warps of one of several kernels; repeatable  Instead of `kernel` and `warps`. The
            string may be a program.
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless `compute_capability` or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        machine: A GPU of `gpus`, a capability or a TOML file  Kernel strings are over the letters of
            the machine: L2<SFU>C. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        latency_of: The latency of a letter of the machine in cycles, instead of its own:
            GLOBAL=30..800, or one number for both ends.
        hold_of: The cycles for which a letter of the machine holds a unit, instead of its own.
        transactions: Transactions of a memory instruction [default: the worst case]  They are those
            of one pass of the instruction in this line of the listing, of those after a label, or of
            all (*=N).
        clock: The clock in megahertz at which the memory of a GPU counts [default: the highest of
            the data sheet]. A number, or a pair of the least and the most.
        dram_rate: The least rate at which the DRAM moves whole lines while requests wait: 140GB/s,
            or 70% of the data sheet [default: assumed 60%]. A number is bytes in a second.
        dram_clock: The clock of the DRAM in megahertz, where a power mode lowers it [default: that
            of the data sheet]. A number, or a pair of the least and the most.
        dram_others: What others take of the DRAM at most, such as the cores of the CPU: 20GB/s
            [default: assumed 0]. A number is bytes in a second.
        dram_spread: How the addresses are spread over the channels and banks of the DRAM.
        host_memory: Pointers may be to memory of the host: the least rate of the link in whole
            lines, and the longest time that it adds to an access: 25GB/s,2us [default: assumed that
            all are to memory of the GPU].
        blocks: Blocks of a grid, which wait for room and follow one another; instead of `warps`,
            with `warps_per_block`.
        resident: Blocks that a multiprocessor holds at once [default: all].
        multiprocessors: Multiprocessors that take blocks from the same queue [default: 1].
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "cycle": cycle,
        "warp": shape(warp, ":"),
        "kernel": kernel,
        "warps": warps,
        "warps-per-block": warps_per_block,
        "sigma-l": sigma_l,
        "sigma-c": sigma_c,
        "compute-capability": compute_capability,
        "group": pairs(group, ":"),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
        "machine": source(machine, "<machine>.toml"),
        "latency-of": pairs(latency_of, "="),
        "hold-of": pairs(hold_of, "="),
        "transactions": pairs(transactions, "="),
        "clock": interval(clock),
        "dram-rate": bandwidth(dram_rate),
        "dram-clock": interval(dram_clock),
        "dram-others": bandwidth(dram_others),
        "dram-spread": dram_spread,
        "host-memory": joined(host_memory),
        "blocks": blocks,
        "resident": resident,
        "multiprocessors": multiprocessors,
    }
    return ask(_records.Explain, "explain", values, places(source(file, "-"), source(instance, "<instance>")), progress)


def sweep(
    file: Source | None = None,
    *,
    resume: bool = False,
    jobs: int | None = None,
    memory_limit: Size | None = None,
    yes: bool = False,
    kernels: Many | None = None,
    kernels_file: Source | None = None,
    all_strings: Many | None = None,
    random: str | None = None,
    warps: Many | None = None,
    sigma_l: Many | None = None,
    sigma_c: Many | None = None,
    compute_capabilities: Many | None = None,
    engines: Many | None = None,
    up_to: Many | None = None,
    time_limit: Time | None = None,
    policies: Many | None = None,
    ptx: Source | None = None,
    entry: str | None = None,
    loop_bound: Pairs | None = None,
    loop_bounds: Source | None = None,
    uniform: Each | None = None,
    unreachable: Each | None = None,
    param: Pairs | None = None,
    classes: Source | None = None,
    declare: File | None = None,
    strict: bool = False,
    output: File | None = None,
    client: Any = None,
    shards: int | None = None,
    progress: Progress = None,
) -> Table:
    """Solve a grid of kernels, sigmas, numbers of warps and engines, and return the table of its cells.

    Args:
        file: A grid file (TOML). A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        resume: Resume an interrupted table.
        jobs: Cells side by side [default: all cores].
        memory_limit: Memory of the whole sweep: 500M, 2G [default: half of what is available].
        yes: Start even a sweep of more than 100,000 cells or, by the prediction, 24 hours.
        kernels: Kernel strings.
        kernels_file: A file of kernel strings, one a line. A path; a text of several lines or a
            `Text`; a dictionary of the keys of the file; or an answer.
        all_strings: All strings of these lengths: 1..6.
        random: Random strings: length=8,count=100,share=0.5,seed=7 (share: of L's); several lists
            between semicolons.
        warps: Numbers of warps: 1..64,128.
        sigma_l: sigma_L: 1,1/2 [default: 1].
        sigma_c: sigma_C: 1,2 [default: 1].
        compute_capabilities: Instead of sigmas: 2.0,3.5.
        engines: auto, states, phase, ilp-short, ilp-long, ilp-aggregated (each also -plain: as
            published, with its horizon), bounds [default: auto].
        up_to: The x of the estimate (Be12 Eq. 42) [default: 4 where the closed form gives T(y), else
            no estimate].
        time_limit: For each cell, and again for its estimate: 30s, 5m [default: 1m]. A number is
            seconds.
        policies: Also simulate warp-scheduling policies: lrr, gto, oldest, rt-paws, random, cggty
            [default: none].
        ptx: PTX or SASS instead of a kernel string  `extract` reads it in the same way. It runs on
            the machine of the compute capability that it is for (in a sweep, in the paper's model),
            unless --compute-capability or the sigmas ask for the paper's model. A path; a text of
            several lines or a `Text`; a dictionary of the keys of the file; or an answer.
        entry: One entry only, by its name in the file.
        loop_bound: The most passes of a loop, each time a warp comes to it  That is how often a warp
            passes the header of the loop. LABEL may be a line.
        loop_bounds: Bounds of loops: a TOML file of lines LABEL = N. A path; a text of several lines
            or a `Text`; a dictionary of the keys of the file; or an answer.
        uniform: All threads of a warp take the same path at this branch  LABEL is the label of the
            branches, or the line of one.
        unreachable: Control never comes to this line  LABEL is the line of an instruction or the
            first label before it, such as the call of `assert`. What only leads there is left out.
        param: The value of a parameter, for which loops are counted  NAME is the name of the
            parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x,
            gridDim.y and their like. pointers=*256 says that each pointer is a multiple of 256. The
            bounds hold for this value only.
        classes: Classes of opcodes, before those of the table: a TOML file of [[class]] tables with
            opcode, unit, letters. A path; a text of several lines or a `Text`; a dictionary of the
            keys of the file; or an answer.
        declare: A file of declarations for the listing (TOML)  `extract` writes it if it is not
            there (`-` to standard output), for you to fill in, and every command reads it. Flags win
            over it; of two bounds of a loop the smaller counts.
        strict: Refuse an opcode that no class has; else it is a warning, and counts as the most
            expensive one of each unit.
        output: Where the rows are kept as they come, in a file that ends in .jsonl; `resume` goes on
            with it.
        client: Who solves the parts of the grid: anything with `submit` (a client of Dask, an
            executor of concurrent.futures), with `map` (a pool of multiprocessing or Ray), or a
            `joblib.Parallel`. The package, and the files that are named, must be found under the
            same path by every worker. Without it, the threads of this process.
        shards: Into how many parts the grid is cut for the client. The default is 32, or its cells
            if there are fewer.
        progress: A function that is called about twenty times a second with `(lower, upper)` in
            cycles, or with `(done, all)` for cells, and that ends the work by returning False; or a
            bar of tqdm; or True for a new one.

    Raises:
        InputError: If the input is wrong; it says where, and what would do.
        Stopped: If a limit came before there was anything to answer.
    """
    values: dict[str, Word] = {
        "resume": resume,
        "jobs": jobs,
        "memory-limit": memory_limit,
        "yes": yes,
        "kernels": joined(kernels),
        "kernels-file": source(kernels_file, "<kernels_file>"),
        "all-strings": joined(all_strings),
        "random": random,
        "warps": joined(warps),
        "sigma-l": joined(sigma_l),
        "sigma-c": joined(sigma_c),
        "compute-capabilities": joined(compute_capabilities),
        "engines": joined(engines),
        "up-to": joined(up_to),
        "time-limit": seconds(time_limit),
        "policies": joined(policies),
        "ptx": source(ptx, "<ptx>"),
        "entry": entry,
        "loop-bound": pairs(loop_bound, "="),
        "loop-bounds": source(loop_bounds, "<loop_bounds>"),
        "uniform": listed(uniform),
        "unreachable": listed(unreachable),
        "param": pairs(param, "="),
        "classes": source(classes, "<classes>"),
        "declare": declare,
        "strict": strict,
    }
    return run_sweep(values, places(source(file, "-")), output, client, shards, progress)
