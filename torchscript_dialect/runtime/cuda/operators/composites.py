"""Operators on the device that are made of others, which have kernels: copies of views, concatenations, reductions, products.

What is made of none here goes on as other operators do (`NOTHING`), so that the kernels of the host say what is wrong with operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.pointwise.numeric import ldexp
from torchscript_dialect.ops.shaping.joining import joined_strides
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.bit_patterns import frexp, nextafter, scaled
from torchscript_dialect.runtime.cuda.operators.composed_products import (
    Made,
    addbmm,
    addmm,
    addr,
    cross,
    ger,
    inner,
    narrow_product,
    nothing,
)
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.thin_products import thin_product
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim
from torchscript_dialect.tensor.type_promotion import result_type

COPIED_VIEWS = (
    "alias as_strided detach diagonal expand narrow permute select slice squeeze t transpose unfold unsqueeze view split"
    " split_with_sizes unbind view_as_real view_as_complex"
).split()
"""Views `v` of which `aten::v_copy` gives copies."""


def _copied_view(placed: Any, operands: Sequence[Any]) -> Any:
    """A copy of a view, or of each of several, without gaps; `aten::view_copy` takes any sizes."""
    name: str = placed.operator.qualified_name
    is_of_sizes = name in ("aten::view_copy", "aten::_reshape_copy")
    view = registry.find("aten::reshape" if is_of_sizes else name.replace("_copy", "", 1))
    if view is None or view.placed is None:
        return NOTHING
    found: Any = view.placed(*operands)
    return list(map(_dense, found)) if found.__class__ is list else _dense(found)


def _dense(x: Tensor) -> Tensor:
    return call("aten::clone", (x,), {"memory_format": 0})


def _onto_view(name: str) -> Made:
    """A copy of a tensor in which a view is another one."""

    def run(x: Tensor, source: Tensor, *where: Any) -> Tensor:
        made = x.clone()
        call(name, (made, *where)).copy_(source)
        return made

    return run


# Concatenation


def _cat(tensors: list[Tensor], dim: int) -> Any:
    """`aten::cat` of tensors of several dtypes: those of what they are promoted to; and of four dimensions or more, which kernels
    leave, as the format of the result depends on the strides of all, and of complex numbers.
    """
    if len({one.dtype for one in tensors}) > 1:
        wanted = result_type(tensors)
        return call("aten::cat", ([transfers.of_dtype(one, wanted) for one in tensors], dim))
    rank = tensors[0].array.ndim if tensors else 0
    if not _is_left(tensors, rank) or not -rank <= dim < rank:
        return NOTHING
    dim = wrap_dim(dim, rank)
    arrays = [one.array for one in tensors]
    if len({(*one.shape[:dim], *one.shape[dim + 1 :]) for one in arrays}) > 1:
        return NOTHING  # the kernel of the host says why
    shape = list(arrays[0].shape)
    lengths = [one.shape[dim] for one in arrays]
    shape[dim] = sum(lengths)
    options = {"dtype": tensors[0].dtype, "device": tensors[0].device}
    made = call("aten::empty_strided", (shape, list(joined_strides(shape, arrays))), options)
    first = 0
    for one, length in zip(tensors, lengths, strict=True):
        made.narrow(dim, first, length).copy_(one)
        first += length
    return made


def _is_left(tensors: Sequence[Tensor], rank: int) -> bool:
    """Whether kernels leave such tensors."""
    return rank >= 4 or (rank > 0 and tensors[0].dtype.is_complex)


def _stack(tensors: list[Tensor], dim: int) -> Any:
    """`aten::stack` of tensors that kernels leave, as `_cat` tells: joined, and taken apart."""
    shape = list(tensors[0].array.shape) if tensors else []
    rank = len(shape)
    if not _is_left(tensors, rank) or not -rank <= dim + 1 <= rank + 1:
        return NOTHING
    if any(list(one.array.shape) != shape for one in tensors):
        return NOTHING  # the kernel of the host says why
    dim = wrap_dim(dim, rank + 1)
    if dim == rank:
        return call("aten::cat", ([one.unsqueeze(dim) for one in tensors], dim))
    sizes = [*shape[:dim], len(tensors), *shape[dim:]]
    return call("aten::cat", (tensors, dim)).view(sizes)


def _named(name: str) -> Made:
    """What another operator gives for the same operands."""

    def run(*operands: Any) -> Any:
        return call(name, operands)

    return run


def _of_dtype(name: str) -> Made:
    """What another operator gives along a dimension, for operands of a dtype."""

    def run(x: Tensor, dim: int, dtype: int | None) -> Tensor:
        return call(name, (x, dim), {"dtype": dtype})

    return run


# Reductions


def _of_dims(name: str) -> Made:
    """`aten::all` and `aten::any` of several dimensions."""

    def run(x: Tensor, dims: list[int] | None, keepdim: bool) -> Any:
        rank = x.array.ndim
        axes = [wrap_dim(dim, rank) for dim in (range(rank) if dims is None else dims)]
        if not rank or len({*axes}) < len(axes) or x.dtype is dtypes.uint8:
            return NOTHING
        found = x
        for axis in sorted(axes, reverse=True):
            found = call(name, (found, axis, keepdim))
        return found if axes else x.ne(0)

    return run


def _numbers_only(x: Tensor) -> Tensor:
    return x.masked_fill(x.isnan(), 0)


def _nansum(x: Tensor, dims: list[int] | None, keepdim: bool, dtype: int | None) -> Any:
    if not x.dtype.is_floating_point:
        return NOTHING
    return call("aten::sum", (_numbers_only(x), dims or None, keepdim), {"dtype": dtype})


def _nanmean(x: Tensor, dims: list[int] | None, keepdim: bool, dtype: int | None) -> Any:
    total = _nansum(x, dims, keepdim, dtype)
    if total is NOTHING:
        return NOTHING
    count = call("aten::sum", (x.isnan().logical_not(), dims or None, keepdim))
    return total.div(count)


def _std_mean(operands: Sequence[Any], names: Sequence[str]) -> tuple[Tensor, Tensor]:
    """`aten::std_mean`."""
    given = dict(zip(names, operands))
    x = given.pop("self")
    kept = {name: given[name] for name in ("dim", "keepdim") if name in given}
    mean = call("aten::mean", (x,), kept)
    return call("aten::std", (x,), given), mean


def _norm(x: Tensor, p: Any, dtype: int) -> Tensor:
    """`aten::norm` of all elements, in a dtype."""
    return call("aten::linalg_vector_norm", (x, 2 if p is None else p), {"dtype": dtype})


def _frobenius_norm(x: Tensor, dims: list[int], keepdim: bool) -> Any:
    if x.dtype.is_complex or len(dims) > 2:
        return NOTHING
    return call("aten::linalg_vector_norm", (x, 2, dims or None, keepdim))


def _equal(x: Tensor, y: Tensor) -> Any:
    if x.array.shape != y.array.shape:
        return False
    return NOTHING if x.dtype is not y.dtype else bool(x.eq(y).all().item())


def _allclose(x: Tensor, y: Tensor, *options: Any) -> bool:
    return bool(call("aten::isclose", (x, y, *options)).all().item())


def _trace(x: Tensor) -> Any:
    return NOTHING if x.array.ndim != 2 else x.diagonal().sum()


def _sum_to_size(x: Tensor, sizes: list[int] | None) -> Any:
    """`aten::sum_to_size`, or the tensor itself where no size is given."""
    if sizes is None:
        return x
    shape = x.array.shape
    lead = len(shape) - len(sizes)
    if lead < 0 or any(size not in (1, full) for size, full in zip(sizes, shape[lead:])):
        return NOTHING
    dims = [dim for dim, full in enumerate(shape) if dim < lead or full != sizes[dim - lead]]
    return call("aten::sum", (x, dims, True)).view(sizes) if dims else x


# Elements


def _ldexp(x: Tensor, exponents: Tensor) -> Any:
    """`aten::ldexp`, with one rounding where floats have exponents that are ints."""
    if not x.dtype.is_floating_point or not exponents.dtype.is_integral:
        return ldexp(x, exponents)
    if exponents.dtype is dtypes.bool_:
        return NOTHING
    return scaled(x, exponents)[0]


def _power(x: Tensor, exponent: Any) -> Any:
    """`aten::pow` of integers and an int: by squares."""
    if x.dtype.is_floating_point or x.dtype is dtypes.bool_ or x.dtype.is_complex:
        return NOTHING
    if exponent.__class__ is not int or exponent < 0:
        return NOTHING
    power = call("aten::ones_like", (x,))
    for digit in f"{exponent:b}":
        power = power.mul(power)
        if digit == "1":
            power = power.mul(x)
    return power


def _round(x: Tensor, decimals: int) -> Tensor:
    return call("aten::round", (x,), {"decimals": decimals})


def _copy(x: Tensor, source: Tensor, _: bool) -> Tensor:
    return x.clone().copy_(source)


def _fill(x: Tensor, value: Tensor) -> Tensor:
    return x.clone().fill_(value)


def _where(condition: Tensor, *values: Any) -> Any:
    """`aten::where` of a condition alone: the places where it holds."""
    return NOTHING if values else call("aten::nonzero_numpy", (condition,))


def _masked_fill(x: Tensor, mask: Tensor, value: Any) -> Any:
    """What is no number is the host's kernel to refuse; all else is compiled."""
    is_number = not isinstance(value, Tensor) or not value.array.ndim
    return NOTHING if is_number else call("aten::masked_fill", (x.cpu(), mask.cpu(), value.cpu()))


