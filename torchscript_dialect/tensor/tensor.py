"""The tensor: a NumPy array behind PyTorch's protocol.

Note [Tensors and arrays]
A `Tensor` holds one `numpy.ndarray` and nothing else. The array is canonical (see
`dtype.canonical`): a plain ndarray, 0-d arrays included, whose dtype object is a singleton of the
dtype table, with non-negative strides that are multiples of the element size. A view is a NumPy
view; two tensors alias exactly when their arrays share memory, and in-place operators write into
`array` and return the same `Tensor`. The constructor (`legacy.initialize`) checks this; `tensor_of` does not, being on every
operator's path, and `conversion.as_tensor` makes a tensor from anything else. The constructor and operator methods (`__add__`,
`mm`, `add_`) are attached by the `ops` layer with `setattr(Tensor, name, function)`.
"""

from __future__ import annotations

import copy as copy_module
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast, overload

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import device as devices
from torchscript_dialect.tensor import device_exchange, dlpack, parameters, pytorch_state, storage
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.formatting import tensor_text
from torchscript_dialect.tensor.layout import (
    contiguous_format,
    format_of,
    layout,
    memory_format,
    strided,
)
from torchscript_dialect.tensor.quantizer import dequantized
from torchscript_dialect.tensor.strides import element_strides, empty_like, is_contiguous

Scalar: TypeAlias = bool | int | float | complex


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple of ints that prints as PyTorch's."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = (), /) -> Size:
        """TypeError for what is no integer."""
        made = super().__new__(cls, sizes)
        for place, size in enumerate(made):
            if size.__class__ is not int and not _counts(size):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {place} is '{type(size).__name__}')"
                )
        return made

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        count = 1
        for size in self:
            count *= size
        return count

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> Size: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> int | Size:
        found = tuple(self)[key]
        return Size(found) if isinstance(found, tuple) else found

    def __add__(self, other: Any, /) -> Size:
        if not isinstance(other, tuple):
            kind = type(other).__name__
            raise TypeError(f"can only concatenate tuple (not {kind}) to torch.Size")
        return Size((*self, *cast("tuple[Any, ...]", other)))

    def __radd__(self, other: tuple[Any, ...], /) -> Size:
        return Size((*other, *self))

    def __mul__(self, times: SupportsIndex, /) -> Size:
        return Size(tuple(self) * times)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Size, (tuple(self),))


def _counts(value: Any) -> bool:
    """Whether a value may be the size of a dimension; one that a trace follows is a tensor."""
    if isinstance(value, Tensor):
        return value.array.dtype.kind in "iu"
    return hasattr(value, "__index__")


def size_of(shape: Iterable[Any]) -> Size:
    """`Size(shape)` of what is known to be integers."""
    return tuple.__new__(Size, shape)  # pyright: ignore[reportUnknownMemberType]


