"""Operators on nested tensors (PyTorch: native/nested/NestedTensorBinaryOps.cpp, NestedTensorUnaryOps.cpp, NestedTensorMath.cpp,
NestedTensorMatmul.cpp).

Most do with each part what the strided operator does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops.unstrided.nested_tensors import of_parts
from torchscript_dialect.ops.unstrided.sparse_coo import strided_kernel
from torchscript_dialect.ops.unstrided.unstrided import FOR_ALL, ON_NESTED
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.unstrided import NestedTensor, UnstridedTensor

ELEMENTWISE = (
    "abs cos gelu isinf isnan isneginf isposinf logical_not neg relu sgn silu sin sqrt tanh eq.Scalar ge.Scalar gt.Scalar "
    "div.Scalar mul.Scalar masked_fill.Scalar zeros_like ones_like threshold_backward dropout"
).split()
"""Operators that run part by part; other nested operands have the same parts, strided ones are given whole."""

IN_PLACE = "abs_ gelu_ logical_not_ neg_ relu_ sgn_ silu_ tanh_ mul_.Scalar fill_.Scalar fill_.Tensor zero_".split()


def _check_same(operands: Any) -> None:
    known = [each for each in operands if isinstance(each, NestedTensor)]
    if any(not np.array_equal(each.shapes, known[0].shapes) for each in known):
        raise RuntimeError(
            "Expected both nested tensors to have the same sizes of all of their tensors"
        )


def _count(operands: Any) -> int:
    return next(len(each.shapes) for each in operands if isinstance(each, NestedTensor))


def _part(operand: Any, number: int) -> Any:
    return tensor_of(operand.parts()[number]) if isinstance(operand, NestedTensor) else operand


def part_by_part(name: str) -> Callable[..., Tensor]:
    """What runs a strided operator on each part."""

    def run(*operands: Any) -> Tensor:
        _check_same(operands)
        kernel = strided_kernel(name)
        found = [kernel(*(_part(each, n) for each in operands)) for n in range(_count(operands))]
        return of_parts([each.array for each in found])

    return run


for _name in ELEMENTWISE:
    ON_NESTED(_name)(part_by_part(_name))


def _in_place(name: str) -> Callable[..., Tensor]:
    def run(x: NestedTensor, *rest: Any) -> Tensor:
        for part in x.parts():
            strided_kernel(name)(tensor_of(part), *rest)
        return x

    return run


for _name in IN_PLACE:
    ON_NESTED(_name)(_in_place(_name))


def _arithmetic(name: str) -> Callable[..., Tensor]:
    """Sums and products: with a nested tensor of the same sizes, a number, or a strided tensor that fits each part."""
    run = part_by_part(name)

    def kernel(x: Any, y: Any, *rest: Any) -> Tensor:
        if isinstance(x, NestedTensor) and isinstance(y, NestedTensor):
            return run(x, y, *rest)
        other = y if isinstance(x, NestedTensor) else x
        if other.array.ndim and (
            other.array.ndim != max(x.dim(), y.dim())
            or other.array.shape[0] not in (1, _count((x, y)))
        ):
            raise RuntimeError(
                f"Expected both self and other to be nested, but got a nested and a non-nested tensor for {name}"
            )
        rows = other.array
        parts: list[Any] = []
        for number in range(_count((x, y))):
            piece = tensor_of(rows if not rows.ndim else rows[number % rows.shape[0]])
            pair = (
                (_part(x, number), piece)
                if isinstance(x, NestedTensor)
                else (piece, _part(y, number))
            )
            parts.append(strided_kernel(name)(*pair, *rest).array)
        return of_parts(parts)

    return kernel


for _name in ("add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor"):
    ON_NESTED(_name)(_arithmetic(_name))


def _arithmetic_in_place(name: str) -> Callable[..., Tensor]:
    def kernel(x: NestedTensor, y: Any, *rest: Any) -> Tensor:
        made: Any = _arithmetic(name)(x, y, *rest)
        for part, found in zip(x.parts(), made.parts()):
            part[...] = found
        return x

    return kernel


ON_NESTED("add_.Tensor")(_arithmetic_in_place("add.Tensor"))
ON_NESTED("mul_.Tensor")(_arithmetic_in_place("mul.Tensor"))


@ON_NESTED("where.self")
def where(mask: Any, x: Any, y: Any) -> Tensor:
    return part_by_part("where.self")(mask, x, y)


# Copies and views


ON_NESTED.implement("values _nested_get_values", lambda x: tensor_of(x.elements))
ON_NESTED.implement("detach alias prim::data", lambda x: x.twin(x.elements))
ON_NESTED.implement("contiguous", lambda x, format: x if x.is_contiguous() else clone(x, None))


@ON_NESTED("clone")
def clone(x: NestedTensor, _format: int | None) -> Tensor:
    return of_parts([part.copy() for part in x.parts()], x.elements)


@ON_NESTED("copy_")
def copy_to(x: NestedTensor, other: Any, _non_blocking: bool) -> Tensor:
    if not isinstance(other, NestedTensor):
        raise RuntimeError("copy_ only supports nested tensors of the same sizes")
    _check_same((x, other))
    for part, source in zip(x.parts(), other.parts()):
        part[...] = source
    return x


@ON_NESTED("to.dtype")
def cast(
    x: NestedTensor, wanted: int, non_blocking: bool, copy: bool, format: int | None
) -> Tensor:
    return part_by_part("to.dtype")(x, wanted, non_blocking, copy, format)


@ON_NESTED("empty_like")
def empty_like(x: NestedTensor, wanted: int | None, *options: Any) -> Tensor:
    return part_by_part("zeros_like")(x, wanted, *options)


@ON_NESTED("unbind.int")
def unbind(x: NestedTensor, dim: int) -> list[Tensor]:
    if wrap_dim(dim, x.ndim):
        raise RuntimeError("NestedTensor can only be unbound along dimension 0 ")
    return [tensor_of(part) for part in x.parts()]


@ON_NESTED("select.int")
def select(x: NestedTensor, dim: int, index: int) -> Tensor:
    dim = wrap_dim(dim, x.ndim)
    if not dim:
        if not -len(x.shapes) <= index < len(x.shapes):
            raise IndexError(
                f"index {index} is out of bounds for dimension 0 with size {len(x.shapes)}"
            )
        return tensor_of(x.parts()[index])
    return of_parts([part.take(index, axis=dim - 1) for part in x.parts()], x.elements)


@ON_NESTED("transpose.int")
def transpose(x: NestedTensor, dim: int, other: int) -> Tensor:
    first, second = wrap_dim(dim, x.ndim), wrap_dim(other, x.ndim)
    if first == second:
        return x
    if not first or not second:
        raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
    made: Any = x.twin(x.elements)
    order = list(range(x.ndim - 1))
    order[first - 1], order[second - 1] = order[second - 1], order[first - 1]
    made.shapes, made.steps = x.shapes[:, order], x.steps[:, order]
    return made


@ON_NESTED("unsqueeze")
def unsqueeze(x: NestedTensor, dim: int) -> Tensor:
    dim = wrap_dim(dim, x.ndim + 1)
    if not dim:
        raise RuntimeError(
            "unsqueeze(): For nested tensors, unsqueezing dimension 0 is not supported at the moment"
        )
    return of_parts([np.expand_dims(part, dim - 1) for part in x.parts()], x.elements)


@ON_NESTED("chunk")
def chunk(x: NestedTensor, count: int, dim: int) -> list[Tensor]:
    dim = wrap_dim(dim, x.ndim)
    if dim != x.ndim - 1 or x.size(dim) % count:
        raise RuntimeError(
            "Chunk for nested tensors is currently only supported for the last dimension, which it divides."
        )
    width = x.size(dim) // count
    return [
        of_parts([part[..., n * width : (n + 1) * width] for part in x.parts()], x.elements)
        for n in range(count)
    ]


@ON_NESTED("cat")
def cat(tensors: list[Any], dim: int) -> Tensor:
    if not all(isinstance(each, NestedTensor) for each in tensors):
        raise RuntimeError("expected each tensor in given list to be nested")
    if wrap_dim(dim, tensors[0].ndim):
        count = len(tensors[0].shapes)
        parts = [
            np.concatenate([each.parts()[n] for each in tensors], dim - 1 if dim > 0 else dim)
            for n in range(count)
        ]
        return of_parts(parts, tensors[0].elements)
    return of_parts([part for each in tensors for part in each.parts()], tensors[0].elements)


@ON_NESTED("reshape view")
def reshape(x: NestedTensor, size: list[int]) -> Tensor:
    """Each part in another shape; -1 stands for the size that a dimension has."""
    if not size or size[0] != len(x.shapes):
        raise RuntimeError(f"Expected first dimension of the new shape to be {len(x.shapes)}")
    parts: list[Any] = []
    for part in x.parts():
        wanted = [
            part.shape[place] if n == -1 and place < part.ndim else n
            for place, n in enumerate(size[1:])
        ]
        parts.append(part.reshape(wanted))
    return of_parts(parts, x.elements)


# Reductions and products


@ON_NESTED("sum.dim_IntList")
def sum_over(x: NestedTensor, dims: list[int] | None, keeps: bool, wanted: int | None) -> Tensor:
    if not dims or len(dims) != 1 or wrap_dim(dims[0], x.ndim) != x.ndim - 1:
        raise RuntimeError("NestedTensor only allows reduction of the last dimension for now.")
    if not keeps:
        raise RuntimeError("NestedTensor always requires keepdim=True for now.")
    return part_by_part("sum.dim_IntList")(x, [-1], True, wanted)


def _along(x: NestedTensor, dim: int) -> int:
    dim = wrap_dim(dim, x.ndim)
    if not dim:
        raise RuntimeError("Cannot apply softmax across nested dimension 0")
    return dim - 1


ON_NESTED.implement(
    "softmax.int", lambda x, dim, wanted: part_by_part("softmax.int")(x, _along(x, dim), wanted)
)
ON_NESTED.implement(
    "_softmax", lambda x, dim, half: part_by_part("_softmax")(x, _along(x, dim), half)
)


@ON_NESTED("linear")
def linear(x: NestedTensor, weight: Any, bias: Any) -> Tensor:
    return part_by_part("linear")(x, weight, bias)


@ON_NESTED("layer_norm")
def layer_norm(x: NestedTensor, shape: list[int], weight: Any, bias: Any, *rest: Any) -> Tensor:
    if weight is None or bias is None:
        raise ValueError("NestedTensor layer_norm requires weight and bias")
    return part_by_part("layer_norm")(x, shape, weight, bias, *rest)


@ON_NESTED("matmul bmm")
def matmul(x: Any, y: Any) -> Tensor:
    if isinstance(x, NestedTensor) and isinstance(y, NestedTensor):
        if len(x.shapes) != len(y.shapes):
            raise RuntimeError(
                "matmul: Expected size for the 1st dimension of 2nd input tensor to match"
            )
        parts = [
            strided_kernel("matmul")(tensor_of(a), tensor_of(b)).array
            for a, b in zip(x.parts(), y.parts())
        ]
        return of_parts(parts, x.elements)
    if not isinstance(x, NestedTensor):
        raise RuntimeError("Expected both to be nested, but got a non-nested self and nested other")
    if y.array.ndim == 3 and len(y.array) == len(x.shapes):
        parts = [
            strided_kernel("matmul")(tensor_of(a), tensor_of(b)).array
            for a, b in zip(x.parts(), y.array)
        ]
        return of_parts(parts, x.elements)
    return part_by_part("matmul")(x, y)


@ON_NESTED("embedding")
def embedding(weight: Tensor, places: NestedTensor, *rest: Any) -> Tensor:
    return part_by_part("embedding")(weight, places, *rest)


@FOR_ALL("_nested_tensor_softmax_with_shape")
def softmax_of_scores(scores: Tensor, queries: Tensor) -> Tensor:
    """Softmax of padded scores (batch, heads, rows, columns), of as many rows and columns as each query has; 0 beyond."""
    if not isinstance(queries, NestedTensor) or isinstance(scores, UnstridedTensor):
        raise RuntimeError(
            "_nested_tensor_softmax_with_shape expects strided scores and a nested query"
        )
    if scores.array.ndim != 4 or len(scores.array) != len(queries.shapes):
        raise RuntimeError("_nested_tensor_softmax_with_shape: scores and query do not match")
    result = np.zeros_like(scores.array)
    for row, found, length in zip(scores.array, result, queries.shapes[:, 0].tolist()):
        part = tensor_of(np.ascontiguousarray(row[:, :length, :length]))
        found[:, :length, :length] = strided_kernel("softmax.int")(part, -1, None).array
    return tensor_of(result)


def _sequence_by_sequence(name: str, operands: Any) -> list[list[Tensor]]:
    """What an operator on a batch (N, L, E) gives for each sequence of nested operands, as a batch of one."""
    _check_same(operands)
    kernel = strided_kernel(name)
    found: list[list[Tensor]] = []
    for number in range(_count(operands)):
        parts = (_part(each, number) for each in operands)
        batches = [
            tensor_of(part.array[None]) if isinstance(each, NestedTensor) else part
            for each, part in zip(operands, parts)
        ]
        given: Any = kernel(*batches)
        found.append([given] if isinstance(given, Tensor) else [*given])
    return found


@ON_NESTED("_transformer_encoder_layer_fwd")
def transformer_encoder_layer(*operands: Any) -> Tensor:
    """Sequences have their own lengths, so that nothing has to be masked."""
    found = _sequence_by_sequence("_transformer_encoder_layer_fwd", operands)
    return of_parts([layer.array[0] for (layer,) in found])


@ON_NESTED("_native_multi_head_attention")
def multi_head_attention(*operands: Any) -> tuple[Tensor, Tensor]:
    """Attention within each sequence; the weights (N, heads, L, L), 0 beyond the lengths, where they are asked for."""
    found = _sequence_by_sequence("_native_multi_head_attention", operands)
    result = of_parts([attended.array[0] for attended, _ in found])
    weights = [each.array for _, each in found]
    if not weights[0].size:
        return result, tensor_of(weights[0])
    length = max(each.shape[-1] for each in weights)
    padded = np.zeros((len(weights), *weights[0].shape[1:-2], length, length), weights[0].dtype)
    for target, each in zip(padded, weights):
        target[..., : each.shape[-2], : each.shape[-1]] = each[0]
    return result, tensor_of(padded)
