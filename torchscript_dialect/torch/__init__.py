"""The stand-in for `torch`: `from torchscript_dialect import torch` in source that is written for PyTorch.

Functions (`torch.tanh`, `torch.zeros`) are made from the operator table when they are first used; each carries
`__torchscript_op__`, the operator that the compiler makes of it. The submodules load on first use.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.dispatch import call, function
from torchscript_dialect.ops.recording import RECORDING
from torchscript_dialect.ops.tensor_methods import nonzero as nonzero
from torchscript_dialect.ops.tensor_methods import placed
from torchscript_dialect.tensor.conversion import as_tensor as _as_tensor
from torchscript_dialect.tensor.conversion import from_dlpack
from torchscript_dialect.tensor.device import cpu, device
from torchscript_dialect.tensor.dtype import (
    bfloat16,
    bool_,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float16,
    float32,
    float64,
    float_,
    from_scalar_type,
    get_default_dtype,
    half,
    int8,
    int16,
    int32,
    int64,
    int_,
    long,
    qint8,
    qint32,
    quint8,
    set_default_dtype,
    short,
    uint8,
    uint16,
    uint32,
    uint64,
)
from torchscript_dialect.tensor.generator import Generator, default_generator, seed_all
from torchscript_dialect.tensor.layout import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    layout,
    memory_format,
    preserve_format,
    qscheme,
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.tensor import Size, Tensor, tensor_of
from torchscript_dialect.torch.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
newaxis = None
globals().update(float=float_, int=int_, bool=bool_)  # PyTorch's names, which are Python's too
globals().update({scheme.name: scheme for scheme in qscheme})
__version__ = "2.13.0"

_SUBMODULES = (
    "_C",
    "jit",
    "nn",
    "linalg",
    "fft",
    "func",
    "sparse",
    "special",
    "functional",
    "autograd",
    "library",
    "cuda",
    "backends",
    "optim",
    "random",
    "serialization",
    "distributions",
    "signal",
    "testing",
    "utils",
    "types",
    "version",
)
_IN_MODULES = {
    "backends": ("get_float32_matmul_precision", "set_float32_matmul_precision"),
    "functional": (
        "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes",
        "broadcast_tensors", "cartesian_prod", "chunk", "meshgrid", "norm", "split", "tensordot",
        "unbind", "unravel_index",
    ),
    "composed": ("cdist", "stft"),
    "dispatched": ("lu", "unique", "unique_consecutive"),
    "autograd.anomaly_mode": ("is_anomaly_check_nan_enabled", "is_anomaly_enabled"),
    "func": ("vmap",),
    "lowrank": ("pca_lowrank", "svd_lowrank"),
    "memory": ("asarray", "frombuffer", "to_dlpack"),
    "random": ("get_rng_state", "set_rng_state"),
    "serialization": ("load", "save"),
    "settings": (
        "are_deterministic_algorithms_enabled", "get_default_device",
        "get_deterministic_debug_mode", "get_num_interop_threads", "get_num_threads",
        "is_deterministic_algorithms_warn_only_enabled", "set_default_device",
        "set_default_tensor_type", "set_deterministic_debug_mode",
        "set_flush_denormal", "set_num_interop_threads", "set_num_threads", "set_printoptions",
        "use_deterministic_algorithms",
    ),
    "sparse": ("dsmm", "hsmm", "saddmm", "spmm"),
    "sparse_tensors": (
        "sparse_bsc_tensor", "sparse_bsr_tensor", "sparse_compressed_tensor", "sparse_coo_tensor",
        "sparse_csc_tensor", "sparse_csr_tensor",
    ),
    "cuda": ("OutOfMemoryError",),
    "tensor_types": (
        "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor",
        "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "typename",
    ),
}  # fmt: skip
"""Functions that are written in Python, by the module that holds them."""

_MODULE_OF = {name: module for module, names in _IN_MODULES.items() for name in names}


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """A fresh tensor of a number, of nested sequences of numbers, or a copy of an array or tensor."""
    if RECORDING.recorder is not None and isinstance(data, Tensor):
        return _copied(data, dtype)
    result = _as_tensor(data, dtype)
    if result.array.base is not None or result is data or hasattr(data, "__array__"):
        result = tensor_of(result.array.copy())
    if device is not None:
        result = result.to(device)
    if requires_grad:
        result.requires_grad_()
    return result if RECORDING.recorder is None else call("aten::detach", (placed(result),))


def _copied(data: Tensor, dtype: Any) -> Tensor:
    """`tensor(data)` of a tensor as PyTorch's traces show it."""
    data = call("aten::detach", (data,))
    to = data.dtype if dtype is None else dtype
    return call("aten::detach", (call("aten::to", (data, cpu, to, False, True)),))


