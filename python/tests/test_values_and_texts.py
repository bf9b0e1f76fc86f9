"""Values of Python, texts and dictionaries in place of the words and files of the command line."""

from __future__ import annotations

import csv
import html
import io
import os
import pickle
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import warpspan
from warpspan import _toml

LISTING = (ROOT / "tests/data/code/straight.ptx").read_text()
FLOW = "tests/data/code/flow.ptx"
LAUNCH: dict[str, Any] = {"gpu": "jetson-orin", "grid": 4, "block": 32}
#: Pa19 section 4.2, the first scenario, whose completions were measured.
KERNELS = [
    {"name": name, "period": 15, "release": 0, "blocks": blocks, "threads_per_block": 512, "registers_per_thread": 32,
     "shared_memory": 0, "execution": execution}
    for name, blocks, execution in (("K2", 7, 6), ("K3", 2, 6), ("K4", 5, 5), ("K1", 2, 4))
]  # fmt: skip
SYSTEM: dict[str, Any] = {"kernel": KERNELS, "gpu": {"preset": "jetson-tx2"}}


def test_values_of_python_are_words_of_the_command_line() -> None:
    native = warpspan.time(
        LISTING, gpu="jetson-orin", grid=(60, 135), block=(32, 8), clock=(828.75, 1300.0),
        latency_of={"GLOBAL": (30, 800)}, deadline=timedelta(milliseconds=5), dram_rate=140e9,
        dram_bytes=(10**6, 5 * 10**7), loop_bound={}, copy_in=1e-6,
    )  # fmt: skip
    words = warpspan.time(
        LISTING, gpu="jetson-orin", grid="60x135", block="32x8", clock="828.75..1300", latency_of=["GLOBAL=30..800"],
        deadline="5ms", dram_rate="140GB/s", dram_bytes="1000000..50000000", copy_in="1us",
    )  # fmt: skip
    assert native.to_dict() == words.to_dict()
    assert (native.blocks, native.threads_per_block, native.deadline_ns) == (8100, 256, 5_000_000)
    assert (native.clock.slowest_mhz, native.clock.fastest_mhz) == (828.75, 1300)


def of_any_input(answer: Any) -> dict[str, Any]:
    """Return a record without the names of what was read for it."""
    return {key: value for key, value in answer.to_dict().items() if key != "inputs"}


def test_a_text_is_read_as_a_file_of_its_name() -> None:
    from_file = of_any_input(warpspan.time("tests/data/code/straight.ptx", **LAUNCH))
    from_text = of_any_input(warpspan.time(LISTING, **LAUNCH))
    named = of_any_input(warpspan.time(warpspan.Text(LISTING, "saxpy.ptx"), **LAUNCH))
    names = [record.pop("file") for record in (from_file, from_text, named)]
    assert names == ["tests/data/code/straight.ptx", "standard input", "saxpy.ptx"]
    assert from_file == from_text == named
    with pytest.raises(warpspan.InputError) as raised:
        warpspan.extract(warpspan.Text("\n\nnothing of the kind\n", "odd.ptx"))
    assert raised.value.file == "odd.ptx"
    with pytest.raises(ValueError, match="name"):
        warpspan.Text("x", "-")


def test_several_texts_of_one_call() -> None:
    machine = (ROOT / "machines/sm_62.toml").read_text()
    flags: dict[str, Any] = {"warps": 4}
    from_text = warpspan.bound("<GLOBAL>2<FP32>", machine=machine, **flags)
    from_file = warpspan.bound("<GLOBAL>2<FP32>", machine="machines/sm_62.toml", **flags)
    assert [row.value for row in from_text.bounds] == [row.value for row in from_file.bounds]
    same = warpspan.compare(LISTING, LISTING + "\n", warps=8)
    assert same.to_dict()["schema"] == "warpspan/compare/2"
    bounds = warpspan.extract(Path(FLOW), entry="counted", loop_bounds={"LOOP": 16})
    same_bounds = warpspan.extract(Path(FLOW), entry="counted", loop_bound={"LOOP": 16})
    assert of_any_input(bounds) == of_any_input(same_bounds)
    with pytest.raises(ValueError, match=r"a\.ptx"):
        warpspan.compare(warpspan.Text("a\n", "a.ptx"), warpspan.Text("b\n", "a.ptx"))


