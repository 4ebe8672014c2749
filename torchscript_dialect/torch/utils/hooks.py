"""`torch.utils.hooks`: what takes a hook away again."""

from torchscript_dialect.torch.nn.modules._hooks import Handle as RemovableHandle

__all__ = ["RemovableHandle"]
