"""Tables of sweeps, here or on the workers of a client."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from warpspan import _html, _native
from warpspan._errors import InputError, InternalError
from warpspan._records import SweepRow
from warpspan._run import Progress, Word, _observer, run, words
from warpspan._values import File

_SHARDS = 32


@dataclasses.dataclass(frozen=True)
class Table(Sequence[SweepRow]):
    """The cells of a grid that were solved, in their order."""

    rows: tuple[SweepRow, ...]
    """A row for each cell."""

    cells: int
    """How many cells the grid has; there are fewer rows where the sweep was stopped."""

    def __getitem__(self, at: Any) -> Any:
        """Return a row, or several."""
        return self.rows[at]

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries: what `pandas.DataFrame` and `polars.DataFrame` take."""
        return [row.to_dict() for row in self.rows]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns as lists, each as long as the table."""
        rows = self.to_dicts()
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}

    def figures(self) -> dict[str, str]:
        """Return what `warpspan report` draws of the table as SVG, by name: Fig. 5 to 7 of Be12 and others."""
        if not self.rows:
            return {}
        found, _ = _native.figures("".join(row.to_json() + "\n" for row in self.rows))
        return dict(found)

    def _repr_html_(self) -> str:
        return _html.table(self.to_dicts())


def run_sweep(
    values: Mapping[str, Word],
    positional: Sequence[str],
    output: File | None,
    client: Any,
    shards: int | None,
    progress: Progress,
) -> Table:
    """Solve a grid here, or in parts on the workers of a client."""
    arguments = ["sweep", *words(values)]
    grid = ["--", *positional] if positional else []
    of_plan = {name: value for name, value in values.items() if name != "resume"}
    out, _ = run(["sweep", *words(of_plan), "--dry-run", *grid])
    plan = json.loads(out)
    if client is None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.jsonl") if output is None else _named(output)
            run([*arguments, f"--output={path}", *grid], progress)
            text = Path(path).read_text(encoding="utf-8")
        return Table(_rows(text), plan["cells"])
    if output is not None:
        raise InputError("output: the workers of a client keep no file: want no output, or no client")
    parts = min(shards or _SHARDS, plan["cells"])
    told, close = _observer(progress)
    rows: list[SweepRow] = []
    tasks = [([*arguments, f"--shard={part}/{parts}", "--jobs=1"], grid) for part in range(1, parts + 1)]
    try:
        for text in _mapped(client, tasks):
            rows += _rows(text)
            if told is not None and told(len(rows), plan["cells"]) is False:
                break
    finally:
        close()
    rows.sort(key=lambda row: row.cell)
    numbers = [row.cell for row in rows]
    if {row.grid for row in rows} != {plan["grid"]} or len(set(numbers)) != len(numbers):
        raise InternalError("the workers solved cells twice, or cells of another grid: is the package the same on all?")
    return Table(tuple(rows), plan["cells"])


def solve_shard(task: tuple[Sequence[str], Sequence[str]]) -> str:
    """Solve a part of a grid, and return its rows as lines of JSON. It runs on a worker."""
    arguments, grid = task
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        # A worker with several cores runs several parts, so each of them has one thread.
        run([*(one for one in arguments if not one.startswith("--jobs=")), "--jobs=1", f"--output={path}", *grid])
        return path.read_text(encoding="utf-8")


def _mapped(client: Any, tasks: Sequence[Any]) -> Iterator[str]:
    """Return what the workers answer, in the order of the tasks."""
    if hasattr(client, "submit"):
        futures = [client.submit(solve_shard, task) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
    elif hasattr(client, "map"):
        yield from client.map(solve_shard, tasks)
    elif callable(client):
        yield from client((solve_shard, (task,), {}) for task in tasks)  # what joblib.delayed makes
    else:
        raise TypeError("client: want submit, as Dask and concurrent.futures have it, map, or a joblib.Parallel")


def _rows(text: str) -> tuple[SweepRow, ...]:
    return tuple(SweepRow.of_line(line) for line in text.splitlines())


def _named(output: File) -> str:
    path = os.fspath(output)
    if not path.endswith(".jsonl"):
        raise InputError(f"{path}: want a name that ends in .jsonl", path)
    return path