def test_threads_have_texts_of_their_own() -> None:
    """Many calls at once, each with a text under the same name."""

    def bound(blocks: int) -> tuple[int, int]:
        kernel = {**KERNELS[0], "blocks": blocks}
        answer = warpspan.rta({"gpu": {"preset": "jetson-tx2"}, "kernel": [kernel]})
        return blocks, answer.kernels[0].blocks

    with ThreadPoolExecutor(8) as pool:
        assert all(asked == answered for asked, answered in pool.map(bound, range(1, 41)))


def test_dictionaries_are_files() -> None:
    answer = warpspan.rta(SYSTEM)
    from_file = warpspan.rta("instances/pa19-scenario-1.toml")
    assert of_any_input(answer) == of_any_input(from_file)
    assert {row.name: row.response_bound for row in answer.kernels} == {"K2": 6, "K3": 12, "K4": 11, "K1": 10}
    tasks = {
        "multiprocessors": 2,
        "task": [
            {"name": "transpose", "period": 10, "kind": "memory", "execution": [7.5, 4.1], "conflict": [18.2, 10]},
            {"name": "hotspot", "period": 20, "deadline": 15, "kind": "compute", "execution": [5, 2.6], "k": 1.2},
        ],
    }
    assert warpspan.partition(tasks).used == 2
    tomllib = pytest.importorskip("tomllib")  # from Python 3.11
    tiles = tomllib.loads((ROOT / "instances/kr19-least.toml").read_text())
    assert warpspan.prem(tiles).execution_ns == warpspan.prem("instances/kr19-least.toml").execution_ns is not None
    table = warpspan.sweep({"kernels": ["LLCLL", "LC"], "warps": "1..8"})
    assert [row.upper for row in table] == [row.upper for row in warpspan.sweep(kernels="LLCLL,LC", warps=range(1, 9))]


def test_a_wrong_key_is_named() -> None:
    with pytest.raises(warpspan.InputError, match="`kernell`"):
        warpspan.rta({**SYSTEM, "kernell": 1})
    with pytest.raises(warpspan.InputError, match="`blokcs`"):
        warpspan.rta({**SYSTEM, "kernel": [{**KERNELS[0], "blokcs": 1}]})
    with pytest.raises(TypeError, match=r"gpu\.preset: a set"):
        warpspan.rta({"gpu": {"preset": {1}}})
    with pytest.raises(TypeError, match="dictionary or an answer"):
        warpspan.rta(3)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is of Python 3.11")
def test_toml_is_what_was_written() -> None:
    import tomllib  # type: ignore[import-not-found,unused-ignore]

    table = {
        "plain": 1, "text": 'a "b"\\\n\t\x7f\x00 é', "float": 0.1, "small": 1e-9, "large": 1e22, "whole": 3.0,
        "yes": True, "list": [1, [2, 3], "x"], "a.b c": {"deep": {"x": 1}, "row": [{"y": 2, "z": {"w": 3}}, {"y": 4}]},
        "last": -5, "mixed": [{"a": 1}, 2], "empty": [], "nothing": {},
    }  # fmt: skip
    assert tomllib.loads(_toml.written(table)) == table
    assert _toml.written({"ratio": Fraction(1, 2), "left out": None, "range": range(3)}).splitlines() == [
        'ratio = "1/2"',
        "range = [0, 1, 2]",
    ]
    with pytest.raises(TypeError, match="key"):
        _toml.written({"a": {1: 2}})


