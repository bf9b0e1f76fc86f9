"""A sweep on a Dask cluster, one of whose workers is killed in mid-run."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

import warpspan

distributed = pytest.importorskip("distributed")

#: Each cell takes long enough for a worker to be killed while it works.
GRID: dict[str, Any] = {
    "kernels": ["LLCLLC", "LCLCL", "LLCCLL"],
    "warps": "12..18",
    "engines": "states",
    "sigma_c": [1, 2],
}


def untimed(table: warpspan.Table) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in table.to_dicts()]


@pytest.mark.filterwarnings("default")  # a cluster that loses a worker says so in warnings of its own
@pytest.mark.skipif(os.name == "nt", reason="has no SIGKILL")
def test_a_worker_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))
        done: list[int] = []

        def told(cells: int, _: int) -> None:
            if not done:
                os.kill(victim, signal.SIGKILL)
            done.append(cells)

        table = warpspan.sweep(**GRID, client=client, shards=12, output=path, progress=told)
        assert len(done) == 12
        with pytest.raises(warpspan.InputError, match="no kernel is given"):
            warpspan.sweep(warps=3, client=client)
    alone = warpspan.sweep(**GRID)
    assert untimed(table) == untimed(alone)
    assert untimed(warpspan.sweep(**GRID, output=path, resume=True)) == untimed(alone)
