"""Changes of dtype, copies, fills, and the way from tensors to Python values and facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.creation.creation_like import like
from torchscript_dialect.ops.creation.factories import check_options
from torchscript_dialect.ops.shapes import (
    UNKNOWN,
    Fact,
    dtype_of,
    is_known,
    known_ints,
    preserved,
    rank_known,
)
from torchscript_dialect.ops.views.views import clone
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_array import is_device_in_use
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import converted, held_by
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import memory_format, preserve_format
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap, assert_no_partial_overlap
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    contiguous_strides,
    element_strides,
    empty_like,
    resized,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, wrap_dim
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.type_promotion import can_cast, promote_types, result_type
from torchscript_dialect.types.tensor_type import TensorProperties

Scalar = complex


@ignores_float_errors
def store(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Write into `target`, converting as `copy_` does: complex numbers lose their imaginary part."""
    if source.dtype.kind == "c" and target.dtype.kind != "c":
        source = source != 0 if target.dtype.kind == "b" else np.real(source)
    if source.dtype.kind in "f" and target.dtype.kind in "u":
        source = source.astype(np.int64)
    if target.dtype.kind in "Vf" and source.dtype is not target.dtype:
        source = held_by(target.dtype, source)
    np.copyto(target, source, casting="unsafe")


# Conversions of dtype


def _to(x: Tensor, element: dtype, copy: bool, format: int | None) -> Tensor:
    """The tensor itself where nothing changes and no copy is asked for."""
    array = x.array
    same_format = (
        format is None
        or format == preserve_format
        or suggest_memory_format(array.shape, element_strides(array)) == memory_format(format)
    )
    if element.numpy_dtype is array.dtype:
        if not copy and same_format:
            return x
        return clone(x, format)
    out = like(array, element.scalar_type, format)
    store(out, array)
    return tensor_of(out)


def _is_cast(old: dtype | None, new: dtype | None) -> bool:
    """Whether both are known and differ."""
    return old is not None and new is not None and old is not new


def _device_fact(x: TensorProperties, wanted: Fact) -> str | None:
    """Where a tensor is that is moved to a device."""
    if wanted is None:
        return x.device
    found = wanted.device if isinstance(wanted, TensorProperties) else wanted
    if found is None or not is_known(found):
        return None if is_device_in_use() else x.device
    return f"{found}:0" if str(found) == "cuda" else str(found)


def _to_shape(
    wanted_place: int, format_place: int | None, device_place: int | None = None
) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        x, wanted = facts[0], facts[wanted_place]
        if isinstance(wanted, TensorProperties):
            element = dtype_of(wanted)
        elif wanted is None:
            element = dtype_of(x)
        else:
            element = dtypes.from_scalar_type(wanted) if is_known(wanted) else None
        strides = x.strides
        format = None if format_place is None else facts[format_place]
        sizes = rank_known(x)
        if format is not None and format != preserve_format:
            exact = known_ints(sizes)
            made = None
            if exact is not None and is_known(format):
                made = strides_for_format(exact, memory_format(format))
            # A tensor that already has the dtype may be the result itself, with strides of its own.
            strides = made if made == x.strides or _is_cast(dtype_of(x), element) else None
        elif (
            x.strides is not None
            and sizes is not None
            and x.strides
            != (
                contiguous_strides(sizes) if None not in sizes else None  # pyright: ignore[reportArgumentType]
            )
        ):
            strides = None
        name = None if element is None else element.type_name
        device = x.device if device_place is None else _device_fact(x, facts[device_place])
        return TensorProperties(name, sizes, strides, device)

    return rule


@registry.kernel("to.dtype", shape=_to_shape(1, 4), lower="lowering.linalg.rearrangements:Same")
def to_dtype(x: Tensor, wanted: int, _: bool, copy: bool, format: int | None) -> Tensor:
    return _to(x, dtypes.from_scalar_type(wanted), copy, format)


@registry.kernel("to.device", shape=_to_shape(2, 5, 1), lower="lowering.linalg.rearrangements:Same")
def to_device(
    x: Tensor, device: Device, wanted: int, _: bool, copy: bool, format: int | None
) -> Tensor:
    check_options(None, device, None)
    return _to(x, dtypes.from_scalar_type(wanted), copy, format)


@registry.kernel("to.other", shape=_to_shape(1, 4, 1), lower="lowering.linalg.rearrangements:Same")
def to_other(x: Tensor, other: Tensor, _: bool, copy: bool, format: int | None) -> Tensor:
    return _to(x, other.dtype, copy, format)


