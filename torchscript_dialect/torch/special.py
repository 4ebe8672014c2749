"""`torch.special`: the operators whose names start with `special_`."""

from torchscript_dialect.torch.operators import submodule

__getattr__ = submodule("special", globals())