# Turned and widened


def _rot90(x: Tensor, times: int, dims: list[int]) -> Any:
    rank = x.array.ndim
    if len(dims) != 2 or rank < 2 or not all(-rank <= dim < rank for dim in dims):
        return NOTHING
    first, second = (wrap_dim(dim, rank) for dim in dims)
    if first == second:
        return NOTHING
    match times % 4:
        case 1:
            return x.flip([second]).transpose(first, second)
        case 2:
            return x.flip([first, second])
        case 3:
            return x.flip([first]).transpose(first, second)
        case _:
            return x.clone()


def _flipped(least: int, dim: int) -> Made:

    def run(x: Tensor) -> Any:
        return x.flip([dim]) if x.array.ndim >= least else NOTHING

    return run


def _diag_embed(x: Tensor, offset: int, dim1: int, dim2: int) -> Any:
    rank = x.array.ndim
    dims = [wrap_dim(dim, rank + 1) for dim in (dim1, dim2)]
    if not rank or dims[0] == dims[1]:
        return NOTHING
    size = x.array.shape[-1] + abs(offset)
    sizes = list(x.array.shape[:-1])
    for dim in sorted(dims):
        sizes.insert(dim, size)
    made = x.new_zeros(sizes)
    made.diagonal(offset, *dims).copy_(x)
    return made


