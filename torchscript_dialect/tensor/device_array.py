"""Arrays on the memory of a device.

Note [Arrays on devices]
A tensor is on a device if its array is a `DeviceArray`: an array whose address is one of the device, so that NumPy computes the shapes,
strides and addresses of its views as it does for those of the host. Nothing here may read the elements. What would read them is
refused with a `DeviceReadError`, or asks the memory that the array stands on (`DeviceMemory`), which knows the way to the device.
NumPy's functions that look past the class of an array (`np.asarray`) must not meet one: kernels of the host do not, since operators
with operands on a device go another way (`Operator.placed`), which is taken from the moment on at which something in the process uses
a device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.device import device


class DeviceReadError(RuntimeError):
    """Elements of a tensor on a device are asked for where only the host's can be read."""


class DeviceMemory(Protocol):
    """The memory of a device, for those who have an array on it."""

    @property
    def device(self) -> device:
        """Which one it is, with its index."""
        ...

    def empty(self, shape: Sequence[int], element: np.dtype[Any]) -> DeviceArray:
        """An uninitialized array, its elements in the order of their indices."""
        ...

    def to_host(self, array: DeviceArray) -> NDArray[Any]:
        """The elements in memory of the host, after all that was launched."""
        ...

    def copy(self, array: DeviceArray) -> DeviceArray:
        """The elements in new memory of the device, in the order of their indices."""
        ...

    def assign(self, array: DeviceArray, value: Any) -> None:
        """Write an array of either side, or a number, to the elements."""
        ...

    def record_stream(self, array: DeviceArray, stream: Any) -> None:
        """Let the memory of an array, once freed, be used again after what is in a stream then."""
        ...


class _Use:
    is_on: bool = False


_listeners: list[Callable[[], None]] = []
"""What has to hear that a device is in use."""


def is_device_in_use() -> bool:
    """Whether something in this process has asked for a device."""
    return _Use.is_on


def when_device_used(listener: Callable[[], None]) -> None:
    """Call `listener` when operators begin, or cease, to look for operands on a device."""
    _listeners.append(listener)


def use_device(is_on: bool = True) -> None:
    """Let operators look for operands on a device from now on, or no longer: then there must be none."""
    if _Use.is_on != is_on:
        _Use.is_on = is_on
        for listener in _listeners:
            listener()


class DeviceArray(np.ndarray[Any, np.dtype[Any]]):
    """See Note [Arrays on devices]."""

    memory: DeviceMemory

    def __array_finalize__(self, obj: Any) -> None:
        if obj is not None and obj.__class__ is DeviceArray:
            self.memory = obj.memory

    # Views

    def __getitem__(self, key: Any) -> Any:
        parts = cast("tuple[Any, ...]", key if isinstance(key, tuple) else (key,))
        if not all(one is None or isinstance(one, (int, slice, type(...))) for one in parts):
            raise _refusal("[]")
        if not any(one is ... for one in parts):
            parts = (*parts, ...)
        return super().__getitem__(parts)

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """A view; DeviceReadError where there is none."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(cast("Sequence[int]", shape[0]))
        try:
            return super().reshape(shape, copy=False, **options)
        except ValueError as error:
            if -1 not in shape and prod(shape) != self.size:
                raise
            raise _refusal("reshape") from error

    def restrided(
        self, shape: Sequence[int], strides: Sequence[int], offset: int = 0
    ) -> DeviceArray:
        """The view that starts `offset` bytes behind the first element, with strides in bytes."""
        address = self.__array_interface__["data"][0] + offset
        return array_on(self.memory, self, address, shape, self.dtype, strides)

    # What reads

    def __setitem__(self, key: Any, value: Any) -> None:
        self.memory.assign(self[key], value)

    def copy(self, order: Any = "C") -> Any:
        return self.memory.copy(self)

    def on_host(self) -> NDArray[Any]:
        """The elements in memory of the host."""
        return self.memory.to_host(self)

    def item(self, *args: Any) -> Any:
        return self.on_host().item(*args)

    def tolist(self) -> Any:
        return self.on_host().tolist()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        raise _refusal(ufunc.__name__)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.broadcast_to:
            array, shape, *_ = args
            return _broadcast(array, shape)
        if func.__name__ not in _LOOKS:
            raise _refusal(func.__name__)
        return super().__array_function__(func, types, args, kwargs)


_LOOKS = frozenset(
    "may_share_memory shares_memory transpose moveaxis rollaxis swapaxes squeeze expand_dims diagonal shape ndim size"
    " result_type iscomplexobj isrealobj can_cast matrix_transpose permute_dims".split()
)
"""Functions of NumPy that read no elements."""
_READS = (
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate cumprod cumsum dot dump"
    " dumps fill flatten itemset max mean min nonzero partition prod ptp put ravel repeat resize round searchsorted sort std"
    " sum take tobytes tofile trace var __array__ __bool__ __buffer__ __complex__ __contains__ __copy__ __deepcopy__"
    " __dlpack__ __float__ __index__ __int__ __iter__ __reduce__ __reduce_ex__ __repr__ __str__"
).split()
"""Methods of arrays that do."""


def _refusal(what: str) -> DeviceReadError:
    return DeviceReadError(
        f"'{what}' cannot read a tensor on a device: copy it to the host, by `x.cpu()`"
    )


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(self: DeviceArray, *_: Any, **__: Any) -> Any:
        raise _refusal(name)

    return refuse


for _name in _READS:
    setattr(DeviceArray, _name, _refusing(_name))


class _Interface:
    """What NumPy makes an array of; keeps the owner of the memory alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, interface: dict[str, Any], owner: object) -> None:
        self.__array_interface__ = interface
        self.owner = owner

    @property
    def base(self) -> object:
        """The array whose memory it is, so that views with other strides have the root of that (`storage.root`)."""
        return self.owner if isinstance(self.owner, DeviceArray) else None


def array_on(
    memory: DeviceMemory,
    owner: object,
    address: int,
    shape: Sequence[int],
    element: np.dtype[Any],
    strides: Sequence[int] | None = None,
) -> DeviceArray:
    """An array on memory of a device, which `owner` holds, with strides in bytes."""
    raw = np.dtype(f"V{element.itemsize}")
    interface: dict[str, Any] = {
        "version": 3,
        "data": (address, False),
        "shape": tuple(shape),
        "typestr": raw.str,
        "strides": None if strides is None else tuple(strides),
    }
    made = np.asarray(_Interface(interface, owner)).view(DeviceArray)
    made.memory = memory
    return cast("DeviceArray", made.view(element))


def _broadcast(array: DeviceArray, shape: Any) -> DeviceArray:
    wanted = np.broadcast_shapes(array.shape, shape)
    missing = len(wanted) - array.ndim
    strides = [0] * missing + [
        0 if own == 1 else stride for own, stride in zip(array.shape, array.strides, strict=True)
    ]
    return array.restrided(wanted, strides)