class Tensor:
    """A strided tensor over the canonical array `array`; see Note [Tensors and arrays], and Note [Arrays on devices] in
    device_array.py.
    """

    if TYPE_CHECKING:
        # Attached by ops/eager/tensor_methods.py: from legacy.py, and from the operator table.
        def __init__(self, *data: Any) -> None: ...
        def __add__(self, other: Any, /) -> Tensor: ...
        def __sub__(self, other: Any, /) -> Tensor: ...
        def __mul__(self, other: Any, /) -> Tensor: ...
        def __truediv__(self, other: Any, /) -> Tensor: ...
        def __floordiv__(self, other: Any, /) -> Tensor: ...
        def __mod__(self, other: Any, /) -> Tensor: ...
        def __pow__(self, other: Any, /) -> Tensor: ...
        def __matmul__(self, other: Any, /) -> Tensor: ...
        def __and__(self, other: Any, /) -> Tensor: ...
        def __or__(self, other: Any, /) -> Tensor: ...
        def __xor__(self, other: Any, /) -> Tensor: ...
        def __lshift__(self, other: Any, /) -> Tensor: ...
        def __rshift__(self, other: Any, /) -> Tensor: ...
        def __rlshift__(self, other: Any, /) -> Tensor: ...
        def __rrshift__(self, other: Any, /) -> Tensor: ...
        def __radd__(self, other: Any, /) -> Tensor: ...
        def __rsub__(self, other: Any, /) -> Tensor: ...
        def __rmul__(self, other: Any, /) -> Tensor: ...
        def __rtruediv__(self, other: Any, /) -> Tensor: ...
        def __rpow__(self, other: Any, /) -> Tensor: ...
        def __lt__(self, other: Any, /) -> Tensor: ...
        def __le__(self, other: Any, /) -> Tensor: ...
        def __gt__(self, other: Any, /) -> Tensor: ...
        def __ge__(self, other: Any, /) -> Tensor: ...
        def __iadd__(self, other: Any, /) -> Tensor: ...
        def __isub__(self, other: Any, /) -> Tensor: ...
        def __imul__(self, other: Any, /) -> Tensor: ...
        def __itruediv__(self, other: Any, /) -> Tensor: ...
        def __eq__(self, other: object, /) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride]
        def __ne__(self, other: object, /) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride]
        def __hash__(self) -> int: ...
        def __neg__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __getitem__(self, key: Any, /) -> Tensor: ...
        def __setitem__(self, key: Any, value: Any, /) -> None: ...
        def __getattr__(self, name: str, /) -> Any: ...

    # `__dict__` has what programs give to tensors.
    __slots__ = ("__dict__", "__weakref__", "array", "autograd", "lender")

    __array_priority__ = 1000  # `ndarray + Tensor` is left to `Tensor.__radd__`

    array: NDArray[Any]
    autograd: Any
    """What is known of its history (`autograd/history.py`); unset where there is none."""
    lender: object
    """What kind of object of the caller's the memory belongs to; unset where there is none."""

    # What it is

    @property
    def shape(self) -> Size:
        return size_of(self.array.shape)

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of_array(self.array)

    @property
    def device(self) -> devices.device:
        array = self.array
        return array.memory.device if array.__class__ is DeviceArray else devices.cpu  # type: ignore[union-attr]

    @property
    def layout(self) -> layout:
        return strided

    @property
    def itemsize(self) -> int:
        return self.array.itemsize

    @property
    def nbytes(self) -> int:
        return self.array.nbytes

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: int | None = None) -> Size | int:
        """The shape, or the size of one dimension; IndexError where there is no such dimension."""
        shape = self.array.shape
        if dim is None:
            return size_of(shape)
        try:
            return shape[dim]
        except IndexError:
            return shape[wrap_dim(dim, len(shape))]

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """The strides in elements, or one of them; IndexError where there is no such dimension."""
        strides = element_strides(self.array)
        return strides if dim is None else strides[wrap_dim(dim, self.array.ndim)]

    def dim(self) -> int:
        """The number of dimensions."""
        return self.array.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self.array.size

    nelement = numel

    def element_size(self) -> int:
        """The size of one element in bytes."""
        return self.array.itemsize

    def data_ptr(self) -> int:
        """The address of the first element; 0 for an empty tensor."""
        return storage.data_pointer(self.array) if self.array.size else 0

    def storage_offset(self) -> int:
        """The distance in elements from the start of the memory block to the first element."""
        return (
            storage.data_pointer(self.array) - storage.root_pointer(self.array)
        ) // self.array.itemsize

    def is_contiguous(self, memory_format: memory_format = contiguous_format) -> bool:
        """Whether the elements lie in memory in the order of the format, without gaps."""
        wanted = format_of(memory_format)
        return is_contiguous(self.array.shape, element_strides(self.array), wanted)

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        return self.dtype.is_signed

    # Conversions out

    def item(self) -> Scalar:
        """The one element as a Python number; RuntimeError unless there is exactly one element."""
        array = self.array
        try:
            found = array.item()
        except ValueError:
            count = array.size
            raise RuntimeError(
                f"a Tensor with {count} elements cannot be converted to Scalar"
            ) from None
        if found.__class__ is int and array.dtype.metadata is not None:
            return dequantized(array).item()
        return found

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; a 0-d tensor gives one number.

        RuntimeError for a quantized tensor.
        """
        if self.array.dtype.metadata is not None:
            raise RuntimeError("a quantized Tensor has no list of numbers; dequantize() it before")
        return self.array.tolist()

    def numpy(self, *, force: bool = False) -> NDArray[Any]:
        """The array itself: it shares the tensor's memory. bfloat16 and float8 arrays have an ml_dtypes dtype; TypeError for a
        quantized tensor, whose numbers are in no array. `force` gives that of a tensor that requires gradients, and a copy from a
        device.
        """
        if force:
            return self.detach().cpu().numpy()
        if self.array.dtype.metadata is not None:
            raise TypeError(f"Got unsupported ScalarType {self.dtype.type_name}")
        return self._host_array()

    def _host_array(self) -> NDArray[Any]:
        if self.array.__class__ is DeviceArray:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
            )
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self._host_array()
        if copy is None and (dtype is None or dtype == array.dtype):
            return array
        return np.array(array, dtype=dtype, copy=copy)

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule that shares the memory; BufferError where that cannot be done."""
        if self.array.__class__ is DeviceArray:
            return device_exchange.to_capsule(self.array, stream, dl_device, copy)  # type: ignore[arg-type]
        if stream is not None:
            raise BufferError("a CPU tensor has no stream: __dlpack__ takes stream=None")
        return dlpack.to_capsule(self.array, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        if self.array.__class__ is DeviceArray:
            return (device_exchange.CUDA, self.device.index or 0)
        return dlpack.CPU_DEVICE

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The memory of a tensor on a CUDA device, in the protocol of that name; AttributeError for one of the host."""
        array = self.array
        if array.__class__ is not DeviceArray:
            raise AttributeError("a tensor of the host has no __cuda_array_interface__")
        return device_exchange.cuda_interface(array)  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        if self.array.size != 1:
            amount = "more than one value" if self.array.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {amount} is ambiguous")
        return bool(self.item())

    def __int__(self) -> int:
        return int(self._real_item())

    def __float__(self) -> float:
        return float(self._real_item())

    def __complex__(self) -> complex:
        return complex(self._only_element())

    def __index__(self) -> int:
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def _only_element(self) -> Scalar:
        if self.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def _real_item(self) -> float:
        value = self._only_element()
        if not isinstance(value, complex):
            return value
        if value.imag:
            raise RuntimeError("value cannot be converted to type double without overflow")
        return value.real

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self.array.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        """Views of the slices along the first dimension."""
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return (tensor_of(self.array[i, ...]) for i in range(self.array.shape[0]))

    def __repr__(self) -> str:
        return self._text()

    def _text(self, history: str | None = None) -> str:
        array = self.array
        prefix = "Parameter containing:\n" if parameters.is_of(self, parameters.PARAMETER) else ""
        if array.__class__ is not DeviceArray:
            return prefix + tensor_text(array, history)
        return prefix + tensor_text(array.on_host(), history, str(self.device))  # type: ignore[attr-defined]

    def __format__(self, spec: str) -> str:
        """A 0-d tensor formats as its number, any other takes only the empty specification."""
        return format(self.item(), spec) if not self.array.ndim else object.__format__(self, spec)

    # Copies

    def __copy__(self) -> Tensor:
        copied = tensor_of(self.array)
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """A tensor of the same strides over copied memory; tensors that share memory keep sharing
        it, but for parameters.
        """
        if id(self) not in memo:
            memo[id(self)] = copied = tensor_of(array_for_deep_copy(self, memo))
            parameters.mark_as(copied, self)
            copy_what_is_beside(self, copied, memo)
        return memo[id(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        kinds, made_by = parameters.kinds_of(self), self._made_by()
        made_by = (_rebuild_marked, (kinds, made_by)) if kinds else made_by
        return (*made_by, self.__dict__) if self.__dict__ else made_by

    def _made_by(self) -> tuple[Any, ...]:
        """What makes such a tensor, and of what."""
        if self.array.__class__ is DeviceArray:
            return (_rebuild_on, (str(self.device), tensor_of(self.array.on_host())))  # type: ignore[attr-defined]
        block, offset = storage.window(self.array)
        state = (np.ascontiguousarray(block), offset, self.array.shape, self.array.strides)
        return (_rebuild, state)


def copy_what_is_beside(tensor: Any, copied: Any, memo: dict[int, Any]) -> None:
    """The gradient of a tensor, and what a program has given to it, are copied with it, unless it is a parameter, as in PyTorch."""
    if parameters.is_of(tensor, parameters.PARAMETER):
        return
    if hasattr(tensor, "autograd") and tensor.grad is not None:
        copied.grad = copy_module.deepcopy(tensor.grad, memo)
    copied.__dict__.update(copy_module.deepcopy(tensor.__dict__, memo))


def array_for_deep_copy(tensor: Tensor, memo: dict[int, Any]) -> NDArray[Any]:
    """The array of a deep copy: a parameter's is a clone, as in PyTorch."""
    array = tensor.array
    if not parameters.is_of(tensor, parameters.PARAMETER):
        return storage.deep_copy(array, memo)
    if array.__class__ is DeviceArray:
        return storage.deep_copy(array, {})
    made = empty_like(array)
    made[...] = array
    return made


def _rebuild_marked(kinds: Sequence[str], made_by: tuple[Any, ...]) -> Tensor:
    make, state = made_by
    tensor = make(*state)
    for kind in kinds:
        parameters.mark(tensor, kind)
    return tensor


def _rebuild(
    block: NDArray[Any], offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
) -> Tensor:
    block = dtypes.canonical(block)
    return tensor_of(storage.view_of(block, offset, shape, strides, block))


def _rebuild_on(where: str, tensor: Tensor) -> Tensor:
    return tensor.to(where)


def wrap_dim(dim: int, ndim: int, /) -> int:
    """`dim` counted from the front; IndexError where there is no such dimension."""
    if -ndim <= dim < ndim:
        return dim % ndim
    if not ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    raise IndexError(
        f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})"
    )


