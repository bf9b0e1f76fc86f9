"""All of instances/: the package answers as the command line does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, CommandLine

import warpspan

FILES = sorted(path.name for path in (ROOT / "instances").glob("*.toml"))
#: Which commands take a file that begins so; those of all others are of an instance.
COMMANDS = {
    "pa19": ["rta"],
    "tx2": ["rta"],
    "graph": ["rta_graphs"],
    "gcaps": ["rta_processes"],
    "processes": ["rta_processes"],
    "saxpy-conv": ["rta"],
    "si21-partition": ["partition"],
    "kr19": ["prem"],
}
CASES = [
    (name, command)
    for name in FILES
    for command in next(
        (commands for begin, commands in COMMANDS.items() if name.startswith(begin)), ["solve", "bound", "simulate"]
    )
]


def comparable(value: Any, same_engines: bool) -> Any:
    """A record without times of this run, and without what only a build with HiGHS has."""
    if isinstance(value, list):
        return [comparable(one, same_engines) for one in value]
    if not isinstance(value, dict):
        return value
    # By what it was printed, and from what, is told of the command line alone, or by another name.
    left_out = {"seconds", "build", "command", "inputs"}
    left_out |= set() if same_engines else {"checks", "model", "notes", "engine", "evidence", "phase"}
    kept = {key: comparable(one, same_engines) for key, one in value.items() if key not in left_out}
    if not same_engines and "bounds" in kept:
        kept["bounds"] = [row for row in kept["bounds"] if row["name"] != "min-over-y"]
    return kept


@pytest.mark.parametrize(("name", "command"), CASES)
def test_equal(name: str, command: str, command_line: CommandLine) -> None:
    path = f"instances/{name}"
    arguments = ["rta" if command.startswith("rta_") else command, path]
    function = getattr(warpspan, command)
    if name == "kr19-plan.toml":
        # A plan has no durations, and so no schedule.
        function = warpspan.prem_plan
        arguments.append("--plan")
    expected = command_line.record(*arguments)
    takes_kernel = command in ("solve", "bound", "simulate")
    answer = function(file=path) if takes_kernel else function(path)
    same = command_line.has_highs == warpspan.HAS_HIGHS
    assert comparable(answer.to_dict(), same) == comparable(expected, same)
    # The object says the same as its record.
    for key in ("lower", "upper", "verdict", "schedulable", "used", "best", "worst", "total_ns", "hyperperiod_ns"):
        if key in expected:
            assert getattr(answer, key) == expected[key], key


def test_every_file_is_here() -> None:
    assert len(FILES) > 50
    assert {command for _, command in CASES} == {
        "solve", "bound", "simulate", "rta", "rta_graphs", "rta_processes", "partition", "prem",
    }  # fmt: skip


def test_a_model_and_a_launch(command_line: CommandLine) -> None:
    model = warpspan.rta_model("instances/camera.amxmi")
    expected = command_line.record("rta", "instances/camera.amxmi")
    assert comparable(model.to_dict(), True) == comparable(expected, True)
    flags = ["--entry", "conv", "--gpu", "jetson-orin", "--grid", "60x135", "--block", "32x8", "--deadline", "30ms"]
    more = ["--loop-bound", ".L_x_2=3", "--transactions", "*=2", "--clock", "828.75..1300", "--alone"]
    expected = command_line.record("time", "docs/tutorial/conv.sm_87.sass", *flags, *more)
    answer = warpspan.time(
        "docs/tutorial/conv.sm_87.sass",
        entry="conv",
        gpu="jetson-orin",
        grid="60x135",
        block="32x8",
        deadline=0.03,
        loop_bound={".L_x_2": 3},
        transactions={"*": 2},
        clock="828.75..1300",
        alone=True,
    )
    assert comparable(answer.to_dict(), True) == comparable(expected, True)
    assert answer.verdict == "proved"


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "data" / "code").glob("*.ptx")), ids=lambda path: path.name)
def test_listings(path: Path, command_line: CommandLine) -> None:
    name = str(path.relative_to(ROOT))
    answer = warpspan.extract(name, warps=8).to_dict()
    assert comparable(answer, True) == comparable(command_line.record("extract", name, "--warps", "8"), True)


def test_machines_and_grids(command_line: CommandLine) -> None:
    on_grid = ["--kernel", "LLCLL", "--blocks", "6", "--resident", "2", "--warps-per-block", "2"]
    grid = warpspan.solve("LLCLL", blocks=6, resident=2, warps_per_block=2)
    assert comparable(grid.to_dict(), False) == comparable(command_line.record("solve", *on_grid), False)
    assert grid.instance.grid is not None and grid.instance.grid.blocks == 6
    machine = warpspan.bound(
        "<GLOBAL>2<FP32>", machine="machines/sm_62.toml", warps=4, latency_of={"GLOBAL": "30..800"}
    )
    flags = ["--machine", "machines/sm_62.toml", "--warps", "4", "--latency-of", "GLOBAL=30..800"]
    expected = command_line.record("bound", "--kernel", "<GLOBAL>2<FP32>", *flags)
    assert comparable(machine.to_dict(), True) == comparable(expected, True)


def test_the_numbers_of_the_papers() -> None:
    """Independent of any other build: Be12 Fig. 2 and 6, Pa19, Kr19."""
    worst = warpspan.solve("LLCLL", warps=600)
    assert (worst.lower, worst.upper, worst.verdict) == (2401, 2401, "exact")
    small = warpspan.solve("LLCLL", warps=4)
    assert (small.lower, small.best_case) == (17, 16)
    bounds = {row.name: row for row in warpspan.bound("LLCLL", warps=600).bounds}
    assert (bounds["pessimistic"].value, bounds["phase"].value) == (3000, 2401)
    assert not bounds["min-over-y"].safe
    assert warpspan.rta("instances/pa19-scenario-1.toml").verdict == "proved"
