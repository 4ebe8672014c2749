"""What a user hears where NumPy or Python refuses the operands of an operator, in the middle of its kernel.

Kernels check what PyTorch's kernels check, and say so in its words. What none of them foresaw NumPy would tell in terms of its own
arrays, of which the user knows nothing: instead the operator is named, with the operands that do not fit.
"""

from __future__ import annotations

import opcode
from inspect import CO_VARARGS
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

UNFORESEEN = (ValueError, TypeError, IndexError, OverflowError)
"""What NumPy and Python raise for operands."""

_RAISES = frozenset(opcode.opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))
_TENSORS = ListType(TENSOR)
_OURS, _NUMPYS = (str(Path(file).parent) for file in (Path(__file__).parent, np.__file__))


def misfit(name: str, error: Exception) -> Exception | None:
    """What is told instead of an error that no `raise` of ours has raised, by a kernel that took tensors; None for any other error."""
    trace = error.__traceback__
    if trace is None or not isinstance(error, UNFORESEEN) or not _is_unforeseen(trace):
        return None
    operands = _operands(trace)
    if not operands:
        return None
    if "read-only" in str(error):
        return RuntimeError(
            f"{name}: the tensor that is written to is read-only, as the conjugate of a tensor is; "
            "write to a clone of it"
        )
    kind = IndexError if isinstance(error, IndexError) else RuntimeError
    return kind(f"{name}: the operands do not fit: {', '.join(operands)}")


def undefined_operand(error: Exception, operator: Operator | None) -> RuntimeError | None:
    """What is told where a kernel came upon None for a tensor, in PyTorch's words: an argument that was left out, with a default of
    None but no type, is an undefined tensor. None for any other error.
    """
    if not isinstance(error, AttributeError) or error.obj is not None or operator is None:
        return None
    tensors = [
        (place, argument.name)
        for place, argument in enumerate(operator.schema.arguments)
        if isinstance(argument.type, TensorType)
    ]
    if not tensors:
        takes_lists = any(each.type == _TENSORS for each in operator.schema.arguments)
        return RuntimeError("tensor does not have a device") if takes_lists else None
    trace = error.__traceback__
    missing = tensors[0]
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(_OURS):
            given = _positional(trace)
            found = [each for each in tensors if each[0] < len(given) and given[each[0]] is None]
            if found:
                missing = found[0]
                break
        trace = trace.tb_next
    place, name = missing
    return RuntimeError(
        "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument"
        f" #{place} '{name}'"
    )


def _positional(trace: TracebackType) -> tuple[Any, ...]:
    """The arguments that the function of a frame got by place."""
    code, values = trace.tb_frame.f_code, trace.tb_frame.f_locals
    count = code.co_argcount
    named = tuple(values.get(name) for name in code.co_varnames[:count])
    if not code.co_flags & CO_VARARGS:
        return named
    return named + tuple(values.get(code.co_varnames[count + code.co_kwonlyargcount], ()))


def _is_unforeseen(trace: TracebackType) -> bool:
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if code.co_filename.startswith(_NUMPYS):
        return True
    return code.co_filename.startswith(_OURS) and code.co_code[trace.tb_lasti] not in _RAISES


def _operands(trace: TracebackType | None) -> list[str]:
    """The operands of the outermost function with tensors among its arguments."""
    while trace is not None:
        frame = trace.tb_frame
        values: list[Any] = []
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & CO_VARARGS)
        for name in code.co_varnames[:count]:
            value: Any = frame.f_locals.get(name)
            if isinstance(value, (list, tuple)):
                values += cast("list[Any]", value)
            else:
                values.append(value)
        found = [
            f"{value.dtype.type_name} {list(value.array.shape)}"
            for value in values
            if isinstance(value, Tensor)
        ]
        if found:
            return found
        trace = trace.tb_next
    return []
