"""What runs operators on sparse and nested tensors: Note [Unstrided tensors] in tensor/unstrided.py.

The files named in `_FILES` fill the table when the first call with such a tensor looks an operator up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import AnyKernel, Kernel, KernelFunction, Operator
from torchscript_dialect.tensor.unstrided import UnstridedTensor, unstrided_among

COO, CSR, NESTED = "SparseCPU", "SparseCsrCPU", "NestedTensorCPU"
"""PyTorch's names of the backends."""

_FILES = (
    "unstrided_questions",
    "nested_tensors",
    "nested_operators",
    "sparse_views",
    "sparse_like",
    "sparse_masks",
    "sparse_conversion",
    "sparse_pointwise",
    "sparse_products",
    "sparse_reduction",
)

KERNELS: dict[tuple[str, str], Kernel] = {}
"""By operator and backend."""


class Backends:
    """What declares kernels for tensors of some backends: `@SPARSE("mm sparse_mask")`."""

    def __init__(self, *names: str, also_strided: bool = False) -> None:
        self.names = names
        self.also_strided = also_strided

    def __call__(self, names: str) -> Callable[[KernelFunction], KernelFunction]:
        """Attach a function as the kernel of operators of `aten`."""

        def attach_to(function: KernelFunction) -> KernelFunction:
            if self.also_strided:
                registry.kernel(names)(function)
            for name in names.split():
                qualified_name = name if "::" in name else f"aten::{name}"
                assert qualified_name in registry.texts(), qualified_name
                for backend in self.names:
                    KERNELS[qualified_name, backend] = function
            return function

        return attach_to

    def implement(self, names: str, function: AnyKernel) -> None:
        """The same for lambdas."""
        self(names)(function)


ON_COO, ON_CSR, ON_SPARSE = Backends(COO), Backends(CSR), Backends(COO, CSR)
ON_NESTED, ON_ANY = Backends(NESTED), Backends(COO, CSR, NESTED)
FOR_SPARSE = Backends(COO, CSR, also_strided=True)
"""Of operators that take strided and sparse tensors."""
FOR_ALL = Backends(COO, CSR, NESTED, also_strided=True)


@cache
def _load() -> None:
    for name in _FILES:
        import_module(f"{__package__}.{name}")


def kernel_for(operator: Operator, tensor: UnstridedTensor) -> Kernel | None:
    """What runs an operator one of whose operands is this tensor; None where it is for its parts to run.

    Raises:
        NotImplementedError: nothing does.
    """
    _load()
    found = KERNELS.get((operator.qualified_name, tensor.BACKEND))
    if found is not None:
        return found
    rules = operator.rules
    if rules.variant_of is not None:
        return _of_variant(operator, rules.variant_of)
    if rules.decompose is not None:
        return None
    raise NotImplementedError(
        f"Could not run '{operator.qualified_name}' with arguments from the '{tensor.BACKEND}' backend."
    )


def _of_variant(operator: Operator, base: str) -> Kernel:
    """In place, or into `out`: what the operator itself gives becomes the tensor."""
    of = registry.find(base)
    assert of is not None
    is_in_place = operator.name.endswith("_")
    count = 0 if is_in_place else len(operator.schema.returns)

    def run(*operands: Any) -> Any:
        given = operands[: len(operands) - count]
        targets: tuple[Any, ...] = operands[:1] if is_in_place else operands[len(given) :]
        among = unstrided_among(given)
        kernel = of.kernel if among is None else kernel_for(of, among)
        if kernel is None:
            raise NotImplementedError(
                f"'{operator.qualified_name}' is not supported for sparse or nested tensors"
            )
        result = kernel(*given)
        for target, one in zip(targets, result if len(targets) > 1 else (result,), strict=True):
            _put(target, one)
        return targets if len(targets) > 1 else next(iter(targets))

    return run


def _put(target: Any, value: Any) -> None:
    if isinstance(target, UnstridedTensor) != isinstance(value, UnstridedTensor):
        raise RuntimeError("a result cannot be written to a tensor of another layout")
    if isinstance(target, UnstridedTensor):
        target.become(value)
        return
    import_module("torchscript_dialect.ops.variants").store_out(target, value)
