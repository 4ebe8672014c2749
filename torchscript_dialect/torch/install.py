"""The stand-in under PyTorch's name, for code of others that says `import torch`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from types import ModuleType

from torchscript_dialect import torch
from torchscript_dialect.torch.absent_names import STANDS_IN

NAME = "torch"


class _Installed(Distribution):
    """What `importlib.metadata` tells of `torch`."""

    def read_text(self, filename: str) -> str | None:
        """The text of a file of the distribution, None where it has no such file."""
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {torch.__version__}\nSummary: {STANDS_IN}\n"

    def locate_file(self, path: str | PathLike[str]) -> Path:
        """Where a file that the distribution brought would be."""
        return Path(str(torch.__file__)).parent.parent / path


class _Submodules(MetaPathFinder, Loader):
    """Finds the modules below `torch` in the stand-in: each is one module under two names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{NAME}.") or sys.modules.get(NAME) is not torch:
            return None
        name = _in_stand_in(fullname)
        if name not in sys.modules and find_spec(name) is None:
            raise ModuleNotFoundError(
                f"No module named {fullname!r} ({STANDS_IN})",
                name=fullname,
            )
        return ModuleSpec(fullname, self)

    def find_distributions(
        self, context: DistributionFinder.Context | None = None
    ) -> Iterable[Distribution]:
        """The distribution `torch`, where that or all are asked for."""
        name = None if context is None else context.name
        return [_Installed()] if name in (None, NAME) and sys.modules.get(NAME) is torch else []

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(_in_stand_in(module.__name__))
        _name_what_is_imported()


def _name_what_is_imported() -> None:
    """Have the modules of the stand-in that are imported under their second names, too. Importing one later would make it an attribute
    of its package, in the place of a function of the same name (`torch.autograd.gradcheck`).
    """
    prefix = f"{torch.__name__}."
    for name in [name for name in sys.modules if name.startswith(prefix)]:
        sys.modules.setdefault(NAME + name.removeprefix(torch.__name__), sys.modules[name])


def _in_stand_in(name: str) -> str:
    return torch.__name__ + name.removeprefix(NAME)


def install_as_torch() -> None:
    """Let `import torch`, and imports of the modules below, give the stand-in from here on; a second call does nothing.

    Call it before code that is written for PyTorch is imported. It is for the whole process, and PyTorch cannot be imported after it.

    Raises:
        RuntimeError: PyTorch has been imported.
    """
    present = sys.modules.get(NAME)
    if present is torch:
        return
    if present is not None:
        raise RuntimeError(
            "install_as_torch: `torch` is imported already, and is not the stand-in: call it before anything imports `torch`"
        )
    sys.modules[NAME] = torch
    _name_what_is_imported()
    sys.meta_path.insert(0, _Submodules())
