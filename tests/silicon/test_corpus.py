"""The corpus with its marks: declarations, loops of listings, and compiling for capabilities 6.2, 8.7 and 9.0."""

import functools
import json
import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from silicon import check, corpus, corpus_files, instrument, listing, prem, rules

ROOT = Path(__file__).resolve().parent.parent.parent
GPUS = {(6, 2): "jetson-tx2", (8, 7): "jetson-orin", (9, 0): "h200"}


def warpspan():
    """The program, if it has been built."""
    places = [os.environ.get("WARPSPAN"), *(str(ROOT / "target" / kind / "warpspan") for kind in ("release", "debug")), shutil.which("warpspan")]
    found = next((place for place in places if place and Path(place).exists()), None)
    if not found:
        pytest.skip("warpspan is not built, so no bound is computed: WARPSPAN=PATH says where it is")
    return found


def test_every_kernel_is_declared_with_its_parameters():
    pytest.importorskip("tomllib", reason="the declarations are read by Python 3.11 and later")
    kernels = corpus.load(corpus_files.CORPUS)
    assert len(kernels) == 102
    units = corpus.load(corpus_files.UNITS)
    assert all(kernel.packs for kernel in units.values()) and not set(units) & set(kernels)
    kernels.update(units)
    for kernel in kernels.values():
        for parameter in kernel.parameters:
            if corpus.is_pointer(parameter):
                size = parameter.get("bytes") or corpus.SIZES[parameter["type"].replace("const ", "").replace("*", "").strip()]
                assert parameter["elements"] * size > 0
            else:
                assert "value" in parameter or "float" in parameter, (kernel.name, parameter)
    # The names that are found without a reader of TOML are the same.
    from silicon import kernels as steps
    assert set(steps.names()) == set(kernels)


def test_data_stay_in_their_ranges():
    def numbers(**parameter):
        data = corpus.data({"name": "p", "elements": 100, **parameter}, 1)
        return memoryview(data).cast(corpus.CODES[parameter["type"].replace(" *", "").replace("const ", "")])

    assert set(numbers(type="const int *", least=-1, most=1)) == {-1, 0, 1}
    assert max(numbers(type="unsigned *", least=0, most=2**32 - 1)) > 2**31
    assert list(numbers(type="int *", fill="ramp", step=3, first=2))[:3] == [2, 5, 8]
    tree = list(numbers(type="int *", elements=14, fill="heap"))
    assert tree == [1, 2, 3, 4, 5, 6] + [-1] * 8
    boxes = corpus.data({"name": "p", "type": "const Node *", "bytes": 32, "fill": "boxes", "elements": 7}, 1)
    assert [struct.unpack_from("<2i", boxes, 32 * k + 24) for k in range(7)] == [(1, 2), (3, 4), (5, 6), (-1, 3), (-1, 4), (-1, 5), (-1, 6)]
    assert all(0 <= value < 1 for value in numbers(type="float *"))


def test_what_was_prepared_by_another_version_is_not_used(tmp_path, monkeypatch):
    """The declarations beside a prepared kernel have what this version reads."""
    before = corpus_files.stem("image", (9, 0))
    changed = tmp_path / "corpus.py"
    changed.write_text(Path(corpus.__file__).read_text() + "# another key\n")
    monkeypatch.setattr(corpus, "__file__", str(changed))
    assert corpus_files.stem("image", (9, 0)) != before


def test_a_declaration_that_does_not_fit_its_source_is_refused():
    signatures = {"k": [("int *", "a"), ("int", "n")]}
    table = {"grid": [1, 1, 1], "block": [32, 1, 1], "params": [{"name": "n", "value": 1}]}
    with pytest.raises(corpus.CorpusError, match=r"x.toml: \[k\]: the parameters are a, n, not n"):
        corpus.kernel("x", "k", table, signatures)


SOURCE = """// A comment.
extern "C" __global__ void k(const float *a, int n)
{
    for (int i = 0; i < n; i++) // loop: outer
        for (int j = 0; j < 4; j++) { // loop: inner
            if (a[j] > 0)
                continue;
            else
                return;
        }
    for (int i = blockIdx.x; i < n; i += gridDim.x) // loop: grid
        a[i];
}
"""


def test_lines_stay_where_they_are():
    made = instrument.instrument(SOURCE)
    old, new = SOURCE.splitlines(), made.splitlines()
    assert [line for line in range(len(old)) if old[line] != new[line]] == [1, 10]
    assert new[10] == old[10].replace("gridDim.x", "ws_grid")
    assert 'extern "C" __global__ void k(const float *a, int n, unsigned ws_grid, unsigned long long *ws_marks)' in made
    assert len(instrument.store_lines(made)) == 3
    assert corpus.named_loops(SOURCE) == [("outer", 4, 10), ("inner", 5, 10), ("grid", 11, 12)]


