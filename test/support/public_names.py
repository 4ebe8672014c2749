"""The public names of PyTorch's namespaces beside those of the stand-in.

`ABSENT` is the strict list of those that the stand-in does not have: `namespace: reason:` and names of it, in paragraphs.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_TEST = Path(__file__).resolve().parent.parent
GOLDEN = _TEST / "golden" / "names.json"
ABSENT = _TEST / "unit" / "torch" / "absent_names.txt"

PLACES = (
    "torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special",
    "torch.random", "torch.signal.windows", "torch.sparse",
    "torch.serialization", "torch.autograd", "torch.distributions", "torch.distributions.constraints",
    "torch.distributions.transforms",
)  # fmt: skip


def owner(root: Any, place: str) -> Any:
    """A module or class by its place in a namespace that stands for `torch`."""
    found = root
    for part in place.split(".")[1:]:
        if not hasattr(found, part):
            import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


@cache
def of_pytorch() -> dict[str, frozenset[str]]:
    """PyTorch's names by namespace."""
    return {
        place: frozenset(names.split()) for place, names in json.loads(GOLDEN.read_text()).items()
    }


def absent() -> dict[str, dict[str, str]]:
    """The reason of each name that is not there, by namespace; ValueError for a name that stands there twice."""
    found: dict[str, dict[str, str]] = {place: {} for place in PLACES}
    text = "\n".join(line for line in ABSENT.read_text().splitlines() if not line.startswith("#"))
    for paragraph in text.split("\n\n"):
        if not paragraph.strip():
            continue
        head, _, names = paragraph.strip().partition("\n")
        place, _, reason = head.partition(": ")
        for name in names.split():
            if name in found[place]:
                raise ValueError(f"{place}.{name} stands in the list twice")
            found[place][name] = reason.strip()
    return found


def differences(place: str, has: Any) -> list[str]:
    """Names that are neither there nor in the list, or both, or in the list and none of PyTorch's; `has` tells what is there."""
    listed, known = absent()[place], of_pytorch()[place]
    wrong = [f"{name}: none of PyTorch's" for name in sorted(listed.keys() - known)]
    wrong += [f"{name}: no reason" for name, reason in listed.items() if not reason]
    for name in sorted(known):
        if has(name) and name in listed:
            wrong.append(f"{name}: is there, and in the list: {listed[name]}")
        if not has(name) and name not in listed:
            wrong.append(f"{name}: is not there")
    return wrong
