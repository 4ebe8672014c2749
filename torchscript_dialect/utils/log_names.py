"""The names that `PYTORCH_JIT_LOG_LEVEL` and `PYTORCH_JIT_OPT_LIMIT` may hold: files that have a log, or a limit."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

PACKAGES = ("torchscript_dialect", "lowering")


@lru_cache(maxsize=4)
def files_with(text: str) -> frozenset[str]:
    """The names of the product's files that hold a text; none where only compiled files are installed."""
    root = Path(__file__).parents[2]
    files = [file for package in PACKAGES for file in (root / package).rglob("*.py")]
    return frozenset(file.stem for file in files if text in file.read_text("utf-8"))


def warn_of_unknown(variable: str, names: Iterable[str], text: str) -> None:
    """Warn of names in an environment variable that are no files which hold a text."""
    known = files_with(text)
    for name in names if known else ():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            warnings.warn(
                f"{variable} names '{name}', which means nothing here{hint}", stacklevel=2
            )