LISTING = """.text.k:
	//## File "k.cu", line 4
        /*0000*/                   MOV R0, RZ ;
.L_x_1:
	//## File "k.cu", line 5
        /*0010*/                   IADD3 R1, R1, 0x1, RZ ;
.L_x_2:
        /*0020*/                   FADD R2, R2, R3 ;
	//## File "k.cu", line 5
        /*0030*/               @P0 BRA `(.L_x_2) ;
	//## File "k.cu", line 4
        /*0040*/                   BRA `(.L_x_1) ;
.L_x_3:
        /*0050*/                   BRA `(.L_x_4) ;
.L_x_4:
        /*0060*/                   EXIT ;
        /*0070*/                   WARPSYNC.COLLECTIVE R1, `(.L_x_5) ;
.L_x_5:
        /*0080*/                   BRA `(.L_x_4) ;
.L_x_6:
        /*0090*/                   BRA `(.L_x_6);
	.section	.text.other
"""


def test_loops_find_their_names():
    kernel = corpus.Kernel("k", "k", [1, 1, 1], [32, 1, 1], 0, [], {"outer": 7, "inner": 4, "grid": 3}, None, False, False, False, None)
    found = listing.declarations(LISTING, kernel, SOURCE)
    # The outer one is left by a test before its branch back, which is taken in any case: one pass more. Code that stands aside
    # and branches back, and a branch to itself, are no loops.
    assert {loop["label"]: (loop["name"], loop["most"]) for loop in found["loops"]} == {".L_x_1": ("outer", 8), ".L_x_2": ("inner", 4)}


LIBRARY = """// A comment.
extern "C" __global__ void k(float *a, int n)
{
    for (int i = 0; i < n; i++) { // loop: rows
        a[i] = sinf(a[i]);
        for (int j = 0; j < 4; j++) // loop: unrolled
            a[i] += j;
    }
    for (;;) { // loop: endless
        if (a[0] < 1)
            break;
        a[0] = cosf(a[0]);
    }
}
"""
INLINED = """.text.k:
.L_x_1:
	//## File "k.cu", line 5
        /*0000*/                   FMUL R2, R2, R3 ;
.L_x_2:
        /*0010*/                   FADD R2, R2, R3 ;
        /*0020*/               @P0 BRA `(.L_x_2) ;
	//## File "k.cu", line 6
        /*0030*/                   FADD R2, R2, R3 ;
	//## File "k.cu", line 4
        /*0040*/               @P0 BRA `(.L_x_1) ;
.L_x_3:
	//## File "k.cu", line 10
        /*0050*/                   FSETP R2, R2, R3 ;
	//## File "k.cu", line 12
.L_x_4:
        /*0060*/                   FADD R2, R2, R3 ;
        /*0070*/               @P0 BRA `(.L_x_4) ;
        /*0080*/               @P1 BRA `(.L_x_3) ;
        /*0090*/                   EXIT ;
	.section	.text.other
"""


def test_a_loop_of_a_library_function_is_not_the_loop_from_which_it_is_called():
    """Its instructions have the line of the call, so lines alone would give it the name of the loop around it."""
    kernel = corpus.Kernel("k", "k", [1, 1, 1], [32, 1, 1], 0, [], {"rows": 100, "unrolled": 4, "endless": 50}, 6, False, False, False, None)
    found = listing.declarations(INLINED, kernel, LIBRARY)
    assert {loop["label"]: (loop["name"], loop["most"]) for loop in found["loops"]} == {
        ".L_x_1": ("rows", 100), ".L_x_2": ("library", 6), ".L_x_3": ("endless", 50), ".L_x_4": ("library", 6)}


@functools.lru_cache(maxsize=None)
def records():
    """The records of docs/silicon that have kernels."""
    found = {path.name: json.loads(check.text_of(path)) for path in sorted((ROOT / "docs" / "silicon").glob("h*.json.xz")) if "-launches." not in path.name}
    return {name: record for name, record in found.items() if isinstance(record, dict) and "kernels" in record}


@pytest.mark.parametrize("name", records())
def test_no_loop_was_passed_oftener_than_its_bound(name):
    """The first block of each kernel was executed instruction by instruction on the data of the measurement."""
    passes = json.loads((ROOT / "tests" / "data" / "silicon" / "passes.json").read_text())["passes"]
    for step, entry in records()[name]["kernels"].items():
        if entry["file"] == "units":
            continue
        declared = {loop["label"]: loop["most"] for loop in entry["declared"]["loops"]}
        kernel = step[len("kernel-"):]
        assert set(declared) == set(passes[kernel]), kernel
        assert {label: count for label, count in passes[kernel].items() if count > declared[label]} == {}, kernel


