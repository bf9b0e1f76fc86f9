"""What is Python's own: errors, progress, Ctrl-C, objects, tables, drawings, types."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, CommandLine

import warpspan
from warpspan import _values

#: Takes minutes, and its interval is known at once.
LONG: dict[str, Any] = {
    "kernel": "LCLLCLCCLLC",
    "warps": 18,
    "sigma_l": 2,
    "sigma_c": 2,
    "engine": "states",
    "memory_limit": "2G",
}


def test_errors_say_where_and_what_would_do(tmp_path: Path, command_line: CommandLine) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('[kernel]\nstring = "LLCLL"\n[multiprocessor]\nsigma_l = "2/3"\n[launch]\nwarps = 4\n')
    with pytest.raises(warpspan.InputError) as raised:
        warpspan.solve(file=path)
    error = raised.value
    assert (error.file, error.line) == (str(path), 4)
    assert error.found.startswith("sigma_l") and "2/3" in error.found
    assert error.remedy is not None and "1/n" in error.remedy
    assert command_line.call("solve", str(path)).stderr == f"warpspan: {error}\n"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.line, again.remedy) == (str(error), error.file, error.line, error.remedy)


def test_errors_of_arguments() -> None:
    with pytest.raises(warpspan.InputError) as raised:
        warpspan.solve("LLXLL", warps=4)
    assert raised.value.file is None and "'X'" in raised.value.found
    with pytest.raises(warpspan.InputError) as raised:
        warpspan.solve("LLCLL")
    assert raised.value.remedies == ("warps",) and "--" not in str(raised.value)
    with pytest.raises(TypeError, match="rta_model"):
        warpspan.rta("instances/camera.amxmi")
    with pytest.raises(warpspan.InputError, match="no/such/file"):
        warpspan.extract("no/such/file.ptx")


def test_a_limit_is_an_interval() -> None:
    answer = warpspan.solve(**LONG, time_limit=timedelta(milliseconds=200))
    assert answer.stop == "time-limit" and answer.lower < answer.upper


def test_a_callback_is_told_and_stops() -> None:
    seen: list[tuple[int, int]] = []

    def stop(lower: int, upper: int) -> bool:
        seen.append((lower, upper))
        return False

    answer = warpspan.solve(**LONG, progress=stop)
    assert answer.stop == "interrupted"
    assert seen and all(lower <= answer.lower <= answer.upper <= upper for lower, upper in seen)


def test_a_callback_that_fails_ends_the_work() -> None:
    def fail(lower: int, upper: int) -> bool:
        raise KeyError(lower)

    with pytest.raises(KeyError):
        warpspan.solve(**LONG, progress=fail)


def test_a_bar_of_tqdm() -> None:
    class Bar:
        """What is used of tqdm."""

        def __init__(self) -> None:
            self.total, self.n, self.shown = 0, 0, ""

        def set_postfix_str(self, text: str, refresh: bool) -> None:
            self.shown = text

        def refresh(self) -> None:
            pass

    bar = Bar()
    warpspan.sweep(kernels="LLCLL", warps="1..20", progress=bar)
    assert (bar.n, bar.total, bar.shown) == (20, 20, "20..20")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c() -> None:
    """Ctrl-C ends the work, as KeyboardInterrupt, long before its time limit."""
    code = (
        "import signal, warpspan\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def told(lower, upper): print('begun', flush=True)\n"
        f"try: warpspan.solve(**{LONG!r}, time_limit=300, progress=told)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=120)
    assert rest.endswith("interrupted\n") and child.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_a_budget(tmp_path: Path) -> None:
    """Ctrl-C ends a command that searches nothing as soon as one that searches."""
    conv = Path(__file__).parents[2] / "docs/tutorial/conv.sm_87.sass"
    table = (
        '[[kernel]]\nname = "{}"\nlisting = "{}"\ngpu = "jetson-orin"\ngrid = "60x135"\nblock = "32x8"\n'
        'loop-bound = ".L_x_2=3"\ndeadline = "1us"\n'
    )
    budget = tmp_path / "budget.toml"
    budget.write_text("".join(table.format(number, conv) for number in range(2000)))
    code = (
        "import signal, time, warpspan\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "begun = []\n"
        "def told(done, steps): begun or (begun.append(0), print('begun', flush=True))\n"
        f"try: warpspan.budget({str(budget)!r}, progress=told)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    # All of the budget would take longer than this.
    rest, _ = child.communicate(timeout=60)
    assert rest.endswith("interrupted\n") and child.returncode == 0


def test_the_gil_is_released() -> None:
    """Another thread of Python goes on meanwhile, and stops the work."""
    ticks = 0
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(lambda: warpspan.solve(**LONG, time_limit=1))
        while not work.done():
            ticks += 1
        assert work.result().stop == "time-limit"
    assert ticks > 1000


def test_objects_are_frozen_and_travel() -> None:
    answer = warpspan.solve("LLCLL", warps=4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.lower = 0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and again.to_dict() == answer.to_dict() and hash(again) == hash(answer)
    assert answer.evidence is not None and answer.evidence.upper is not None
    assert answer.evidence.upper.name == "closed-form"


def test_schedules_are_plain_rows() -> None:
    kept = json.loads((ROOT / "tests/data/llcll-solve.json").read_text())
    answer = warpspan.solve("LLCLL", warps=4, with_schedule=True)
    rows = answer.to_dict()["schedule"]
    assert answer.lower == kept["lower"] and len(rows) == len(kept["schedule"]) == 20
    assert max(row["cycle"] for row in rows) == answer.lower
    assert rows[0] == {"cycle": 1, "group": 1, "warp": rows[0]["warp"], "instruction": 1, "unit": "L"}
    assert answer.schedule is not None and answer.schedule[0].unit == "L"


def test_a_drawing_writes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "worst.csv"
    answer = warpspan.solve("LLCLL", warps=4, schedule=path)
    path.unlink()
    assert len(answer.figures()) == 1 and not path.exists()


@pytest.mark.parametrize("asked", [True, False])
def test_a_chart_in_a_notebook(asked: bool) -> None:
    answer = warpspan.solve("LLCLL", warps=4, with_schedule=asked)
    page = answer._repr_html_()
    assert "<b>17 cycles</b>" in page and "exact" in page and page.count("<svg") == 1
    [svg] = answer.figures().values()
    assert ElementTree.fromstring(svg).tag.endswith("svg")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda: warpspan.bound("LLCLL", warps=600), "pessimistic"),
        (lambda: warpspan.rta("instances/pa19-scenario-1.toml", with_schedule=True), "proved"),
        (lambda: warpspan.partition("instances/si21-partition-table.toml"), "schedulable"),
        (lambda: warpspan.prem("instances/kr19-least.toml"), "<svg"),
        (lambda: warpspan.simulate("LLCLL", warps=4), "lrr"),
        (lambda: warpspan.extract("tests/data/code/straight.ptx"), "instructions"),
        (lambda: warpspan.sweep(kernels="LLCLL", warps="1..4"), "<table"),
    ],
)
def test_every_answer_has_a_page(answer: Any, says: str) -> None:
    assert says in answer()._repr_html_()


def test_names_in_pages_are_text() -> None:
    from warpspan import _html

    assert "<script>" not in _html.table([{"name": "<script>alert(1)</script>"}])


GRID: dict[str, Any] = {"kernels": ["LLCLL", "LC"], "warps": range(1, 9), "sigma_l": [1, Fraction(1, 2)]}


def untimed(table: warpspan.Table) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in table.to_dicts()]


def test_sweeps() -> None:
    table = warpspan.sweep(**GRID)
    assert len(table) == table.cells == 32
    assert [row.cell for row in table] == list(range(1, 33))
    columns = table.to_columns()
    assert set(map(len, columns.values())) == {32} and columns["kernel"][0] == "LLCLL"
    worst = warpspan.solve("LLCLL", warps=8)
    assert next(row.upper for row in table if (row.kernel, row.warps, row.sigma_l) == ("LLCLL", 8, "1")) == worst.upper
    assert any(name.startswith("makespan") for name in table.figures())


class Mapper:
    """Has map, as a pool has it."""

    def map(self, function: Any, items: Any) -> Any:
        return map(function, items)


def parallel(calls: Any) -> list[Any]:
    """Is called as joblib.Parallel is."""
    return [function(*args, **kwargs) for function, args, kwargs in calls]


@pytest.mark.parametrize("client", ["processes", "threads", Mapper(), parallel])
def test_sweeps_on_workers(client: Any) -> None:
    expected = untimed(warpspan.sweep(**GRID))
    seen: list[tuple[int, int]] = []

    def told(done: int, cells: int) -> None:
        seen.append((done, cells))

    if isinstance(client, str):
        with (ProcessPoolExecutor if client == "processes" else ThreadPoolExecutor)(2) as pool:
            found = warpspan.sweep(**GRID, client=pool, shards=5, progress=told)
    else:
        found = warpspan.sweep(**GRID, client=client, shards=5, progress=told)
    assert untimed(found) == expected
    assert seen[-1] == (32, 32) and len(seen) == 5


def test_sweeps_go_on(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    whole = warpspan.sweep(**GRID, output=path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:10]))
    again = warpspan.sweep(**GRID, output=path, resume=True)
    assert untimed(again) == untimed(whole)
    assert [row.seconds for row in again][:10] == [row.seconds for row in whole][:10]
    with pytest.raises(warpspan.InputError, match="jsonl"):
        warpspan.sweep(**GRID, output=tmp_path / "table.csv")
    with pytest.raises(TypeError, match="submit"):
        warpspan.sweep(**GRID, client=3)


def test_sweeps_on_workers_go_on(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    alone = warpspan.sweep(**GRID)

    def stop(done: int, cells: int) -> bool:
        return done < cells / 2

    with ThreadPoolExecutor(2) as pool:
        part = warpspan.sweep(**GRID, client=pool, shards=8, output=path, progress=stop)
        assert 0 < len(part) < part.cells
        with path.open("a") as file:
            file.write('{"grid":"broken off')
        with pytest.raises(warpspan.InputError, match="resume"):
            warpspan.sweep(**GRID, client=pool, output=path)
        whole = warpspan.sweep(**GRID, client=pool, shards=8, output=path, resume=True)
        with pytest.raises(warpspan.InputError, match="another grid"):
            warpspan.sweep(kernels="CCL", warps=3, client=pool, output=path, resume=True)
    assert untimed(whole) == untimed(alone)
    kept = {row.cell: row for row in part}
    assert all(row == kept[row.cell] for row in whole if row.cell in kept)
    # The file is one that the command line goes on with.
    again = warpspan.sweep(**GRID, output=path, resume=True)
    assert [row.seconds for row in again] == [row.seconds for row in whole]


def test_what_the_command_line_says_beside_the_answer_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "odd.ptx"
    path.write_text(
        (ROOT / "tests/data/code/straight.ptx").read_text().replace("\tret;", "\todd.b32 %r1, %r1;\n\tret;")
    )
    with pytest.warns(warpspan.Caution, match="odd"):
        warpspan.extract(path)


def test_declarations_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "declared.toml"
    with pytest.warns(warpspan.Caution, match="written"):
        answer = warpspan.extract("tests/data/code/flow.ptx", declare=path)
    assert path.exists() and answer.entries


def test_values() -> None:
    assert _values.joined(range(1, 65)) == "1..64"
    assert _values.joined([range(1, 9, 2), 64]) == "1..7/2,64"
    assert _values.joined([1, Fraction(1, 2)]) == "1,1/2"
    assert _values.joined(range(3, 3)) == ""
    assert _values.seconds(1.5) == "1500000000ns" and _values.seconds("5m") == "5m"
    assert _values.pairs({"LLC": 4}, ":") == ["LLC:4"]
    assert _values.pairs({"GLOBAL": (30, 800)}, "=") == ["GLOBAL=30..800"]
    assert _values.interval((828.75, 1300.0)) == "828.75..1300" and _values.interval(1e-7) == "0.0000001"
    assert _values.shape((60, 135)) == "60,135" and _values.shape(60) == "60"
    assert _values.bandwidth(20.5e9) == "20.5GB/s" and _values.steps(range(0, 301, 100)) == "0..300:100"
    assert _values.listed(17) == ["17"]


def test_the_written_files_are_current() -> None:
    """Flags, types and descriptions are those of the commands and records of this build."""
    done = subprocess.run([sys.executable, str(ROOT / "python/generate.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types() -> None:
    """The stubs say what the Rust part has, and the types hold."""
    folder = ROOT / "python"
    for arguments in (["mypy", "warpspan", "tests"], ["mypy.stubtest", "warpspan._native"], ["basedpyright"]):
        done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_docstrings_name_every_argument() -> None:
    names = "solve bound simulate extract rta partition prem sweep time budget compare"
    for name in names.split():
        function = getattr(warpspan, name)
        text = function.__doc__
        assert text is not None
        for argument in function.__annotations__:
            assert argument == "return" or f" {argument.replace('ilp', '**ilp')}: " in text, (name, argument)
