"""What spoils a run on a busy machine is left out or said, and costs its time only once."""

import itertools
import types

import pytest
from silicon import bench, bounds, kernels, prem, tools
from silicon.driver import CudaError
from silicon.fake import FakeDriver
from silicon.steps import Broken, Unsupported
from silicon.tools import Tools


def test_neighbours_that_do_not_fill_the_gpu_are_tried_once_in_a_process(monkeypatch):
    driver = FakeDriver([("neighbours", lambda launch: launch.arguments[0].put("I", 0, 5, 0, 5))])
    monkeypatch.setattr(bench.time, "monotonic", itertools.count().__next__)
    context = types.SimpleNamespace()
    for _ in range(2):
        found = object.__new__(bench.Bench)
        found.driver, found.context, found.owned, found.region = driver, context, [], None
        found.control, found.beside = driver.alloc(16), driver.stream()
        found.neighbours = driver.module(b"").function("ws_neighbours")
        with pytest.raises(Unsupported, match="5 of 264 neighbours came"):
            found.surround(False)
    assert len(driver.launches) == 1


@pytest.mark.parametrize("error, kept", [(ValueError("warp 0 left no marks"), 3), (CudaError("cuStreamSynchronize: 700"), 1)])
def test_a_kernel_of_which_no_run_counts_is_not_done(monkeypatch, error, kept):
    """A device that failed is not asked again; marks that are missing may be there in another shape."""
    def measure(*_):
        raise error

    monkeypatch.setattr(kernels, "measure", measure)
    monkeypatch.setattr(kernels, "shapes", lambda *_: [{"shape": "one", "companies": [("warm", "alone")] * 3}])
    monkeypatch.setattr(kernels, "entry", lambda bench, file, runs, errors: {"runs": runs, "errors": list(errors)})
    with pytest.raises(Broken, match=str(error)) as raised:
        kernels.all_of(types.SimpleNamespace(kernel={"packs": False}, attributes={"max_threads": 1024}), "file", True)
    assert raised.value.value["runs"] == [] and len(raised.value.value["errors"]) == kept


def runs(*starts):
    """A bench whose runs begin so long after their time, and each last 10 ns."""
    waiting = iter(starts)
    return types.SimpleNamespace(run=lambda scheduled: ([[start, start + 10] for start in [next(waiting)] * prem.KERNELS], None))


def test_a_run_that_was_launched_too_late_is_left_out():
    found = prem.series(runs(0, 2 * prem.LATE_NS, 5), 3, True, float("inf"))
    assert (found["runs"], found["late"], found["most_ns"]) == (2, 1, 10)
    assert max(found["data"]["blocktimes"]) == 15
    with pytest.raises(Unsupported, match="later than"):
        prem.series(runs(2 * prem.LATE_NS), 1, True, float("inf"))


def test_without_ptxas_the_library_makes_machine_code(tmp_path, monkeypatch):
    """The driver may be older than the PTX of the library."""
    found = Tools(programs={})
    found._nvrtc = types.SimpleNamespace(compile=lambda *_, cubin=False: b"\x7fELF made up" if cubin else ".version 99.0")
    source = tmp_path / "k.cu"
    source.write_text("")
    assert found.of_source(source, (9, 0)) == tools.Image(b"\x7fELF made up", "NVRTC", None)


def test_blocks_that_are_dealt_unevenly_contradict_the_declaration(monkeypatch, tmp_path):
    marks = [word for place in (0, 1, 0, 2) for word in 2 * [0, 0, 0, 0, place, 1]]
    assert kernels.most_blocks(marks, 2) == 2
    monkeypatch.setattr(bounds, "listing_of", lambda *_: (tmp_path / "k.sass", {}))
    monkeypatch.setattr(bounds, "machines_of", lambda *_: {})
    monkeypatch.setattr(bounds, "of_launch", lambda *_: ({}, {}, None))
    launch = {"shape": "whole", "grid": [4, 1, 1], "block": [64, 1, 1], "cache": "warm", "company": "alone", "resident": 2, "cycles": [9]}
    places = [(3, 3), (3, 2), (4, 2), (1, 4)]
    # Two on one of three multiprocessors is what it has to be, and where not all blocks have room at once nobody says how they are dealt.
    runs = [dict(launch, multiprocessors=number, most_blocks=most) for number, most in places]
    record = {"measured": True, "device": None, "kernels": {"kernel-k": {"file": "k", "capability": "9.0", "runs": [*runs, dict(launch, multiprocessors=4)]}}}
    options = types.SimpleNamespace(jobs=1, prepared=tmp_path, ceiling=None, gpu=None)
    found = bounds.complete(record, options, types.SimpleNamespace(version="0"), None, tmp_path)
    assert [(one["most"], one["measured"]) for one in found["bounded"]["contradicted"]] == [(2, 3), (1, 2)]
    assert bounds.verdict(found)[1].startswith("k contradicts the declaration blocks.dealt: 3 blocks ran on one multiprocessor, and dealt evenly it is 2 at most")
