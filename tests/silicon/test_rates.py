"""Rates: kernels compile, windows of made-up marks give back what these were made of, and servers never say more than was
seen. All numbers here are made up."""

import copy
import re
import struct
from fractions import Fraction
from pathlib import Path

import pytest
from silicon import fake, machine, page_rates, ptx, rate_bench, rate_fit, rate_play, rate_ptx, rates, sass, steps
from silicon.machine_file import read_toml

ROOT = Path(__file__).resolve().parent.parent.parent
SLOW = rate_play.SLOW_PART


@pytest.mark.parametrize("capability", [(6, 2), (8, 7), (9, 0)], ids=lambda one: f"sm_{one[0]}{one[1]}")
def test_loops_hold_the_accesses_that_are_meant(tools, capability):
    image = tools.of_ptx(ptx.module(capability, rate_ptx.bodies()), capability)
    for name, found in rate_ptx.KERNELS.items():
        checked = rate_ptx.checked(image.sass, name)
        assert checked["ok"], (name, checked["why"])
        # The timer is read after the store that needs what was loaded, or after the fence.
        body = max(sass.loops(*sass.functions(image.sass)[f"rate_{name}"]), key=len)
        opcodes = [one.opcode.split(".")[0] for one in body]
        order = [{"CS2R": "TIMER", "S2R": "TIMER"}.get(one, one) for one in opcodes if one in ("STS", "MEMBAR", "CS2R", "S2R")]
        wait = "STS" if found.loaded and len(found.opcodes) == 1 else "MEMBAR"
        assert order[:2] == [wait, "TIMER"], (name, order)


def test_a_loop_that_is_not_as_meant_is_named():
    text = """		Function : rate_read
        /*0000*/                   LDG.E.128 R4, [R2] ;   /* 0x0 */
        /*0010*/                   @P0 BRA 0x0 ;   /* 0x0 */
"""
    assert "no loop holds 4" in rate_ptx.checked(text, "read")["why"]
    assert "no function" in rate_ptx.checked(text, "write")["why"]
    assert rate_ptx.checked(None, "read")["ok"] is None


def test_no_register_has_the_name_of_a_special_one():
    # PTX lets a kernel declare %clock, and reads the clock all the same where it is stored.
    special = {"tid", "ntid", "laneid", "warpid", "nwarpid", "ctaid", "nctaid", "smid", "nsmid", "gridid", "clock", "clock_hi", "clock64",
               "globaltimer", "globaltimer_lo", "globaltimer_hi", "pm0", "envreg0", "total_smem_size", "dynamic_smem_size"}
    sources = [(ROOT / "scripts" / "silicon" / f"{name}.py").read_text() for name in ("rate_ptx", "ptx", "memory", "device")]
    declared = {name for text in sources for line in re.findall(r"\.reg [^;]*;", text) for name in re.findall(r"%(\w+)", line)}
    assert declared and not declared & special


