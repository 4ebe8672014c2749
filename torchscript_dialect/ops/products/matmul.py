"""Products of matrices and vectors. Results are contiguous; 16-bit floats multiply in float32 and round once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.pointwise.pointwise_declaration import in_common
from torchscript_dialect.ops.products.half_casts import cast
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    broadcast,
    dtype_of,
    fresh,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import Dims, TensorProperties

Scalar = complex


def _shape_text(array: NDArray[Any]) -> str:
    return "x".join(map(str, array.shape))


def _check_dtypes(name: str, *tensors: Tensor) -> None:
    """Factors are of one dtype, and no bools unless there is nothing to multiply.

    Of what there is nothing to multiply of, PyTorch's products of batches may be of two dtypes, and the result of the second; that is
    refused here as other products of two dtypes are.
    """
    first = tensors[0].dtype
    for other in tensors[1:]:
        if other.dtype is not first:
            raise RuntimeError(
                f"expected m1 and m2 to have the same dtype, but got: {cpp_name(first)} != "
                f"{cpp_name(other.dtype)}"
            )
    _check_bools(name, *tensors)


def _check_bools(name: str, *tensors: Tensor) -> None:
    if tensors[0].dtype is dtypes.bool_ and all(one.array.size for one in tensors):
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


def _check_batches(x: Tensor, y: Tensor) -> None:
    """`_check_dtypes` in the words of products of batches."""
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.type_name} but found {y.dtype.type_name}"
        )
    _check_bools("bmm", x, y)


def _refuse_addmm(x: Tensor, a: Tensor, b: Tensor) -> NoReturn:
    name, one = ("self", x) if x.dtype is not b.dtype else ("mat1", a)
    raise RuntimeError(
        f"{name} and mat2 must have the same dtype, but got {one.dtype.type_name} and "
        f"{b.dtype.type_name}"
    )


def _refuse_baddbmm(x: Tensor, a: Tensor, b: Tensor) -> NoReturn:
    if x.dtype is a.dtype:
        _check_batches(a, b)
    names = [cpp_name(one.dtype) for one in (x, a, b)]
    raise RuntimeError(
        f"Input dtypes must be the same, got: input {names[0]}, batch1: {names[1]}, batch2: {names[2]}"
    )


def _refuse_addmv(x: Tensor, a: Tensor, b: Tensor) -> NoReturn:
    names = [one.dtype.type_name for one in (x, a, b)]
    raise RuntimeError(
        f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}"
    )


_CPP = {
    "float32": "float",
    "float64": "double",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "bool",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def cpp_name(element: dtypes.dtype) -> str:
    return _CPP.get(element.name, element.name)


@ignores_float_errors
def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """`a @ b` in the dtype of `a`, contiguous."""
    element = dtypes.of_array(a)
    compute = opmath(element).numpy_dtype
    if compute != a.dtype:
        a, b = cast(a, compute), cast(b, compute)
    result = np.asarray(np.matmul(a, b))
    if compute != element.numpy_dtype:
        result = cast(result, element.numpy_dtype)
    return result if result.flags.c_contiguous else np.ascontiguousarray(result)


@ignores_float_errors
def _combined(start: NDArray[Any], raw: NDArray[Any], beta: Scalar, alpha: Scalar) -> NDArray[Any]:
    """beta * start + alpha * raw, the factors as integers beside such; `start` is not looked at where beta is 0."""
    element = raw.dtype
    if element.kind in "iu":
        beta, alpha = (element.type(np.int64(int(one.real))) for one in (beta, alpha))
    result = raw if alpha == 1 else (raw * alpha).astype(element, copy=False)
    if beta != 0:
        shift = start if beta == 1 else start * beta
        result = np.add(result, shift).astype(element, copy=False)
    return result if result.flags.c_contiguous else np.ascontiguousarray(result)


def _first_fact(facts: Sequence[Fact]) -> Fact:
    return facts[0]


def _two(a: Fact, b: Fact) -> tuple[Dims, Dims] | None:
    left, right = rank_known(a), rank_known(b)
    return None if left is None or right is None else (left, right)


def _result(sizes: Dims | None, *like: Fact) -> TensorProperties:
    element = next((dtype_of(f) for f in like if isinstance(f, TensorProperties)), None)
    return fresh(element, sizes, *like)


def _mm_shape(facts: Sequence[Fact]) -> Fact:
    dims = _two(facts[0], facts[1])
    if dims is None or len(dims[0]) != 2 or len(dims[1]) != 2:
        return _result((None, None), *facts)
    return _result((dims[0][0], dims[1][1]), *facts)


@registry.kernel("mm", shape=_mm_shape, lower="lowering.linalg.matmul:MatrixProduct")
def mm(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.array, y.array
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({_shape_text(a)} and {_shape_text(b)})"
        )
    if a.dtype is not b.dtype or a.dtype.kind == "b":
        _check_dtypes("addmm_impl_cpu_", x, y)
    return tensor_of(product(a, b))


def _bmm_shape(facts: Sequence[Fact]) -> Fact:
    dims = _two(facts[0], facts[1])
    if dims is None or len(dims[0]) != 3 or len(dims[1]) != 3:
        return _result((None, None, None), *facts)
    batch = dims[0][0] if dims[0][0] is not None else dims[1][0]
    return _result((batch, dims[0][1], dims[1][2]), *facts)


def _check_bmm(x: Tensor, y: Tensor) -> None:
    a, b = x.array, y.array
    if a.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if b.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{a.shape[0]}, {a.shape[2]}] but got: [{b.shape[0]}, {b.shape[1]}]."
        )
    if a.dtype is not b.dtype or a.dtype.kind == "b":
        _check_batches(x, y)


@registry.kernel("bmm", shape=_bmm_shape, lower="lowering.linalg.batch_products:BatchProduct")
def bmm(x: Tensor, y: Tensor) -> Tensor:
    _check_bmm(x, y)
    return tensor_of(product(x.array, y.array))


def _start(x: Tensor, raw: NDArray[Any]) -> NDArray[Any]:
    """The added tensor; RuntimeError where it does not broadcast to the product."""
    shape, start = raw.shape, x.array
    if len(start.shape) > len(shape):
        raise RuntimeError(
            f"expand(torch.{x.dtype.type_name}Tensor{{{list(start.shape)}}}, size={list(shape)}): "
            f"the number of sizes provided ({len(shape)}) must be greater or equal to the number "
            f"of dimensions in the tensor ({start.ndim})"
        )
    for dim, size in enumerate(start.shape, len(shape) - start.ndim):
        if size not in (1, shape[dim]):
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[dim]}) must match the existing size "
                f"({size}) at non-singleton dimension {dim}.  Target sizes: {list(shape)}.  "
                f"Tensor sizes: {list(start.shape)}"
            )
    return start


@ignores_float_errors
def _rounded(values: NDArray[Any], element: np.dtype[Any]) -> NDArray[Any]:
    return cast(values, element)


def _check_factors(a: Tensor, b: Tensor, limit: dtypes.dtype, *factors: Scalar) -> None:
    """PyTorch looks at the factors where there is something to multiply."""
    if a.array.size and b.array.size:
        for factor in factors:
            check_fits(limit, factor)


def _added(
    multiply: Callable[[Tensor, Tensor], Tensor],
    refuse: Callable[[Tensor, Tensor, Tensor], NoReturn],
    limit: Callable[[dtypes.dtype], dtypes.dtype] = opmath,
) -> Callable[..., Tensor]:
    """`beta * x + alpha * multiply(a, b)`, rounded once.

    `refuse` raises where dtypes differ; `limit` gives the dtype that has to have room for the factors.
    """

    def kernel(x: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) -> Tensor:
        element, wide = a.array.dtype, opmath(a.dtype).numpy_dtype
        if x.array.dtype != element or b.array.dtype != element:
            refuse(x, a, b)
        if wide == element:
            raw = multiply(a, b).array
            start = _start(x, raw)
            _check_factors(a, b, limit(x.dtype), beta, alpha)
            return tensor_of(_combined(start, raw, beta, alpha))
        raw = multiply(*(tensor_of(cast(one.array, wide)) for one in (a, b))).array
        start = _start(x, raw).astype(wide)
        _check_factors(a, b, limit(x.dtype), beta, alpha)
        return tensor_of(_rounded(_combined(start, raw, beta, alpha), element))

    return kernel


def _added_in_place(added: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Unlike other operators these write to memory that several elements share."""

    def kernel(x: Tensor, *operands: Any) -> Tensor:
        raw = added(x, *operands).array
        if raw.shape != x.array.shape:
            raise RuntimeError(
                f"Bad in-place call: input tensor size {list(x.array.shape)} and output tensor size "
                f"{list(raw.shape)} should match"
            )
        x.array[...] = raw
        return x

    return kernel


