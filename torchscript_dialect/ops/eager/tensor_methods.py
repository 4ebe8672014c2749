"""Python's operators and PyTorch's methods on `Tensor`, made from the operator table.

Operators of Python (`x + y`, `x[0]`, `x += 1`) are set when `install` runs. A method (`x.mm`, `x.add_`) is made when it is
first looked up: what stands under its name until then, or else `Tensor.__getattr__`, finds the operator of that name and leaves a
function on the class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import (
    binary_caller,
    call,
    caller,
    python_caller,
    unary_caller,
)
from torchscript_dialect.ops.eager.method_names import NAMES
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.ops.eager.tensor_indexing import get_item, set_item
from torchscript_dialect.ops.eager.tensors_in_traces import fresh_in_trace, legacy_in_trace
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import legacy, storages
from torchscript_dialect.tensor.conversion import as_operand, as_tensor
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.layout import qscheme
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.tensor_type import TensorType

Key = Any
INT64_MAX = 2**63 - 1


def _binary(name: str) -> Callable[[Tensor, Any], Any]:
    qualified_name = f"aten::{name}"
    return _marked(binary_caller(qualified_name), qualified_name)


def _unary(name: str) -> Callable[[Tensor], Any]:
    qualified_name = f"aten::{name}"

    return _marked(unary_caller(qualified_name), qualified_name)


def _marked(method: Any, qualified_name: str) -> Any:
    method.__torchscript_op__ = qualified_name
    return method


def _is_operand(other: Any) -> bool:
    return isinstance(other, (Tensor, int, float, complex)) or hasattr(other, "__array__")


def _reflected(method: Callable[[Tensor, Any], Any]) -> Callable[[Tensor, Any], Any]:
    """Other operands are left to Python, which says that they do not fit."""
    return lambda self, other: method(self, other) if _is_operand(other) else NotImplemented


def _equality(name: str) -> Callable[[Tensor, Any], Any]:
    run = caller(f"aten::{name}")

    def method(self: Tensor, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        if not isinstance(other, (Tensor, int, float, complex)):
            other = as_tensor(other)  # or an overload for anything at all would take it
        return run(self, other)

    return method


def _like(self: Tensor, value: Any) -> Tensor:
    """A number as a 0-d tensor of the dtype that PyTorch gives it beside `self`."""
    if isinstance(value, float) and self.dtype.is_floating_point:
        return as_operand(value, self.dtype)
    return as_operand(value)


@_reflected
def _rtruediv(self: Tensor, other: Any) -> Any:
    return call("aten::mul", (call("aten::reciprocal", (self,)), other))


@_reflected
def _rfloordiv(self: Tensor, other: Any) -> Any:
    return call("aten::floor_divide", (_like(self, other), self))


@_reflected
def _rpow(self: Tensor, other: Any) -> Any:
    return call("aten::pow", (other, self))


def _swapped(name: str) -> Callable[[Tensor, Any], Any]:
    return _reflected(lambda self, other: call(f"aten::{name}", (other, self)))


def _contains(self: Tensor, value: Any) -> bool:
    if not isinstance(value, (Tensor, Number)):
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(value)}."
        )
    return bool(call("aten::any", (call("aten::eq", (self, value)),)))


_BINARY = {
    "add": "add",
    "radd": "add",
    "sub": "sub",
    "rsub": "rsub",
    "mul": "mul",
    "rmul": "mul",
    "truediv": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "__and__",
    "rand": "__and__",
    "or": "__or__",
    "ror": "__or__",
    "xor": "__xor__",
    "rxor": "__xor__",
    "lshift": "__lshift__",
    "rshift": "__rshift__",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "iadd": "add_",
    "isub": "sub_",
    "imul": "mul_",
    "itruediv": "div_",
    "ifloordiv": "floor_divide_",
    "imod": "remainder_",
    "ipow": "pow_",
    "iand": "__iand__",
    "ior": "__ior__",
    "ixor": "__ixor__",
    "ilshift": "__ilshift__",
    "irshift": "__irshift__",
}
_UNARY = {"neg": "neg", "abs": "abs"}
_not = _unary("bitwise_not")


def _invert(self: Tensor) -> Tensor:
    if self.dtype.is_floating_point or self.dtype.is_complex:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return _not(self)


# Methods that are no operators, or not under their own name

_vector_norm = caller("aten::linalg_vector_norm")


def _cast_method(name: str) -> Callable[..., Tensor]:
    element = dtypes.from_name(name)

    def method(self: Tensor, memory_format: Any = None) -> Tensor:
        options = {} if memory_format is None else {"memory_format": memory_format}
        return call("aten::to", (self, element.scalar_type), options)

    return method


_CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


def _split(self: Tensor, size: int | Sequence[int] | Tensor, dim: int = 0) -> Any:
    size = int(size) if isinstance(size, Tensor) else size
    name = "aten::split" if isinstance(size, int) else "aten::split_with_sizes"
    return tuple(call(name, (self, size, dim)))


def _tuple(name: str) -> Callable[..., Any]:

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return tuple(call(f"aten::{name}", (self, *args), kwargs))

    return method


def norm(self: Tensor, p: Any, dim: Any, keepdim: bool, out: Tensor | None, dtype: Any) -> Tensor:
    """`torch.norm`: `"fro"` and None are the 2-norm, any other name is of matrices."""
    axes = [dim] if isinstance(dim, int) else dim
    name, order = "aten::linalg_vector_norm", 2 if p is None or p == "fro" else p
    if isinstance(p, str) and (p != "fro" or (axes is not None and len(axes) > 2)):
        name, order = "aten::linalg_matrix_norm", p
        axes = range(self.dim()) if axes is None else axes
    elif dtype is None and out is None:
        return _vector_norm(self, order, dim, keepdim)
    options: dict[str, Any] = {"dtype": dtype, **({} if out is None else {"out": out})}
    return call(name, (self, order, None if axes is None else list(axes), keepdim), options)


def _norm(
    self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    return norm(self, p, dim, keepdim, None, dtype)


def _where(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    return call("aten::where", (condition, self, other))


def nonzero(self: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """`torch.nonzero`: the places of what is not zero, as rows or as one tensor for each dimension."""
    if as_tuple:
        return tuple(call("aten::nonzero_numpy", (self,)))
    return call("aten::nonzero", (self,), {} if out is None else {"out": out})


def _unique(
    self: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    options = (sorted, return_inverse, return_counts)
    if dim is None:
        found = call("aten::_unique2", (self, *options))
    else:
        found = call("aten::unique_dim", (self, dim, *options))
    return _asked_for(found, return_inverse, return_counts)


def _unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    found = call("aten::unique_consecutive", (self, return_inverse, return_counts, dim))
    return _asked_for(found, return_inverse, return_counts)


def _stft(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    *rest: Any,
    **options: Any,
) -> Tensor:
    given = (self, n_fft, hop_length, win_length, window, center, pad_mode, *rest)
    return call("aten::stft", given, options)


def _asked_for(found: Sequence[Tensor], return_inverse: bool, return_counts: bool) -> Any:
    output, inverse, counts = found
    extra = [*([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    return (output, *extra) if extra else output


def _new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A fresh tensor of data, with the dtype and on the device of `self`."""
    element = self.dtype if dtype is None else dtypes.as_dtype(dtype)
    if RECORDING.recorder is not None:
        result = fresh_in_trace(data, element, self.device if device is None else device)
        return result.requires_grad_() if requires_grad else result
    made = as_tensor(data, element)
    result = call("aten::clone", (made.detach(),)) if hasattr(data, "__array__") else made
    result = result.to(self.device if device is None else device)
    return result.requires_grad_() if requires_grad else result


