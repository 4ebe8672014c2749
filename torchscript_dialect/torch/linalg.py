"""`torch.linalg`: the operators whose names start with `linalg_`."""

from torchscript_dialect.ops.linalg.linalg import LinAlgError as LinAlgError
from torchscript_dialect.torch.operators import submodule

__getattr__ = submodule("linalg", globals())
