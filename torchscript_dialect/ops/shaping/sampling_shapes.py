"""Shape rules of operators whose result has the sizes of an operand, or of all of them: samples, casts, losses in steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    Unknown,
    broadcast,
    dtype_of,
    fresh,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.types.tensor_type import Dims, TensorProperties


def _made(element: dtypes.dtype | None, sizes: Dims | None, like: Fact) -> TensorProperties:
    return replace(fresh(element, sizes, like), strides=None)


def _like(place: int = 0) -> registry.ShapeRule:
    """Sizes and dtype of an operand."""

    def rule(facts: Sequence[Fact]) -> Fact:
        x = facts[place]
        return _made(dtype_of(x), rank_known(x), x) if isinstance(x, TensorProperties) else NOTHING

    return rule


def _attach(names: str, rule: registry.ShapeRule) -> None:
    for name in names.split():
        registry.attach(f"aten::{name}", shape=rule)


_attach(
    "bernoulli bernoulli.p poisson _standard_gamma _sample_dirichlet rrelu normal_functional",
    _like(),
)
_attach("normal.Tensor_float", _like())
_attach("normal.float_Tensor", _like(1))


def _together(facts: Sequence[Fact]) -> Fact:
    first, second = facts[:2]
    return _made(dtype_of(first), broadcast([rank_known(first), rank_known(second)]), first)


_attach("normal.Tensor_Tensor binomial", _together)


def _cast(element: dtypes.dtype) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        return _made(element, rank_known(facts[0]), facts[0])

    return rule


for _name, _element in {
    "Byte": dtypes.uint8,
    "Char": dtypes.int8,
    "Double": dtypes.float64,
    "Float": dtypes.float32,
    "Int": dtypes.int32,
    "Long": dtypes.int64,
    "Short": dtypes.int16,
    "Half": dtypes.float16,
}.items():
    _attach(f"_cast_{_name}", _cast(_element))


def _like_wanted(place: int) -> registry.ShapeRule:
    """Sizes of the first operand, the dtype that is asked for at a place or its own."""

    def rule(facts: Sequence[Fact]) -> Fact:
        wanted = facts[place]
        if isinstance(wanted, (Unknown, TensorProperties)):
            return _made(None, rank_known(facts[0]), facts[0])
        element = dtype_of(facts[0]) if wanted is None else dtypes.from_scalar_type(wanted)
        return _made(element, rank_known(facts[0]), facts[0])

    return rule


_attach(
    "randint_like randint_like.Tensor rand_like.generator randn_like.generator", _like_wanted(2)
)
_attach(
    "randint_like.low_dtype randint_like.generator randint_like.Tensor_generator", _like_wanted(3)
)
_attach("randint_like.low_generator_dtype", _like_wanted(4))


def _softmax_gradient(facts: Sequence[Fact]) -> Fact:
    grad, wanted = facts[0], facts[3]
    element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
    return fresh(element, rank_known(grad), grad)


_attach("_softmax_backward_data _log_softmax_backward_data", _softmax_gradient)


# Numbers as tensors


def _scalar(element: dtypes.dtype | None) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        wanted: Any = facts[1]
        if isinstance(wanted, (Unknown, TensorProperties)):
            return TensorProperties(None, ())
        chosen = element if wanted is None else dtypes.from_scalar_type(wanted)
        return TensorProperties(None if chosen is None else chosen.type_name, (), ())

    return rule


for _overload, _of in {
    "bool": dtypes.bool_,
    "int": dtypes.int64,
    "float": None,
    "complex": None,
}.items():
    _attach(f"tensor.{_overload} as_tensor.{_overload}", _scalar(_of))


# Parts of products


def _trace(facts: Sequence[Fact]) -> Fact:
    element = dtype_of(facts[0])
    if element is not None and not (element.is_floating_point or element.is_complex):
        element = dtypes.int64
    return _made(element, (), facts[0])


_attach("trace", _trace)


def _int_product(facts: Sequence[Fact]) -> Fact:
    x, y = map(rank_known, facts[:2])
    known = x is not None and y is not None and len(x) == len(y) == 2
    return _made(dtypes.int32, (x[0], y[1]) if known and x and y else None, facts[0])


_attach("_int_mm", _int_product)


def _weight_product(facts: Sequence[Fact]) -> Fact:
    x, y = map(rank_known, facts[:2])
    known = x is not None and y is not None and len(x) == len(y) == 2
    return _made(dtype_of(facts[0]), (x[0], y[0]) if known and x and y else None, facts[0])


_attach("_weight_int8pack_mm _weight_int4pack_mm_for_cpu", _weight_product)


def _batch_product(facts: Sequence[Fact]) -> Fact:
    x, y = rank_known(facts[1]), rank_known(facts[2])
    known = x is not None and y is not None and len(x) == len(y) == 3
    return _made(dtype_of(facts[1]), (x[1], y[2]) if known and x and y else None, facts[1])


_attach("addbmm", _batch_product)


def _inner(facts: Sequence[Fact]) -> Fact:
    x, y = rank_known(facts[0]), rank_known(facts[1])
    if not x or not y:
        return NOTHING
    return _made(dtype_of(facts[0]), (*x[:-1], *y[:-1]), facts[0])


_attach("inner", _inner)


def _one_hot(facts: Sequence[Fact]) -> Fact:
    sizes, count = rank_known(facts[0]), facts[1]
    if sizes is None:
        return NOTHING
    known = count if isinstance(count, int) and count >= 0 else None
    return _made(dtypes.int64, (*sizes, known), facts[0])


_attach("one_hot", _one_hot)


def _first(facts: Sequence[Fact]) -> Fact:
    return facts[0]


_attach("detach_ requires_grad_", _first)


# Turned, conjugated, and parts of complex numbers


def _adjoint(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    if sizes is None:
        return NOTHING
    turned = sizes if len(sizes) < 2 else (*sizes[:-2], sizes[-1], sizes[-2])
    return _made(dtype_of(facts[0]), turned, facts[0])


_attach("mH mH.a matrix_H matrix_H.a adjoint", _adjoint)
_attach("_conj_copy fliplr flipud select_scatter slice_scatter rrelu_with_noise cpu", _like())


def _as_real(facts: Sequence[Fact]) -> Fact:
    sizes, element = rank_known(facts[0]), dtype_of(facts[0])
    real = element.to_real() if element is not None and element.is_complex else None
    return NOTHING if sizes is None else _made(real, (*sizes, 2), facts[0])


_attach("view_as_real view_as_real_copy", _as_real)


def _as_complex(facts: Sequence[Fact]) -> Fact:
    sizes, element = rank_known(facts[0]), dtype_of(facts[0])
    if not sizes:
        return NOTHING
    known = element is not None and element.is_floating_point
    return _made(
        element.to_complex() if element is not None and known else None, sizes[:-1], facts[0]
    )


_attach("view_as_complex view_as_complex_copy", _as_complex)


# Statistics of all elements


def _pair(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    element = dtype_of(x)
    real = element.to_real() if element is not None and element.is_complex else element
    return _made(real, (), x), _made(element, (), x)


_attach("var_mean std_mean", _pair)


def _one(facts: Sequence[Fact]) -> Fact:
    return _made(dtype_of(facts[0]), (), facts[0])


_attach("median", _one)


def _taken(facts: Sequence[Fact]) -> Fact:
    x, index = facts[:2]
    return _made(dtype_of(x), rank_known(index), x)


_attach("take", _taken)


def _number_of_sizes(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    return _made(dtypes.int64, None if sizes is None else (len(sizes),), facts[0])


_attach("_shape_as_tensor", _number_of_sizes)


def _pairs_of_rows(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    if sizes is None or len(sizes) != 2:
        return NOTHING
    rows = sizes[0]
    count = None if rows is None else max(rows * (rows - 1) // 2, 0)
    return _made(dtype_of(facts[0]), (count,), facts[0])


_attach("pdist", _pairs_of_rows)
