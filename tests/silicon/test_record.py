"""From a run on the made-up device to its bounds and its page: what is made up says so, what is above its bound is red."""

import copy
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from silicon import bounds, check, corpus_files, kernels, page, rules

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_corpus import warpspan  # noqa: E402

RUN = {"shape": "one", "grid": [1, 1, 1], "block": [64, 1, 1], "cache": "warm", "company": "alone", "multiprocessors": 1, "resident": 4,
       "repetitions": 10, "astray": 0, "cycles": [100] * 10 + [120], "ns": [90] * 11, "mean_cycles": 101.5}
ENTRY = {"file": "basic", "how": "nvcc", "sha256": "0", "capability": "9.0", "registers": 32, "shared": 0,
         "declared": {"loops": [], "marks": []}, "quantiles": kernels.QUANTILES, "errors": [], "runs": [RUN]}
PROPERTIES = {"name": "made-up device (nothing measured)", "multiprocessors": 2, "threads_per_multiprocessor": 2048,
              "shared_per_multiprocessor": 65536, "registers_per_multiprocessor": 65536, "blocks_per_multiprocessor": 32}


def made_up(bound=None):
    record = {"schema": "warpspan.silicon", "version": 1, "measured": False, "started": "2026-01-01", "steps": [{"name": "kernel-k", "status": "done"}],
              "device": {"device": {"properties": PROPERTIES}}, "kernels": {"kernel-k": copy.deepcopy(ENTRY)}}
    if bound:
        run = record["kernels"]["kernel-k"]["runs"][0]
        run["bounds"], run["paper"] = {"shipped": bound}, {"model": 60, "pessimistic": 110}
        above = [dict(kernel="k", machine="shipped", bound=bound, measured=120, shape="one", cache="warm", company="alone")] if bound < 120 else []
        record["bounded"] = {"warpspan": "warpspan 0", "ceiling": None, "refused": {}, "exceeded": above, "kernels": 1, "with_bound": 1}
    return record


def written(tmp_path, record):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    return path


def test_a_page_of_made_up_data_says_so_and_needs_no_network():
    text = page.page(made_up(bound=200))
    assert "MADE UP" in text and "nothing was measured" in text
    assert not re.search(r"""(src|href|url|@import)\s*[=(]?\s*["']?\s*(https?:|//)""", text)
    assert "<script" not in text and "<link" not in text and "<img" not in text
    measured = page.page(dict(made_up(bound=200), measured=True))
    assert "MADE UP" not in measured


def test_a_page_is_whole_html():
    class Balanced(HTMLParser):
        stack = []

        def handle_starttag(self, tag, attributes):
            if tag not in ("meta",):
                self.stack.append(tag)

        def handle_endtag(self, tag):
            assert self.stack.pop() == tag

    parser = Balanced()
    parser.feed(page.page(made_up(bound=100)))
    parser.close()
    assert parser.stack == []


def test_a_measurement_above_its_bound_is_red(tmp_path):
    kept, above = page.page(made_up(bound=120)), page.page(made_up(bound=119))
    assert 'class="verdict green"' in kept and 'class="verdict red"' not in kept
    assert 'class="verdict red"' in above and 'class="bad"' in above
    explained = dict(made_up(bound=119), explained={"k, one, warm, alone": "The block waited for its instructions."})
    assert "waited for its instructions" in page.page(explained)
    # The room for an explanation is there.
    assert "open" in above and "120 cycles" in above and "119 cycles on the shipped machine" in above
    for bound, code in ((120, 0), (119, 1)):
        assert page.main([str(written(tmp_path, made_up(bound=bound)))]) == code


def test_without_bounds_nothing_is_judged():
    text = page.page(made_up())
    assert "No bounds were computed yet" in text and 'class="verdict "' in text