@registry.kernel(
    "to.dtype_layout", shape=_to_shape(1, 7, 3), lower="lowering.linalg.rearrangements:Same"
)
def to_dtype_layout(
    x: Tensor,
    wanted: int | None,
    layout: int | None,
    device: Device | None,
    pin_memory: bool | None,
    _: bool,
    copy: bool,
    format: int | None,
) -> Tensor:
    check_options(layout, device, pin_memory)
    return _to(x, x.dtype if wanted is None else dtypes.from_scalar_type(wanted), copy, format)


@registry.kernel("to.prim_Device", shape=_to_shape(2, None, 1))
def to_prim_device(
    x: Tensor, device: Device | None, wanted: int | None, _: bool, copy: bool
) -> Tensor:
    check_options(None, device, None)
    return _to(x, x.dtype if wanted is None else dtypes.from_scalar_type(wanted), copy, None)


@registry.kernel("to.prim_dtype", shape=_to_shape(1, None))
def to_prim_dtype(x: Tensor, wanted: int | None, _: bool, copy: bool) -> Tensor:
    return _to(x, x.dtype if wanted is None else dtypes.from_scalar_type(wanted), copy, None)


@registry.kernel("as_tensor", shape=_to_shape(1, None, 2))
def as_tensor(x: Tensor, wanted: int | None, device: Device | None) -> Tensor:
    """The tensor itself where it has the dtype that is wanted."""
    return to_prim_device(x, device, wanted, False, False)


registry.implement("to.prim_other", lambda x, _, copy: _to(x, x.dtype, copy, None))
registry.implement(
    "type_as",
    lambda x, other: _to(x, other.dtype, False, None),
    shape=_to_shape(1, None, 1),
    aliases=MAY_BE_OPERAND,
    lower="lowering.linalg.rearrangements:Same",
)


@registry.kernel("_to_copy", shape=_to_shape(1, 6, 3), lower="lowering.linalg.rearrangements:Same")
def to_copy(
    x: Tensor,
    wanted: int | None,
    layout: int | None,
    device: Device | None,
    pin_memory: bool | None,
    _: bool,
    format: int | None,
) -> Tensor:
    check_options(layout, device, pin_memory)
    return _to(x, x.dtype if wanted is None else dtypes.from_scalar_type(wanted), True, format)


def _cast_operator(name: str) -> None:
    element = dtypes.from_name(name)
    registry.implement(
        f"_cast_{name}", lambda x, _: _to(x, element, False, None), aliases=MAY_BE_OPERAND
    )


for _name in "Byte Char Double Float Int Long Short Half".split():
    _cast_operator(_name)


# Writes


@registry.kernel(
    "copy_", shape=lambda facts: facts[0], lower="lowering.linalg.in_place:CopyInPlace"
)
def copy_(x: Tensor, source: Tensor, _non_blocking: bool = False) -> Tensor:
    """Write the elements of a tensor that broadcasts to this one."""
    target, values = x.array, source.array
    if target is values:
        return x
    if target.base is None and values.base is None and target.shape == values.shape:
        if target.dtype is values.dtype:
            target[...] = values
        else:
            store(target, values)
        return x
    if _are_same_elements(target, values):
        return x
    assert_no_internal_overlap(target)
    if broadcast_shapes(target.shape, values.shape) != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape "
            f"{list(broadcast_shapes(target.shape, values.shape))}"
        )
    assert_no_partial_overlap(target, values)
    if np.may_share_memory(target, values):
        values = values.copy()
    store(target, values)
    return x


