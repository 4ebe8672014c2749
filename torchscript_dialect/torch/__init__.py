"""The stand-in for `torch`: `from torchscript_dialect import torch` in source that is written for PyTorch.

Functions (`torch.tanh`, `torch.zeros`) are made from the operator table when they are first used; each carries
`__torchscript_op__`, the operator that the compiler makes of it. The submodules load on first use.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import function, python_caller
from torchscript_dialect.ops.eager.tensor_methods import nonzero as nonzero
from torchscript_dialect.tensor.conversion import from_dlpack
from torchscript_dialect.tensor.device import device
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
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.generator import default_generator as default_generator
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
from torchscript_dialect.tensor.tensor import Size, Tensor
from torchscript_dialect.torch.absent_dtypes import absent_dtype as _absent_dtype
from torchscript_dialect.torch.absent_names import absent as _absent
from torchscript_dialect.torch.functions import (
    as_tensor,
    chain_matmul,
    einsum,
    from_numpy,
    initial_seed,
    is_tensor,
    manual_seed,
    seed,
    tensor,
)
from torchscript_dialect.torch.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from torchscript_dialect.torch.torch_version import __version__ as __version__

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
newaxis = None
globals().update(float=float_, int=int_, bool=bool_)  # PyTorch's, which hide Python's here
globals().update({scheme.name: scheme for scheme in qscheme})

_SUBMODULES = (
    "_C",
    "__config__",
    "__future__",
    "_subclasses",
    "_dynamo",
    "amp",
    "jit",
    "nn",
    "linalg",
    "fft",
    "func",
    "futures",
    "fx",
    "sparse",
    "special",
    "functional",
    "autograd",
    "compiler",
    "library",
    "cpu",
    "cuda",
    "distributed",
    "hub",
    "storage",
    "backends",
    "multiprocessing",
    "onnx",
    "optim",
    "overrides",
    "profiler",
    "random",
    "serialization",
    "distributions",
    "signal",
    "testing",
    "torch_version",
    "utils",
    "types",
    "version",
    "xpu",
)
_IN_MODULES = {
    "amp": ("GradScaler", "autocast"),
    "amp.autocast_state": (
        "autocast_decrement_nesting", "autocast_increment_nesting", "clear_autocast_cache",
        "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype",
        "get_autocast_ipu_dtype", "get_autocast_xla_dtype", "is_autocast_cache_enabled",
        "is_autocast_enabled", "is_autocast_ipu_enabled", "is_autocast_xla_enabled",
        "set_autocast_cache_enabled", "set_autocast_cpu_dtype", "set_autocast_cpu_enabled",
        "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype",
        "set_autocast_ipu_dtype", "set_autocast_ipu_enabled", "set_autocast_xla_dtype",
        "set_autocast_xla_enabled",
    ),
    "backends": ("get_float32_matmul_precision", "set_float32_matmul_precision"),
    "functional": (
        "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes",
        "broadcast_tensors", "cartesian_prod", "chunk", "meshgrid", "norm", "split", "tensordot",
        "unbind", "unravel_index",
    ),
    "compiler": ("compile",),
    "composed": ("cdist", "stft"),
    "dispatched": ("lu", "unique", "unique_consecutive"),
    "autograd.anomaly_mode": ("is_anomaly_check_nan_enabled", "is_anomaly_enabled"),
    "func": ("vmap",),
    "functions": ("_assert", "_check", "_check_index", "_check_not_implemented",
        "_check_tensor_all", "_check_type", "_check_value", "_check_with",
        "_segment_reduce", "is_storage", "promote_types", "result_type"),
    "lowrank": ("pca_lowrank", "svd_lowrank"),
    "memory": ("asarray", "frombuffer", "to_dlpack"),
    "random": ("get_rng_state", "set_rng_state"),
    "serialization": ("load", "save"),
    "settings": (
        "are_deterministic_algorithms_enabled", "get_default_device",
        "get_deterministic_debug_mode", "get_num_interop_threads", "get_num_threads",
        "is_deterministic_algorithms_warn_only_enabled", "is_warn_always_enabled",
        "set_default_device",
        "set_default_tensor_type", "set_deterministic_debug_mode",
        "set_flush_denormal", "set_num_interop_threads", "set_num_threads", "set_printoptions", "set_warn_always",
        "use_deterministic_algorithms",
    ),
    "symbolic_sizes": ("SymBool", "SymFloat", "SymInt"),
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


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"torchscript_dialect.torch.{name}")
    if name in _MODULE_OF:
        found = getattr(import_module(f"torchscript_dialect.torch.{_MODULE_OF[name]}"), name)
    elif name == "torch":  # PyTorch imports itself
        found = import_module("torchscript_dialect.torch")
    elif name == "ops":
        found = import_module("torchscript_dialect.torch.operators").Operators()
    elif name in ("float8_e8m0fnu",):
        found = getattr(import_module("torchscript_dialect.tensor.dtype"), name)
    elif name in ("finfo", "iinfo"):
        found = getattr(import_module("torchscript_dialect.torch.limits"), name)
    elif (absent := _absent_dtype(name)) is not None:
        found = absent
    elif not name.startswith("__") and registry.lookup(f"aten::{name}"):
        found = function(name, python_caller)
        if name.startswith("_foreach_") and name.endswith("_"):
            functions = import_module("torchscript_dialect.torch.functions")
            found = functions.for_each_in_place(found)
        found.__module__ = "torchscript_dialect.torch"  # where who unpickles it looks
    else:
        raise _absent("torch", name)
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
