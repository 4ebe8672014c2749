"""`torch.utils.model_zoo`: the older name of what is in `torch.hub`."""

from typing import Any

from torchscript_dialect.torch import hub
from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]


def __getattr__(name: str) -> Any:
    if name != "tqdm":
        raise absent(__name__, name)
    return hub.tqdm
