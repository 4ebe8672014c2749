"""Which dtypes PyTorch's kernels refuse, told by running them on samples in each dtype (test/samples/in_dtypes.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any
from unittest import mock

import torch

from samples import torch_side
from samples.in_dtypes import Case, cases, copied
from torchscript_dialect.ops.registry import Operator

KEPT = 2
"""How many samples of an operator are run in each dtype."""

OUR_ERRORS = (NotImplementedError, IndexError, ValueError, TypeError, RuntimeError, Exception)
"""The classes of errors that are told apart."""


def cases_of_pytorch(operator: Operator) -> Iterator[Case]:
    """The operator in each dtype, in calls that PyTorch takes as they are."""
    return cases(operator, lambda *call: error_of_pytorch(*call) is None, KEPT)


def refusal(case: Case) -> str | None:
    """PyTorch's error where all calls of a case are refused; None otherwise."""
    errors: list[str] = []
    for arguments in case.samples:
        error = error_of_pytorch(case.operator, arguments)
        if error is None:
            return None
        errors.append(error)
    return errors[0] if all(map(_is_of_dtypes, errors)) else None


def error_of_pytorch(operator: Operator, arguments: Sequence[Any]) -> str | None:
    """The class and first line of what PyTorch raises, with its own kernels and with oneDNN's; None where it raises nothing."""
    error: str | None = None
    for context in (torch_side.without_onednn, nullcontext):
        torch.manual_seed(0)
        operands = torch_side.theirs(copied(arguments), {})
        try:
            with mock.patch.object(torch_side, "without_onednn", context):
                torch_side.invoke(operator, operands)
        except Exception as raised:
            class_ = next(each for each in OUR_ERRORS if isinstance(raised, each))
            error = error or f"{class_.__name__}: {str(raised).partition(chr(10))[0]}"
        else:
            return None
    return error


_OF_RESULTS = "can't be cast to the desired output type"
"""An operator in place, or with `out`, has a result of another dtype: that follows from type promotion."""

_OF_DTYPES = re.compile(
    r"not implemented for|scalar.?type|dtype|data type|floating.?point|complex|integ(er|ral)|bool|Bool|unsigned|Half|BFloat16"
    r"|Long|Float|Double|Byte|not (yet )?supported|can't be cast|only supports|must be"
)


def _is_of_dtypes(error: str) -> bool:
    return _OF_DTYPES.search(error) is not None and _OF_RESULTS not in error
