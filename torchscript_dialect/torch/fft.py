"""`torch.fft`: the operators whose names start with `fft_`."""

from torchscript_dialect.torch.operators import submodule

__getattr__ = submodule("fft", globals())