def _diag(x: Tensor, offset: int) -> Any:
    match x.array.ndim:
        case 1:
            return _diag_embed(x, offset, 0, 1)
        case 2:
            return x.diagonal(offset).clone()
        case _:
            return NOTHING


# Gradients


def _gather_backward(grad: Tensor, x: Tensor, dim: int, index: Tensor, sparse: bool) -> Any:
    if sparse:
        return NOTHING
    return call("aten::zeros_like", (x,)).scatter_add(dim, index, grad)


def _index_select_backward(grad: Tensor, sizes: list[int], dim: int, index: Tensor) -> Tensor:
    return grad.new_zeros(sizes).index_add(dim, index, grad)


def _chosen_backward(grad: Tensor, dim: int, at: Tensor, sizes: list[int], keepdim: bool) -> Tensor:
    """`aten::value_selecting_reduction_backward`."""
    if not keepdim and sizes:
        grad, at = grad.unsqueeze(dim), at.unsqueeze(dim)
    return grad.new_zeros(sizes).scatter(dim, at, grad)


def _masked_scatter_backward(grad: Tensor, mask: Tensor, sizes: list[int]) -> Any:
    made = grad.new_zeros(sizes)
    chosen = call("aten::masked_select", (grad, mask))
    count = chosen.array.size
    if count > made.array.size:
        return NOTHING
    made.view([-1]).narrow(0, 0, count).copy_(chosen)
    return made


