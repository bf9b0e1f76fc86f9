"""The modules of scripts/silicon, and compilers if they can be had: without a GPU both are tested in full."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from silicon.tools import Tools  # noqa: E402


@pytest.fixture(scope="session")
def tools():
    """Compilers of the CUDA toolkit, or of the wheels that scripts/make-listings installs."""
    found = Tools()
    missing = [name for name in ("ptxas", "cuobjdump") if not found.programs[name]]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not found, so nothing is compiled: scripts/make-listings installs them")
    return found
