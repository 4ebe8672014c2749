"""`torch.torch_version`: a version that compares as versions do, not as strings (PyTorch: torch/torch_version.py)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

from torchscript_dialect.torch.version import __version__ as internal_version

__all__ = ["TorchVersion"]

_FORM = re.compile(
    r"v?(?P<release>\d+(\.\d+)*)([._-]?(?P<stage>a|b|c|rc|alpha|beta|pre|preview)[._-]?(?P<number>\d*))?"
    r"([._-]?post(?P<post>\d*))?([._-]?dev(?P<dev>\d*))?(\+(?P<local>[a-z0-9._-]+))?"
)
_STAGES = {"a": 0, "alpha": 0, "b": 1, "beta": 1}
_CANDIDATE, _FINAL = 2, 3


def _order(version: Any) -> tuple[Any, ...] | None:
    """What orders a version, which is a string or its numbers; None for what is none."""
    if not isinstance(version, Iterable):
        return None
    if not isinstance(version, str):
        version = ".".join(map(str, cast("Iterable[Any]", version)))
    found = _FORM.fullmatch(version.strip().lower())
    if found is None:
        return None
    release = found["release"]
    while release.endswith(".0"):
        release = release.removesuffix(".0")
    stage = _STAGES.get(found["stage"], _CANDIDATE) if found["stage"] else _FINAL
    if found["dev"] is not None and stage == _FINAL and found["post"] is None:
        stage = -1
    return (
        [int(part) for part in release.split(".")],
        (stage, int(found["number"] or 0)),
        -1 if found["post"] is None else int(found["post"] or 0),
        float("inf") if found["dev"] is None else int(found["dev"] or 0),
        found["local"] or "",
    )


def _comparison(name: str) -> Callable[[TorchVersion, Any], bool]:
    of_strings, of_orders = getattr(str, name), getattr(operator, name)

    def method(self: TorchVersion, other: Any) -> bool:
        left, right = _order(self), _order(other)
        return of_strings(self, other) if None in (left, right) else of_orders(left, right)

    return method


class TorchVersion(str):
    """A string that compares as a version with strings and tuples of numbers."""

    __slots__ = ()
    __hash__ = str.__hash__
    __eq__ = _comparison("__eq__")
    __lt__ = _comparison("__lt__")
    __le__ = _comparison("__le__")
    __gt__ = _comparison("__gt__")
    __ge__ = _comparison("__ge__")


__version__ = TorchVersion(internal_version)
