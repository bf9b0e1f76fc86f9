"""How close bounds are to measured times: what is said of a kernel as declared, and what scripts/silicon/tightness found."""

import json
import sys
import types
from pathlib import Path

import pytest
from silicon import as_declared, bounds, check

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_tables import tables_module  # noqa: E402

tightness = tables_module(ROOT / "scripts" / "silicon" / "tightness")
CODE = """
        /*0000*/                   LDC.64 R2, c[0x0][0x220] ;
        /*0008*/                   LDC R7, c[0x0][RZ] ;
        /*0010*/                   IMAD R4, R4, c[0x0][0xc], R5 ;
        /*0020*/                   CS2R R8, SR_CLOCKLO ;
        /*0030*/              @!P0 EXIT ;
        /*0040*/                   CS2R R8, SR_CLOCKLO ;
        /*0050*/               @P0 EXIT ;
        /*0060*/                   S2R R3, SR_TID.Z ;
        /*0070*/                   STG.E desc[UR8][R8.64], R19 ;
"""


def test_parameters_are_said_word_by_word_as_far_as_they_are_read():
    kernel = {"grid": [4, 1, 1], "parameters": [{"type": "int *", "elements": 8}, {"type": "int", "value": 7}, {"type": "unsigned long long", "value": 2**32 + 5}]}
    flags = as_declared.parameters(kernel, CODE)
    # At 0x210, 0x218 and 0x220, and the size of the grid at 0x228, which the code does not read.
    assert flags == ["--param", "pointers=*256", "--param", "c[0x0][0x220]=5", "--param", "c[0x0][0x224]=1"]
    assert as_declared.sizes({"block": [32, 8, 1], "grid": [9, 1, 1]}, as_declared.words_read(CODE)) == ["--param", "blockDim.x=32", "--param", "gridDim.x=9"]


def test_code_ends_behind_the_second_reading_of_the_clock():
    lines = CODE.split("\n")
    assert "S2R R3" in lines[as_declared.end_of(CODE, [len(lines)]) - 1]


def test_the_stack_of_a_thread_counts():
    kernel = {"grid": [64, 1, 1], "block": [32, 1, 1], "parameters": []}
    of = lambda code: as_declared.size_of(kernel, code)  # noqa: E731
    assert of("IADD3 R1, R1, -0x20, RZ") - of("") == 2048 * 32 and of("VIADD R1, R1, 0xffffff80") - of("") == 2048 * 128


def test_a_record_has_the_bounds_of_what_is_declared_and_of_what_ran(monkeypatch, tmp_path):
    class Known:
        def __init__(self, *arguments):
            assert arguments[-1] == "h200"

        def columns(self, run, passes):
            return ({"declared": 90, "as_run": 80}, None) if run["shape"] == "one" else ({}, f"{tmp_path / 'k.sass'}:1: no footprint")

    monkeypatch.setattr(as_declared, "Kernel", Known)
    monkeypatch.setattr(bounds, "listing_of", lambda *_: (tmp_path / "k.sass", {}))
    monkeypatch.setattr(bounds, "machines_of", lambda *_: {})
    monkeypatch.setattr(bounds, "of_launch", lambda *_: ({"shipped": 200}, {}, None))
    launch = {"grid": [1, 1, 1], "block": [32, 1, 1], "cache": "warm", "company": "alone", "resident": 1, "multiprocessors": 1, "cycles": [85]}
    record = {"measured": True, "device": {"name": "NVIDIA H200"}, "kernels": {
        "kernel-k": {"file": "k", "capability": "9.0", "runs": [dict(launch, shape="one"), dict(launch, shape="whole")]},
        "kernel-other": {"file": "k", "capability": "8.7", "runs": [dict(launch, shape="one")]}}}
    options = types.SimpleNamespace(jobs=1, prepared=tmp_path, ceiling=None, gpu=None)
    found = bounds.complete(record, options, types.SimpleNamespace(version="0"), None, tmp_path)
    said = [run["bounds"] for entry in found["kernels"].values() for run in entry["runs"]]
    assert said == [{"shipped": 200, "declared": 90, "as_run": 80}, {"shipped": 200}, {"shipped": 200}]
    assert [(one["machine"], one["bound"], one["measured"]) for one in found["bounded"]["exceeded"]] == [("as_run", 80, 85)]
    assert found["bounded"]["undeclared"] == {"k": "k.sass:1: no footprint"} and found["bounded"]["with_bound"] == 2


def test_medians_and_the_least_are_of_each_group():
    def launch(name, bound):
        return {"key": [name, "one", [1, 1, 1], [32, 1, 1], "warm", "alone"], "longest": 100, "recorded": 1000, "as declared": bound, "marks cut": bound, "and coalesced": bound, "loops as run": None}

    launches = [launch("a", 300), launch("b", 90), launch("c", "no bound"), launch("d", 500)]
    rows = tightness.table(launches).split("\n")[2:]
    assert rows == ["| one, warm, alone | recorded | 4 | 10.000 (a) | 10.0 | 10.0 | 10.0 |",
                    "| one, warm, alone | as declared | 3 | 0.900 (b) | 1.9 | 3.0 | 4.0 |",
                    "| one, warm, alone | marks cut | 3 | 0.900 (b) | 1.9 | 3.0 | 4.0 |",
                    "| one, warm, alone | and coalesced | 3 | 0.900 (b) | 1.9 | 3.0 | 4.0 |"]
    assert [what for ratio, what in tightness.below(launches, 1)] == [f"b, one, warm, alone, block 32x1x1, {column}" for column in ("and coalesced", "as declared", "marks cut")]


@pytest.mark.parametrize("device", ["h100", "h200"])
def test_no_measured_launch_is_above_what_was_found(device):
    launches = json.loads(check.text_of(ROOT / "docs" / "silicon" / f"{device}-tightness.json.xz"))
    assert len(launches) > 1000 and tightness.below(launches, 1) == []