def _added_shape(rule: registry.ShapeRule) -> registry.ShapeRule:
    return lambda facts: rule(facts[1:])


addmm = _added(mm, _refuse_addmm)
registry.implement(
    "addmm",
    addmm,
    shape=_added_shape(_mm_shape),
    lower="lowering.linalg.matmul:SumWithProduct",
)
baddbmm = _added(bmm, _refuse_baddbmm)
registry.implement("baddbmm", baddbmm, shape=_added_shape(_bmm_shape))
registry.implement("baddbmm_", _added_in_place(baddbmm), shape=_first_fact)


@registry.kernel("addbmm")
def addbmm(x: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar) -> Tensor:
    """The sum of products is one product, which is rounded once."""
    if x.dtype is not a.dtype or b.dtype is not a.dtype:
        _refuse_addmm(x, a, b)
    _check_bmm(a, b)
    batch, rows, between = a.array.shape
    left = a.array.swapaxes(0, 1).reshape(rows, batch * between)
    total = product(left, b.array.reshape(batch * between, b.array.shape[2]))
    start = _start(x, total)
    _check_factors(a, b, opmath(x.dtype), beta, alpha)
    return tensor_of(_combined(start, total, beta, alpha))


@registry.kernel("addbmm_")
def addbmm_(x: Tensor, *operands: Any) -> Tensor:
    """`addbmm` in place: a tensor of another shape takes that of the result."""
    assert_no_internal_overlap(x.array)
    raw = addbmm(x, *operands).array
    if raw.shape == x.array.shape:
        x.array[...] = raw
    else:
        x.array = raw
    return x


