"""Long series of launches, and the order in which a scheduler issues its warps, on the made-up device."""

import json
import subprocess
import sys
import types
from pathlib import Path

import pytest
from silicon import fake, order, page_others, series, steps

ROOT = Path(__file__).resolve().parent.parent.parent


class Bench:
    """Spans that count up, with launches that are elsewhere in between."""

    def __init__(self, astray=()):
        self.context, self.count, self.beside, self.astray = types.SimpleNamespace(capability=(9, 0)), 0, [], astray

    def surround(self, memory):
        self.beside.append(memory)

    def dismiss(self):
        self.beside.append("gone")

    def once(self, shape, cache):
        self.count += 1
        return [100, 1000, 100 + self.count, 1001, 3 if self.count in self.astray else 0, 1]


SHAPE = {"shape": "one", "grid": [1, 1, 1], "block": [32, 1, 1]}


def test_spans_are_in_order_and_neighbours_start_anew(monkeypatch):
    # Each look at the clock takes a second, so a turn of neighbours has few launches. The first one of each turn is left out.
    clock = iter(range(1000))
    monkeypatch.setattr(series.time, "monotonic", lambda: next(clock))
    bench = Bench(astray=(3,))
    found = series.one(bench, SHAPE, "memory", 10, 500)
    assert found["spans"] == sorted(found["spans"]) and len(found["spans"]) == found["launches"] == 9
    assert found["astray"] == 1 and 3 not in found["spans"] and 1 not in found["spans"]
    assert found["turns"] > 1 and bench.beside == [True, "gone"] * found["turns"]


def test_a_series_is_shorter_if_the_time_is_over(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(series.time, "monotonic", lambda: next(clock))
    bench = Bench()
    found = series.one(bench, SHAPE, "alone", 1000, 20)
    assert 0 < found["launches"] < 20 and bench.beside == []


def test_neighbours_that_do_not_come_are_said():
    bench = Bench()

    def refuse(memory):
        raise steps.Unsupported("no neighbours came")

    bench.surround = refuse
    found = series.one(bench, SHAPE, "memory", 10, float("inf"))
    assert (found["launches"], found["cycles"], found["error"]) == (0, [], "no neighbours came")


def test_spans_stand_beside_the_record():
    run = {"shape": "one", "block": [32, 1, 1], "cache": "warm", "company": "alone", "launches": 2, "spans": [7, 5], "cycles": [5, 7]}
    record = {"measured": False, "started": "2026-01-01", "series": {"series-k": {"sha256": "0", "runs": [run]}}}
    short, long = series.apart(record)
    assert "spans" not in short["series"]["series-k"]["runs"][0] and "spans" in run
    assert [(one["kernel"], one["neighbours"], one["caches"], one["measured"], one["spans"]) for one in long] == [("k", "alone", "warm", False, [7, 5])]
    # A record that was read again has none, and nothing is written over the file.
    assert series.apart(short) == (short, None)
    assert series.apart({"measured": True}) == ({"measured": True}, None)


@pytest.mark.parametrize("policy", order.POLICIES)
def test_an_order_is_seen_as_it_is(policy, tmp_path):
    context = steps.Context(fake=True, prepared=tmp_path)
    context._driver = fake.FakeDriver(order.players({}, policy))
    context.tools = types.SimpleNamespace(of_ptx=lambda text, capability, name: types.SimpleNamespace(data=text.encode(), how="made up"))
    found = order.order(context)
    seen = found["figures"][-1]
    # The one in which the made-up scheduler went, and no other.
    assert [name for name, one in found["expected"].items() if one == seen] == [policy]
    short = found["times"]["last is short"]
    assert [len(warp) for warp in short] == [16, 16, 16, 4]
    text = page_others.order({"order": {"order": found}})
    assert policy in text and "measured, launch 1" in text


def test_a_run_writes_the_series(tools, tmp_path):
    pytest.importorskip("tomllib", reason="the declarations are read by Python 3.11 and later")
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "on-gpu"), "--fake", "--only", "series-black", "--launches", "30", "--out", str(tmp_path)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "series.json").read_text())
    assert [(one["kernel"], one["neighbours"], len(one["spans"]), one["measured"]) for one in found] == [
        ("black_scholes", "alone", 30, False), ("black_scholes", "memory", 30, False)]
    record = json.loads((tmp_path / "record.json").read_text())
    assert all("spans" not in run for run in record["series"]["series-black_scholes"]["runs"])
    assert "black_scholes" in (tmp_path / "page.html").read_text()
