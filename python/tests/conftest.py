"""Where things are, and the program that the package is held against."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def program() -> Path | None:
    """The built program: the newest, unless WARPSPAN_PROGRAM names one."""
    if named := os.environ.get("WARPSPAN_PROGRAM"):
        return Path(named)
    built = [path for kind in ("release", "debug") if (path := ROOT / "target" / kind / "warpspan").exists()]
    return max(built, key=lambda path: path.stat().st_mtime, default=None)


class CommandLine:
    """The program, run in the root of the repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_highs = "--formulation" in self.call("solve", "--help").stdout

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(self.path), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)

    def record(self, *arguments: str) -> dict[str, Any]:
        done = self.call(*arguments, "--format", "json")
        assert done.stdout, done.stderr
        record: dict[str, Any] = json.loads(done.stdout)
        assert record.pop("arguments") == [*arguments, "--format", "json"]  # no command line in Python
        assert record.pop("command").startswith(f"warpspan {arguments[0]}")
        return record


@pytest.fixture(scope="session")
def command_line() -> CommandLine:
    path = program()
    if path is None:
        # scripts/test builds it before.
        assert not os.environ.get("WARPSPAN_CI"), "the program is not built: cargo build --release"
        pytest.skip("the program is not built")
    return CommandLine(path)


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named as the command line is given them."""
    monkeypatch.chdir(ROOT)