def _new(self: Tensor, *data: Any, size: Any = (), device: Any = None) -> Tensor:
    """`torch.Tensor(*data)` with the dtype and on the device of `self`."""
    data = data or tuple(size)
    if self.is_sparse:
        return _new_sparse(self, data)
    where = self.device if device is None else Device(device)
    if RECORDING.recorder is not None:
        return legacy_in_trace(self.dtype, where, data)
    made = legacy.legacy_tensor(self.dtype, *data)
    return made if made.device == where else made.to(where)


def _new_sparse(self: Tensor, data: tuple[Any, ...]) -> Tensor:
    """Of sizes a tensor that keeps nothing; else one of indices, values and perhaps a size."""
    if data and isinstance(data[0], Tensor):
        return call("aten::sparse_coo_tensor", data, {"dtype": self.dtype.scalar_type})
    sizes = legacy.sizes_of(data)
    if sizes is None:
        raise TypeError("new() of a sparse tensor takes sizes, or indices and values")
    return call("aten::new_empty", (self, sizes))


def _is_shared(self: Tensor) -> bool:
    return False


def _qscheme(self: Tensor) -> qscheme:
    return qscheme(call("aten::qscheme", (self,)))


def _dim_order(self: Tensor, *, ambiguity_check: bool | list[Any] = False) -> tuple[int, ...]:
    """The dimensions from that with the largest stride to that with the smallest.

    Raises:
        RuntimeError: `ambiguity_check` is true, or a list of memory formats of which not just one fits, and another order would do.
        TypeError: it is something else.
    """
    if not isinstance(cast("object", ambiguity_check), (bool, list)):
        raise TypeError("The ambiguity_check argument must be a bool or a list of memory formats.")
    sizes, strides = self.array.shape, self.stride()
    is_ambiguous = 1 in sizes or len(set(strides)) < len(strides)
    if ambiguity_check and is_ambiguous:
        formats = ambiguity_check if isinstance(ambiguity_check, list) else []
        if sum(self.is_contiguous(memory_format=each) for each in formats) != 1:
            raise RuntimeError(
                "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."
            )
    return tuple(sorted(range(len(sizes)), key=lambda dim: -strides[dim]))


