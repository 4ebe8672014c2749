"""`torch.__config__`: how the library was built (PyTorch: torch/__config__.py)."""

from __future__ import annotations

from torchscript_dialect.torch.absent_names import STANDS_IN
from torchscript_dialect.torch.settings import get_num_interop_threads, get_num_threads
from torchscript_dialect.torch.version import __version__

_LACKS = "CUDA CUDNN GLOO MKL MKLDNN MPI NCCL NNPACK OPENMP ROCM XPU".split()


def show() -> str:
    """In words, which libraries it has; programs look for `USE_MKL=OFF` and the like."""
    settings = [f"TORCH_VERSION={__version__}", *(f"USE_{name}=OFF" for name in _LACKS)]
    return f"PyTorch built with:\n  - {STANDS_IN}\n  - Build settings: {', '.join(settings)}\n"


def parallel_info() -> str:
    """In words, how many threads there are."""
    return (
        f"ATen/Parallel:\n\tat::get_num_threads() : {get_num_threads()}\n"
        f"\tat::get_num_interop_threads() : {get_num_interop_threads()}\n"
    )
