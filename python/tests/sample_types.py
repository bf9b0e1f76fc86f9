"""A program that uses the package: mypy and pyright check it strictly with the package, and nothing runs it.

Where a comment names an error, a checker has to find it; without the error the comment would be one too many.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any, Optional

import warpspan
from warpspan import InputError, Table, Text, records


def launch(listing: str, folder: Path) -> Optional[int]:
    """A launch, in all forms of its arguments."""
    first: records.Time = warpspan.time(
        listing,
        gpu="jetson-orin",
        grid=(60, 135),
        block=[32, 8],
        clock=(828.75, 1300),
        deadline=timedelta(milliseconds=5),
        latency_of={"GLOBAL": (30, 800), "SHARED": 30},
        loop_bound={".L_x_2": 3, 17: 9},
        uniform=[15, "$L_1"],
        dram_rate=140e9,
        dram_bytes=(1, 537_000_000),
        machine={"extends": "sm_87"},
    )
    again = warpspan.time(folder / "conv.sass", gpu="jetson-orin", grid="60x135", block=256, deadline=0.005, clock=1300)
    sentences: tuple[str, ...] = first.notes + again.not_covered
    warpspan.time(listing, gpu=3, grid=4, block=32)  # type: ignore[arg-type]
    warpspan.time(listing, gpu="h100", grid=4, block=32, blocks=3)  # type: ignore[call-arg]
    return first.bound_ns if sentences else None


def system(periods: Mapping[str, int]) -> dict[str, Any]:
    """A system of kernels as a dictionary."""
    kernels = [{"name": name, "period": period, "blocks": 7, "execution": 6} for name, period in periods.items()]
    return {"gpu": {"preset": "jetson-tx2"}, "kernel": kernels}


def response(periods: Mapping[str, int]) -> dict[str, Optional[float]]:
    """Response times of a system."""
    answer = warpspan.rta(system(periods), with_schedule=True, time_limit="30s")
    verdict: str = answer.verdict
    answer.verdict = "proved"  # type: ignore[misc]
    return {row.name: row.response_bound for row in answer.kernels if verdict}


def partitions(tasks: Mapping[str, Any]) -> Optional[int]:
    """Partitions of a set of tasks."""
    answer = warpspan.partition(tasks, test="np-edf", slices=(7, 14))
    warpspan.partition(tasks, test="fifo")  # type: ignore[arg-type]
    tiles = warpspan.prem(Text("kernels = 4", "tiles.toml"), prefetch_offset=1300)
    ns: Optional[int] = tiles.execution_ns
    return answer.used if ns is None else ns


def table() -> list[int]:
    """A sweep, its rows and its slices."""

    def told(done: int, cells: int) -> bool:
        return done < cells

    whole: Table = warpspan.sweep(
        kernels=["LLCLL", "LC"], warps=range(1, 33), sigma_l=[1, Fraction(1, 2)], progress=told
    )
    part: Table = whole[:10]
    row: records.SweepRow = part[0]
    text: Optional[str] = part.to_csv()
    part.to_csv(Path("part.csv"))
    wrong: int = part[1:2]  # type: ignore[assignment]
    return [one.cell for one in part] + [row.cell, wrong, len(text or "")]


def judged(answer: records.Solve) -> bool:
    """What is said of an answer."""
    checked: records.Check = warpspan.check(answer)
    said: records.Verify = warpspan.verify(answer)
    why: records.Explain = warpspan.explain(answer, warp=(1, 2), cycle=3)
    gpus: tuple[records.Gpus, ...] = warpspan.gpus("jetson-orin", "8.7")
    warpspan.verify(3)  # type: ignore[arg-type]
    return checked.valid and bool(said.numbers) and bool(why.of) and gpus[0].multiprocessors is not None


def main() -> str:
    """The whole of it."""
    try:
        answer = warpspan.solve("LLCLL", warps=4, with_schedule=True)
    except InputError as error:
        argument: Optional[str] = error.argument
        remedies: tuple[str, ...] = error.remedies
        return f"{argument}: {', '.join(remedies)}"
    drawings: dict[str, str] = answer.figures()
    return f"{answer!r} {judged(answer)} {list(drawings)}"