def _lu(self: Tensor, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
    found = call("aten::_lu_with_info", (self, pivot, not get_infos))
    return tuple(found) if get_infos else tuple(found)[:2]


def _map(self: Tensor, *others_and_function: Any) -> Tensor:
    """`function` of each element, and of those of other tensors, in the place of the element."""
    *others, function = others_and_function
    if any(tensor.requires_grad for tensor in (self, *others)):
        name = ("apply_", "map_", "map2_")[len(others)]
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead."
        )
    for other in others:
        if other.dtype is not self.dtype:
            names = (f"torch.{each.dtype.type_name}Tensor" for each in (self, other))
            raise TypeError("map_: expected {} for 'other' (got {})".format(*names))
    columns = [each.expand(self.array.shape).reshape(-1).tolist() for each in (self, *others)]
    values = [function(*row) for row in zip(*columns, strict=True)]
    fresh = as_tensor(values, self.dtype).reshape(self.array.shape)
    return call("aten::copy_", (self, fresh)) if values else self


def _reversed(self: Tensor) -> Tensor:
    return self if not self.array.ndim else call("aten::flip", (self, [0]))


def _polygamma(self: Tensor, n: int) -> Tensor:
    return call("aten::polygamma", (n, self))


def _ndimension(self: Tensor) -> int:
    return self.dim()


def _same(self: Tensor) -> Tensor:
    if self.dtype is dtypes.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


def _to_sparse_coo(self: Tensor) -> Any:
    return call("aten::to_sparse", (self,))


def _cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    return self if self.device is cpu else self.to(cpu)


def _cuda(self: Tensor, device: Any = None, non_blocking: bool = False) -> Tensor:
    return self.to(Device("cuda") if device is None else device)


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> str | Tensor:
    """The name of the type; or the tensor with another dtype, which such a name or class may tell, too."""
    if dtype is None:
        where = "sparse." if self.is_sparse else "cuda." if self.is_cuda else ""
        return f"torch.{where}{self.dtype.type_name}Tensor"
    if isinstance(dtype, str):
        try:
            dtype = dtypes.from_name(dtype.removeprefix("torch.").removesuffix("Tensor"))
        except TypeError:
            raise ValueError(f"invalid type: '{dtype}'") from None
    return self.to(getattr(dtype, "dtype", dtype))


def _part(name: str) -> property:
    """The real or imaginary parts, a view, to which values are written."""
    part = _unary(name)

    def write(self: Tensor, values: Any) -> None:
        part(self).copy_(values)

    return property(part, write)


_NEVER = "is_sparse is_sparse_csr is_nested is_meta is_mkldnn is_mps is_mtia is_xla is_xpu is_ipu is_maia is_vulkan".split()
"""What no strided tensor of the host or of CUDA is."""


def _record_stream(self: Tensor, stream: Any) -> None:
    """Tells the allocator of a device that another stream uses the tensor."""
    array = self.array
    if array.__class__ is not DeviceArray:
        raise NotImplementedError(
            "Could not run 'aten::record_stream' with arguments from the 'CPU' backend."
        )
    array.memory.record_stream(array, stream)  # type: ignore[attr-defined]


