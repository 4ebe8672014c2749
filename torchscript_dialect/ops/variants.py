"""In-place and `out` variants that follow from their operator: compute, then store.

Comes last of the families: it looks at all kernels and adds what the table has and no family declared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.conversion import store
from torchscript_dialect.ops.pointwise import check_castable, inplace_variant, out_variant
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import element_strides, empty_strided
from torchscript_dialect.tensor.tensor import Tensor


def _base_kernel(operator: Operator) -> Kernel:
    base = operator.rules.variant_of
    assert base is not None
    found = registry.find(base)
    assert found is not None
    assert found.kernel is not None
    return found.kernel


def _inplace_kernel(operator: Operator) -> Kernel:
    base = _base_kernel(operator)

    def kernel(x: Tensor, *operands: Any) -> Tensor:
        result = base(x, *operands)
        assert_no_internal_overlap(x.array)
        if result.array.shape != x.array.shape:
            raise RuntimeError(
                f"output with shape {list(x.array.shape)} doesn't match the broadcast shape "
                f"{list(result.array.shape)}"
            )
        check_castable(result.dtype, x.dtype)
        store(x.array, result.array)
        return x

    return kernel


def _out_kernel(operator: Operator) -> Kernel:
    base = _base_kernel(operator)

    def kernel(*operands: Any) -> Tensor:
        *inputs, target = operands
        result = base(*inputs)
        check_castable(result.dtype, target.dtype)
        if target.array.shape != result.array.shape:
            strides = element_strides(result.array)
            target.array = empty_strided(result.array.shape, strides, target.array.dtype)
        store(target.array, result.array)
        return target

    return kernel


def _first_fact(facts: Sequence[Any]) -> Any:
    return facts[0]


def _attach_variants(qualified_name: str) -> None:
    text = registry.texts()[qualified_name]
    if not text.endswith(" -> Tensor") or "!" in text:
        return
    inplace = inplace_variant(qualified_name)
    if inplace is not None and not registry.has_kernel(inplace):
        registry.attach(
            inplace, variant_of=qualified_name, derive_kernel=_inplace_kernel, shape=_first_fact
        )
    out = out_variant(qualified_name)
    if out is not None and not registry.has_kernel(out):
        registry.attach(out, variant_of=qualified_name, derive_kernel=_out_kernel)


for _name in [name for name, rules in registry.declared() if rules.kernel or rules.decompose]:
    _attach_variants(_name)