@pytest.mark.parametrize("length", [0, 1, 40, 400])
def test_a_record_that_is_cut_off_is_refused_in_one_line(tmp_path, capsys, length):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(made_up(bound=120), indent=1)[:length])
    assert page.main([str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "record.json:" in said and "cut off" in said
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("change, said", [
    (lambda record: record.update(schema="other"), "schema is"),
    (lambda record: record.update(version=7), "version is 7: want 1"),
    (lambda record: record.pop("measured"), "measured is null: want true or false"),
    (lambda record: record.pop("steps"), "steps is null"),
    (lambda record: record["kernels"]["kernel-k"]["runs"][0].update(grid=[0, 1, 1]), "kernels.kernel-k.runs[0].grid is"),
    (lambda record: record["kernels"]["kernel-k"]["runs"][0].update(cycles=[3, 2]), "cycles is [3, 2]"),
    (lambda record: record["kernels"]["kernel-k"].pop("runs"), "kernels.kernel-k.runs is null"),
])
def test_a_record_of_another_form_is_refused_in_one_line(tmp_path, capsys, change, said):
    record = made_up(bound=120)
    change(record)
    assert page.main([str(written(tmp_path, record))]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and said in error


def test_spans_of_several_multiprocessors_and_of_short_clocks():
    marks = [10, 1000, 60, 1050, 0, 1, 20, 1010, 90, 1070, 0, 1, 500, 900, 530, 930, 3, 1]
    assert kernels.spans(marks) == (80, 170, {0, 3})
    start = 2**32 - 5
    narrow = [start, start, 7, 9, 0, 1]
    assert kernels.spans(narrow, narrow=True) == (12, 14, {0})
    with pytest.raises(ValueError, match="warp 1 left no marks"):
        kernels.spans(marks[:6] + [0] * 6)


def prepared(folder, declared):
    """A listing of basic.cu as `prepare` leaves it, for ENTRY."""
    base = folder / corpus_files.stem("basic", (9, 0))
    base.with_name(base.name + ".sass").write_text("text")
    base.with_name(base.name + ".json").write_text(json.dumps({"listing": base.name + ".sass", "sha256": "0", "kernels": {"k": {"declared": declared}}}))
    return folder


def test_a_listing_that_was_not_measured_is_refused(tmp_path, capsys):
    record = made_up()
    record["kernels"]["kernel-k"]["sha256"] = "1"
    code = bounds.main([str(written(tmp_path, record)), "--warpspan", "/bin/true", "--prepared", str(prepared(tmp_path, None))])
    said = capsys.readouterr().err
    assert code == 2 and "is not the one that was measured" in said and said.count("\n") == 1


def test_bounds_of_loops_are_found_again(tmp_path):
    """What a record says of loops is that of the version which measured; it is judged with what this one finds."""
    program = tmp_path / "program"
    # The paper's model is that of a capability; without one the code of a listing runs on a machine.
    program.write_text('#!/bin/sh\ncase "$*" in *--compute-capability\\ 9.0*) upper=60;; *) upper=200;; esac\necho "{\\"upper\\": $upper, \\"bounds\\": []}"\n')
    program.chmod(0o755)
    declared = {"loops": [{"label": ".L_x_1", "name": "rows", "most": 3}], "marks": []}
    paths = [tmp_path / name for name in ("record.json", "h100.json")]
    for path in paths:
        path.write_text(json.dumps(made_up()))
    assert bounds.main([*map(str, paths), "--warpspan", str(program), "--prepared", str(prepared(tmp_path, declared))]) == 0
    for path in paths:
        entry = json.loads(path.read_text())["kernels"]["kernel-k"]
        assert entry["declared"] == declared
        assert entry["runs"][0]["bounds"] == {"shipped": 200} and entry["runs"][0]["paper"] == {"model": 60, "pessimistic": 120}
    # Each record has its page beside it.
    assert (tmp_path / "page.html").exists() and (tmp_path / "h100.html").exists()


def log(start, end):
    """Two launches in one stream, the second of which starts at `start`."""
    entry = {"kernel_name": "S0K0", "block_count": 1, "thread_count": 64, "shared_memory": 0, "cuda_launch_times": [0.001, 0.0011, 0],
             "block_times": [0.001105, 0.003], "block_smids": [0]}
    second = dict(entry, kernel_name="S0K1", cuda_launch_times=[0.0011, 0.0012, 0.01], block_times=[start, end])
    return {"label": "S0", "benchmark_name": "spin", "PID": 1, "max_resident_threads": 4096, "times": [{}, entry, second]}


@pytest.mark.parametrize("start, broken", [(0.003005, set()), (0.0025, {"G2"})])
def test_a_rule_that_is_broken_is_named_with_its_block(start, broken):
    record = made_up()
    one = {"blocks": 1, "threads": 64, "ns": 2_000_000, "shared": 0}
    record["rules"] = {"rules": {"timer_step_ns": 32, "registers": 16, "workloads": {
        "two": {"streams": [[0, [one, one]]], "clock_off_by_ns": 1000, "logs": [log(start, start + 0.001)]}}}}
    rules.judge(record, bounds.Warpspan(warpspan()))
    said = record["rules"]["rules"]["workloads"]["two"]["judged"]
    assert "refused" not in said, said
    assert {one["rule"] for one in said["rules"] if one["holds"] is False} == broken
    text = page.page(record)
    assert ("S0K1" in text) == bool(broken)
    assert ('class="verdict red"' in text) == bool(broken)


def on_gpu(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "on-gpu"), *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def test_from_a_run_to_its_bounds(tools, tmp_path):
    """The made-up device plays a kernel, streams and tiles; all of it is judged, and one number raised turns it red."""
    pytest.importorskip("tomllib", reason="the declarations are read by Python 3.11 and later")
    prepared = ROOT / "target" / "silicon" / "prepared"
    program = warpspan()
    done = on_gpu("--fake", "--quick", "--prepared", prepared, "--out", tmp_path, "--only", "kernel-vector_add", "rules", "prem")
    assert done.returncode == 0, done.stdout + done.stderr
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["measured"] is False
    runs = record["kernels"]["kernel-vector_add"]["runs"]
    assert {(run["shape"], run["company"]) for run in runs} == {
        ("one", "alone"), ("one", "memory"), ("packed", "spin"), ("packed", "memory"), ("whole", "alone"), ("warps", "alone")}
    assert {run["block"][0] for run in runs if run["shape"] == "warps"} == {32, 1024}

    flags = ["--warpspan", program, "--prepared", prepared, "--ceiling", "900", "--gpu", "h100"]
    done = on_gpu("bound", tmp_path / "record.json", *flags)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing was measured" in done.stdout
    record = check.read(tmp_path / "record.json")
    for run in record["kernels"]["kernel-vector_add"]["runs"]:
        assert run["bounds"]["coalesced"] < run["bounds"]["ceiling"] < run["bounds"]["shipped"]
        assert run["paper"]["model"] < run["bounds"]["shipped"]
        assert run["bounds"]["declared"] <= run["bounds"]["shipped"]
        assert ("as_run" in run["bounds"]) == (run["shape"] == "one")
    assert [one["judged"]["exit"] for one in record["prem"]["prem"]["offsets"]] == [0] * len(record["prem"]["prem"]["offsets"])
    assert all(one["judged"].get("rules") for one in record["rules"]["rules"]["workloads"].values())
    assert "MADE UP" in (tmp_path / "page.html").read_text()

    runs = record["kernels"]["kernel-vector_add"]["runs"]
    runs[0]["cycles"][-1] = runs[0]["bounds"]["shipped"] + 1
    done = on_gpu("bound", written(tmp_path, record), *flags)
    assert done.returncode == 1 and "above" in done.stdout
    assert 'class="verdict red"' in (tmp_path / "page.html").read_text()
    shutil.rmtree(tmp_path)


def test_words_and_options_are_the_same():
    assert on_gpu("run", "--list").stdout == on_gpu("--list").stdout
    done = on_gpu("prepare", "--out", "folder", "--arch", "90")
    assert done.returncode == 2 and "is no compute capability" in done.stderr


def test_a_compressed_record_is_read_and_one_that_is_cut_off_is_refused(tmp_path):
    """Those of docs/silicon are compressed."""
    path, text = tmp_path / "record.json.xz", '{"schema": "else"}'
    check.write(path, text)
    assert check.text_of(path) == text and path.read_bytes() != text.encode()
    with pytest.raises(check.CheckError, match='record.json.xz: schema is "else": want'):
        check.read(path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(check.CheckError, match="record.json.xz: cannot be read: "):
        check.read(path)
