"""`torch.distributed.nn`: programs import it, and call what PyTorch has here once processes are one program."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.torch.absent_names import absent


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
