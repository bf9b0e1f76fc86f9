"""The part of the package that is in Rust: `python/src/lib.rs`."""

from typing import Callable, Final

__all__ = ["HAS_HIGHS", "__version__", "figures", "flags", "run", "told"]

__version__: Final[str]
HAS_HIGHS: Final[bool]

def run(
    arguments: list[str], progress: Callable[[int, int], object] | None = None, texts: dict[str, str] | None = None
) -> tuple[str, list[str], int, tuple[str, str | None, int | None, list[str]] | None]: ...
def figures(
    lines: str,
) -> tuple[list[tuple[str, str]], tuple[str, str | None, int | None, list[str]] | None]: ...
def told(line: str) -> list[tuple[str, str]]: ...
def flags(command: str) -> list[tuple[str, str, bool, str | None, list[str], str | None]]: ...
