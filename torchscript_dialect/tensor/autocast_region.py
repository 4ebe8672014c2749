"""Which regions of the stand-in's `torch.autocast` a thread is in, by kind of device."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from threading import local
from typing import Any, Final, NamedTuple

DEFAULTS: Final = {
    "cpu": "bfloat16",
    "cuda": "float16",
    "mps": "float16",
    "xpu": "float16",
    "hpu": "bfloat16",
    "ipu": "float16",
    "xla": "bfloat16",
    "privateuseone": "float16",
    "mtia": "float16",
    "maia": "bfloat16",
}
"""The kinds of devices that there are regions for, and what these compute with if they are not told (PyTorch: `autocast_dtype`)."""


class Casts(NamedTuple):
    """The names of the dtypes that regions compute with on the kinds of devices that tensors can be on; empty where nothing is cast."""

    cuda: str = ""
    cpu: str = ""


class Region(local):
    """What a thread computes with."""

    def __init__(self) -> None:
        self.enabled: dict[str, bool] = {}
        """Whether operators are cast, for kinds of devices that a region speaks of."""
        self.dtypes: dict[str, str] = {}
        """The names of the dtypes that regions in these compute with, if they are not told."""
        self.casts: Casts | None = None
        """What eager operators compute with; None where nothing is cast."""
        self.cache_enabled = True
        self.nesting = 0
        self.weights: dict[int, tuple[Any, Any]] = {}
        """Weights, by their ids, and what they were cast to, until the thread leaves the outermost region."""
        self.native_calls: ExitStack | None = None
        """What ends with the regions: while there is one, calls go where it is asked for."""

    def set(self, kind: str, enabled: bool | None, dtype: str | None) -> None:
        """Let operators on a kind of device be cast or not; None where no region says anything."""
        _put(self.enabled, kind, enabled)
        _put(self.dtypes, kind, dtype)
        if kind in Casts._fields:
            found = Casts(*map(self._cast, Casts._fields))
            self.casts = found if any(found) else None

    def _cast(self, kind: str) -> str:
        return self.dtypes.get(kind, DEFAULTS[kind]) if self.enabled.get(kind) else ""


def _put(table: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


REGION = Region()
_NOTHING: Final = dict.fromkeys(Casts._fields, False)


@contextmanager
def without_casts() -> Generator[None]:
    """Let nothing that this thread does be cast."""
    enabled, casts = REGION.enabled, REGION.casts
    REGION.enabled, REGION.casts = _NOTHING, None
    try:
        yield
    finally:
        REGION.enabled, REGION.casts = enabled, casts
