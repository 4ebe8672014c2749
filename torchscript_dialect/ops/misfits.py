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

from torchscript_dialect.tensor.tensor import Tensor

UNFORESEEN = (ValueError, TypeError, IndexError, OverflowError)
"""What NumPy and Python raise for operands."""

_RAISES = frozenset(opcode.opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))
_OURS, _NUMPYS = (str(Path(file).parent) for file in (Path(__file__).parent, np.__file__))


def misfit(name: str, error: Exception) -> Exception | None:
    """What is told instead of an error that no `raise` of ours has raised, by a kernel that took tensors; None for any other error."""
    trace = error.__traceback__
    if trace is None or not isinstance(error, UNFORESEEN) or not _is_unforeseen(trace):
        return None
    operands = _operands(trace)
    if not operands:
        return None
    kind = IndexError if isinstance(error, IndexError) else RuntimeError
    return kind(f"{name}: the operands do not fit: {', '.join(operands)}")


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