tensor.__torchscript_op__ = "aten::tensor"  # type: ignore[attr-defined]


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor over the same memory where that is possible, otherwise as `tensor`."""
    result = placed(_as_tensor(data, dtype))
    return result if device is None else result.to(device)


as_tensor.__torchscript_op__ = "aten::as_tensor"  # type: ignore[attr-defined]


def from_numpy(array: Any) -> Tensor:
    """A tensor over the memory of an array; TypeError for anything else."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return _as_tensor(array)


def _assert(condition: Any, message: str) -> None:
    """AssertionError with the message unless the condition holds."""
    assert condition, message


_assert.__torchscript_op__ = "aten::_assert"  # type: ignore[attr-defined]


def _check(cond: Any, message: Any = None) -> None:
    """RuntimeError with what `message` gives, a text or a function, unless the condition holds."""
    if not cond:
        told = message() if callable(message) else message
        raise RuntimeError(
            "Expected cond to be True, but got False." if told is None else str(told)
        )


_check.__torchscript_op__ = "aten::_check"  # type: ignore[attr-defined]


def is_tensor(obj: Any) -> Any:
    """Whether the object is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> Any:
    """Whether the object is the memory of a tensor, as `x.storage()` gives it."""
    return isinstance(obj, (TypedStorage, UntypedStorage))


def manual_seed(seed: Any) -> Generator:
    """Start the default generators anew, those of devices, too."""
    return seed_all(seed)


manual_seed.__torchscript_op__ = "aten::manual_seed"  # type: ignore[attr-defined]


def seed() -> Any:
    """Start the default generators unpredictably; gives the seed."""
    return seed_all(default_generator.seed()).initial_seed()


def initial_seed() -> Any:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def einsum(equation: Any, *operands: Any) -> Tensor:
    """The sum of products that the equation names, or that lists of numbers name: `einsum(x, [0, 1], y, [1, 2], [0, 2])`."""
    if isinstance(equation, Tensor):
        from torchscript_dialect.ops.products import einsum_of_lists

        equation, listed = einsum_of_lists(equation, *operands)
        operands = tuple(listed)
    tensors: Any = operands
    if len(operands) == 1 and operands[0].__class__ in (list, tuple):
        tensors = operands[0]
    return call("aten::einsum", (equation, list(tensors)))


einsum.__torchscript_op__ = "aten::einsum"  # type: ignore[attr-defined]


def chain_matmul(*matrices: Tensor) -> Tensor:
    """The product of the matrices, in the order that takes the fewest multiplications."""
    return call("aten::chain_matmul", (list(matrices),))


chain_matmul.__torchscript_op__ = "aten::chain_matmul"  # type: ignore[attr-defined]


def _giving_dtype(name: str) -> Any:
    """An operator that gives a dtype, which to a program is an int and to Python is not."""
    of_programs = function(name)

    def of_python(*args: Any, **kwargs: Any) -> Any:
        return from_scalar_type(of_programs(*args, **kwargs))

    of_python.__name__ = of_python.__qualname__ = name
    of_python.__torchscript_op__ = f"aten::{name}"  # type: ignore[attr-defined]
    return of_python


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"torchscript_dialect.torch.{name}")
    if name in _MODULE_OF:
        found = getattr(import_module(f"torchscript_dialect.torch.{_MODULE_OF[name]}"), name)
    elif name == "ops":
        found = import_module("torchscript_dialect.torch.operators").Operators()
    elif name in ("float8_e8m0fnu",):
        found = getattr(import_module("torchscript_dialect.tensor.dtype"), name)
    elif name in ("autocast", "amp"):
        found = import_module("torchscript_dialect.torch.autocast_mode")
        found = found.autocast if name == "autocast" else found
    elif name in ("finfo", "iinfo"):
        found = getattr(import_module("torchscript_dialect.torch.limits"), name)
    elif name in ("promote_types", "result_type"):
        found = _giving_dtype(name)
    elif not name.startswith("__") and registry.lookup(f"aten::{name}"):
        found = function(name)
    else:
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The names of modules and of functions in Python, read already or not; operators are found by `__getattr__` alone."""
    return [*{*globals(), *_SUBMODULES, *_MODULE_OF}]


__all__ = [
    "Generator",
    "Size",
    "Tensor",
    "TypedStorage",
    "UntypedStorage",
    "as_tensor",
    "bfloat16",
    "cdouble",
    "cfloat",
    "chain_matmul",
    "channels_last",
    "channels_last_3d",
    "complex64",
    "complex128",
    "contiguous_format",
    "device",
    "double",
    "dtype",
    "einsum",
    "enable_grad",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "from_numpy",
    "get_default_dtype",
    "half",
    "inference_mode",
    "initial_seed",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_tensor",
    "layout",
    "long",
    "manual_seed",
    "memory_format",
    "no_grad",
    "preserve_format",
    "qint8",
    "qint32",
    "quint8",
    "seed",
    "set_default_dtype",
    "set_grad_enabled",
    "short",
    "sparse_bsc",
    "sparse_bsr",
    "sparse_coo",
    "sparse_csc",
    "sparse_csr",
    "strided",
    "tensor",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
