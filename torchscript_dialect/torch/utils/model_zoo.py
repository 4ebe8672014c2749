"""`torch.utils.model_zoo`: the older name of what is in `torch.hub`."""

from torchscript_dialect.torch.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