def test_a_clock_that_runs_backwards_is_refused():
    class Out:
        @staticmethod
        def read(size):
            return struct.pack(f"{size // 8}Q", *([100, 90, 0, 10] + [0] * (size // 8 - 4)))

    bench = rate_bench.Bench.__new__(rate_bench.Bench)
    bench.out = [Out()]
    with pytest.raises(ValueError, match="10 cycles"):
        bench.found(0, 1, 2)


@pytest.mark.parametrize("bits", [10, 17, 23])
def test_no_place_comes_twice(bits):
    places = [rate_ptx.place(number, 1 << bits) for number in range(1 << min(bits, 17))]
    assert len(set(places)) == len(places) and max(places) < 1 << bits
    # Neighbours in time are nowhere near each other.
    near = sum(abs(one - other) < 4 for one, other in zip(places, places[1:]))
    assert near < len(places) / 100 + 16


def marks(warps=3, chunks=20, each=100, room=32):
    words = []
    for warp in range(warps):
        mine = [1000 + warp] + [1000 + warp + each * (turn + 1) for turn in range(chunks)]
        if len(mine) > room:
            mine = mine[:room - 1] + mine[-1:]
        words += mine + [0] * (room - len(mine))
    return words


def test_windows_of_marks():
    found = rate_fit.Marks(marks(), 3, 32)
    assert (found.begin, found.end, found.over) == (1002, 3000, 3000)
    low, high = found.between()
    assert found.windows(3, low, high) == [100] * 19
    assert found.windows(6, low, high) == [200] * 9
    # Neighbours that come later and go sooner leave less to look at.
    low, high = found.between(1500, 2500)
    assert all(1500 <= end <= 2500 for end in found.ends[low:high + 1]) and found.windows(3, low, high) == [100] * 10


def test_a_warp_without_room_ends_what_is_known():
    found = rate_fit.Marks(marks(room=11), 3, 11)
    assert found.end == 1000 + 9 * 100 and found.over == 3000
    low, high = found.between()
    assert set(found.windows(3, low, high)) == {100}
    with pytest.raises(ValueError, match="warp 1 of 2"):
        rate_fit.Marks([5, 6, 0, 0], 2, 2)


def sample(times, amount=1000, unit="bytes", step=0, mhz=(1000.0,)):
    return {"unit": unit, "amount": amount, "times_ns": list(times), "timer_step_ns": step, "clock_mhz": list(mhz)}


def test_statistics_of_known_windows():
    found = rate_fit.statistics(sample(range(1, 1001), amount=1000))
    assert (found["samples"], found["least"], found["median"], found["p1"]) == (1000, 1.0, 1.996, 1.0091)
    assert found["percentile_of_least"] == pytest.approx(100 / 1001, abs=1e-4)
    # The step of the timer makes a window longer, never shorter.
    assert rate_fit.statistics(sample([90], amount=1000, step=10))["least"] == 10.0
    # The fastest clock that was seen makes the fewest lanes of a cycle.
    assert rate_fit.statistics(sample([100], amount=400, unit="lanes", mhz=(1000.0, 2000.0)))["least"] == 2.0
    assert rate_fit.statistics(sample([])) == {"samples": 0}
    assert rate_fit.statistics(sample([100], unit="lanes", mhz=()))["samples"] == 0


@pytest.mark.parametrize("value, text", [(Fraction(20349, 10), "2034.9"), (Fraction(2, 3), "0.6666"), (2, "2"), (Fraction(99999, 1000), "99.99"), (Fraction(1, 300), "0.003333")])
def test_rates_are_rounded_down(value, text):
    assert rate_fit.down(value) == text and Fraction(text) <= value


@pytest.mark.parametrize("line, sectors, bytes_", [(300, 100, 96), (300, 99, 97), (100, 100, 32), (100, 300, 32), (400, 100, 128), (401, 100, 129)])
def test_what_a_lone_sector_costs(line, sectors, bytes_):
    assert rate_fit.lone_sector(line, sectors) == bytes_
    # Sectors at this cost are never promised faster than they came.
    assert Fraction(32 * line, bytes_) <= max(sectors, line if sectors > line else 0)


@pytest.fixture(scope="module")
def record():
    """All rates of the made-up memory, from launches to statistics."""
    context = steps.Context(quick=True, fake=True)
    found = {"measured": False, "started": "2000-01-01", "rate": {}, "device": {"device": {"properties": context.driver.properties}}}
    for step in rates.STEPS:
        found["rate"][step.name] = step.run(context)
        # Whether a compiler is there to look at the loops is no matter of this test.
        found["rate"][step.name]["sass"] = {"ok": True, "why": None}
    rates.finish(found)
    machine.finish(found)
    return found


@pytest.mark.parametrize("name, key", [
    ("read", ("read", 16)), ("write", ("write", 16)), ("copy", ("copy", 16)), ("stride-128", ("sector", 128)), ("stride-4096", ("sector", 4096)),
    ("random-sectors", ("random_sector", 0)), ("random-lines", ("random_line", 0)), ("one-channel", ("sector", 1 << 20)), ("l2-read", None),
    ("atomic-same", ("atomic", 0)), ("atomic-same-reduce", ("reduce", 0)), ("atomic-same-float", ("float", 0)), ("atomic-words", ("atomic", 4)),
    ("atomic-sectors", ("atomic", 32)),
])
def test_the_made_up_memory_is_recovered(record, name, key):
    true = rate_play.L2_BYTES if key is None else {**rate_play.BYTES, **rate_play.LANES}[key]
    value = record["rate"][f"rate.{name}"]
    for company, part in (("alone", 1), ("beside", rate_play.BESIDE_PART)):
        found = value[company]["rates"]
        assert found["samples"] == rates.QUICK_WINDOWS
        # Two windows of three are outside the slow part of a period; the slowest ones lie within it.
        assert true * part * SLOW * 0.95 < found["least"] <= found["p1"] < true * part * SLOW * 1.1, (company, found)
        assert true * part * SLOW * 0.95 < found["median"] < true * part * 1.05, (company, found)
    assert value["beside"]["neighbours_gbs"] > 0


def test_the_slowest_stride_is_found(record):
    value = record["rate"]["rate.one-channel"]
    assert value["stride"] == rate_play.CHANNEL_STRIDE and len(value["strides"]) > 5


def test_servers_of_the_machine_file(record):
    text = record["machine"]["toml"]
    assert text.startswith("# MADE UP")
    found = read_toml(text)
    # Rates by the second are refused without a clock.
    assert found["machine"]["clock_mhz"] == 1000
    servers = {one["name"]: one for one in found["server"]}
    assert set(servers) == {"DRAM", "L2", "ATOMICS"}
    assert all(one["sources"] == "M" and one["assumed"] == [] for one in servers.values())
    assert "windows for DRAM" in found["sources"]["M"] and "nothing was measured" in found["sources"]["M"]
    line = Fraction(re.fullmatch(r"([\d.]+) GB/s", servers["DRAM"]["rate"]).group(1))
    for step in rate_fit.SERVERS["DRAM"]:
        assert line <= min(rate_fit.exact(record["rate"][step]["alone"]))
    # Neither are sectors promised faster than the slowest window of them.
    assert Fraction(32 * line, servers["DRAM"]["lone_sector"]) <= min(rate_fit.exact(record["rate"][rate_fit.SECTORS]["alone"]))
    expected = 32 * rate_play.BYTES["random_line", 0] / rate_play.BYTES["random_sector", 0]
    assert servers["DRAM"]["lone_sector"] == pytest.approx(expected, rel=0.06)
    assert float(servers["ATOMICS"]["rate"].split(" /")[0]) == pytest.approx(1.5 * SLOW, rel=0.06)
    assert "beside a kernel that copies" in text and f"{1 << 20} bytes apart" in text


@pytest.mark.parametrize("change", [lambda value: value["sass"].update(ok=None), lambda value: value["sass"].update(ok=False), lambda value: value["alone"].update(times_ns=[])])
def test_a_server_needs_all_its_steps(record, change):
    partial = copy.deepcopy(record)
    change(partial["rate"]["rate.write"])
    names = [one["name"] for one in rate_fit.servers(partial)["tables"]]
    assert names == ["L2", "ATOMICS"]
    del partial["rate"]["rate.l2-read"]
    assert [one["name"] for one in rate_fit.servers(partial)["tables"]] == ["ATOMICS"]
    # Without sectors that come alone nothing is said of them.
    only = copy.deepcopy(record)
    change(only["rate"][rate_fit.SECTORS])
    assert "lone_sector" not in rate_fit.servers(only)["tables"][0]


def test_a_server_of_the_shipped_machine_is_replaced(record):
    shipped = {"sources": {}, "server": [{"name": "L2", "rate": "1 GB/s", "latency": [1, 2]}, {"name": "LINK", "rate": "1 GB/s"}]}
    rate_fit.into(shipped, rate_fit.servers(record), "s")
    assert [one["name"] for one in shipped["server"]] == ["L2", "LINK", "DRAM", "ATOMICS"]
    assert shipped["server"][0]["latency"] == [1, 2] and shipped["server"][0]["rate"] != "1 GB/s"


def test_the_page_has_a_table_of_rates(record):
    page = page_rates.section(record)
    for word in ("rate.random-lines", "beside", "a lone sector costs", "one channel, if it is one", "rate.atomic-words"):
        assert word in page, word
    assert page_rates.section({}) == "<p>No rate was measured.</p>"
    early = copy.deepcopy(record)
    early["rate"]["rate.read"]["beside"] = dict(sample([]), why="kernel and neighbours did not run at the same time")
    rates.finish(dict(early, rate={"rate.read": dict(early["rate"]["rate.read"], alone=None)}))
    assert "did not run at the same time" in page_rates.section(early)


def test_memory_that_is_too_small_is_said():
    small = dict(fake.PROPERTIES, memory_bytes=1 << 28)
    with pytest.raises(steps.Unsupported, match="not much beside"):
        rate_bench.sizes(small)
    with pytest.raises(steps.Unsupported, match="how large"):
        rate_bench.sizes(dict(small, l2_bytes=0))
    large, half = rate_bench.sizes(fake.PROPERTIES)
    assert large >= 16 * fake.PROPERTIES["l2_bytes"] and half <= fake.PROPERTIES["l2_bytes"] / 2


def test_places_of_strides_stay_in_the_memory():
    """The formula of the kernels: in bounds, and each time round at other lines."""
    size = 1 << 24
    for stride in (16, 32, 128, 4096, 1 << 16, 1 << 18):
        turn, shift, seen = (stride - 1) & ~127 if stride > 128 else 0, size.bit_length() - 8, set()
        for number in range(3 * size // stride) if stride >= 4096 else (0, 1, size // stride - 1, size // stride):
            place = (number * stride & (size - 1)) + (number * stride >> shift & turn)
            assert 0 <= place <= size - 16 and place % min(stride, 128) == 0
            seen.add(place)
        assert stride < 4096 or len(seen) == 3 * size // stride