def test_a_listing_of_one_entry_keeps_its_line_numbers():
    other = "\t.section\t.text.other,\"ax\",@progbits\n.text.other:\n        /*0000*/                   EXIT ;\n"
    text = "\t.headerflags 1\n" + other + "\t.section\t.text.k,\"ax\",@progbits\n" + LISTING
    kept = listing.alone(text + other, "k")
    assert listing.section(kept, "k") == listing.section(text, "k") and len(kept.split("\n")) == len((text + other).split("\n"))
    assert "other" not in kept.replace(LISTING, "") and kept.startswith("\t.headerflags 1\n")


def test_instructions_that_are_issued_together_are_read():
    text = '.text.k:\n        /*00c8*/         {         MOV R0, RZ ;\n        /*00d0*/                   SSY `(.L_x_1)         }\n'
    assert [one[3] for one in listing.section(text, "k")] == ["MOV R0, RZ", "SSY `(.L_x_1)"]


@pytest.fixture(scope="module", params=GPUS, ids=lambda one: f"sm_{one[0]}{one[1]}")
def compiled(request, tools):
    """The manifests of all files for a capability; they are kept under target/, where nothing stale is used."""
    pytest.importorskip("tomllib", reason="the declarations are read by Python 3.11 and later")
    if not tools.programs.get("nvdisasm") or not (tools.nvrtc and tools.programs.get("ptxas") or tools.programs.get("nvcc")):
        pytest.skip("no compiler for CUDA: scripts/make-listings installs one")
    folder = ROOT / "target" / "silicon" / "prepared"
    return request.param, folder, corpus_files.manifests(tools, folder, request.param)


def test_all_kernels_compile_with_their_marks(compiled):
    capability, folder, manifests = compiled
    found = {name: entry for one in manifests for name, entry in one["kernels"].items()}
    units = len(corpus.load(corpus_files.UNITS)) if capability >= corpus_files.UNITS_SINCE else 0
    assert len(found) == 102 + units
    for one in manifests:
        assert (folder / one["cubin"]).read_bytes().startswith(b"\x7fELF")
    assert {name for name, entry in found.items() if not entry["declared"]} == set()
    # Three stores of a warp, each by one lane.
    assert {len(entry["declared"]["marks"]) for entry in found.values()} == {3}


def test_loops_stand_in_one_another_as_in_the_source(compiled):
    """A loop of a library function has no named loop in it, and a named loop is never in itself or in a loop within it."""
    _, folder, manifests = compiled
    for one in manifests:
        text = (folder / one["listing"]).read_text()
        source = instrument.instrument((corpus_files.folder_of(one["file"]) / f"{one['file']}.cu").read_text())
        lines = {name: (first, last) for name, first, last in corpus.named_loops(source)}
        for name, kernel in one["kernels"].items():
            spans = listing.loops(listing.section(text, name))
            named = {loop["label"]: loop["name"] for loop in kernel["declared"]["loops"]}
            for outer, inner in ((named[a], named[b]) for a in named for b in named if a != b and spans[a][0] <= spans[b][0] and spans[b][1] <= spans[a][1]):
                if inner != "library":
                    assert outer != "library", (name, inner)
                    assert not (lines[inner][0] <= lines[outer][0] and lines[outer][1] <= lines[inner][1]), (name, outer, inner)


def test_a_listing_does_not_tell_where_it_was_made(compiled):
    _, folder, manifests = compiled
    assert not [one["listing"] for one in manifests if '//## File "/' in (folder / one["listing"]).read_text()]


def test_what_runs_beside_them_compiles_too(compiled, tools):
    capability, folder, _ = compiled
    for source, name in ((corpus_files.NEIGHBOURS, "neighbours"), (rules.SOURCE, "spin")):
        assert (folder / f"{tools.prepare(folder, name, capability, source)}.cubin").exists()
    prem.prepare(tools, folder, capability)
    assert list(folder.glob(f"prem_kernels-*.sm_{capability[0]}{capability[1]}.cubin"))


def test_every_kernel_has_a_bound(compiled):
    capability, folder, manifests = compiled
    program, refused = warpspan(), {}
    for one in manifests:
        for name, kernel in one["kernels"].items():
            flags = [flag for loop in kernel["declared"]["loops"] for flag in ("--loop-bound", f"{loop['label']}={loop['most']}")]
            done = subprocess.run([program, "time", str(folder / one["listing"]), "--entry", name, "--gpu", GPUS[capability], "--clock", "1000",
                                   "--grid", "x".join(map(str, kernel["grid"])), "--block", "x".join(map(str, kernel["block"])),
                                   "--dynamic-shared", str(kernel["shared"]), "--format", "json", *flags],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
            if not done.stdout.startswith("{") or not json.loads(done.stdout)["bound_cycles"]:
                refused[name] = done.stderr.strip()
    assert not refused
