"""What runs `prim::ScalarGroup`s: their nodes one by one at first, then a native function.

Note [Scalar loops]
To compile a loop over numbers takes as long as to interpret it for 100,000 trips, so it is done once `MANY` trips were counted, and
the loop seems to be one that runs often. Nobody knows the trips of a `while`, or those of a loop in the loop: they count as `UNKNOWN`.
The native function takes numbers as they are, and lists as arrays, which are copied: where a list is long beside the trips, that is not
worth it. It has no effects but its results, so where it fails (Note [Failures] in lowering/scf/numbers.py) the nodes run once more one
by one, and raise what there is to raise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.group_runners import LazyInterpreter
from torchscript_dialect.runtime.kernels.kernels import callable_of, compile_kernel
from torchscript_dialect.runtime.native.entry import NativeUnavailable
from torchscript_dialect.runtime.values.long_lists import as_array
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, FLOAT

MANY = 10_000
"""Trips after which a loop is compiled."""
UNKNOWN = 1_000
"""Trips that a loop counts for of which nobody knows how many it has."""
SHORT, ITEMS_A_TRIP = 4096, 64
"""Lists up to that length are copied for any loop, longer ones up to so many items for a trip."""
UNBOUNDED = (1 << 63) - 1
"""The trip count of a `while`."""


class ScalarLoop:
    """See Note [Scalar loops]. `native` is None until there is a native function, and where there can be none."""

    def __init__(self, group: prim.ScalarGroupOp, lists: PassLists, name: str) -> None:
        self.group = group
        self.lists = lists
        self.fuser = settings.fuser_now()
        self.interpreted = LazyInterpreter(group, name)
        self.native: Callable[..., Tensor | None] | None = None
        self.left = MANY if settings.current().runs_before else 0
        """Trips until the loop is compiled; less than none where it was."""
        self.limit, self.per_trip = _trips(group)
        operands = [prim.type_of(value) for value in group.operands]
        self.copied = [place for place, one in enumerate(operands) if isinstance(one, ListType)]
        """Which operands are lists."""
        self.items = [one.element for one in operands if isinstance(one, ListType)]
        """The types of their items."""
        kinds = [prim.type_of(value) for value in group.results]
        self.floats = [place for place, kind in enumerate(kinds) if kind == FLOAT]
        self.bools = [place for place, kind in enumerate(kinds) if kind == BOOL]

    def __call__(self, *args: Any) -> Any:
        native = self.native
        if native is None and self.left >= 0:
            native = self.count(args)
        if native is None:
            return self.interpreted(*args)
        taken = self.with_arrays(args) if self.copied else args
        found = None if taken is None else native(*taken)
        if found is None or not found.array[0]:
            return self.interpreted(*args)
        return self.results(found.array[1:])

    def trips(self, args: Sequence[Any]) -> int:
        """About how many trips a call takes."""
        limit = self.limit if isinstance(self.limit, int) else args[self.limit.index]
        return max(limit, 1) * self.per_trip

    def count(self, args: Sequence[Any]) -> Callable[..., Tensor | None] | None:
        """Count the trips of a call; the native function, where they are enough."""
        self.left -= self.trips(args)
        if self.left < 0:
            with suppress(NotCompilable, NativeUnavailable):
                kernel = compile_kernel(self.group.body, self.fuser, self.lists)
                self.native = callable_of(kernel, _nothing)
        return self.native

    def with_arrays(self, args: Sequence[Any]) -> list[Any] | None:
        """The operands with arrays in the place of lists; None where copying takes too long."""
        taken = list(args)
        for place, of in zip(self.copied, self.items, strict=True):
            items = args[place]
            if len(items) > SHORT and len(items) > ITEMS_A_TRIP * self.trips(args):
                return None
            taken[place] = tensor_of(as_array(items, of))
        return taken

    def results(self, words: NDArray[np.int64]) -> Any:
        """Words as the numbers that they are."""
        found: list[Any] = words.tolist()
        if self.floats:
            doubles = words.view(np.float64).tolist()
            for place in self.floats:
                found[place] = doubles[place]
        for place in self.bools:
            found[place] = bool(found[place])
        return found[0] if len(found) == 1 else tuple(found)


def _nothing(*_: object) -> None:
    """Where the native function does not take a call."""


def _trips(group: prim.ScalarGroupOp) -> tuple[int | BlockArgument, int]:
    """The trips of a group's loop, or the argument that says how many there are; and what each counts for."""
    (loop,) = (op for op in group.body.ops if isinstance(op, prim.LoopOp))
    is_nested = any(isinstance(op, prim.LoopOp) for op in nested_ops(loop.body.block))
    limit = loop.max_trip_count
    if isinstance(limit, BlockArgument):
        return limit, UNKNOWN if is_nested else 1
    assert isinstance(limit.owner, prim.ConstantOp)
    number = limit.owner.value
    return (1, UNKNOWN) if number == UNBOUNDED else (number, UNKNOWN if is_nested else 1)


def loop_callables(function: FuncOp, lists: PassLists) -> dict[Operation, ScalarLoop]:
    """What runs each of the loops over numbers of a function, whose values have the types that its graph says."""
    groups = nested_ops(function.body.block)
    name = function.sym_name.data
    return {op: ScalarLoop(op, lists, name) for op in groups if isinstance(op, prim.ScalarGroupOp)}
