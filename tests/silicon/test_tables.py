"""The tables that scripts/tables writes, and numbers on the pages that nothing would hold."""

import importlib.util
import re
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from silicon import bounds, page

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_corpus import records, warpspan  # noqa: E402


def tables_module(path):
    """A script without an ending, as scripts/tables reads them."""
    loader = SourceFileLoader("tables", str(ROOT / "scripts" / "tables"))
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader("tables", loader))
    loader.exec_module(found)
    return found.module(path)


def tables(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "tables"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)


def test_the_tables_are_those_of_the_program_and_of_the_records():
    done = tables("--check", "--warpspan", warpspan())
    assert done.returncode == 0, done.stdout + "\nscripts/tables writes them"


def test_a_number_that_is_changed_is_found(tmp_path):
    """A copy of the page of records, in which one number is another one."""
    for place in ("scripts", "tests/data/corpus"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).symlink_to(ROOT / place)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "silicon").symlink_to(ROOT / "docs" / "silicon")
    row = re.compile(r"^(\| \[h100-2026-11-26\].* \| )(\d+)(\.\d \|)$", re.M)
    text = (ROOT / "docs" / "silicon.md").read_text()
    assert len(row.findall(text)) == 1
    (tmp_path / "docs" / "silicon.md").write_text(row.sub(lambda found: found[1] + "1" + found[2] + found[3], text))
    (tmp_path / "docs" / "coverage.md").write_text((ROOT / "docs" / "coverage.md").read_text())
    script = tmp_path / "tables"
    text = (ROOT / "scripts" / "tables").read_text().replace("Path(__file__).resolve().parent.parent", f"Path({str(tmp_path)!r})")
    script.write_text(text)
    # A program that does not read listings: the row of coverage is another one too.
    done = subprocess.run([sys.executable, str(script), "--check", "--warpspan", "/bin/true"], stdout=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 1 and "-| [h100-2026-11-26]" in done.stdout and "-| SASS | 6.2" in done.stdout


@pytest.mark.parametrize("name", records())
def test_each_record_has_a_page(name, tmp_path):
    """The pages are not kept: `scripts/on-gpu page` writes them. Each shows every kernel of its record."""
    path = tmp_path / name
    shutil.copy(ROOT / "docs" / "silicon" / name, path)
    assert page.main([str(path)]) == (1 if bounds.failures(records()[name]) else 0)
    written = (tmp_path / f"{name.split('.')[0]}.html").read_text()
    assert all(step[len("kernel-"):] in written for step in records()[name]["kernels"])


def prose(path):
    """The lines of a page outside of blocks, code and what scripts/tables writes."""
    inside = written = False
    for number, line in enumerate(path.read_text().split("\n"), 1):
        written = line.startswith("<!-- scripts/tables:") or written and not line.startswith("<!-- end of")
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside and not written:
            yield number, re.sub(r"`[^`]*`", "", line)


def test_no_page_counts_what_the_project_has():
    """How many kernels, crates, theorems or lines there are changes, and nobody would notice that a page says otherwise."""
    counted = re.compile(r"\b(\d[\d,]*|a dozen|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty) "
                         r"(crates|theorems|lemmas|statements|opcodes|lines of (?:Rust|Coq|Python|code)|kernels of (?:our own|the corpus)|architectures|presets)\b")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "proofs" / "README.md", ROOT / "python" / "README.md",
             *(ROOT / "tests").rglob("README.md")]
    found = [f"{path.relative_to(ROOT)}:{number}: {match[0]}" for path in pages if path.name != "CHANGELOG.md"
             for number, line in prose(path) for match in [counted.search(line)] if match]
    assert found == []