@pytest.mark.parametrize(
    ("call", "argument", "remedies"),
    [
        (lambda: warpspan.solve("LLCLL", warps="x"), "warps", ("warps",)),  # type: ignore[arg-type]
        (lambda: warpspan.time(LISTING, **{**LAUNCH, "gpu": "nope"}), "gpu", ("gpu",)),
        (lambda: warpspan.time(LISTING, **{**LAUNCH, "grid": "4xq"}), "grid", ("grid",)),
        (lambda: warpspan.time(LISTING, **LAUNCH, latency_of={"GLOBAL": "q"}), "latency_of", ("latency_of",)),
        (lambda: warpspan.time(LISTING, **LAUNCH, clock=(1, 2, 3)), "clock", ("clock",)),  # type: ignore[arg-type]
        (lambda: warpspan.time(LISTING, **LAUNCH, clock=float("nan")), "clock", ("clock",)),
        (lambda: warpspan.time(LISTING, **LAUNCH, deadline=[1]), "deadline", ("deadline",)),  # type: ignore[arg-type]
        (lambda: warpspan.time(LISTING, **LAUNCH, deadline=float("inf")), "deadline", ("deadline",)),
        (lambda: warpspan.time(LISTING, **LAUNCH, dram_rate=float("inf")), "dram_rate", ("dram_rate",)),
        (lambda: warpspan.time(LISTING), None, ("grid", "block", "gpu")),
        (lambda: warpspan.time(FLOW, **LAUNCH), None, ("entry",)),
        (lambda: warpspan.time(FLOW, **LAUNCH, entry="asked"), None, ("param", "loop_bound")),
    ],
)
def test_errors_name_arguments(call: Any, argument: str | None, remedies: tuple[str, ...]) -> None:
    with pytest.raises(warpspan.InputError) as raised:
        call()
    error = raised.value
    assert (error.argument, error.remedies) == (argument, remedies)
    assert not re.search(r"--\w|<[A-Z]|warpspan [a-z]+ ", str(error)), "no flag, and no command of a shell"


def test_a_remedy_can_be_pasted() -> None:
    with pytest.raises(warpspan.InputError, match=r'loop_bound=\{"HEAD": N\}'):
        warpspan.time(FLOW, **LAUNCH, entry="asked")
    assert warpspan.time(FLOW, **LAUNCH, entry="asked", loop_bound={"HEAD": 9}).bound_ns is not None


def test_wrong_names_are_type_errors() -> None:
    with pytest.raises(TypeError, match="'plian'"):
        warpspan.solve("LLC", warps=4, plian=True)
    with pytest.raises(TypeError, match="'warp'"):
        warpspan.rta(SYSTEM, warp=4)  # type: ignore[call-arg]


def test_answers_are_judged_and_explained() -> None:
    answer = warpspan.solve("LLCLL", warps=4, with_schedule=True)
    checked = warpspan.check(answer)
    assert checked.valid and checked.makespan == 17
    wrong = warpspan.Text(answer.to_json().replace('"lower":17', '"lower":18', 1))
    judged = warpspan.check(wrong)
    assert {row.claim: row.judgement for row in judged.claims or ()}["lower"] == "refuted"
    assert "lower refuted" in repr(judged) and "refuted" not in repr(checked)
    said = warpspan.verify(answer)
    assert {row.name: row.value for row in said.numbers}["upper"] == "17" and said.assumptions
    assert warpspan.explain(answer).ended is not None
    assert len(warpspan.verify().theorems) > 10
    with pytest.raises(ValueError, match="2 records"):
        warpspan.verify([answer, answer])


def test_gpus() -> None:
    every = {gpu.name: gpu for gpu in warpspan.gpus()}
    orin = next(gpu for gpu in warpspan.gpus("jetson-orin") if gpu.kind == "preset")
    assert orin == every["jetson-orin"] and (orin.multiprocessors, orin.compute_capability) == (16, "8.7")
    with pytest.raises(warpspan.InputError, match="nope"):
        warpspan.gpus("nope")


def test_a_line_says_what_an_answer_is() -> None:
    launch = warpspan.time(LISTING, **LAUNCH, deadline="1s")
    lines = [repr(launch), repr(warpspan.rta(SYSTEM)), repr(warpspan.solve("LLCLL", warps=4))]
    lines.append(repr(warpspan.solve(ptx=LISTING, warps=8)))
    lines += [repr(one) for one in (*warpspan.gpus("jetson-orin"), warpspan.sweep(kernels="LC", warps=3)[0])]
    assert all("\n" not in line and len(line) < 200 for line in lines), lines
    assert all(part in lines[0] for part in ("Time", "met", "at most ", " of 1 s", "jetson-orin"))
    assert re.search(r"\b[1-9]\d* assumptions", lines[0])
    assert "12 of 15 ticks, K3" in lines[1] and "proved" in lines[1]
    assert "exact, 17 cycles" in lines[2]
    tasks = {"multiprocessors": 1, "task": [{"name": "a", "period": 2, "kind": "compute", "execution": [5], "k": 1.2}]}
    assert "impossible" in repr(warpspan.partition(tasks))
    assert "proved to hold" in repr(warpspan.co_located("instances/si21-partition-co-located.toml"))


