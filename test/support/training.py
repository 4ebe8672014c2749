"""The training loops of test/training, run against PyTorch or ours; test/golden/training.json holds the losses of PyTorch."""

import importlib.util
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any, cast

from support.loader import flavoured

FILE = Path(__file__).parent.parent / "training" / "programs.py"
GOLDEN = FILE.parents[1] / "golden" / "training.json"


@cache
def programs(flavour: str) -> Any:
    """The module of the programs; `flavour` says what `torch` means, "torch" or "ours"."""
    with flavoured(flavour):
        spec = importlib.util.spec_from_file_location(f"training.{flavour}", FILE)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # where `inspect` looks for the source of classes
        spec.loader.exec_module(module)
    return module


def names() -> list[str]:
    return [cast(Any, one).__name__ for one in programs("ours").PROGRAMS]


def losses(name: str, flavour: str) -> list[float]:
    """The losses of a program from one seed."""
    module = programs(flavour)
    module.torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(module, name)()
