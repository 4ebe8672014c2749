"""Operators on large tensors.

Note [Large tensors]
NumPy makes an array of each step of a scalar body, and goes through memory for each. Where operands have `LARGE` elements or more, an
operator that the compiler has a lowering for is run by a kernel that was compiled from the same declaration, so that it costs what it
costs in a compiled function. Small operands never come here: whoever has no large ones does not import the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol


class LoweredOperator(Protocol):
    """What is asked here of an `Operator` of registry.py."""

    text: str
    name: str
    qualified_name: str

    @property
    def lower(self) -> Any:
        """How kernels compute it."""
        ...


LARGE = 1 << 18
"""Elements of the first operand."""

NUMPY_SUFFICES = frozenset("mm addmm linear matmul clone gather index_select".split())
"""Operators for which NumPy moves memory in large pieces or asks BLAS, or that read few places, however large the first operand is:
their kernels are for small tensors, and for calls that come often.
"""

COMPILED = "torchscript_dialect.runtime.kernels.operator_kernels"
"""Where kernels are compiled: several layers below."""


def suits(operator: LoweredOperator) -> bool:
    """Whether an operator may have a compiled kernel: one that makes a new tensor of tensors, and has a lowering."""
    text = operator.text
    starts = (f"{operator.qualified_name}(Tensor ", f"{operator.qualified_name}(Tensor[] ")
    return (
        text.startswith(starts)
        and text.endswith(" -> Tensor")
        and "(a" not in text
        and bool(operator.lower)
    )


OF_MANY_PLACES = "aten::gather"
"""The operator that has a handwritten kernel for any number of places (runtime/kernels/handwritten/place_kernels.py)."""
MANY_PLACES = 1 << 16
"""Places from which on NumPy's way takes longer by more than what it costs to ask for that kernel."""
PLACES = "torchscript_dialect.runtime.kernels.handwritten.place_kernels"

OF_LARGE_ROWS = frozenset(f"aten::{name}" for name in "cumsum cumprod cummax cummin".split())
"""Operators without a lowering that have a handwritten kernel for any number of elements (kernels/handwritten/row_kernels.py)."""
LARGE_ROWS = 1 << 14
"""Elements of the first operand from which on they are run by it, which need not be compiled."""


def suits_large(operator: LoweredOperator) -> bool:
    """Whether an operator may have one for large tensors."""
    name = operator.name.partition("::")[2]
    if operator.qualified_name in OF_LARGE_ROWS:
        return True
    return "(Tensor[]" not in operator.text and name not in NUMPY_SUFFICES and suits(operator)


class ForLarge:
    """Runs an operator on large tensors: by a compiled kernel, or by `kernel` while and where there is none."""

    def __init__(
        self, operator: LoweredOperator, kernel: Callable[..., Any], *, in_place: bool = False
    ) -> None:
        """`in_place` lets results of the operator be written over the first operand, as `kernel` does it."""
        self.operator = operator
        self.kernel = kernel
        self.in_place = in_place
        self.made: Any = None

    def __call__(self, *operands: Any) -> Any:
        run = self.made
        if run is None:
            run = self.made = import_module(COMPILED).OperatorKernels(
                self.operator, self.kernel, in_place=self.in_place
            )
        return run(*operands)


def with_large(operator: LoweredOperator, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel for small operands, and a compiled one for large ones."""
    large = ForLarge(operator, kernel)
    least = LARGE_ROWS if operator.qualified_name in OF_LARGE_ROWS else LARGE

    def run(x: Any, *rest: Any) -> Any:
        return kernel(x, *rest) if x.array.size < least else large(x, *rest)

    return run


def with_many_places(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of `gather` for few places, and the runtime's own for many."""
    made: Any = None

    def run(x: Any, dim: int, places: Any, sparse_grad: bool) -> Any:
        nonlocal made
        if places.array.size < MANY_PLACES:
            return kernel(x, dim, places, sparse_grad)
        if made is None:
            made = import_module(PLACES).ManyPlaces(OF_MANY_PLACES, kernel)
        return made(x, dim, places, sparse_grad)

    return run
