"""The exact worst-case makespans of GPU warps on one streaming multiprocessor, proved and replayed.

    >>> import warpspan
    >>> answer = warpspan.solve("LLCLL", warps=600)
    >>> answer.lower, answer.upper
    (2401, 2401)

Each command of the command line is a function here, each of its flags an argument, and each of its records a frozen
object. Numbers are the same, because the same code computes them. Cycles and counts are whole numbers, ratios are
texts such as `"7/2"`, and indexes count from 1, as in the records of the command line. Where a command reads a file, a
function takes a path, the text itself, or a dictionary with the keys of the file.
"""

from warpspan import _records as records
from warpspan._commands import (
    bound,
    budget,
    check,
    co_located,
    compare,
    explain,
    extract,
    partition,
    prem,
    prem_offsets,
    prem_plan,
    rta,
    rta_graphs,
    rta_model,
    rta_processes,
    simulate,
    solve,
    sweep,
    time,
    verify,
)
from warpspan._errors import Caution, Disagreement, Error, InputError, InternalError, Stopped
from warpspan._gpus import gpus
from warpspan._native import HAS_HIGHS, __version__
from warpspan._sweep import Table
from warpspan._values import Text

__all__ = [
    "HAS_HIGHS",
    "Caution",
    "Disagreement",
    "Error",
    "InputError",
    "InternalError",
    "Stopped",
    "Table",
    "Text",
    "__version__",
    "bound",
    "budget",
    "check",
    "co_located",
    "compare",
    "explain",
    "extract",
    "gpus",
    "partition",
    "prem",
    "prem_offsets",
    "prem_plan",
    "records",
    "rta",
    "rta_graphs",
    "rta_model",
    "rta_processes",
    "simulate",
    "solve",
    "sweep",
    "time",
    "verify",
]