def _mv_shape(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    return _result((sizes[0] if sizes is not None and len(sizes) == 2 else None,), *facts)


@registry.kernel("mv", shape=_mv_shape)
def mv(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.array, y.array
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({_shape_text(a)}), vec ({b.shape[0]})"
        )
    if a.dtype is not b.dtype or a.dtype.kind == "b":
        if x.dtype is not y.dtype:
            _refuse_addmv(y, x, y)
        _check_bools("addmv_impl_cpu", x, y)
    return tensor_of(product(a, b))


addmv = _added(mv, _refuse_addmv, in_common)
registry.implement("addmv", addmv, shape=_added_shape(_mv_shape))
registry.implement("addmv_", _added_in_place(addmv), shape=_first_fact)


def _dot_shape(facts: Sequence[Fact]) -> Fact:
    return _result((), *facts)


@registry.kernel("dot", shape=_dot_shape)
def dot(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.array, y.array
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{x.dtype.type_name} and {y.dtype.type_name}"
        )
    if a.shape != b.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.shape[0]}] and src [{b.shape[0]}] to "
            f"have the same number of elements, but got {a.shape[0]} and {b.shape[0]} elements "
            "respectively"
        )
    if a.dtype.kind == "b":
        raise NotImplementedError("\"dot\" not implemented for 'Bool'")
    return tensor_of(product(a, b))


@registry.kernel("vdot", shape=_dot_shape)
def vdot(x: Tensor, y: Tensor) -> Tensor:
    return dot(tensor_of(np.conj(x.array)) if x.array.dtype.kind == "c" else x, y)


def _outer_shape(facts: Sequence[Fact]) -> Fact:
    dims = _two(facts[0], facts[1])
    if dims is None or len(dims[0]) != 1 or len(dims[1]) != 1:
        return fresh(None, (None, None), *facts)
    first, second = (
        dtype_of(fact) if isinstance(fact, TensorProperties) else None for fact in facts
    )
    # Dtypes may differ, as those of pointwise products.
    return fresh(first if first is second else None, (dims[0][0], dims[1][0]), *facts)


@registry.kernel(
    "outer ger", shape=_outer_shape, lower="lowering.linalg.outer_products:OuterProduct"
)
def outer(x: Tensor, y: Tensor) -> Tensor:
    if x.array.ndim != 1:
        raise RuntimeError(f"outer: Expected 1-D argument self, but got {x.array.ndim}-D")
    if y.array.ndim != 1:
        raise RuntimeError(f"outer: Expected 1-D argument vec2, but got {y.array.ndim}-D")
    multiply = registry.find("aten::mul.Tensor")
    assert multiply is not None
    assert multiply.kernel is not None
    return multiply.kernel(tensor_of(x.array[:, None]), y)


def _matmul_shape(facts: Sequence[Fact]) -> Fact:
    dims = _two(facts[0], facts[1])
    if dims is None:
        return _result(None, *facts)
    a, b = dims
    if not a or not b:
        return NOTHING
    rows = a[-2:-1] if len(a) > 1 else ()
    columns = b[-1:] if len(b) > 1 else ()
    batch = broadcast([a[:-2], b[:-2]])
    return _result(None if batch is None else (*batch, *rows, *columns), *facts)


