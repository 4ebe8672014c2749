"""Random keys of tensors, `x[key]` and `x[key] = value`, with PyTorch and here: values, sizes, strides and errors, eagerly and in scripts.

    PYTHONPATH=.:test python -m support.random_keys [COUNT] [FIRST_SEED]

Left out: several ellipses, whose dimensions PyTorch counts more than once; assigned lists, which are taken here alone; what is added to
itself; and in scripts masks without dimensions, by themselves, which work here alone, and those of several, which PyTorch counts as one.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in

SIZES = ((2, 3, 4), (4,), (3, 3), (2, 1, 3), (), (1, 4, 1, 3))
ENTRIES = (
    *("0", "-1", "n", ":", ":", "1:", "::2", ":-1", "-2:", ":n", "n:n + 2", "::n + 1", "None", "...", "3", "z", "[0, 1]", "[n, 0]"),
    *("i", "j", "j[0]", "i + 0", "i.to(torch.int32)", "m", "m", "x > 0", "torch.tensor(1)"),
)  # fmt: skip
EAGER = (
    *("b", "b", "True", "False", "m[..., 0]", "torch.tensor(False)", "i.to(torch.int8)", "range(2)", "[]", "()"),
    *("[True, False]", "z.to(torch.uint8)", "numpy.array([1, 0])", "numpy.int64(1)", "slice(z)", "1.0", "::-1", "z.double()"),
)  # fmt: skip
FRESH = ("1", "0.5", "n", "z", "y + 1", "x.sum()", "i", "x.double()[..., :1]")
VALUES = (*FRESH, "y[:1]", "y", "y[0]")
ARGUMENTS = "x: Tensor, i: Tensor, j: Tensor, m: Tensor, z: Tensor, n: int"


def statements(seed: int, *, scripted: bool) -> str:
    """The body of a function: reads or writes `y`, a copy of `x`, by a key."""
    r = random.Random(seed)
    entries = ENTRIES if scripted else ENTRIES + EAGER
    key = ", ".join(r.choice(entries) for _ in range(r.choice((1, 1, 2, 2, 3, 4))))
    key = (
        "...".join(key.split("...", 1)).replace("..., ...", "...") if key.count("...") < 2 else "i"
    )
    if r.random() < 0.6:
        return f"y = x[{key}]"
    write = r.choice(("=", "=", "=", "+=", "*="))
    return f"y = x.clone()\ny[{key}] {write} {r.choice(VALUES if write == '=' else FRESH)}"


def names(library: Any, seed: int) -> dict[str, Any]:
    """What the statements know, of one of the libraries."""
    r = np.random.RandomState(seed % 2**31)
    sizes = SIZES[seed % len(SIZES)]
    dtype = ("float32", "int64", "float64", "bool")[seed // len(SIZES) % 4]
    numbers, mask = r.randint(-9, 9, sizes), r.rand(*sizes[: max(1, r.randint(0, 4))]) > 0.5
    return {
        "torch": library,
        "numpy": np,
        "x": library.tensor(numbers).to(getattr(library, dtype)),
        "i": library.tensor([0, 1]),
        "j": library.tensor([[1, 0], [0, 0]]),
        "m": library.tensor(np.asarray(mask)),
        "b": library.tensor(bool(seed % 2)),
        "z": library.tensor(seed % 3),
        "n": seed % 3,
    }


def _told(tensor: Any) -> tuple[Any, ...]:
    strides = [s for s, n in zip(tensor.stride(), tensor.shape) if n > 1 and tensor.numel()]
    return str(tensor.dtype), tuple(tensor.shape), strides, tensor.detach().tolist()


def _eager(library: Any, text: str, seed: int) -> tuple[Any, ...]:
    scope = names(library, seed)
    try:
        exec(text, scope)
    except Exception as error:
        return type(error).__name__, str(error)
    return _told(scope["y"])


def _compiled(unit: Any, source: str) -> Any:
    try:
        return unit(source).f
    except RuntimeError:
        return None


def _scripted(function: Any, library: Any, seed: int) -> tuple[Any, ...]:
    scope = names(library, seed)
    try:
        if len(scope["m"].shape) > 1:
            scope["m"] = scope["m"].flatten()[: scope["x"].shape[0]]
        return _told(function(*(scope[name] for name in "xijmzn")))
    except Exception as error:
        return type(error).__name__, str(error)


def differences(seed: int) -> Iterator[str]:
    """What sets the statements of a seed apart from PyTorch's."""
    text = statements(seed, scripted=False)
    wanted, found = (_eager(one, text, seed) for one in (torch, stand_in))
    if _differ(wanted, found):
        yield f"seed {seed}: {text}\nPyTorch {wanted}\nours {found}"
    body = statements(seed, scripted=True).replace("\n", "\n    ")
    source = f"def f({ARGUMENTS}) -> Tensor:\n    {body}\n    return y\n"
    theirs, ours = (
        _compiled(unit, source) for unit in (torch.jit.CompilationUnit, ts.CompilationUnit)
    )
    if theirs is None or ours is None:
        if theirs is not ours:
            yield f"seed {seed}: one side alone compiles\n{source}"
        return
    for call in (0, 0, 1, 2, 7, 14, 21):
        if not SIZES[(seed + call) % len(SIZES)]:
            continue
        wanted = _scripted(theirs, torch, seed + call)
        found = _scripted(ours, stand_in, seed + call)
        if _differ(wanted, found):
            yield f"seed {seed}, call of {call}: {source}PyTorch {wanted}\nours {found}"
            return


def _differ(wanted: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    """Whether results differ, or one side alone raises; words may differ."""
    return len(wanted) != len(found) or (len(wanted) == 4 and wanted != found)


def main() -> None:
    count, first = [*map(int, sys.argv[1:3]), *(1000, 0)[len(sys.argv) - 1 :]]
    warnings.simplefilter("ignore")
    found = [one for seed in range(first, first + count) for one in differences(seed)]
    print("\n\n".join([*found, f"{count} keys, {len(found)} differences"]))


if __name__ == "__main__":
    main()
