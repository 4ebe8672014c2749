"""Element types with PyTorch's names and numbers, held by NumPy and ml_dtypes arrays.

A `dtype` is one of a fixed set of singletons (`float32`, `int64`, ...), compared by identity; PyTorch's of the same name is equal. The
integers are those of PyTorch's `ScalarType` enumeration (c10/core/ScalarType.h): graphs and
archives carry them.

Every array inside a `Tensor` has the `numpy_dtype` of one of these singletons as its own `dtype`
object: `canonical` brings foreign arrays into that form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast, final

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike, NDArray

from torchscript_dialect.tensor import pytorch_state

_BY_SCALAR_TYPE: dict[int, dtype] = {}
_BY_NUMPY: dict[np.dtype[Any], dtype] = {}
_BY_NAME: dict[str, dtype] = {}


@final
class dtype:
    """An element type; use the module's instances, there is no reason to make another.

    `name` is PyTorch's (`float32`), `type_name` the spelling in graph text (`Float`), `itemsize` the size of an element in bytes.
    `integers` is the NumPy type of the integers of a quantized type, None for any other (Note [Quantized tensors] in quantizer.py).
    """

    __slots__ = (
        "integers",
        "is_complex",
        "is_float8",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
        "numpy_dtype",
        "scalar_type",
        "type_name",
    )

    def __init__(
        self,
        name: str,
        scalar_type: int,
        type_name: str,
        numpy_type: DTypeLike,
        integers: DTypeLike | None = None,
    ) -> None:
        self.name = name
        self.scalar_type = scalar_type
        self.type_name = type_name
        self.numpy_dtype: np.dtype[Any] = np.dtype(numpy_type)
        self.integers: Any = None if integers is None else np.dtype(integers)
        self.itemsize = int(self.numpy_dtype.itemsize)
        self.is_complex = name.startswith("complex")
        self.is_floating_point = name.startswith(("float", "bfloat"))
        self.is_float8 = name.startswith("float8")
        self.is_signed = not name.startswith(("uint", "quint", "bool")) and name != "float8_e8m0fnu"
        _BY_SCALAR_TYPE[scalar_type] = self
        _BY_NUMPY[self.numpy_dtype] = self
        _BY_NAME[name] = self
        _BY_NAME[type_name] = self

    @property
    def is_integral(self) -> bool:
        """True for the integers, false for `bool` and quantized types."""
        return self.numpy_dtype.kind in "iu"

    @property
    def is_quantized(self) -> bool:
        return self.integers is not None

    def to_complex(self) -> dtype:
        """The complex type whose parts have this type, or the next wider one that there is; a
        complex type is its own. RuntimeError where there is none.
        """
        if self.is_complex:
            return self
        if self is float16:
            raise RuntimeError(
                "the complex partner of float16, complex32, is not a supported dtype"
            )
        found = _TO_COMPLEX.get(self)
        if found is None:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.type_name}")
        return found

    def to_real(self) -> dtype:
        """The type of the parts of a complex type; any other type is its own."""
        return _TO_REAL.get(self, self)

    def __eq__(self, other: object) -> bool:
        class_ = other.__class__
        return self is other or (
            class_.__module__ == "torch" and class_.__name__ == "dtype" and str(other) == str(self)
        )

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (from_name, (self.name,))


uint8 = dtype("uint8", 0, "Byte", np.uint8)
int8 = dtype("int8", 1, "Char", np.int8)
int16 = dtype("int16", 2, "Short", np.int16)
int32 = dtype("int32", 3, "Int", np.int32)
int64 = dtype("int64", 4, "Long", np.int64)
float16 = dtype("float16", 5, "Half", np.float16)
float32 = dtype("float32", 6, "Float", np.float32)
float64 = dtype("float64", 7, "Double", np.float64)
complex64 = dtype("complex64", 9, "ComplexFloat", np.complex64)
complex128 = dtype("complex128", 10, "ComplexDouble", np.complex128)
bool_ = dtype("bool", 11, "Bool", np.bool_)
bfloat16 = dtype("bfloat16", 15, "BFloat16", ml_dtypes.bfloat16)
float8_e5m2 = dtype("float8_e5m2", 23, "Float8_e5m2", ml_dtypes.float8_e5m2)
float8_e4m3fn = dtype("float8_e4m3fn", 24, "Float8_e4m3fn", ml_dtypes.float8_e4m3fn)
float8_e5m2fnuz = dtype("float8_e5m2fnuz", 25, "Float8_e5m2fnuz", ml_dtypes.float8_e5m2fnuz)
float8_e4m3fnuz = dtype("float8_e4m3fnuz", 26, "Float8_e4m3fnuz", ml_dtypes.float8_e4m3fnuz)
uint16 = dtype("uint16", 27, "UInt16", np.uint16)
uint32 = dtype("uint32", 28, "UInt32", np.uint32)
uint64 = dtype("uint64", 29, "UInt64", np.uint64)
float8_e8m0fnu = dtype("float8_e8m0fnu", 44, "Float8_e8m0fnu", ml_dtypes.float8_e8m0fnu)


def _quantized(name: str, scalar_type: int, type_name: str, integers: DTypeLike) -> dtype:
    """A type of integers that NumPy moves, and refuses to compute with: a structure of one field, which is bytes."""
    return dtype(
        name, scalar_type, type_name, [(name, f"V{np.dtype(integers).itemsize}")], integers
    )


qint8 = _quantized("qint8", 12, "QInt8", np.int8)
quint8 = _quantized("quint8", 13, "QUInt8", np.uint8)
qint32 = _quantized("qint32", 14, "QInt32", np.int32)

half, float_, double = float16, float32, float64
short, int_, long = int16, int32, int64
cfloat, cdouble = complex64, complex128

_BY_NAME.update(
    half=half,
    float=float_,
    double=double,
    short=short,
    int=int_,
    long=long,
    cfloat=cfloat,
    cdouble=cdouble,
)
_TO_COMPLEX = {float64: complex128, float32: complex64, bfloat16: complex64}
_TO_REAL = {complex64: float32, complex128: float64}
_UNSUPPORTED = {
    8: "complex32",
    16: "quint4x2",
    17: "quint2x4",
    18: "bits1x8",
    19: "bits2x4",
    20: "bits4x2",
    21: "bits8",
    22: "bits16",
    30: "uint1",
    31: "uint2",
    32: "uint3",
    33: "uint4",
    34: "uint5",
    35: "uint6",
    36: "uint7",
    37: "int1",
    38: "int2",
    39: "int3",
    40: "int4",
    41: "int5",
    42: "int6",
    43: "int7",
    45: "float4_e2m1fn_x2",
}


def all_dtypes() -> tuple[dtype, ...]:
    """Every dtype of numbers, in the order in which they are declared here; those of quantized tensors are not."""
    return tuple(each for each in _BY_SCALAR_TYPE.values() if not each.is_quantized)


class UnsupportedDtype(TypeError):
    """No tensors can be of a dtype that PyTorch has."""


def from_scalar_type(scalar_type: int) -> dtype:
    """The dtype with this number in PyTorch's `ScalarType`; UnsupportedDtype where NumPy has none."""
    found = _BY_SCALAR_TYPE.get(scalar_type)
    if found is None:
        name = _UNSUPPORTED.get(scalar_type, "unknown")
        raise UnsupportedDtype(f"ScalarType {scalar_type} ({name}) is not a supported dtype")
    return found


