"""Fast paths of functions that specialization does nothing for.

Note [Fast paths]
What asks for sizes, makes a view or runs one operator without a kernel of its own is done sooner than arguments are bound and a plan is
found. Where a plan was called often, has no groups, and its graph has hardly fewer operators than the function as it stands, or as it
is with its calls inlined and without types, the native callable gets the interpreter of that: the native entry sees that the arguments
are of the classes, dtypes and ranks that they had, and the Python function that was made of the graph runs. Neither strides nor sizes
matter, since nothing was specialized for them. Where a function gives a number, which it finds without computing with elements, a
native program comes before that (Note [Traced views] in traced_views.py). One without arguments runs as it was optimized: what was
folded is given again and again, as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.effects import has_side_effects
from torchscript_dialect.backend import ScalarKind
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction
from torchscript_dialect.runtime.interpreter.python_source import PythonSource
from torchscript_dialect.runtime.kernels.traced_views import traced
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.native.table import AnyTensor, Forwarded
from torchscript_dialect.runtime.specialization.gradients import Begins, begins_tracking, may_write
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.inference import ENTERED, holds_refused, mark_results
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor, holds_watched, is_in_use
from torchscript_dialect.tensor.versions import is_anything_watched
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NONE, NUMBER, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import InternalError

_NODES = (
    prim.ConstantOp,
    prim.ListConstructOp,
    prim.ListUnpackOp,
    prim.TupleConstructOp,
    prim.TupleUnpackOp,
    prim.TupleIndexOp,
)
"""What functions with a fast path may hold beside operators."""
SPARED = 4
"""Operators, which optimization spares, that take no longer than to find a plan."""
_NUMBERS: Final[Mapping[TorchScriptType, ScalarKind]] = {INT: "int", FLOAT: "float", BOOL: "bool"}


def add_fast_path(
    native: NativeCallable,
    interpreter: InterpreterFunction,
    function: FuncOp,
    optimized: FuncOp,
    types: Sequence[TorchScriptType],
) -> bool:
    """Let a callable run its function as it stands for arguments of the types that it was optimized for, where that is as good: see
    Note [Fast paths]. Whether it is. `interpreter` is that of the function, or of what it was optimized to.
    """
    inputs: list[Forwarded | None] = [_forwarded(type_) for type_ in types]
    wanted: list[Forwarded] = [one for one in inputs if one is not None]
    if len(wanted) != len(inputs) or not is_as_good(function, optimized):
        return False
    with suppress(NativeUnavailable, ValueError):
        _add_program(native, interpreter, function, types)
        run = _direct(interpreter, native.slow_path, wanted, writes=may_write(function))
        native.add_function(wanted, run)
        return True
    return False


def _add_program(
    native: NativeCallable,
    interpreter: InterpreterFunction,
    function: FuncOp,
    types: Sequence[TorchScriptType],
) -> None:
    """Let a callable find the number that a function gives natively, where arguments are like tensors of these types."""
    *nodes, end = function.body.block.ops
    if [prim.type_of(value) in (INT, FLOAT, NUMBER) for value in end.operands] != [True]:
        return
    operands = [_like(type_) for type_ in types]
    if None in operands or may_write(function) or any(map(has_side_effects, nodes)):
        return
    # in a source of its own: one that is run counts the calls of its nodes
    run = PythonSource(interpreter.code, interpreter.resolve, interpreter.special).compile()
    try:
        native.add_views(traced(run, operands))
    except InternalError:
        raise
    except Exception:  # the function itself says in its own words what is wrong
        return


def _like(type_: TorchScriptType) -> Tensor | None:
    """A tensor of that type, none of whose elements may be read; None where there is none."""
    if not isinstance(type_, TensorType) or type_.dtype is None or type_.sizes is None:
        return None
    sizes, strides = type_.sizes, type_.strides
    if strides is None or None in sizes or None in strides or 0 in sizes:
        return None
    element = dtypes.from_name(type_.dtype).numpy_dtype
    steps = [step * element.itemsize for step in strides if step is not None]
    return tensor_of(as_strided(np.zeros(1, element), cast("tuple[int, ...]", sizes), steps))


def is_as_good(function: FuncOp, optimized: FuncOp) -> bool:
    """Whether a function does what it does in optimized form with hardly more operators, and needs nothing around it."""
    *nodes, end = nested_ops(function.body.block)
    if not all(isinstance(op, (OperatorOp, *_NODES)) for op in nodes):
        return False
    if _operators(function) > _operators(optimized) + SPARED:
        return False
    if begins_tracking(function) is not Begins.NEVER:
        return False
    return all(_is_given_as_it_is(prim.type_of(value)) for value in end.operands)


def _operators(function: FuncOp) -> int:
    return sum(isinstance(op, OperatorOp) for op in nested_ops(function.body.block))


def _is_given_as_it_is(type_: TorchScriptType) -> bool:
    """Whether results of a type are what Python gets."""
    if isinstance(type_, (TupleType, ListType)):
        return all(map(_is_given_as_it_is, type_.contained))
    return isinstance(type_, TensorType) or type_ in (INT, FLOAT, BOOL, NUMBER, NONE)


def _forwarded(type_: TorchScriptType) -> Forwarded | None:
    if isinstance(type_, TensorType):
        if type_.dtype is None or type_.sizes is None:
            return None
        return AnyTensor(dtypes.from_name(type_.dtype).name, len(type_.sizes))
    return _NUMBERS.get(type_)


_DIRECT = """
def direct({0}):
    if is_in_use():
        if {1}:
            return slow_path({0})
        if entered:
            return marked({0})
    try:
        return run({0})
    except Exception as error:
        raise explain(error)

def marked({0}):
    try:
        result = run({0})
    except Exception as error:
        raise explain(error)
    mark_results(result, [{0}])
    return result
"""
"""Source, since Python calls functions of so many arguments sooner than those of any number."""


def _direct(
    interpreter: InterpreterFunction,
    slow_path: Callable[..., Any],
    wanted: Sequence[Forwarded],
    *,
    writes: bool,
) -> Callable[..., Any]:
    """What runs a call with runtime values for arguments; that is the slow path where one of them requires a gradient, or where the
    function `writes` to what may be kept for one, or to an inference tensor.
    """
    names: dict[str, Any] = {
        "is_in_use": is_in_use,
        "is_anything_watched": is_anything_watched,
        "holds_watched": holds_watched,
        "slow_path": slow_path,
        "run": interpreter.run,
        "explain": interpreter.explain,
        "Tracked": TrackedTensor,
        "entered": ENTERED,
        "holds_refused": holds_refused,
        "mark_results": mark_results,
    }
    tensors = [place for place, one in enumerate(wanted) if isinstance(one, AnyTensor)]
    tests = [f"r{place}.__class__ is Tracked" for place in tensors]
    arguments = ", ".join(f"r{place}" for place in range(len(wanted)))
    if writes:
        tests += [
            f"is_anything_watched() and holds_watched([{arguments}])",
            f"entered and holds_refused([{arguments}])",
        ]
    exec(_DIRECT.format(arguments, " or ".join(tests) or "False"), names)
    return names["direct"]
