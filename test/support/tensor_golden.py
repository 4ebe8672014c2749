"""Reads test/golden/tensor/*.json, what PyTorch answered (tools/regenerate_tensor_goldens.py)."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "golden" / "tensor"


def read(name: str) -> Any:
    """The content of one file."""
    return json.loads((FOLDER / f"{name}.json").read_text())
