"""Whether there is anything to cast for (PyTorch: torch/cuda/amp/common.py)."""

from torchscript_dialect.runtime.cuda.driver import is_available


def amp_definitely_not_available() -> bool:
    """Whether there is no device of CUDA."""
    return not is_available()
