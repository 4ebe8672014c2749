"""Runs an operator here and in PyTorch and says how the results differ. PyTorch is imported by whoever passes its results in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor

RTOL = {
    "float16": 2e-3,
    "bfloat16": 1.6e-2,
    "float32": 3e-6,
    "float64": 1e-12,
    "complex64": 5e-6,
    "complex128": 1e-12,
}


def ours(value: Any, memo: dict[int, Any]) -> Any:
    """Arrays become tensors, one array one tensor."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = as_tensor(as_tensor(value).array)
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(ours(item, memo) for item in value)
    if isinstance(value, dict):
        return {key: ours(item, memo) for key, item in value.items()}
    return value


def plain(value: Any) -> Any:
    """A result as arrays (with strides in elements) and Python values."""
    if isinstance(value, Tensor):
        return ("tensor", value.array.copy(), value.dtype.name, value.stride())
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Device):
        return str(value)
    return value


def run(operator: Any, make: Any) -> tuple[Any, Any]:
    """Result and arguments after the call; a result is an exception where the operator raised."""
    memo: dict[int, Any] = {}
    operands = [ours(value, memo) for value in make()]
    default_generator.manual_seed(0)
    try:
        result = plain(operator.kernel(*operands))
    except (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError) as error:
        return error, None
    return result, [plain(operand) for operand in operands]


def difference(a: Any, b: Any, scale: float = 1.0) -> str | None:
    """How our result differs from PyTorch's, None if it does not."""
    if isinstance(a, BaseException) or isinstance(b, BaseException):
        if not (isinstance(a, BaseException) and isinstance(b, BaseException)):
            return f"{_short(a)} where PyTorch gives {_short(b)}"
        return None
    if type(a) is not type(b):
        return f"{_short(a)} where PyTorch gives {_short(b)}"
    if isinstance(a, tuple) and a and a[0] == "tensor":
        return _tensor_difference(a, b, scale) if b and b[0] == "tensor" else "not a tensor"
    if isinstance(a, (list, tuple)):
        return _sequence_difference(a, b, scale)
    if isinstance(a, dict):
        return difference([list(a), list(a.values())], [list(b), list(b.values())], scale)
    if isinstance(a, (float, complex)):
        same = a == b or (a != a and b != b) or np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True)
        return None if same else f"{a} where PyTorch gives {b}"
    return None if a == b else f"{a!r} where PyTorch gives {b!r}"


def _short(value: Any) -> str:
    if isinstance(value, BaseException):
        return f"{type(value).__name__}({str(value).splitlines()[0][:150] if str(value) else ''})"
    return repr(value)[:150]


def _sequence_difference(a: Sequence[Any], b: Sequence[Any], scale: float) -> str | None:
    if len(a) != len(b):
        return f"{len(a)} values where PyTorch gives {len(b)}"
    for x, y in zip(a, b):
        found = difference(x, y, scale)
        if found:
            return found
    return None


def _tensor_difference(a: tuple[Any, ...], b: tuple[Any, ...], scale: float) -> str | None:
    _, x, dtype_x, strides_x = a
    _, y, dtype_y, strides_y = b
    if dtype_x != dtype_y:
        return f"dtype {dtype_x} where PyTorch gives {dtype_y}"
    if x.shape != y.shape:
        return f"shape {x.shape} where PyTorch gives {y.shape}"
    if x.size and strides_x != strides_y:
        return f"strides {strides_x} where PyTorch gives {strides_y} (shape {x.shape})"
    if dtype_x not in RTOL:
        equal = np.array_equal(x, y)
    else:
        wide = np.complex128 if dtype_x.startswith("complex") else np.float64
        with np.errstate(all="ignore"):
            equal = np.allclose(
                x.astype(wide),
                y.astype(wide),
                rtol=RTOL[dtype_x] * scale,
                atol=RTOL[dtype_x] * scale,
                equal_nan=True,
            )
    return None if equal else f"{x.reshape(-1)[:8]} where PyTorch gives {y.reshape(-1)[:8]}"