_METHODS: dict[str, Any] = {
    **{name: _cast_method(element) for name, element in _CASTS.items()},
    "split": _split,
    "chunk": _tuple("chunk"),
    "unbind": _tuple("unbind"),
    "tensor_split": _tuple("tensor_split"),
    "norm": _norm,
    "polygamma": _polygamma,
    "nonzero": _marked(nonzero, "aten::nonzero"),
    "record_stream": _record_stream,
    "where": _where,
    "stft": _stft,
    "unique": _unique,
    "unique_consecutive": _unique_consecutive,
    "qscheme": _qscheme,
    "new": _new,
    "new_tensor": _new_tensor,
    "storage": storages.storage,
    "untyped_storage": storages.untyped_storage,
    "is_shared": _is_shared,
    "dim_order": _dim_order,
    "lu": _lu,
    "apply_": _map,
    "map_": _map,
    "map2_": _map,
    "to_sparse_coo": _to_sparse_coo,
    "ndimension": _ndimension,
    "cpu": _cpu,
    "cuda": _cuda,
    "type": _type,
    "is_cuda": property(lambda self: self.device.type == "cuda"),
    "is_cpu": property(lambda self: self.device.type == "cpu"),
    "is_quantized": property(lambda self: self.dtype.is_quantized),
    **{name: property(lambda self: False) for name in _NEVER},
    "T": property(_unary("numpy_T")),
    "H": property(_unary("matrix_H")),
    "mT": property(_unary("mT")),
    "mH": property(_unary("mH")),
    "data": property(_unary("detach")),
}


_SELF = ("self", "tensor", "t", "a")


def _method(name: str) -> Any:
    """What `Tensor` has under a name, made from the operator of that name; None if there is none."""
    if name in _METHODS:
        return _METHODS[name]
    qualified_name = f"aten::{name}"
    for operator in registry.lookup(qualified_name):
        arguments = operator.schema.arguments
        if arguments and arguments[0].name in _SELF and isinstance(arguments[0].type, TensorType):
            break
    else:
        return None

    method = python_caller(qualified_name)
    method.__name__ = name
    return _marked(method, qualified_name)


def _find(self: Tensor, name: str) -> Any:
    """The attribute, once made, is found on the class without coming here."""
    made = None if name.startswith("__") else _method(name)
    if made is None:
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")
    setattr(Tensor, name, made)
    return getattr(self, name)


class _Unmade:
    """Stands under the name of a method until that is looked up on a tensor or on the class."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Tensor | None, owner: type[Tensor]) -> Any:
        setattr(Tensor, self.name, _method(self.name))
        return getattr(owner if instance is None else instance, self.name)


def _made(cls: type[Tensor], *data: Any) -> Tensor:
    """`Tensor(tensor)` is another tensor on its memory, with its history; what else there is to be comes with `__init__`."""
    if cls is Tensor and len(data) == 1 and isinstance(data[0], Tensor):
        return call("aten::alias", data)
    return object.__new__(cls)


def install() -> None:
    """Give `Tensor` its constructor, operators and methods."""
    for name in (*NAMES, *_METHODS):
        setattr(Tensor, name, _Unmade(name))
    for name, operator in _BINARY.items():
        setattr(Tensor, f"__{name}__", _binary(operator))
    for name, operator in _UNARY.items():
        setattr(Tensor, f"__{name}__", _unary(operator))
    others: dict[str, Any] = {
        "__new__": _made,
        "__init__": legacy.initialize,
        "__eq__": _equality("eq"),
        "__ne__": _equality("ne"),
        "__hash__": object.__hash__,
        "__rtruediv__": _rtruediv,
        "__rfloordiv__": _rfloordiv,
        "__rpow__": _rpow,
        "__rmod__": _swapped("remainder"),
        "__rmatmul__": _swapped("matmul"),
        "__invert__": _marked(_invert, "aten::bitwise_not"),
        "__pos__": _same,
        "__reversed__": _reversed,
        "__rlshift__": _swapped("bitwise_left_shift"),
        "__rrshift__": _swapped("bitwise_right_shift"),
        "__contains__": _contains,
        "__getitem__": get_item,
        "__setitem__": set_item,
        "__getattr__": _find,
        "real": _part("real"),
        "imag": _part("imag"),
    }
    for name, method in others.items():
        setattr(Tensor, name, method)
