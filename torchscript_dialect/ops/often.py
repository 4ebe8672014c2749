"""Operators that Python code calls often.

Note [Operators that are called often]
NumPy takes a microsecond to begin, for every step of an operator. One that has a lowering, and that was called `OFTEN` times with
arguments of the same classes, gets a kernel that was compiled from its declaration, as compiled functions have: to call that takes as
long for many steps as for one. The number of calls alone decides, whether the disk has the kernel or not, so that what a program
computes does not depend on what ran before. Whoever calls nothing often does not import the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from torchscript_dialect.ops.large import LoweredOperator

OFTEN = 1 << 13
"""Calls that take about as much longer than those of a kernel as its compilation takes."""

COMPILED = "torchscript_dialect.runtime.small_kernels"
"""Where kernels are compiled: several layers below."""

Use = Callable[[Callable[..., Any], bool], None]
"""Takes what runs later calls, and whether it is given the operands that are defaults."""


def counted_kernel(
    operator: LoweredOperator, kernel: Callable[..., Any], defaults: int, use: Use
) -> Callable[..., Any]:
    """A kernel that counts its calls, of whose operands so many are defaults; `use` is told what to call after `OFTEN` of them."""
    left = OFTEN

    def run(*operands: Any) -> Any:
        nonlocal left
        left -= 1
        if left:
            return kernel(*operands)
        small = import_module(COMPILED).small_kernels(operator, kernel, operands, OFTEN)
        if small is None:
            use(kernel, True)
        elif small.inputs == len(operands) - defaults:
            use(small.native_for(operands[small.inputs :]), False)
        else:
            use(small, True)
        return kernel(*operands)

    return run
