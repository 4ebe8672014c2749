"""Where passes are: the folders of this package, the code generators, xDSL, other xDSL plugins, and what a user made.

A pass is its file: `transforms/x_y.py` holds the pass `ts-x-y`. Everything else is found as xDSL finds it, in a `Universe`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from xdsl.passes import ModulePass

from torchscript_dialect.dialects.context import OpenContext

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.universe import Universe

PACKAGE = __name__.partition(".")[0]
PASS_FOLDERS = ("transforms", "autodiff/passes", "frontend/passes", "api/passes")
"""The folders, in this package, each file of which is a pass."""

GENERATORS = ("lowering.universe:LOWERING_UNIVERSE",)
"""The universes of code generators, by name, for nothing here imports them. Beside each stand `PIPELINES` of its own."""

custom_passes: WeakValueDictionary[str, ModulePass] = WeakValueDictionary()
"""Passes that were made of patterns and functions, by name, as long as somebody holds them: see custom.py."""


@cache
def own_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The name of every pass of this package, and what loads it."""
    root = Path(__file__).parents[1]
    return dict(
        pass_factory(f"{PACKAGE}.{folder.replace('/', '.')}.{file.name}")
        for folder in PASS_FOLDERS
        for file in iter_modules([str(root / folder)])
        if not file.name.startswith("_") and file.name != "pipelines"
    )


def pass_factory(module: str) -> tuple[str, Callable[[], type[ModulePass]]]:
    """The name of the pass that a file holds, and what loads it."""
    name = f"ts-{module.rpartition('.')[2].replace('_', '-')}"
    return name, partial(_load, module, name)


def _load(module_name: str, name: str) -> type[ModulePass]:
    module = import_module(module_name)
    for found in vars(module).values():
        is_of_name = isinstance(found, type) and found.__dict__.get("name") == name
        if is_of_name and issubclass(found, ModulePass):  # which asks all passes, so it comes last
            return found
    raise ImportError(f"{module_name} holds no pass named {name}")


def _generators() -> list[tuple[ModuleType, str]]:
    parts = (place.split(":") for place in GENERATORS)
    return [(import_module(module), name) for module, name in parts]


@cache
def universes() -> tuple[Universe, ...]:
    """xDSL's universe, those of the code generators, and those of other installed plugins."""
    from importlib.metadata import entry_points

    from xdsl.universe import XDSL_UNIVERSE

    ours = [getattr(module, name) for module, name in _generators()]
    others = [
        plugin.load()
        for plugin in entry_points(group="xdsl.universe")
        if plugin.value not in (f"{PACKAGE}.universe:TORCHSCRIPT_UNIVERSE", *GENERATORS)
    ]
    return (XDSL_UNIVERSE, *ours, *(u for u in others if u is not XDSL_UNIVERSE))


def context_for(one: ModulePass) -> Context:
    """The context to apply a pass in. Passes of others look dialects up in it, to make constants of them: those of all universes."""
    context = OpenContext()
    if not one.name.startswith("ts-"):
        for universe in universes():
            for name, factory in universe.all_dialects.items():
                context.register_dialect(name, factory)
    return context


class UnknownPass(LookupError):
    """There is no pass of a name."""


def find_pass(name: str) -> type[ModulePass]:
    """The class of the pass of that name.

    Raises:
        UnknownPass: there is none.
    """
    if name in own_passes():
        return own_passes()[name]()
    for universe in universes():
        if name in universe.all_passes:
            return universe.all_passes[name]()
    raise UnknownPass(name)


def all_names() -> Iterable[str]:
    """The names of all passes that can be found."""
    yield from own_passes()
    for universe in universes():
        yield from universe.all_passes
    yield from custom_passes


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def generator_pipelines() -> dict[str, Callable[[], tuple[str | ModulePass, ...]]]:
    """The pipelines of the code generators, each made when it is asked for."""
    found: dict[str, Callable[[], tuple[str | ModulePass, ...]]] = {}
    for module, _ in _generators():
        found |= module.PIPELINES
    return found