def _are_same_elements(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are the same view of the same memory, which may overlap itself."""
    return (
        one.shape == other.shape
        and one.strides == other.strides
        and one.dtype == other.dtype
        and data_pointer(one) == data_pointer(other)
    )


registry.implement("copy_.Tensor", copy_, shape=lambda facts: facts[0])


@ignores_float_errors
def _fill(x: Tensor, value: Scalar) -> Tensor:
    check_fits(x.dtype, value)
    element = x.array.dtype
    x.array[...] = converted(element, np.asarray(value))
    return x


registry.implement("fill_.Scalar copy_.int copy_.float", _fill, shape=lambda facts: facts[0])
registry.attach("aten::fill_.Scalar", lower="lowering.linalg.in_place:FillInPlace")


@registry.kernel("fill_.Tensor", shape=lambda facts: facts[0])
def fill_tensor(x: Tensor, value: Tensor) -> Tensor:
    if value.array.ndim:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.array.ndim} dimensions."
        )
    store(x.array, value.array)
    return x


@registry.kernel(
    "zero_", shape=lambda facts: facts[0], lower="lowering.linalg.in_place:FillInPlace"
)
def zero_(x: Tensor) -> Tensor:
    if x.dtype.is_float8:
        return _fill(x, 0)
    x.array[...] = 0
    return x


def _like_first(facts: Sequence[Fact]) -> Fact:
    return preserved(dtype_of(facts[0]), facts[0])


registry.implement("fill.Scalar", lambda x, value: _fill(clone(x), value), shape=_like_first)
registry.implement("fill.Tensor", lambda x, value: fill_tensor(clone(x), value), shape=_like_first)
registry.implement("zero", lambda x: zero_(clone(x)), shape=_like_first)
registry.implement(
    "copy", lambda x, source, _: copy_(tensor_of(empty_like(x.array)), source), shape=_like_first
)
registry.attach("aten::copy", lower="lowering.linalg.in_place:Copy")


@registry.kernel("resize_")
def resize_(x: Tensor, size: Sequence[int], format: int | None) -> Tensor:
    """Another shape for the same tensor, in the memory format that is asked for; elements that are new are arbitrary."""
    if format == preserve_format.value:
        raise RuntimeError("Unsupported memory format Preserve")
    array, shape = x.array, tuple(size)
    if array.shape != shape:
        made = resized(array, shape, contiguous_strides(shape))
        if not np.may_share_memory(made, array):
            kept = min(made.size, array.size)
            made.reshape(-1)[:kept] = array.reshape(-1)[:kept]
        give_array(x, made)
    if format is not None:
        strides = strides_for_format(shape, memory_format(format))
        give_array(x, resized(x.array, shape, strides))
    return x


@registry.kernel("resize_as_")
def resize_as_(x: Tensor, template: Tensor, format: int | None) -> Tensor:
    """The shape of another tensor, and its memory format where that is to be preserved."""
    array = template.array
    if format == preserve_format.value:
        format = suggest_memory_format(array.shape, element_strides(array)).value
    return resize_(x, array.shape, format)


# To Python values


@registry.kernel("item _local_scalar_dense")
def item(x: Tensor) -> Scalar:
    return x.item()


@registry.kernel("Bool.Tensor is_nonzero")
def bool_of(x: Tensor | None) -> bool:
    if x is None:
        raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
    return bool(x)


def _real(x: Tensor, element: dtype) -> Any:
    """The number of a tensor, of a complex one the real part where that is all of it."""
    value: Any = x.item()
    if isinstance(value, complex) and not value.imag:
        value = value.real
    check_fits(element, value)
    return value


@registry.kernel("Int.Tensor")
def int_of(x: Tensor) -> int:
    return int(_real(x, dtypes.int64))


@registry.kernel("Float.Tensor")
def float_of(x: Tensor) -> float:
    return float(_real(x, dtypes.float64))


def _check_implicit(x: Tensor) -> None:
    if x.__class__ is TrackedTensor:
        raise RuntimeError("Cannot input a tensor that requires grad as a scalar argument")
    if x.array.ndim:
        raise RuntimeError("Cannot input a tensor of dimension other than 0 as a scalar argument")


@registry.kernel("IntImplicit")
def int_implicit(x: Tensor) -> int:
    """The int in a 0-d integral tensor that stands where an int is expected."""
    _check_implicit(x)
    if not x.dtype.is_integral:
        raise RuntimeError(
            f"Cannot input a tensor of type {x.dtype.type_name} as an integral argument"
        )
    return int(x.array.item())


@registry.kernel("FloatImplicit")
def float_implicit(x: Tensor) -> float:
    """The number in a 0-d tensor, where a float is expected."""
    _check_implicit(x)
    return float_of(x)


@registry.kernel("ComplexImplicit")
def complex_implicit(x: Tensor) -> complex:
    _check_implicit(x)
    return complex(x.item())


@registry.kernel("ScalarImplicit")
def scalar_implicit(x: Tensor) -> Scalar:
    _check_implicit(x)
    return x.item()


registry.declare("IntImplicit FloatImplicit ComplexImplicit ScalarImplicit", asks_history=True)

registry.implement("Complex.Tensor_Tensor", lambda a, b: complex(a.item(), b.item()))
registry.implement(
    "Complex.Tensor_float Complex.Tensor_int Complex.Tensor_bool", lambda a, b: complex(a.item(), b)
)
registry.implement(
    "Complex.float_Tensor Complex.int_Tensor Complex.bool_Tensor", lambda a, b: complex(a, b.item())
)


# Facts about tensors


def _size_fact(facts: Sequence[Fact]) -> Fact:
    exact = known_ints(rank_known(facts[0]))
    return UNKNOWN if exact is None else list(exact)


def _one_size_fact(facts: Sequence[Fact]) -> Fact:
    sizes, dim = rank_known(facts[0]), facts[1]
    if sizes is None or not is_known(dim) or not -len(sizes) <= dim < len(sizes):
        return UNKNOWN
    place: int = dim
    found = sizes[place]
    return UNKNOWN if found is None else found


def _rank_fact(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    return UNKNOWN if sizes is None else len(sizes)


def _dtype_fact(facts: Sequence[Fact]) -> Fact:
    element = dtype_of(facts[0])
    return UNKNOWN if element is None else element.scalar_type


@registry.kernel("size sym_size", shape=_size_fact, lower="lowering.linalg.sizes:Sizes")
def size(x: Tensor) -> list[int]:
    return list(x.array.shape)


@registry.kernel(
    "size.int sym_size.int", shape=_one_size_fact, lower="lowering.linalg.scalars:SizeOf"
)
def size_of(x: Tensor, dim: int) -> int:
    array = x.array
    return array.shape[wrap_dim(dim, array.ndim)]


registry.implement("stride sym_stride", lambda x: list(element_strides(x.array)))
registry.implement(
    "stride.int sym_stride.int",
    lambda x, dim: element_strides(x.array)[wrap_dim(dim, x.array.ndim)],
)
registry.implement("dim", lambda x: x.array.ndim, shape=_rank_fact)
registry.implement("numel sym_numel", lambda x: x.array.size)
registry.implement("storage_offset sym_storage_offset", lambda x: x.storage_offset())
registry.implement("element_size prim::itemsize", lambda x: x.array.itemsize)
registry.implement("prim::nbytes", lambda x: x.array.nbytes)
registry.implement("is_contiguous", lambda x: x.is_contiguous())
registry.implement(
    "is_contiguous.memory_format", lambda x, format: x.is_contiguous(memory_format(format))
)
registry.implement("is_floating_point", lambda x: x.dtype.is_floating_point)
registry.implement("is_complex", lambda x: x.dtype.is_complex)
registry.implement("is_signed", lambda x: x.dtype.is_signed)
registry.implement("is_same_size", lambda x, y: x.array.shape == y.array.shape)
registry.implement("get_device", lambda x: -1 if x.device.index is None else x.device.index)
registry.implement(
    "prim::dtype",
    lambda x: x.dtype.scalar_type,
    shape=_dtype_fact,
    lower="lowering.linalg.properties:Property",
)
registry.implement("prim::device", lambda x: x.device, lower="lowering.linalg.properties:Property")
registry.implement("prim::layout", lambda x: 0)
registry.implement("prim::is_quantized", lambda x: x.dtype.is_quantized)
registry.implement("prim::is_cpu", lambda x: x.device.type == "cpu")
registry.implement("prim::is_cuda", lambda x: x.device.type == "cuda")
registry.implement(
    "prim::is_xpu prim::is_mps prim::is_meta prim::is_sparse prim::is_sparse_csr "
    "prim::is_mkldnn prim::is_nested prim::is_ipu prim::is_xla "
    "prim::is_vulkan prim::is_maia prim::is_mtia",
    lambda x: False,
)
registry.implement("prim::name", lambda x: None)  # no dimension of a tensor here has one


@registry.kernel("len.Tensor")
def length(x: Tensor | None) -> int:
    return 0 if x is None else len(x)


registry.implement(
    "result_type.Tensor result_type.Scalar result_type.Scalar_Tensor",
    lambda a, b: result_type([a, b]).scalar_type,
)
registry.implement("result_type.Scalar_Scalar", lambda a, b: result_type([a, b]).scalar_type)
registry.implement(
    "can_cast", lambda a, b: can_cast(dtypes.from_scalar_type(a), dtypes.from_scalar_type(b))
)
registry.implement(
    "promote_types",
    lambda a, b: promote_types(dtypes.from_scalar_type(a), dtypes.from_scalar_type(b)).scalar_type,
)
registry.implement("device", lambda text: Device(text))
registry.implement("device.with_index", lambda text, index: Device(text, index))
registry.implement("prim::type", lambda device: device.type)
registry.implement("prim::index", lambda device: device.index)


@registry.kernel("equal")
def equal(x: Tensor, y: Tensor) -> bool:
    """Whether both have one shape and equal elements."""
    return x.array.shape == y.array.shape and bool(np.all(x.array == y.array))


@registry.kernel("allclose")
def allclose(x: Tensor, y: Tensor, rtol: float, atol: float, equal_nan: bool) -> bool:
    close = registry.find("aten::isclose")
    assert close is not None
    assert close.kernel is not None
    return bool(np.all(close.kernel(x, y, rtol, atol, equal_nan).array))
