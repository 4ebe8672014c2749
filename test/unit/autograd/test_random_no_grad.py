"""Random functions of tensors that require gradients, under `no_grad`: compiled ones show their callers what interpreted ones do.

TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS=2000 runs as many. Note [History under no_grad] in analysis/history.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.amounts import program_count
from support.random_tensor_arguments import Arguments, variants
from support.random_tensor_comparison import difference, outcome
from support.random_tensor_programs import program
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

COUNT = program_count(50)
STEP = 10
FIRST = 50_000


def history(tensor: ts.Tensor, given: Sequence[Any]) -> tuple[Any, ...]:
    """What a user may see of a tensor's history: which argument it is or is a view of, whether it requires a gradient, may be written to."""
    base = tensor._base
    objection = None
    try:
        is_leaf = tensor.is_leaf
    except RuntimeError as error:
        is_leaf = str(error)
    if base is not None and base.requires_grad:
        try:
            tensor.view(-1)[:0].zero_()
        except RuntimeError as error:
            objection = str(error)[:40]
    return (
        [tensor is one for one in given],
        tensor.requires_grad,
        is_leaf,
        [base is one for one in given],
        objection,
    )


def shown(main: Callable[..., Any], arguments: Arguments) -> Any:
    """The outcome of a call under `no_grad`, the history of results and arguments after it, and how often these were written to."""
    memo: dict[int, ts.Tensor] = {}
    given: list[Any] = []
    for value in arguments.make():
        if isinstance(value, np.ndarray):
            tensor = memo.setdefault(id(value), as_tensor(value))
            if tensor.is_floating_point() and not tensor.requires_grad:
                tensor.requires_grad_()
            value = tensor
        given.append(value)
    results: list[Any] = []

    def call(*operands: Any) -> Any:
        found = main(*operands)
        results.extend(found[0])
        return found

    with torch.no_grad():
        found = outcome(call, given, lambda one: one.array if isinstance(one, ts.Tensor) else None)
    seen = [history(one, given) for one in [*results, *given] if isinstance(one, ts.Tensor)]
    writes = [one._version for one in given if isinstance(one, ts.Tensor)]
    return found, None if found.error else (seen, writes)


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, STEP))
def test_nobody_sees_a_difference(first: int) -> None:
    for seed in range(first, first + STEP):
        made = program(seed, exact=True)
        given = variants(made, 3)
        with ts.optimized_execution(False):  # makes executors forget what they have compiled
            reference = ts.CompilationUnit(made.text).main
            right = [shown(reference, arguments) for arguments in given]
        compiled = ts.CompilationUnit(made.text).main
        with ts.background_compilation(False):
            for number in (0, 0, 0, 0, 0, 1, 2, 0, 1):
                wanted, expected = right[number]
                got, seen = shown(compiled, given[number])
                if wanted.error is not None:
                    continue  # what raises may be dead code to the compiler
                found = difference(got, wanted)
                assert found is None, f"program {seed}: {found}\n{made.text}"
                assert seen == expected, f"program {seed}\n{made.text}"
