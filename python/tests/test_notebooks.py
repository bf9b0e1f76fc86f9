"""The cells of each notebook run, in order and from a fresh start."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def run(path: Path) -> dict[str, Any]:
    """Run the cells, and show what each of them ends with, as a notebook does."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(path.read_text())["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None, "notebooks are kept without outputs"
        tree = ast.parse("".join(cell["source"]), f"{path.name}, cell {number}")
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, f"{path.name}, cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), names)
            if hasattr(value, "_repr_html_"):
                assert value._repr_html_().startswith("<")
    return names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    names = run(path)
    if path.name == "ptx-to-response-time.ipynb":
        # Be12 Fig. 6; docs/papers.md has the same numbers.
        assert (names["exact"], names["estimate"][30]) == (2401, 2420)
        assert names["entry"].kernel == "CCCCLCCL|LCL"
        assert names["response"].verdict == "proved"


def test_there_is_one() -> None:
    assert NOTEBOOKS


def test_the_manual() -> None:
    """The blocks of docs/python.md run, one after the other."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
