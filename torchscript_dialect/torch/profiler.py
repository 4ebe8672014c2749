"""`torch.profiler`: the parts of programs that have names; nothing measures them."""

from torchscript_dialect.torch.autograd.profiler import record_function

__all__ = ["record_function"]
