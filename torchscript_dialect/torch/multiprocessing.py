"""`torch.multiprocessing`: programs import it, and call what PyTorch has here where processes share tensors, which they do not here."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.torch.absent_names import absent


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
