"""One number for each dimension."""

# Programs written for PyTorch import the private names.
# pyright: reportUnusedFunction=false
from __future__ import annotations

from functools import partial
from typing import Any


def of_rank(value: Any, rank: int) -> tuple[int, ...]:
    """A number as many times as there are dimensions; several as they are."""
    return (value,) * rank if isinstance(value, int) else tuple(value)


def _single(value: Any) -> tuple[int, ...]:
    return of_rank(value, 1)


def _pair(value: Any) -> tuple[int, ...]:
    return of_rank(value, 2)


def _triple(value: Any) -> tuple[int, ...]:
    return of_rank(value, 3)


def _quadruple(value: Any) -> tuple[int, ...]:
    return of_rank(value, 4)


_single.__torchscript_op__ = "aten::_single"  # type: ignore[attr-defined]
_pair.__torchscript_op__ = "aten::_pair"  # type: ignore[attr-defined]
_triple.__torchscript_op__ = "aten::_triple"  # type: ignore[attr-defined]
_quadruple.__torchscript_op__ = "aten::_quadruple"  # type: ignore[attr-defined]


def _ntuple(rank: int, name: str = "parse") -> Any:
    return partial(of_rank, rank=rank)


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take a prefix away from the names of a state, and of what is noted of its modules, in place."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key.removeprefix(prefix)] = state_dict.pop(key)
    noted: dict[str, Any] | None = getattr(state_dict, "_metadata", None)
    for key in list(noted or ()):
        # "" is the module that is taken out, "module" itself has no dot yet
        if noted and key and (key == prefix.removesuffix(".") or key.startswith(prefix)):
            noted[key.removeprefix(prefix.removesuffix(".")).removeprefix(".")] = noted.pop(key)
