"""The GPUs that the package knows."""

from __future__ import annotations

from warpspan._records import Gpus
from warpspan._run import ask_all


def gpus(*names: str) -> tuple[Gpus, ...]:
    """Return the GPUs and compute capabilities that are known, or those of these names, with their sources.

    Raises:
        InputError: If one of the names is not known.
    """
    return ask_all(Gpus, "gpus", names)