def test_a_page_has_no_number_without_its_conditions() -> None:
    launch = warpspan.time(LISTING, **LAUNCH, deadline="1s")
    page = launch._repr_html_()
    record = launch.to_dict()
    assert {row["kind"] for row in record["assumptions"]} >= {"assumed", "modelled"} and record["not_covered"]
    rows = [f"{row['subject']}: {row['value']}" for row in record["assumptions"]]
    for sentence in (*rows, *record["not_covered"]):
        assert sentence in html.unescape(page), sentence
    order = ["<b>at most ", "<dt>assumed", "<dt>modelled", "not covered"]
    assert sorted(order, key=page.index) == order
    assert "else --dram-rate" in page, "as `report` names it"
    page = html.unescape(warpspan.rta(SYSTEM)._repr_html_())
    assert all(one.value in page for one in warpspan.rta(SYSTEM).assumptions)


def test_drawings() -> None:
    responses, schedule = sorted(warpspan.rta(SYSTEM).figures())
    assert (responses, schedule) == ("deadlines-met-01.svg", "occupancy-01.svg")
    tasks = warpspan.partition("instances/si21-partition-table.toml")
    [svg] = tasks.figures().values()
    assert "<svg" in svg[:200] and "transpose" in svg
    # From the record alone, without a second run: also of an answer that was read or pickled.
    assert pickle.loads(pickle.dumps(tasks)).figures() == tasks.figures()
    compared = warpspan.compare("tests/data/compare/old.ptx", "tests/data/compare/new.ptx", warps=32)
    assert any("filter.cu:11" in svg for svg in compared.figures().values())


def test_drawings_of_a_launch_add_up_to_its_bound() -> None:
    launch = warpspan.time(LISTING, **LAUNCH)
    figures = launch.figures()
    assert list(figures) == ["adds-up-01.svg", "adds-up-02.svg", "lines-01.svg", "lines-02.svg"]
    assert launch.cycles is not None and launch.memory is not None and launch.bound_cycles is not None
    own, others = float(Fraction(launch.cycles.own)), float(Fraction(launch.cycles.others))
    memory = {server.name: server.cycles for server in launch.memory.servers}
    assert own + others + sum(memory.values()) == launch.bound_cycles
    # The bars of the drawing, in nanoseconds or microseconds to four digits.
    said = re.findall(
        r"^<title>(?:memory: )?(\S.*): ([\d.]+) ([nu]s)(?:</title>)?$", figures["adds-up-01.svg"], re.MULTILINE
    )
    times = {name: float(number) * {"ns": 1, "us": 1000}[unit] for name, number, unit in said}
    cycle = 1000 / float(launch.clock.slowest_mhz)
    for name, cycles in {**memory, "latency of a single warp": own, "contention of warps": others}.items():
        assert times[name] == pytest.approx(cycles * cycle, rel=1e-3), name
    assert times["at most"] == pytest.approx(launch.bound_ns, rel=1e-3)


def test_a_slice_of_a_table_is_a_table(tmp_path: Path) -> None:
    table = warpspan.sweep(kernels=["LLCLL", "LC"], warps=range(1, 9))
    part = table[2:5]
    assert isinstance(part, warpspan.Table) and [row.cell for row in part] == [3, 4, 5] and part.cells == 16
    assert part[0] == table[2] and isinstance(part[0], warpspan.records.SweepRow)
    text = part.to_csv()
    assert text is not None
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["kernel"], int(row["warps"]), int(row["upper"])) for row in rows] == [
        (row.kernel, row.warps, row.upper) for row in part
    ]
    path = tmp_path / "part.csv"
    assert part.to_csv(path) is None and path.read_bytes() == text.encode()


def test_no_file_is_written_for_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    warpspan.rta(SYSTEM)
    warpspan.time(LISTING, **LAUNCH)
    assert os.listdir(tmp_path) == []
