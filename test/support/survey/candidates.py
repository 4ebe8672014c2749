"""What of a package may be scripted: functions, modules with small arguments, and whole models."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from torch import nn

from support.survey.inputs import construct


@dataclass(frozen=True)
class Candidate:
    """`make` gives the function or a new module."""

    name: str
    kind: str
    make: Callable[[], Any]


def module_names(package: str) -> list[str]:
    """The modules of a package, found without running them."""
    root = importlib.import_module(package)
    names = [package]
    if not hasattr(root, "__path__"):
        return names
    for path in root.__path__:
        names += _below(path, f"{package}.")
    return sorted(set(names))


def _below(folder: str, prefix: str) -> Iterator[str]:
    for info in pkgutil.iter_modules([folder], prefix):
        if any(part in ("test", "tests", "testing", "conftest") for part in info.name.split(".")):
            continue
        yield info.name
        if info.ispkg:
            yield from _below(f"{folder}/{info.name.rsplit('.', 1)[1]}", f"{info.name}.")


def of_module(module: ModuleType) -> list[Candidate]:
    """The functions and the classes of modules that `module` defines."""
    found: list[Candidate] = []
    for name, member in sorted(vars(module).items()):
        if getattr(member, "__module__", None) != module.__name__:
            continue
        full = f"{module.__name__}.{name}"
        if inspect.isfunction(member):
            found.append(Candidate(full, "function", lambda member=member: member))
        elif inspect.isclass(member) and issubclass(member, nn.Module) and _has_forward(member):
            found.append(Candidate(full, "module", lambda member=member: construct(member)))
    return found


def _has_forward(cls: type[nn.Module]) -> bool:
    return cls.forward is not nn.Module.forward


def whole_models(package: str) -> list[Candidate]:
    """One model, the smallest by name, of each module in a package's own list of models, in evaluation: batches of a survey are too
    small for statistics of their own.
    """
    if package == "timm":
        timm = importlib.import_module("timm")
        make = lambda name: timm.create_model(name, pretrained=False)
        listed = {m: timm.list_models(module=m) for m in timm.list_modules()}
    elif package == "torchvision":
        models = importlib.import_module("torchvision.models")
        make = lambda name: models.get_model(name, weights=None, **_without_backbone(name))
        listed: dict[str, list[str]] = {}
        for name in models.list_models():
            listed.setdefault(models.get_model_builder(name).__module__, []).append(name)
    else:
        return []
    return [
        Candidate(f"{package}:{name}", "model", lambda name=name: make(name).eval())
        for names in listed.values()
        if names
        for name in [min(names, key=size_of_name)]
    ]


def _without_backbone(name: str) -> dict[str, Any]:
    is_compound = any(
        part in name for part in ("rcnn", "retina", "fcos", "ssd", "deeplab", "fcn", "lraspp")
    )
    return {"weights_backbone": None} if is_compound else {}


def size_of_name(name: str) -> tuple[int, int]:
    """Small models first, as far as names tell."""
    small = (
        "test",
        "atto",
        "femto",
        "pico",
        "nano",
        "zepto",
        "tiny",
        "small",
        "_s",
        "lite",
        "18",
        "26",
        "b0",
    )
    ranks = [rank for rank, word in enumerate(small) if word in name]
    return (ranks[0] if ranks else len(small), len(name))