def from_name(name: str) -> dtype:
    """The dtype named `float32`, `torch.float32`, `float` or `Float`; TypeError where there is
    none.
    """
    found = _BY_NAME.get(name.removeprefix("torch."))
    if found is None:
        raise TypeError(f"'{name}' is not a supported dtype")
    return found


def number_of(name: str) -> int | None:
    """PyTorch's number of the dtype of that name, also where no tensors of it can be; None where there is no such dtype."""
    known = _BY_NAME.get(name)
    if known is not None:
        return known.scalar_type
    return next((number for number, each in _UNSUPPORTED.items() if each == name), None)


def from_numpy(numpy_type: DTypeLike) -> dtype:
    """The dtype whose elements a NumPy dtype describes, in either byte order; TypeError where there
    is none.
    """
    descr = np.dtype(numpy_type)
    found = _BY_NUMPY.get(descr) or _BY_NUMPY.get(descr.newbyteorder("="))
    if found is None:
        raise TypeError(
            f"can't convert an array of NumPy type '{descr}': the supported types are "
            + ", ".join(d.name for d in all_dtypes())
        )
    return found


def of_array(array: NDArray[Any]) -> dtype:
    """The dtype of a canonical array (one that a `Tensor` holds); KeyError for any other array."""
    return _BY_NUMPY[array.dtype]


