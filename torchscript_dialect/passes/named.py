"""The product's pipelines by name, for users: to look at, to run, and to put passes into.

`add_pass` reaches every function, those that were called before included: what was made of them is dropped. It does what
PyTorch's `RegisterPass`, `RegisterPostPass` and `RegisterPrePass` do, and `pipelines.reset` what `ClearAllPasses` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from torchscript_dialect.passes import lists
from torchscript_dialect.passes.lists import Added, PassLists
from torchscript_dialect.passes.pass_pipeline import Passes, PassPipeline, passes_of


def pipeline(of: PassLists, name: str) -> PassPipeline:
    """The pipeline of that name."""
    if name not in of.made:
        of.made[name] = PassPipeline(of.passes(name))
    return of.made[name]


class Pipelines(Mapping[str, PassPipeline]):
    """Pipelines by name. Those of `ts.pipelines` are in force for all functions; `extended` makes others, to be given to one
    function: `ts.script(f, pipeline=ts.pipelines.extended(MyPattern, before="ts-fuse-tensorexprs"))`.
    """

    def __init__(self, fixed: PassLists | None = None) -> None:
        self._fixed = fixed

    @property
    def lists(self) -> PassLists:
        """The lists of passes."""
        return self._fixed or lists.current()

    def __getitem__(self, name: str) -> PassPipeline:
        return pipeline(self.lists, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lists)

    def __len__(self) -> int:
        return len(self.lists)

    def __str__(self) -> str:
        return "\n".join(f"{name}: {one}" for name, one in self.items())

    __repr__ = __str__

    def extended(
        self,
        passes: Passes,
        *,
        before: str | None = None,
        after: str | None = None,
        pipeline: str | None = None,
    ) -> Pipelines:
        """These pipelines with more passes in one of them; the arguments are those of `add_pass`."""
        added = Added(passes_of(passes))
        return Pipelines(self.lists.with_added(added, before, after, pipeline))

    def reset(self) -> None:
        """Take all out that users have added."""
        lists.set_current(PassLists())


def lists_of(given: Pipelines | Passes | None) -> PassLists | None:
    """The lists of a function with passes of its own: `Pipelines`, or what stands in the place of `runtime-optimizations`."""
    if given is None:
        return None
    if isinstance(given, Pipelines):
        return given.lists
    entries = tuple(passes_of(given))
    return lists.current().with_entries("runtime-optimizations", entries)


pipelines = Pipelines()
"""The pipelines in force."""


class AddedPass:
    """Passes that were added for all functions; as a context manager they are removed at the end."""

    def __init__(self, added: Added) -> None:
        self._added = added

    def remove(self) -> None:
        """Take the passes out again; nothing where they are gone."""
        if any(self._added in entries for entries in lists.current().changed.values()):
            lists.set_current(lists.current().without(self._added))

    def __enter__(self) -> AddedPass:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def add_pass(
    passes: Passes,
    *,
    before: str | None = None,
    after: str | None = None,
    pipeline: str | None = None,
) -> AddedPass:
    """Let all functions be compiled with another pass: before or after one that is named, or at the end of a pipeline, which is
    `runtime-optimizations` where none is named. A pass is what a `PassPipeline` is made of.

    Takes effect at once, until what is returned is told to `remove` it, or for a `with`.

    Raises:
        ValueError: no pipeline has a pass of that name, or several have and `pipeline` does not say which.
        KeyError: there is no such pipeline.
    """
    added = Added(passes_of(passes))
    lists.set_current(lists.current().with_added(added, before, after, pipeline))
    return AddedPass(added)
