"""Our side of the corpus: what sets a program of ours apart from PyTorch's record of it."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import torchscript_dialect as ts
from support import corpus
from support.canonical import canonical, without_mangling
from torchscript_dialect.tensor.conversion import as_tensor

CALLS = 5
"""Calls of the executor: the later ones find what the first have made, specialized and native code."""


def to_argument(array: np.ndarray, memo: dict[int, Any]) -> Any:
    return memo.setdefault(id(array), as_tensor(array))


def to_numpy(value: Any) -> np.ndarray | None:
    return value.detach().numpy() if isinstance(value, ts.Tensor) else None


def texts_of(program: corpus.Program, method: Any) -> corpus.Record:
    file = f"{program.area}.py"
    return {
        "graph": canonical(str(method.graph), file),
        "inlined": canonical(str(method.inlined_graph), file, any_order_of_constants=True),
        "code": without_mangling(method.code),
        "schema": without_mangling(str(method.schema)),
    }


def differences(program: corpus.Program, expected: corpus.Record) -> Iterator[str]:
    """All that sets a program apart from its record."""
    scripted = ts.script(program.make())
    is_module = isinstance(scripted, ts.ScriptModule)
    for name, texts in expected["texts"].items():
        ours = texts_of(program, vars(scripted)[name] if is_module else scripted)
        for what, theirs in texts.items():
            if ours[what] != theirs:
                yield f"{what} of {name} is\n{ours[what]}\nshould be\n{theirs}"
    ways = ((False, ["not optimized"]), (True, [f"optimized, call {n + 1}" for n in range(CALLS)]))
    calls = enumerate(zip(program.cases, expected["calls"], strict=True))
    for (number, (one, theirs)), (optimized, names) in product(calls, ways):
        with ts.optimized_execution(optimized):
            for how in names:
                callee = scripted
                if is_module:
                    callee = getattr(ts.script(program.make()), one.method)
                ours = corpus.call(callee, one, to_argument, to_numpy)
                if found := corpus.call_difference(ours, theirs):
                    yield f"case {number}, {how}: {found}"
