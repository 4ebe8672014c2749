"""The product's pipelines as lists of passes, by name, and what users put into them.

A `PassLists` does not change: what extends it makes another. The lists in force for all functions are `current()`; who has made
something by them hears of a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from torchscript_dialect.backend import LOWERING
from torchscript_dialect.passes.table import (
    GENERATORS,
    PACKAGE,
    UnknownPass,
    all_names,
    custom_passes,
    did_you_mean,
    find_pass,
    generator_pipelines,
)
from torchscript_dialect.transforms.pipelines import PIPELINES


class Added:
    """Passes that a user put into a list."""

    def __init__(self, passes: Iterable[ModulePass]) -> None:
        self.passes = tuple(passes)


Entry: TypeAlias = str | ModulePass | Added
"""A pass, its text, the name of another list, or what a user added."""


class PassLists(Mapping[str, tuple[Entry, ...]]):
    """Entries by the name of a pipeline. `changed` holds the lists that are not the product's own."""

    def __init__(
        self,
        changed: Mapping[str, tuple[Entry, ...]] | None = None,
        made: dict[str, Any] | None = None,
    ) -> None:
        self.changed = changed or {}
        self.made = made or {}
        """What was made of lists, by name; see named.py."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __getitem__(self, name: str) -> tuple[Entry, ...]:
        if name in self.changed:
            return self.changed[name]
        return _own(name)

    def __iter__(self) -> Iterator[str]:
        yield from PIPELINES
        yield from generator_pipelines()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def passes(self, name: str) -> Iterator[ModulePass]:
        """The passes of a list, those of lists in it among them."""
        for entry in self[name]:
            if isinstance(entry, Added):
                yield from entry.passes
            elif isinstance(entry, ModulePass):
                yield entry
            else:
                yield from parse(entry, self)

    def holds(self, name: str, other: str) -> bool:
        """Whether a list is the other, or has it in it."""
        return name == other or any(
            isinstance(entry, str) and entry in PIPELINES and self.holds(entry, other)
            for entry in self[name]
        )

    def with_entries(self, name: str, entries: tuple[Entry, ...]) -> PassLists:
        """These lists, but for that one."""
        made = {other: one for other, one in self.made.items() if not self.holds(other, name)}
        changed = {**self.changed, name: entries}
        if entries == _own(name):  # as after all that was added is taken away
            del changed[name]
        return PassLists(changed, made)

    def with_added(
        self, added: Added, before: str | None, after: str | None, pipeline: str | None
    ) -> PassLists:
        """These lists with passes put before or after one, at the end of a list where no place is named."""
        anchor = before or after
        if before is not None and after is not None:
            raise ValueError("a pass goes before another or after another, not both")
        if anchor is None:
            name = pipeline or "runtime-optimizations"
            return self.with_entries(name, (*self[name], added))
        lists = self
        for name in self._places_of(anchor) if pipeline is None else (pipeline,):
            lists = lists._with_added_at(added, before is not None, anchor, name)
        return lists

    def _with_added_at(self, added: Added, is_before: bool, anchor: str, name: str) -> PassLists:
        entries = self[name]
        places = [i for i, entry in enumerate(entries) if anchor in _names(entry)]
        if not places:
            raise ValueError(f"the pipeline {name} has no pass {anchor}")
        index = places[0] if is_before else places[-1] + 1
        return self.with_entries(name, (*entries[:index], added, *entries[index:]))

    def _places_of(self, anchor: str) -> tuple[str, ...]:
        """The only list that has a pass of that name, or those of all backends that share it."""
        found = [name for name in self if any(anchor in _names(entry) for entry in self[name])]
        if not found:
            every = {one for name in self for entry in self[name] for one in _names(entry)}
            raise ValueError(f"no pipeline has a pass {anchor}{did_you_mean(anchor, every)}")
        if len(found) > 1 and not set(found) <= set(LOWERING):
            raise ValueError(f"{anchor} is in the pipelines {', '.join(found)}: name one of them")
        return tuple(found)

    def without(self, added: Added) -> PassLists:
        """These lists without what was added."""
        lists = self
        for name, entries in self.changed.items():
            if added in entries:
                rest = tuple(entry for entry in entries if entry is not added)
                lists = lists.with_entries(name, rest)
        return lists

    def identity(self, *names: str) -> str | None:
        """A text that is equal where the passes of these lists are equal, in any process with this version of the product; None
        where there are passes that nobody can tell so much of.
        """
        if not self.changed:
            return ""
        passes = [one for name in names for one in self.passes(name)]
        return None if any(map(is_foreign, passes)) else ",".join(str(one.spec()) for one in passes)


def _names(entry: Entry) -> Iterable[str]:
    """What an entry can be called in `before` and `after`."""
    if isinstance(entry, str):
        return [entry.partition("{")[0]]
    return [one.name for one in (entry.passes if isinstance(entry, Added) else (entry,))]


def _own(name: str) -> tuple[Entry, ...]:
    """The product's list of that name; KeyError where there is none."""
    return PIPELINES[name] if name in PIPELINES else _generated(name)


@lru_cache(maxsize=64)
def _generated(name: str) -> tuple[Entry, ...]:
    known = generator_pipelines()
    if name not in known:
        raise KeyError(f"there is no pipeline '{name}'{did_you_mean(name, [*PIPELINES, *known])}")
    return known[name]()


def is_foreign(one: ModulePass) -> bool:
    """Whether a pass is not the product's: what it makes is checked, and not kept for other processes."""
    home = type(one).__module__.partition(".")[0]
    known = (PACKAGE, *(place.partition(".")[0] for place in GENERATORS))
    return home not in known or one.name in custom_passes


def parse(text: str, lists: PassLists | None = None) -> Iterator[ModulePass]:
    """The passes that a text names, with their options; the name of a pipeline stands for its passes.

    Raises:
        ValueError: there is no such pass or option.
    """
    try:
        specs = list(parse_pipeline(text))
    except ArgSpecParseError as error:
        raise ValueError(str(error)) from None
    for spec in specs:
        yield from _resolve(spec, current() if lists is None else lists)


def _resolve(spec: ArgSpec, lists: PassLists) -> Iterable[ModulePass]:
    if spec.name in custom_passes:
        return [custom_passes[spec.name]]
    if spec.name in PIPELINES or (
        not spec.name.startswith("ts-") and spec.name in generator_pipelines()
    ):
        if spec.parameters:
            raise ValueError(f"the pipeline {spec.name} takes no options")
        return lists.passes(spec.name)
    try:
        return [find_pass(spec.name).from_spec(spec)]
    except UnknownPass:
        known = [*all_names(), *lists]
        raise ValueError(
            f"there is no pass '{spec.name}'{did_you_mean(spec.name, known)}"
        ) from None


class _State:
    current: ClassVar[PassLists] = PassLists()
    listeners: ClassVar[list[Callable[[], None]]] = []


def current() -> PassLists:
    """The lists in force."""
    return _State.current


def set_current(lists: PassLists) -> None:
    """Put other lists in force, and tell who has made something by those before."""
    _State.current = lists
    for listener in _State.listeners:
        listener()


def listen(listener: Callable[[], None]) -> None:
    """Call `listener` whenever other lists are put in force."""
    _State.listeners.append(listener)
