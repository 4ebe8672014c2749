"""Functions of TorchScript, run by the interpreter on inputs that were chosen for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.equivalence.inputs import Inputs, Unsupported
from torchscript_dialect.equivalence.outcome import Outcome, run
from torchscript_dialect.equivalence.time_limit import OutOfTime
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import function_of_block, module_around
from torchscript_dialect.ir.requirements import require_values, why_not_torchscript
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import TorchScriptType

CANDIDATES = 40
KEPT, KEPT_RAISING = 6, 2
"""Inputs on which a function is run: those that give a result, and those that raise."""

SECONDS, SECONDS_AFTER = 1.0, 60.0
"""What a run may take on an input to be kept, and after a pass."""

OVERDUE = 3
"""After so many inputs on which a function does not come back, no more are tried."""


class Unverified(Exception):
    """A function cannot be run; the message says why."""


@dataclass
class Example:
    """Arguments, and what a call with them showed."""

    inputs: Inputs
    outcome: Outcome


def runner(function: FuncOp) -> Callable[..., Any]:
    """What runs a function as it is; groups are run node by node.

    Raises:
        Unverified: it cannot be run.
    """
    reason = why_not_torchscript(function)
    if reason is not None:
        raise Unverified(f"it {reason}")
    try:
        require_values(function, "the interpreter")
        special: dict[Operation, Any] = {}
        for op in nested_ops(function.body.block):
            if isinstance(op, prim.TensorExprGroupOp):
                special[op] = interpret(function_of_block(op.body))
            elif isinstance(op, prim.ProfileOp):
                special[op] = _unobserved
        return interpret(function, special)
    except Exception as error:
        raise Unverified(str(error)) from error


def _unobserved(value: Any = None) -> Any:
    """`prim::profile`, which would write down what it sees."""
    return value


def choose(function: FuncOp) -> list[Example]:
    """Inputs of a function, and what it does with them.

    Raises:
        Unverified: it cannot be run.
    """
    call = runner(function)
    types = cast("Sequence[TorchScriptType]", function.function_type.inputs.data)
    good: list[Example] = []
    raising: list[Example] = []
    overdue = 0
    for number in range(CANDIDATES if types else 1):
        inputs = Inputs(types, number)
        try:
            args = inputs.make(module_around(function))
            outcome = run(call, args, SECONDS)
        except OutOfTime:
            overdue += 1
            if overdue == OVERDUE:
                break
            continue
        except RuntimeError:
            continue  # an `__init__` that raises
        except Unsupported as error:
            raise Unverified(str(error)) from None
        (good if outcome.error is None else raising).append(Example(inputs, outcome))
        if len(good) == KEPT:
            break
    return good + raising[:KEPT_RAISING]


def rerun(function: FuncOp, example: Example) -> Outcome:
    """What a function that may have been changed does with an example's inputs. Tuples are given and compared part by part where a pass
    took them apart.

    Raises:
        Unverified: it cannot be run.
        OutOfTime: it does not come back.
        Unsupported: the class of an argument is gone.
    """
    args = example.inputs.make(module_around(function))
    if len(args) != len(function.function_type.inputs):
        args = list(flattened(args, example.inputs.types))
    return run(runner(function), args, SECONDS_AFTER)


def flattened(values: Sequence[Any], types: Sequence[Any]) -> Sequence[Any]:
    """The values without tuples around them."""
    found: list[Any] = []
    for value, type_ in zip(values, types, strict=True):
        if isinstance(type_, TupleType):
            found.extend(flattened(value, list(type_.elements)))
        else:
            found.append(value)
    return found
