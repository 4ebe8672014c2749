"""Expressions that PyTorch and the stand-in evaluate, one beside the other."""

import warnings
from functools import cache
from typing import Any

import torch

from support.sparse import difference
from torchscript_dialect import torch as stand_in


@cache
def _names(namespace: Any, setup: str) -> dict[str, Any]:
    found = {"torch": namespace}
    exec(setup, found)
    return found


def _evaluate(namespace: Any, setup: str, text: str) -> Any:
    """The value of an expression, or the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(text, _names(namespace, setup))
        except Exception as error:
            return error


def disagreements(setup: str, line: str) -> list[str]:
    """How the expressions of a line, between which stand semicolons, disagree with PyTorch's. They are over the names that `setup` makes,
    and write to copies only. What PyTorch has no kernel for may run here.
    """
    found = (_disagreement(setup, text.strip()) for text in line.split(";"))
    return [each for each in found if each is not None]


def _disagreement(setup: str, text: str) -> str | None:
    theirs, mine = (_evaluate(each, setup, text) for each in (torch, stand_in))
    if isinstance(theirs, NotImplementedError):
        return None
    if isinstance(theirs, Exception):
        if not isinstance(mine, Exception):
            return f"{text} gives {mine}, PyTorch raises {theirs!r}"
        is_of_kind = isinstance(mine, (RuntimeError, type(theirs)))
        return None if is_of_kind else f"{text}: {mine!r} where PyTorch raises {theirs!r}"
    if isinstance(mine, Exception):
        return f"{text}: {mine!r}, where PyTorch gives {theirs}"
    found = difference(mine, theirs)
    return None if found is None else f"{text}: {found}"
