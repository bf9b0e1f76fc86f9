"""Runs measurements, in a process of their own, and writes the record after every one.

A kernel that hangs takes that process with it and nothing else: the step is recorded as timed out and the next one starts.
"""

import collections
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from . import driver as cuda
from .tools import ROOT, ToolError, Tools

# Modules with STEPS, in the order in which they run: a budget that runs out cuts off the last ones.
MODULES = ["device", "micro", "memory", "rates", "order", "rules", "prem", "kernels", "series"]

SCHEMA, VERSION = "warpspan.silicon", 1


class Unsupported(Exception):
    """The device or the tools of this machine cannot do a step."""


class Broken(Exception):
    """A step failed in the middle, so the process must be replaced; `value` is what the record has of it all the same."""

    def __init__(self, error, value):
        super().__init__(str(error))
        self.value = value


class Step(collections.namedtuple("Step", "name key run seconds about")):
    """One measurement. `seconds` is the time after which it is killed, on a device that hangs as on one that is slow."""


class Context:
    """What a step may use."""

    def __init__(self, quick=False, prepared=None, fake=False, seconds=60, launches=None):
        self.launches = launches
        self.quick, self.prepared, self.fake, self.seconds, self.root = quick, prepared, fake, seconds, ROOT
        self.tools = Tools(prepared)
        self._driver = None

    @property
    def driver(self):
        if self._driver is None:
            if self.fake:
                from . import fake
                properties = dict(fake.PROPERTIES)
                players = [player for module in modules() for player in getattr(module, "players", lambda _: [])(properties)]
                self._driver = fake.FakeDriver(players, properties)
            else:
                self._driver = cuda.Driver()
        return self._driver

    @property
    def capability(self):
        return self.driver.capability


def modules():
    """The modules of steps that are there. One that cannot be imported is left out, aloud."""
    found = []
    for name in MODULES:
        if not (Path(__file__).parent / f"{name}.py").exists():
            continue
        try:
            found.append(importlib.import_module(f".{name}", __package__))
        except Exception:  # noqa: BLE001 (whatever is wrong with one module, the others must run)
            print(f"on-gpu: the module {name} cannot be loaded:\n{traceback.format_exc()}", file=sys.stderr)
    return found


def all_steps():
    return [step for module in modules() for step in module.STEPS]


def perform(name, context):
    """Runs one step in this process; returns what goes to the record: (status, value, error)."""
    step = next(step for step in all_steps() if step.name == name)
    context.seconds = step.seconds
    try:
        return "done", step.run(context), None
    except Unsupported as error:
        return "unsupported", None, str(error)
    except Broken as error:
        return "failed", error.value, str(error)
    except (cuda.CudaError, ToolError, OSError) as error:
        error = first(error)
        return "failed", None, f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 (the text goes to the record)
        return "failed", None, traceback.format_exc()


def first(error):
    """The error of the driver that came first: once a kernel has failed, all calls fail, those that tidy up too."""
    while isinstance(error.__context__, cuda.CudaError) and not error.__suppress_context__:
        error = error.__context__
    return error


class Worker:
    """A process that performs steps, one at a time, as it is told. It is replaced when a step fails, because an error may
    stay with the context, when a step hangs, and after some steps, since what they allocate lasts as long as the process."""

    MOST = 20

    def __init__(self, options):
        self.options, self.child, self.steps = options, None, 0

    def start(self, folder):
        command = [sys.executable, str(ROOT / "scripts" / "on-gpu"), "--worker", *self.options]
        log = open(Path(folder, "log"), "w", errors="replace")
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                      universal_newlines=True)
        self.steps = 0

    def run(self, step, seconds):
        """(status, value, error) of a step that gets at most `seconds`."""
        with tempfile.TemporaryDirectory() as folder:
            return self._run(step, seconds, Path(folder))

    def _run(self, step, seconds, folder):
        out = folder / "value.json"
        if self.child is None or self.child.poll() is not None or self.steps >= self.MOST:
            self.stop()
            self.log = tempfile.mkdtemp(prefix="on-gpu-")
            self.start(self.log)
        self.steps += 1
        try:
            self.child.stdin.write(f"{step.name}\t{out}\n")
            self.child.stdin.flush()
        except OSError:
            pass  # the process is gone; the loop below says so
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if out.exists():
                result = tuple(json.loads(out.read_text()))
                if result[0] == "failed":
                    self.stop()
                return result
            if self.child.poll() is not None:
                said = Path(self.log, "log").read_text(errors="replace")[-2000:].strip()
                code = self.child.returncode
                self.stop()
                return "failed", None, f"the process ended with {code}: {said}"
            time.sleep(0.01)
        self.stop()
        return "timed out", None, f"no answer in {seconds:.0f} s"

    def stop(self):
        if self.child is None:
            return
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
            try:
                self.child.wait(timeout=15)
            except subprocess.TimeoutExpired:
                pass  # stuck in the driver: it is left behind, and the next step shows whether the device still works
        self.child.stdin.close()
        self.child = None
        shutil.rmtree(self.log, ignore_errors=True)


def work(context, lines):
    """What the worker does: each line is the name of a step and the file for its result."""
    for line in lines:
        name, out = line.rstrip("\n").split("\t")
        try:
            text = json.dumps(perform(name, context), allow_nan=False, default=str)
        except (TypeError, ValueError) as error:
            text = json.dumps(("failed", None, f"the result of {name} is no JSON: {error}"))
        part = Path(out + ".part")
        part.write_text(text)
        part.replace(out)


def run_all(steps, record, options, budget, save, isolated=True, context=None):
    """Runs steps until the budget (seconds) is spent; `save(record)` is called after each."""
    begin = finished = time.monotonic()
    worker = Worker(options)
    try:
        for step in steps:
            left = budget - (time.monotonic() - begin)
            start = time.monotonic()
            if left < 5:
                status, value, error = "skipped", None, f"the budget of {budget:.0f} s was spent"
            elif isolated:
                status, value, error = worker.run(step, min(step.seconds, left))
            else:
                status, value, error = perform(step.name, context)
            entry = {"name": step.name, "status": status, "seconds": round(time.monotonic() - start, 2)}
            if error:
                entry["error"] = error
            record["steps"].append(entry)
            if value is not None:
                record.setdefault(step.key, {})[step.name] = value
            record["seconds"] = round(time.monotonic() - begin, 1)
            # Fits of all samples take a second or more, so they are not made after each of many short steps.
            if time.monotonic() - finished > 15 or step is steps[-1]:
                finish(record)
                finished = time.monotonic()
            save(record)
            print(f"on-gpu: {step.name}: {status} ({entry['seconds']} s){': ' + error.splitlines()[-1] if error else ''}",
                  file=sys.stderr, flush=True)
    finally:
        # Also when this program is ended: a kernel that hangs would hold the device.
        worker.stop()
    return record


def finish(record):
    """Lets each module compute from the whole record; what goes wrong there is recorded too."""
    errors = []
    for module in modules():
        if hasattr(module, "finish"):
            try:
                module.finish(record)
            except Exception:  # noqa: BLE001 (samples are worth more than what is computed from them)
                errors.append(f"{module.__name__}: {traceback.format_exc()}")
    record.pop("errors", None)
    if errors:
        record["errors"] = errors
