"""`torch.utils.data._utils.collate`: batches, by PyTorch's name of the file."""

import re

from torchscript_dialect.torch.utils.data.collate import default_collate, default_convert

np_str_obj_array_pattern = re.compile(r"[SaUO]")
"""The kinds of arrays, by NumPy's letters, that make no batch."""

__all__ = ["default_collate", "default_convert", "np_str_obj_array_pattern"]
