"""Workloads of several streams, whose blocks spin: which scheduling rules of `warpspan rta` hold on this GPU?

Each workload is written as one log for each stream, in the form of the CUDA scheduling examiner, with a system file beside
them. `warpspan rta SYSTEM --measured LOG...` judges the rules, and names the first block that breaks one.
docs/response-times.md says what each rule implies.
"""

import array
import json
import random
import tempfile
import time
from pathlib import Path

from .bench import long, number
from .steps import Step, Unsupported
from .tools import ROOT

SOURCE = ROOT / "scripts" / "silicon" / "cuda" / "spin.cu"
RANDOM, QUICK_RANDOM = 12, 3
NS = 200_000
FIXED = ", carve-out fixed"
PRESETS = {(5, 3): "jetson-nano", (6, 1): "titan-x", (6, 2): "jetson-tx2", (7, 0): "v100", (7, 2): "jetson-xavier", (7, 5): "rtx-2060", (8, 0): "a100",
           (8, 6): "rtx-3070", (8, 7): "jetson-orin", (9, 0): "h200", (11, 0): "jetson-thor"}


def launch(blocks, threads, ns=NS, shared=0):
    return {"blocks": blocks, "threads": threads, "ns": ns, "shared": shared}


def workloads(properties, quick):
    """Names to streams: each with a priority (0, or 1 for urgent) and its launches."""
    count, room = properties["multiprocessors"], properties["threads_per_multiprocessor"]
    half = min(room // 2, properties["max_threads_per_block"])
    fill = count * (room // half)
    most = properties["shared_per_block"]
    found = {
        "queue": [(0, [launch(fill - 1, half, 3 * NS)]), (0, [launch(fill // 2, half)]), (0, [launch(4, half)])],
        "in one stream": [(0, [launch(fill, half), launch(3, half), launch(fill + 5, half)]), (0, [launch(2, half)])],
        "sizes": [(0, [launch(fill - 2, half, 2 * NS)]), (0, [launch(count, 32, NS)]), (0, [launch(7, half // 2, NS)])],
        "shared memory": [(0, [launch(3 * count, 64, NS, most)]), (0, [launch(count, 64, NS, most // 2)]), (0, [launch(count, 64)])],
        "grids over the GPU": [(0, [launch(3 * fill + 1, half)]), (0, [launch(2 * fill, half)])],
        "priorities": [(0, [launch(3 * fill, half)]), (1, [launch(fill // 2, half)]), (0, [launch(fill, half)]), (1, [launch(3, half)])],
    }
    for seed in range(QUICK_RANDOM if quick else RANDOM):
        draw = random.Random(seed)
        found[f"random {seed}"] = [
            (draw.choice((0, 0, 1)), [launch(draw.choice((1, 3, count, fill // 2, fill + 3)), draw.choice((32, 64, half // 2, half)),
                                             draw.choice((NS // 4, NS, 2 * NS)), draw.choice((0, 0, 1024, most // 4)))
                                      for _ in range(draw.randint(1, 3))])
            for _ in range(draw.randint(2, 4))]
    return found


def synchronise(driver, timer, out):
    """What is added to times of the GPU for times of the host, in ns, and how far that may be off."""
    best = None
    for _ in range(20):
        before = time.monotonic_ns()
        driver.launch(timer, 1, 1, [out, number(1)])
        driver.synchronize()
        after = time.monotonic_ns()
        found = (after - before, (before + after) // 2 - array.array("Q", out.read(8))[0])
        best = min(best or found, found)
    return best[1], best[0] // 2


def play(driver, spin, streams, offset):
    """Launches a workload; returns a log for each stream, in the examiner's form, with times in seconds from its start."""
    least, greatest = driver.priorities()
    places = [driver.stream(greatest if urgent else least) for urgent, _ in streams]
    buffers = [[(driver.alloc(16 * one["blocks"]), driver.alloc(8 * one["blocks"])) for one in launches] for _, launches in streams]
    driver.synchronize()
    origin = time.monotonic_ns() - 1_000_000
    calls = [[] for _ in streams]
    for turn in range(max(len(launches) for _, launches in streams)):
        for at, (_, launches) in enumerate(streams):
            if turn < len(launches):
                one, (times, where) = launches[turn], buffers[at][turn]
                called = time.monotonic_ns()
                driver.launch(spin, one["blocks"], one["threads"], [long(one["ns"]), times, where], one["shared"], places[at])
                calls[at].append([called, time.monotonic_ns(), 0])
    for at, place in enumerate(places):
        place.synchronize()
        calls[at][-1][2] = time.monotonic_ns()
    logs = []
    for at, (_, launches) in enumerate(streams):
        entries = [{}]
        for turn, one in enumerate(launches):
            times, where = (array.array("Q", buffer.read()) for buffer in buffers[at][turn])
            entries.append({"kernel_name": f"S{at}K{turn}", "block_count": one["blocks"], "thread_count": one["threads"],
                            "shared_memory": one["shared"],
                            "cuda_launch_times": [round((t - origin) * 1e-9, 9) if t else 0 for t in calls[at][turn]],
                            "block_times": [round((t + offset - origin) * 1e-9, 9) for t in times], "block_smids": list(where)})
        logs.append({"scenario_name": "warpspan", "benchmark_name": "spin", "label": f"S{at}", "PID": 1, "times": entries})
    for one in buffers:
        for pair in one:
            for buffer in pair:
                buffer.free()
    for place in places:
        place.free()
    return logs


def rules(context):
    driver, found = context.driver, context.driver.properties
    if found["multiprocessors"] < 1 or not found.get("concurrent_kernels", 1):
        raise Unsupported("this device runs one kernel at a time")
    module = driver.module(context.tools.of_source(SOURCE, context.capability).data)
    spin, timer = module.function("ws_spin"), module.function("ws_time")
    out = driver.alloc(8 * 4096)
    driver.launch(timer, 1, 1, [out, number(4096)])
    driver.synchronize()
    stamps = array.array("Q", out.read())
    steps = [b - a for a, b in zip(stamps, stamps[1:]) if b > a]
    end, played = time.monotonic() + context.seconds - 15, {}
    # The driver divides the memory of a multiprocessor between L1 and shared memory as a kernel needs it, and a kernel that needs
    # another division waits until the multiprocessor is empty. So each workload is played as the driver divides it, and
    # again with all of it for shared memory.
    played_workloads = [(name + ending, percent, streams) for ending, percent in (("", -1), (FIXED, 100))
                        for name, streams in workloads(found, context.quick).items()]
    for name, percent, streams in played_workloads:
        if time.monotonic() > end:
            break
        spin.carve_out(percent)
        offset, off_by = synchronise(driver, timer, out)
        logs = play(driver, spin, streams, offset)
        for log in logs:
            log["max_resident_threads"] = found["multiprocessors"] * found["threads_per_multiprocessor"]
        played[name] = {"streams": streams, "carve_out": percent, "clock_off_by_ns": off_by, "logs": logs}
    return {"timer_step_ns": min(steps, default=None), "registers": spin.attributes["registers"], "workloads": played}


def system(record, measured, streams):
    """The system file of a workload."""
    found = record["device"]["device"]["properties"]
    # A preset of the same capability says in which units registers and shared memory are given out.
    preset = PRESETS.get((found.get("capability_major"), found.get("capability_minor")))
    reserved = 1024 if not preset and found.get("capability_major", 0) >= 8 else 0
    lines = ['unit = "ns"', "[gpu]"] + [f'preset = "{preset}"'] * bool(preset)
    lines += [f"{key} = {found[name]}" for key, name in (
        ("multiprocessors", "multiprocessors"), ("threads", "threads_per_multiprocessor"), ("shared_memory", "shared_per_multiprocessor"),
        ("registers", "registers_per_multiprocessor"), ("blocks", "blocks_per_multiprocessor"))]
    for at, (urgent, _) in enumerate(streams):
        lines += ["[[stream]]", f'name = "S{at}"', f"priority = {urgent}"]
    for at, (_, launches) in enumerate(streams):
        for turn, one in enumerate(launches):
            lines += ["[[kernel]]", f'name = "S{at}K{turn}"', f'stream = "S{at}"', f"blocks = {one['blocks']}",
                      f"threads_per_block = {one['threads']}", f"execution = {one['ns'] + 20_000}",
                      f"shared_memory = {one['shared'] + reserved}", f"registers_per_thread = {measured['registers']}"]
    return "\n".join(lines) + "\n"


def judge(record, warpspan):
    """Puts into the record what warpspan says of each workload."""
    measured = record.get("rules", {}).get("rules")
    # Without the step `device` it is not known what the GPU has.
    if not measured or "device" not in record.get("device", {}):
        return
    exceeded = []
    for name, workload in measured["workloads"].items():
        tolerance = max(10_000, 2 * workload["clock_off_by_ns"], 2 * (measured["timer_step_ns"] or 0))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "system.toml")
            path.write_text(system(record, measured, workload["streams"]))
            logs = []
            for log in workload["logs"]:
                logs.append(Path(folder, f"{log['label']}.json"))
                logs[-1].write_text(json.dumps(log))
            done = warpspan("rta", path, "--tolerance", f"{tolerance}ns", "--format", "json", "--measured", *logs)
        if not done.stdout.startswith("{"):
            workload["judged"] = {"refused": (done.stderr.strip() or f"exit code {done.returncode}").replace(str(folder) + "/", "")}
            continue
        said = json.loads(done.stdout)
        found = said.get("measured", said)
        workload["judged"] = {"rules": found.get("rules"), "exit": done.returncode, "executions_hold": found.get("executions_hold"),
                              "bounds_hold": found.get("bounds_hold"), "tolerance_ns": tolerance, "notes": found.get("notes")}
        exceeded += [{"workload": name, "rule": rule.get("rule"), "breach": rule.get("breach") or rule.get("first")}
                     for rule in found.get("rules") or [] if rule.get("holds") is False]
        if found.get("bounds_hold") is False:
            exceeded.append({"workload": name, "rule": "bounds", "breach": {"what": "a launch took longer than its response bound"}})
    record["rules"]["exceeded"] = exceeded


STEPS = [Step("rules", "rules", rules, 60, "streams, priorities and placement of blocks that spin")]


def prepare(tools, folder, capability):
    tools.prepare(folder, SOURCE.stem, capability, SOURCE)


def players(properties):
    """A made-up GPU that runs one launch after the other, and places blocks wherever there is room."""
    def spin(launched):
        ns, times, places = launched.arguments[0].value, launched.arguments[1], launched.arguments[2]
        threads, count = launched.block[0], properties["multiprocessors"]
        room = min(properties["threads_per_multiprocessor"] // threads, properties["blocks_per_multiprocessor"],
                   properties["registers_per_multiprocessor"] // (32 * threads))
        if launched.shared:
            room = min(room, properties["shared_per_multiprocessor"] // launched.shared)
        now = time.monotonic_ns() + 1_000
        for block in range(launched.grid[0]):
            begin = now + block // (room * count) * (ns + 100)
            times.put("Q", 2 * block, begin, begin + ns)
            places.put("Q", block, block % count)
        # One launch after the other, so that none waits for another.
        while time.monotonic_ns() < begin + ns:
            pass

    def timer(launched):
        now = time.monotonic_ns()
        launched.arguments[0].put("Q", 0, *(now + 32 * k for k in range(launched.arguments[1].value)))

    return [("^ws_spin$", spin), ("^ws_time$", timer)]
