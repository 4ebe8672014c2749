"""Products on the device that are made of others: what is added to one, of vectors, of integers of 8 and 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.products import are_multiplied
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor

Made = Callable[..., Any]
"""What an operator gives for its operands, in the order of the schema."""
_NARROW = (dtypes.int8, dtypes.uint8, dtypes.int16)


def addbmm(x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
    """`aten::addbmm`."""
    if a.array.ndim != 3 or b.array.ndim != 3:
        return NOTHING
    return _added(x, beta, a, alpha, lambda: call("aten::sum", (a.bmm(b), [0]), {"dtype": a.dtype}))


def addmm(x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
    """`aten::addmm` of integers of 8 and 16 bits, of complex numbers, or to a number."""
    if a.dtype not in _NARROW and x.array.ndim and not a.dtype.is_complex:
        return NOTHING
    return _added(x, beta, a, alpha, lambda: a.mm(b))


def _added(x: Tensor, beta: Any, a: Tensor, alpha: Any, product: Callable[[], Tensor]) -> Any:
    """A product of `a`, and a tensor that broadcasts to it, times numbers; what is scaled by 0 is not looked at."""
    if x.dtype is not a.dtype or not are_multiplied(a.dtype):
        return NOTHING
    if a.dtype.is_integral and not beta.__class__ is alpha.__class__ is int:
        return NOTHING
    found = product()
    if broadcast_shapes(x.array.shape, found.array.shape) != found.array.shape:
        return NOTHING
    times = found if alpha == 1 else found.mul(alpha)
    return times.add(x if beta == 1 else x.mul(beta)) if beta else times.clone()


def addr(x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
    """`aten::addr`; what is scaled by 0 is not looked at."""
    if a.array.ndim != 1 or b.array.ndim != 1 or x.dtype.is_integral:
        return NOTHING
    product = a.unsqueeze(1).mul(b)
    scaled = product if alpha == 1 else product.mul(alpha)
    if not beta:
        return scaled
    return scaled.add(x if beta == 1 else x.mul(beta))


def cross(x: Tensor, y: Tensor, dim: int | None) -> Any:
    """`aten::cross`, along the first dimension of three where none is given."""
    shape = x.array.shape
    if y.array.shape != shape or x.dtype is not y.dtype or x.dtype.is_integral:
        return NOTHING
    if dim is None:
        dim = next((axis for axis, size in enumerate(shape) if size == 3), None)
    if dim is None or not -len(shape) <= dim < len(shape) or shape[dim] != 3:
        return NOTHING
    a, b = (one.unbind(dim) for one in (x, y))
    parts = [a[i - 2].mul(b[i - 1]).sub(a[i - 1].mul(b[i - 2])) for i in range(3)]
    return call("aten::stack", (parts, dim))


def ger(x: Tensor, y: Tensor) -> Any:
    if x.array.ndim != 1 or y.array.ndim != 1:
        return NOTHING
    return x.unsqueeze(1).mul(y)


def inner(x: Tensor, y: Tensor) -> Any:
    """`aten::inner`, over the last dimensions."""
    a, b = x.array.shape, y.array.shape
    if not a or not b:
        return x.mul(y)
    if a[-1] != b[-1] or x.dtype is not y.dtype:
        return NOTHING
    rows = x.reshape([prod(a[:-1]), a[-1]])
    found = rows.mm(y.reshape([prod(b[:-1]), b[-1]]).t())
    return found.view([*a[:-1], *b[:-1]])


def nothing(*_: Tensor) -> Any:
    return NOTHING


def narrow_product(name: str, others: Made) -> Made:
    """`aten::mm` or `aten::bmm` of integers of 8 and 16 bits: the last bits of that of integers of 32."""

    def run(x: Tensor, y: Tensor) -> Any:
        if x.dtype not in _NARROW or y.dtype is not x.dtype:
            return others(x, y)
        wide = [transfers.of_dtype(one, dtypes.int32) for one in (x, y)]
        return transfers.of_dtype(call(name, wide), x.dtype)

    return run