registry.attach("aten::matmul", lower="lowering.linalg.matmul:MatrixProduct")


@registry.kernel("matmul linalg_matmul", shape=_matmul_shape)
def matmul(x: Tensor, y: Tensor) -> Tensor:
    """The product by the ranks: dot, matrix times vector, or matrices in broadcast batches."""
    a, b = x.array, y.array
    match (min(a.ndim, 3), min(b.ndim, 3)):
        case (0, _) | (_, 0):
            raise RuntimeError(
                "both arguments to matmul need to be at least 1D, but they are "
                f"{a.ndim}D and {b.ndim}D"
            )
        case (1, 1):
            return dot(x, y)
        case (2, 1):
            return mv(x, y)
        case (1, 2):
            result = mm(tensor_of(a[None, :]), y).array
            return tensor_of(result[0])
        case (2, 2):
            return mm(x, y)
        case _:
            return _batched(x, y)


def _batched(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.array, y.array
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        if a.ndim > 2 and b.ndim > 2:
            raise RuntimeError(
                "Expected size for first two dimensions of batch2 tensor to be: "
                f"[{_batch_count(a, b)}, {a.shape[-1]}] but got: "
                f"[{_batch_count(a, b)}, {inner}]."
            )
        raise RuntimeError(
            "mat1 and mat2 shapes cannot be multiplied "
            f"({a.size // max(a.shape[-1], 1)}x{a.shape[-1]} and {_shape_text(b)})"
        )
    if a.ndim > 2 and b.ndim > 2:
        broadcast_shapes_of_batches(a, b)
    if a.dtype is not b.dtype or a.dtype.kind == "b":
        _check_batches(x, y)
    return tensor_of(product(a, b))


def _batch_count(a: NDArray[Any], b: NDArray[Any]) -> int:
    count = 1
    for size in broadcast_shapes_of_batches(a, b):
        count *= size
    return count


def broadcast_shapes_of_batches(a: NDArray[Any], b: NDArray[Any]) -> tuple[int, ...]:
    """What the batch dimensions broadcast to; RuntimeError where they do not."""
    return broadcast_shapes(a.shape[:-2], b.shape[:-2])


def _linear_shape(facts: Sequence[Fact]) -> Fact:
    dims = _two(facts[0], facts[1])
    if dims is None or not dims[0]:
        return _result(None, *facts)
    return _result((*dims[0][:-1], *dims[1][:-1]), *facts)


@registry.kernel("linear", shape=_linear_shape, lower="lowering.linalg.matmul:Layer")
def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """x @ weight.T + bias."""
    a, w = x.array, weight.array
    if a.ndim and w.ndim == 2 and a.shape[-1] != w.shape[1]:
        rows = a.size // max(a.shape[-1], 1)
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{a.shape[-1]} and "
            f"{w.shape[1]}x{w.shape[0]})"
        )
    if not a.ndim:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are 0D and {w.ndim}D"
        )
    if bias is None:
        _check_dtypes("addmm_impl_cpu_", x, weight)
        return tensor_of(product(a, w.T))
    if bias.dtype is not x.dtype or weight.dtype is not x.dtype:
        _refuse_addmm(bias, x, weight)
    _check_bools("addmm_impl_cpu_", x, weight)
    element, wide = a.dtype, opmath(x.dtype).numpy_dtype
    if wide == element:
        raw = product(a, w.T)
        return tensor_of(_combined(_start(bias, raw), raw, 1, 1))
    raw = product(cast(a, wide), cast(w, wide).T)
    start = _start(bias, raw).astype(wide)
    return tensor_of(_rounded(_combined(start, raw, 1, 1), element))


@registry.kernel("inner")
def inner(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.array, y.array
    if not a.ndim or not b.ndim:
        multiply = registry.find("aten::mul.Tensor")
        assert multiply is not None and multiply.kernel is not None
        return multiply.kernel(x, y)
    if a.shape[-1] != b.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(a.shape)} and {list(b.shape)}"
        )
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    rows, columns = prod(a.shape[:-1]), prod(b.shape[:-1])
    flat = product(a.reshape(rows, a.shape[-1]), b.reshape(columns, b.shape[-1]).T)
    return tensor_of(flat.reshape(a.shape[:-1] + b.shape[:-1]))
