"""Comparison with a shipped machine, and machine files that warpspan reads. All numbers here are made up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from silicon import machine, micro, play, steps
from silicon.fake import FakeDriver

ROOT = Path(__file__).resolve().parent.parent.parent


def seen(latency, occupancy, shared=False, verdict="one fits"):
    return {"latency": latency, "occupancy": occupancy, "occupancy_fit": occupancy, "shared": shared, "fit": "private", "verdict": verdict,
            "private_rejected": shared, "sass": True, "sass_why": [], "companions": None}


SHIPPED = {"latency": [4, 6], "occupancy": 2, "shared": False}


@pytest.mark.parametrize("latency, occupancy, shared, expected", [
    ([4, 6], 2, False, "confirmed"), ([5, 5], 1, False, "confirmed"), ([4, 7], 2, False, "widened"), ([3, 5], 2, False, "widened"),
    ([7, 9], 2, False, "refuted"), ([1, 3], 2, False, "refuted"), ([4, 6], 3, False, "refuted"), ([4, 6], 2, True, "refuted"),
])
def test_verdicts(latency, occupancy, shared, expected):
    assert machine.verdict(SHIPPED, seen(latency, occupancy, shared))[0] == expected


def test_an_instruction_beside_each_measured_one_refutes_nothing():
    both = dict(seen([1, 9], 5), companions="ISETP.NE.AND")
    assert machine.verdict(SHIPPED, both)[0] == "unclear"
    assert machine.verdict(SHIPPED, dict(both, latency=[1, 6], occupancy=2))[0] == "confirmed"


def test_every_shipped_machine_is_read_and_written_back():
    for path in sorted((ROOT / "machines").glob("sm_*.toml")):
        found = machine.read_toml(path.read_text())
        assert found["machine"]["name"] == path.stem and len(found["unit"]) > 3
        assert machine.read_toml(machine.write_toml(found, ["x"])) == found


def test_a_letter_whose_loop_is_not_as_meant_changes_nothing():
    _, shipped = machine.shipped_for((9, 0))
    wrong = dict(seen([99, 99], 50), sass=False, sass_why=["3 measured instructions where 4 are expected"])
    for trust in (False, None):
        assert machine.made(shipped, {"FP32": dict(wrong, sass=trust)}, "t", "s")["letter"] == shipped["letter"]
    for trust, expected in ((False, "not comparable"), (None, "not checked")):
        row = next(row for row in machine.compare(shipped, {"FP32": dict(wrong, sass=trust)}) if row["letter"] == "FP32")
        assert row["verdict"] == expected


def test_memory_stays_assumed_and_only_grows():
    _, shipped = machine.shipped_for((9, 0))
    found = machine.entries(machine.made(shipped, {"SHARED": seen([20, 25], 2, True)}, "t", "s"))["SHARED"]
    assert found["latency"] == [20, 29] and "latency" in found["assumed"]


@pytest.mark.parametrize("verdict", ["one fits", "several fit", "none fits"])
def test_a_unit_that_is_surely_shared_is_shared_in_the_file(verdict):
    _, shipped = machine.shipped_for((9, 0))
    assert not machine.entries(shipped)["FP64"]["shared"]
    for rejected in (True, False):
        found = machine.made(shipped, {"FP64": dict(seen([8, 8], 2, True, verdict), private_rejected=rejected)}, "t", "s")
        assert machine.entries(found)["FP64"]["shared"] == rejected


def test_a_measured_file_is_accepted_and_no_hold_falls(tmp_path):
    _, shipped = machine.shipped_for((9, 0))
    before = machine.entries(shipped)
    assert before["LSU"]["occupancy"] > 1
    found = machine.made(shipped, {name: seen([8, 8], 1) for name in before}, "t", "s")
    assert {name: one["occupancy"] for name, one in machine.entries(found).items()} == {name: one["occupancy"] for name, one in before.items()}
    path = tmp_path / "machine.toml"
    path.write_text(machine.write_toml(found, []))
    done = subprocess.run([program(), "solve", "--machine", str(path), "--kernel", "<FP32>", "--warps", "2"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0, done.stderr


def program():
    for path in (os.environ.get("WARPSPAN"), ROOT / "target/release/warpspan", ROOT / "target/debug/warpspan", shutil.which("warpspan")):
        if path and Path(path).exists():
            return str(path)
    pytest.skip("the program warpspan is not built, so it reads no machine file here")


@pytest.fixture(scope="module")
def record(tools):
    """What three letters of a made-up multiprocessor give from end to end: PTX, SASS, launches, fits."""
    context = steps.Context(quick=True, fake=True)
    context.tools = tools
    found = {"measured": False, "started": "2000-01-01", "micro": {}, "device": {"device": {"properties": context.driver.properties}}}
    for name in ("FP32", "SFU", "SHARED"):
        found["micro"][f"letter-{name}"] = micro.letter(name, context)
    machine.finish(found)
    return found["machine"]


def test_the_made_up_device_is_recovered(record):
    for name, found in record["letters"].items():
        _, occupancy, latency, shared = play.INVENTED[name]
        assert (found["latency"], found["occupancy"], found["shared"]) == ([latency, latency], occupancy, shared), name
        assert found["sass"] is True


def test_warpspan_accepts_the_file(record, tmp_path):
    assert record["toml"].startswith("# MADE UP")
    path = tmp_path / "machine.toml"
    path.write_text(record["toml"])
    done = subprocess.run([program(), "solve", "--machine", str(path), "--kernel", "<FP32,SHARED,SFU>", "--warps", "2", "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0, done.stderr


def test_the_made_up_device_says_so():
    assert "nothing measured" in FakeDriver().properties["name"]
