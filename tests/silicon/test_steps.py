"""Steps that hang, fail or cannot be done leave the others running, and the record is written after each."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from silicon import steps
from silicon.driver import CudaError, Driver, as_ctypes, three
from silicon.fake import FakeDriver
from silicon.tools import ToolError, Tools, stem_of

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """A program like scripts/on-gpu whose steps misbehave."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "on-gpu").write_text(f"""
import sys, time, os, types
sys.path.insert(0, {str(ROOT / "scripts")!r})
from silicon import steps
def bad(context): raise ValueError("as meant")
def unable(context): raise steps.Unsupported("no such unit")
def crash(context): os._exit(7)
def pid(context): return os.getpid()
fake = types.SimpleNamespace(STEPS=[steps.Step("hang", "k", lambda c: time.sleep(60), 1, ""), steps.Step("bad", "k", bad, 9, ""),
    steps.Step("unable", "k", unable, 9, ""), steps.Step("crash", "k", crash, 9, ""), steps.Step("nan", "k", lambda c: float("nan"), 9, ""),
    steps.Step("one", "k", pid, 9, ""), steps.Step("two", "k", pid, 9, "")])
steps.modules = lambda: [fake]
if __name__ == "__main__":
    steps.work(steps.Context(fake=True), sys.stdin)
""")
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    return ["hang", "bad", "unable", "crash", "nan", "one", "two"]


def test_each_step_ends_as_it_should(modules):
    saved = []
    record = {"steps": []}
    chosen = [steps.Step(name, "k", None, 3 if name == "hang" else 20, "") for name in modules]
    begin = time.monotonic()
    steps.run_all(chosen, record, [], 100, lambda found: saved.append(len(found["steps"])))
    assert time.monotonic() - begin < 60
    status = {entry["name"]: entry["status"] for entry in record["steps"]}
    assert status == {"hang": "timed out", "bad": "failed", "unable": "unsupported", "crash": "failed", "nan": "failed", "one": "done", "two": "done"}
    errors = {entry["name"]: entry.get("error", "") for entry in record["steps"]}
    assert "as meant" in errors["bad"] and "ended with 7" in errors["crash"] and "no such unit" in errors["unable"]
    assert saved == list(range(1, len(modules) + 1))
    # A process that did nothing wrong is used again.
    assert record["k"]["one"] == record["k"]["two"] != os.getpid()


def test_the_process_that_measures_ends_with_the_one_that_asked(modules):
    def interrupt(found):
        raise KeyboardInterrupt

    record = {"steps": []}
    with pytest.raises(KeyboardInterrupt):
        steps.run_all([steps.Step("one", "k", None, 20, "")], record, [], 100, interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(record["k"]["one"], 0)


def test_a_budget_that_is_spent_skips_what_is_left():
    record = {"steps": []}
    steps.run_all([steps.Step("one", "k", None, 9, "")], record, [], 1, lambda found: None)
    assert record["steps"][0]["status"] == "skipped"


def on_gpu(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "on-gpu"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def test_without_a_driver_nothing_is_measured_and_this_is_said(tmp_path):
    try:
        Driver.library()
    except CudaError:
        done = on_gpu("--out", str(tmp_path))
        assert done.returncode == 2 and "Nothing was measured" in done.stderr and not list(tmp_path.iterdir())
    else:
        pytest.skip("this machine has a CUDA driver")


def test_a_made_up_run_says_that_it_is_one(tmp_path, tools):
    done = on_gpu("--fake", "--quick", "--only", "device", "letter-INT", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "nothing was measured" in done.stdout
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["measured"] is False and "made-up" in record["device"]["device"]["properties"]["name"]
    assert [entry["status"] for entry in record["steps"]] == ["done", "done"]
    again = on_gpu("--again", str(tmp_path / "record.json"), "--out", str(tmp_path / "again"))
    assert again.returncode == 0, again.stderr
    assert json.loads((tmp_path / "again" / "record.json").read_text())["machine"] == record["machine"]
    assert (tmp_path / "machine.toml").read_text().startswith("# MADE UP")


@pytest.mark.parametrize("arguments, word", [(["--only", "nothing"], "no step begins with nothing"), (["--arch", "nine"], "write it as 9.0"),
                                            (["--again", "/nowhere.json"], "no record")])
def test_bad_input_is_one_line(arguments, word):
    done = on_gpu(*arguments)
    assert done.returncode == 2 and word in done.stderr.splitlines()[-1]


def test_names_of_steps_are_unique():
    names = [step.name for step in steps.all_steps()]
    assert len(names) == len(set(names)) > 60


def test_arguments_of_a_launch():
    assert three(4) == (4, 1, 1) and three((2, 3)) == (2, 3, 1)
    assert (as_ctypes(7).value, as_ctypes(0.5).value) == (7, 0.5)


def test_the_fake_driver_refuses_what_a_device_refuses():
    driver = FakeDriver([("k", lambda launch: launch.arguments[0].put("Q", 1, 9))])
    module = driver.module(b".visible .entry k(")
    with pytest.raises(CudaError, match="NOT_FOUND"):
        module.function("other")
    buffer = driver.alloc(16)
    driver.launch(module.function("k"), 1, 32, [buffer])
    assert buffer.numbers("Q") == [0, 9]
    with pytest.raises(CudaError):
        driver.launch(module.function("k"), 1, 2048, [buffer])
    with pytest.raises(CudaError):
        buffer.write(b"x" * 17)


def test_what_is_prepared_is_used_only_for_its_source(tmp_path):
    stem = stem_of("k", "source", (9, 0))
    (tmp_path / f"{stem}.cubin").write_bytes(b"\x7fELF made up")
    tools = Tools(tmp_path, programs={})
    assert tools.of_ptx("source", (9, 0), "k").how == "prepared"
    assert tools.of_ptx("changed", (9, 0), "k").how == "the driver, from PTX"
    with pytest.raises(ToolError):
        tools.cubin("source", (9, 0))
