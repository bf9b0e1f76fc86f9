"""What scripts/corpus-bounds says of two files of bounds."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts" / "corpus-bounds"


def compared(tmp_path, old, new):
    for name, found in (("old", old), ("new", new)):
        (tmp_path / name).write_text(json.dumps({"listing": "8.7/a.sass", "kernel": "k", "found": found}) + "\n")
    done = subprocess.run([sys.executable, str(SCRIPT), "compare", str(tmp_path / "old"), str(tmp_path / "new")], stdout=subprocess.PIPE, universal_newlines=True)
    return done.returncode, done.stdout.split("\n")[:-1]


def test_what_is_larger_or_lost_is_an_error(tmp_path):
    assert compared(tmp_path, {"time, ns": 5}, {"time, ns": 5}) == (0, ["nothing differs"])
    assert compared(tmp_path, {"time, ns": 5}, {"time, ns": 4}) == (0, ["smaller: 8.7/a.sass k, time, ns: 5 -> 4", "1 smaller"])
    assert compared(tmp_path, {"time, ns": 5}, {"time, ns": 6})[0] == 1
    assert compared(tmp_path, {"loop 3": 5}, {"loop 3": None}) == (1, ["lost: 8.7/a.sass k, loop 3: 5 -> None", "1 lost"])
    assert compared(tmp_path, {"loop 3": None}, {"loop 3": 5})[0] == 0
    assert compared(tmp_path, {"loop 3": 1}, {}) == (1, ["lost: 8.7/a.sass k, loop 3: 1 -> None", "1 lost"])
    assert compared(tmp_path, {"refused": "a"}, {"refused": "b"}) == (0, ["other words: 8.7/a.sass k, refused: a -> b", "1 other words"])
