"""What runs the graphs that nodes carry, where nothing better does: groups node by node, and the tails of bail-outs.

A `prim::BailOut` whose value is of another type than promised makes its tail, if none did before, runs it and leaves the function by an
exception, which holds the result. Whoever runs the function catches it: `returning`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.ir import Block, Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.interpreter.bailout_graph import bailout_graph
from torchscript_dialect.runtime.values.type_tests import has_type
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.recursion import deep_recursion

Make = Callable[[Block], Callable[..., Any]]
"""Makes what runs a sub-graph."""


class BailedOut(Exception):
    """A value was of another type than promised: what the rest of the program gave, for the run of `function`."""

    def __init__(self, function: object, result: Any) -> None:
        super().__init__("a program bailed out")
        self.function = function
        self.result = result


def bail_out(node: prim.BailOutOp, function: object, make: Make) -> Callable[..., Any]:
    """What runs a `prim::BailOut` of a function."""
    type_ = prim.type_of(node.results[0])

    @cache
    def rest() -> Callable[..., Any]:
        with compilation, deep_recursion():
            return make(bailout_graph(node))

    def run(template: int, value: Any, *alive: Any) -> Any:
        if has_type(value, type_):
            return value
        raise BailedOut(function, rest()(value, *alive))

    return run


def returning(run: Callable[..., Any], function: object) -> Callable[..., Any]:
    """What runs a function that may bail out."""

    def run_or_bail_out(*inputs: Any) -> Any:
        try:
            return run(*inputs)
        except BailedOut as bailed:
            if bailed.function is not function:
                raise
            return bailed.result

    return run_or_bail_out


def group(node: Operation, make: Make) -> Callable[..., Any]:
    """What runs the nodes of a group one by one, and gives its results."""
    count = len(node.results)
    run = cache(lambda: make(node.regions[0].block))
    if not (
        isinstance(node, prim.DifferentiableGraphOp) and len(prim.yielded(node.regions[0])) > count
    ):
        return lambda *inputs: run()(*inputs)

    def results(*inputs: Any) -> Any:
        found = run()(*inputs)
        return found[0] if count == 1 else found[:count]

    return results