def _dropout_backward(grad: Tensor, mask: Tensor, scale: float) -> Tensor:
    return grad.mul(mask).mul(scale)


def _one_hot(x: Tensor, classes: int) -> Any:
    """`aten::one_hot`, which waits for the device to see what classes there are."""
    if x.dtype is not dtypes.int64 or not x.array.size:
        return NOTHING
    least, most = int(x.amin().item()), int(x.amax().item())
    count = most + 1 if classes == -1 else classes
    if least < 0 or count <= most:
        return NOTHING
    made = x.new_zeros([*x.array.shape, count])
    return made.scatter(-1, x.unsqueeze(-1), 1)


MADE: dict[str, Made] = {
    "aten::all.dims": _of_dims("aten::all"),
    "aten::any.dims": _of_dims("aten::any"),
    "aten::norm.ScalarOpt_dtype": _norm,
    "aten::frobenius_norm.dim": _frobenius_norm,
    "aten::pow.Tensor_Scalar": _power,
    "aten::ldexp.Tensor": _ldexp,
    "aten::frexp.Tensor": frexp,
    "aten::nextafter": nextafter,
    "aten::mm": narrow_product("aten::mm", thin_product),
    "aten::bmm": narrow_product("aten::bmm", nothing),
    "aten::where": _where,
    "aten::masked_fill.Tensor": _masked_fill,
    "aten::copy": _copy,
    "aten::fill.Tensor": _fill,
    "aten::select_scatter": _onto_view("aten::select"),
    "aten::slice_scatter": _onto_view("aten::slice"),
    "aten::diagonal_scatter": _onto_view("aten::diagonal"),
    "aten::cat": _cat,
    "aten::stack": _stack,
    "aten::concat": _named("aten::cat"),
    "aten::concatenate": _named("aten::cat"),
    "aten::_stack": _named("aten::stack"),
    "aten::nansum": _nansum,
    "aten::nanmean": _nanmean,
    "aten::equal": _equal,
    "aten::allclose": _allclose,
    "aten::trace": _trace,
    "aten::sum_to_size": _sum_to_size,
    "aten::_grad_sum_to_size": _sum_to_size,
    "aten::special_logsumexp": _named("aten::logsumexp"),
    "aten::special_softmax": _of_dtype("aten::softmax"),
    "aten::special_log_softmax": _of_dtype("aten::log_softmax"),
    "aten::special_round": _round,
    "aten::addbmm": addbmm,
    "aten::addmm": addmm,
    "aten::addr": addr,
    "aten::cross": cross,
    "aten::linalg_cross": cross,
    "aten::ger": ger,
    "aten::inner": inner,
    "aten::zero": _named("aten::zeros_like"),
    "aten::rot90": _rot90,
    "aten::fliplr": _flipped(2, 1),
    "aten::flipud": _flipped(1, 0),
    "aten::diag_embed": _diag_embed,
    "aten::diag": _diag,
    "aten::gather_backward": _gather_backward,
    "aten::index_select_backward": _index_select_backward,
    "aten::value_selecting_reduction_backward": _chosen_backward,
    "aten::masked_scatter_backward": _masked_scatter_backward,
    "aten::native_dropout_backward": _dropout_backward,
    "aten::one_hot": _one_hot,
}


def own(make: Made) -> Callable[[Any, Sequence[Any]], Any]:
    """What runs an operator that is made of others."""

    def run(_: Any, operands: Sequence[Any]) -> Any:
        return make(*operands)

    return run


def _own_std_mean(placed: Any, operands: Sequence[Any]) -> Any:
    return _std_mean(operands, [one.name for one in placed.operator.schema.arguments])


COMPOSITES: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    **{f"aten::{name}_copy": _copied_view for name in (*COPIED_VIEWS, "_reshape")},
    **{name: own(make) for name, make in MADE.items()},
    "aten::std_mean": _own_std_mean,
}
"""What runs operators, by their names or qualified names."""
