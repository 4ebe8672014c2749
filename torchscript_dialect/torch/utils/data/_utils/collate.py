"""`torch.utils.data._utils.collate`: batches, by PyTorch's name of the file."""

from torchscript_dialect.torch.utils.data.collate import default_collate, default_convert

__all__ = ["default_collate", "default_convert"]
