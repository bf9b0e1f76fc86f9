"""Tables of sweeps, here or on the workers of a client."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from warpspan import _html, _native
from warpspan._errors import InputError, InternalError
from warpspan._records import SweepRow
from warpspan._run import Progress, Texts, Word, _observer, run, words
from warpspan._values import File, Given

_SHARDS = 32


@dataclasses.dataclass(frozen=True, repr=False)
class Table(Sequence[SweepRow]):
    """The cells of a grid that were solved, in their order."""

    rows: tuple[SweepRow, ...]
    """A row for each cell."""

    cells: int
    """How many cells the grid has; there are fewer rows where the sweep was stopped."""

    @overload
    def __getitem__(self, at: int) -> SweepRow: ...
    @overload
    def __getitem__(self, at: slice) -> Table: ...
    def __getitem__(self, at: int | slice) -> SweepRow | Table:
        """Return a row, or a table of several rows of the same grid."""
        return Table(self.rows[at], self.cells) if isinstance(at, slice) else self.rows[at]

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

    def to_csv(self, path: File | None = None) -> str | None:
        """Write the rows to a file with commas, or return the text that would stand there."""
        columns = self.to_columns()
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(columns)
        table.writerows(zip(*([_cell(value) for value in column] for column in columns.values())))
        if path is None:
            return out.getvalue()
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(out.getvalue())
        return None

    def figures(self) -> dict[str, str]:
        """Return what `warpspan report` draws of the table as SVG, by name: Fig. 5 to 7 of Be12 and others."""
        if not self.rows:
            return {}
        found, _ = _native.figures("".join(row.to_json() + "\n" for row in self.rows))
        return dict(found)

    def __repr__(self) -> str:
        """Return how many cells are here."""
        return f"<Table of {len(self.rows)} rows, grid of {self.cells} cells>"

    def _repr_html_(self) -> str:
        return _html.table(self.to_dicts())


def _cell(value: object) -> object:
    """Return a value as it stands in a table: nothing, a number, a text, or JSON."""
    return json.dumps(value) if isinstance(value, (list, dict, bool)) else value


def run_sweep(
    values: Mapping[str, Word],
    positional: Sequence[str | Given],
    output: File | None,
    client: Any,
    shards: int | None,
    progress: Progress,
) -> Table:
    """Solve a grid here, or in parts on the workers of a client."""
    written, texts = words(values)
    grid, of_grid = words({}, positional)
    texts.update(of_grid)
    arguments = ["sweep", *written]
    of_plan, _ = words({name: value for name, value in values.items() if name != "resume"})
    out, _ = run(["sweep", *of_plan, "--dry-run", *grid], None, texts)
    plan = json.loads(out)
    if client is None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.jsonl") if output is None else _named(output)
            run([*arguments, f"--output={path}", *grid], progress, texts)
            text = Path(path).read_text(encoding="utf-8")
        return Table(_rows(text), plan["cells"])
    parts = min(shards or _SHARDS, plan["cells"])
    table = None if output is None else Path(_named(output))
    rows = _kept(table, plan["grid"], bool(values.get("resume")))
    done = {row.cell for row in rows}
    # Part k of n has the cells k, k + n, k + 2 n and so on.
    missing = [part for part in range(1, parts + 1) if not done.issuperset(range(part, plan["cells"] + 1, parts))]
    tasks = [([*of_plan, f"--shard={part}/{parts}"], grid, texts) for part in missing]
    told, close = _observer(progress)
    try:
        for text in _mapped(client, tasks):
            new = [row for row in _rows(text) if row.cell not in done]
            rows += new
            if table is not None:
                with table.open("a", encoding="utf-8") as file:
                    file.writelines(row.to_json() + "\n" for row in new)
            if told is not None and told(len(rows), plan["cells"]) is False:
                break
    finally:
        close()
    rows.sort(key=lambda row: row.cell)
    numbers = [row.cell for row in rows]
    if {row.grid for row in rows} - {plan["grid"]} or len(set(numbers)) != len(numbers):
        raise InternalError("the workers solved cells twice, or cells of another grid: is the package the same on all?")
    if table is not None:
        table.write_text("".join(row.to_json() + "\n" for row in rows), encoding="utf-8")
    return Table(tuple(rows), plan["cells"])


def _kept(path: Path | None, grid: str, resume: bool) -> list[SweepRow]:
    """Return the rows of a table that was broken off, and leave it without a broken last line."""
    if path is None or not path.exists() or path.stat().st_size == 0:
        return []
    if not resume:
        raise InputError(f"{path}: is there already: want another name, or resume=True", str(path))
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    rows = list(_rows("".join(whole)))
    if {row.grid for row in rows} - {grid}:
        raise InputError(f"{path}: a table of another grid: want another name", str(path))
    path.write_text("".join(whole), encoding="utf-8")
    return rows


def solve_shard(task: tuple[Sequence[str], Sequence[str], Texts]) -> str:
    """Solve a part of a grid, and return its rows as lines of JSON. It runs on a worker."""
    arguments, grid, texts = task
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        # A worker with several cores runs several parts, so each of them has one thread.
        arguments = [one for one in arguments if not one.startswith("--jobs=")]
        run(["sweep", *arguments, "--jobs=1", f"--output={path}", *grid], None, texts)
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
