"""`torch.testing`: tensors to test with, and how close they are."""

from torchscript_dialect.torch.testing.comparison import assert_close
from torchscript_dialect.torch.testing.creation import make_tensor

__all__ = ["assert_close", "make_tensor"]
