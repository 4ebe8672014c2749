"""Kernels that go along with a program from process to process (Note [Kernels in archives])."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.kernels.kernels import CarriedKernel, bytes_of, carried, key_of
from torchscript_dialect.runtime.native.cache import packed, unpacked

# Note [Kernels in archives]
# The kernels of a program's fusion groups are saved under the keys of the cache on disk, which say what a kernel computes and the
# machine, interpreter and package that it is for: where any of these is another, a kernel is never asked for. They are machine code
# with the rights of whoever runs it, and nothing in them tells who made them, so that they are read only where a caller says so.
# What was read is kept in memory for as long as the program lives, and never put into the cache, where others would find it; it is
# checked as entries of the cache are when it is first wanted.


def kernels_in_use(executors: Iterable[GraphExecutor]) -> dict[str, bytes]:
    """The kernels that plans of executors run, by key, in the form of entries of the cache."""
    found: dict[str, bytes] = {}
    for executor in executors:
        for plan in executor.plans.values():
            for key, data in _entries(plan):
                if key is not None and data is not None:
                    found[key] = packed(key, data)
    return found


def _entries(plan: ExecutionPlan) -> Iterator[tuple[str | None, bytes | None]]:
    """The keys and bytes of a plan's kernels. One that serves calls as they come is that of the only group of the function."""
    lists = plan.executor.lists
    for group in plan.compiled_groups():
        key = key_of(group.body, lists)
        yield key, None if key is None else bytes_of(key)
    groups = [op for op in plan.function.walk() if isinstance(op, prim.TensorExprGroupOp)]
    if plan.kernel is not None and len(groups) == 1:
        yield key_of(groups[0].body, lists), plan.kernel.serialize()


def carry(entries: Mapping[str, bytes]) -> list[CarriedKernel]:
    """Let programs of this process find kernels, as long as what is given back lives.

    Raises:
        ValueError: an entry is damaged, or that of another key; the message is the key.
    """
    made: list[CarriedKernel] = []
    for key, entry in entries.items():
        data = unpacked(key, entry)
        if data is None:
            raise ValueError(key)
        made.append(carried(key, data))
    return made