def as_dtype(value: object) -> dtype:
    """The dtype that `value` stands for: a dtype, an enumeration number, a name, a NumPy dtype, or
    PyTorch's dtype.
    """
    if isinstance(value, dtype):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return from_scalar_type(value)
    if isinstance(value, str):
        return from_name(value)
    if type(value).__module__ == "torch" and type(value).__name__ == "dtype":
        return from_name(str(value))
    if isinstance(value, np.dtype) or _is_scalar_type(value):
        return from_numpy(cast("Any", value))
    raise TypeError(f"expected a dtype, got {type(value).__name__}")


def _is_scalar_type(value: object) -> bool:
    if not isinstance(value, type):
        return False
    return value in (bool, int, float, complex) or issubclass(value, np.generic)


def is_canonical_dtype(descr: np.dtype[Any]) -> bool:
    """Whether a NumPy dtype is the very one that arrays of tensors have."""
    found = _BY_NUMPY.get(descr)
    return found is not None and found.numpy_dtype is descr


def canonical(array: NDArray[Any]) -> NDArray[Any]:
    """The array as a `Tensor` may hold it (Note [Tensors and arrays] in tensor.py), sharing its
    memory.

    ValueError for a foreign byte order and for strides that are negative or no multiples of the
    element size: sharing such memory is impossible, and a copy would hide that writes go elsewhere.
    TypeError for other element types.
    """
    if type(array) is not np.ndarray:
        array = array.view(np.ndarray)
    descr = array.dtype
    found = _BY_NUMPY.get(descr)
    if found is None:
        from_numpy(descr)
        raise ValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    if not array.flags.c_contiguous:
        _check_strides(array)
    if found.numpy_dtype is descr or found.is_quantized:
        return array
    return array.view(found.numpy_dtype)


def _check_strides(array: NDArray[Any]) -> None:
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array with array.copy().)"
        )
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(
            "given numpy array strides not a multiple of the element byte size. "
            "Copy the numpy array to reallocate the memory."
        )


_default_dtype = float32
_listeners: list[Callable[[], None]] = []


def on_change_of_default(listener: Callable[[], None]) -> None:
    """Call `listener` whenever the default dtype changes; where PyTorch's is changed, when that is seen."""
    _listeners.append(listener)


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats: PyTorch's while it is loaded."""
    torch = pytorch_state.loaded()
    if torch is not None:
        _make_default(_from_pytorch(torch.get_default_dtype()))
    return _default_dtype


@lru_cache(maxsize=16)
def _from_pytorch(theirs: object) -> dtype:
    return from_name(str(theirs))


def _make_default(new: dtype) -> None:
    global _default_dtype
    if new is _default_dtype:
        return
    _default_dtype = new
    for listener in _listeners:
        listener()


def get_default_complex_dtype() -> dtype:
    """The dtype of tensors made from Python complex numbers: the complex partner of the default
    dtype.
    """
    return get_default_dtype().to_complex()


def set_default_dtype(value: object) -> None:
    """Sets the dtype of tensors made from Python floats; TypeError unless it is a floating-point
    dtype.
    """
    new = as_dtype(value)
    if not new.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {new}")
    torch = pytorch_state.loaded()
    if torch is not None:
        torch.set_default_dtype(getattr(torch, new.name))
    _make_default(new)
