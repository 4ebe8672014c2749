"""`torch.utils.data._utils`: where programs take `default_collate` from by its file."""

from torchscript_dialect.torch.utils.data._utils import collate as collate