_new = object.__new__


def borrowed(tensor: Tensor, lender: object) -> Tensor:
    """A tensor on the memory of an object of the caller's, which cannot follow when the tensor gets another shape."""
    tensor.lender = lender
    return tensor


def lender_of(tensor: Tensor) -> object:
    """The object of the caller's on whose memory a tensor is; None where it is on its own."""
    return getattr(tensor, "lender", None)


def give_array(tensor: Tensor, array: NDArray[Any]) -> None:
    """Let a tensor have another array in the place of its own; a tensor of PyTorch's that it stands for follows.

    Raises:
        RuntimeError: it stands for another object of the caller's, who would not see other memory, another shape or other strides.
    """
    lender = lender_of(tensor)
    if lender is not None and _place(tensor.array) != _place(array):
        _follow(lender, array)
    tensor.array = array


def _place(array: NDArray[Any]) -> tuple[Any, ...]:
    address = array.__array_interface__["data"][0] if array.size else None
    return array.shape, array.strides, address


def _follow(lender: Any, array: NDArray[Any]) -> None:
    torch = pytorch_state.loaded()
    if torch is None or not isinstance(lender, torch.Tensor) or lender.requires_grad:
        raise RuntimeError(
            f"an argument that is a {type(lender).__module__}.{type(lender).__name__} cannot change its shape in place; "
            "pass a ts.Tensor, which can"
        )
    with torch.no_grad():
        lender.set_(torch.from_dlpack(tensor_of(array)))


def tensor_of(array: NDArray[Any]) -> Tensor:
    """A tensor that holds a canonical array as it is."""
    tensor = _new(Tensor)
    tensor.array = array
    return tensor


def tensors_in(value: Any) -> list[Tensor]:
    """The tensors of an operand or result: itself, or those of a list."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [item for item in cast("list[Any]", value) if isinstance(item, Tensor)]
    return []
