"""Random modules that train themselves, with PyTorch and here: what they give, keep, write, and the gradients of all that.

    PYTHONPATH=.:test python -m support.random_training_comparison [COUNT] [FIRST_SEED]

After each of five calls what a side has is the same as with PyTorch in Python, or as with torch.jit: values, shapes, strides and dtypes of
results, arguments, state and gradients, which of them share memory, which are leaves, and whether the call, or `backward` of its results,
is refused. Refusals are not compared further, and none are missed that PyTorch has for freed graphs and views of several results. Strides
are compared of what is no gradient.
"""

from __future__ import annotations

import linecache
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import torch as pytorch

import torchscript_dialect as ts
from support.random_training_steps import text
from torchscript_dialect import torch as stand_in

CALLS = 5
PERMITTED = (
    "does not have a grad_fn",
    "returns multiple views",
    "created in no_grad mode",
    "a second time",
    "more than one Tensor",
    "base is not known",
)
"""Parts of refusals that one side may have: of what requires gradients and is a view made where none were wanted, say."""

SIDES: dict[str, tuple[Any, Callable[[Any], Any] | None]] = {
    "Python": (pytorch, None),
    "torch.jit": (pytorch, pytorch.jit.script),
    "ours": (stand_in, ts.script),
    "ours beside PyTorch": (pytorch, ts.script),
}
ORACLES = ("Python", "torch.jit")


def module_of(source: str, name: str, torch: Any) -> Any:
    """A module of the class, whose source Python finds."""
    made: Any = ModuleType(name)
    made.torch, made.__file__ = torch, f"<{name}>"
    linecache.cache[made.__file__] = len(source), None, source.splitlines(True), made.__file__
    sys.modules[name] = made
    exec(compile(source, made.__file__, "exec", dont_inherit=True), made.__dict__)
    return made.M()


class Side:
    """A module on one side, and the numbers that it is called with."""

    def __init__(self, source: str, seed: int, name: str) -> None:
        self.torch, script = SIDES[name]
        module = module_of(source, f"training_steps_{name.replace(' ', '_')}_{seed}", self.torch)
        self.module = module if script is None else script(module)
        self.numbers = np.random.default_rng(seed)
        self.has_strides = "autograd.grad(" not in source

    def drawn(self, count: int) -> int:
        return int(self.numbers.integers(0, count))

    def operand(self) -> tuple[Any, Any]:
        """A tensor, and the leaf that it comes from."""
        rows = self.torch.tensor(self.numbers.standard_normal((2, 3)).tolist()).double()
        leaf = rows.requires_grad_(bool(self.drawn(2)))
        return (leaf if self.drawn(4) else (leaf * 1).t().contiguous().t()), leaf

    def state(self) -> list[Any]:
        m = self.module
        table = [m.table[key] for key in sorted(m.table)]
        return [m.w, m.b, m.run, m.mem, *m.hist, *table, *([] if m.last is None else [m.last])]

    def call(self) -> dict[str, Any]:
        """What a call gives, and what there is after it."""
        (x, leaf), (z, other) = self.operand(), self.operand()
        n, flag, is_wanted, goes_back = (
            self.drawn(4),
            bool(self.drawn(2)),
            self.drawn(6),
            self.drawn(3),
        )
        weights = self.numbers.standard_normal(8).tolist()
        z = x if self.drawn(8) == 0 else z
        self.module.train(bool(self.drawn(4)))
        found: dict[str, Any] = {}
        try:
            with self.torch.set_grad_enabled(is_wanted > 0):
                results, found["number"] = self.module(x, z, n, flag)
            found["results"] = [told(one, self.has_strides) for one in results]
            found["leaves"] = [one is None or one.is_leaf for one in results]
            found["shared"] = shared([x, z, *results, *self.state()])
            sums = [
                w * (one * one).sum()
                for w, one in zip(weights, results)
                if one is not None and one.requires_grad
            ]
            if goes_back and sums:
                total: Any = sum(sums)
                total.backward()
        except RuntimeError as error:
            found["error"] = str(error)
        m = self.module
        grads = [one.grad for one in (leaf, other, m.w, m.b)]
        found["arguments"] = [told(x), told(z)]
        found["gradients"] = [told(one, False) for one in grads]
        found["state"] = [told(one, self.has_strides) for one in self.state()]
        found["counts"] = [m.count, len(m.hist), sorted(m.table), m.last is None]
        return found


def told(tensor: Any, has_strides: bool = True) -> list[Any]:
    if tensor is None:
        return []
    values = np.array(tensor.detach().tolist()).reshape(tuple(tensor.shape))
    strides = tuple(tensor.stride()) if has_strides else None
    return [tuple(tensor.shape), strides, str(tensor.dtype).rpartition(".")[2], values]


def shared(tensors: Sequence[Any]) -> list[list[int]]:
    """For each tensor those that memory is shared with."""
    ends: list[tuple[int, int]] = []
    for one in tensors:
        if one is None:
            continue
        last = sum((n - 1) * stride for n, stride in zip(one.shape, one.stride()))
        ends.append((one.data_ptr(), one.data_ptr() + 8 * last + 8))
    return [[k for k, (a, b) in enumerate(ends) if a < end and start < b] for start, end in ends]


def differs(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, np.ndarray):
        return not np.allclose(wanted, found, rtol=1e-6, atol=1e-9, equal_nan=True)
    if isinstance(wanted, float) and isinstance(found, float):
        return not np.isclose(wanted, found, rtol=1e-6, equal_nan=True)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) != len(found) or any(map(differs, wanted, found))
    return wanted != found


def difference(wanted: dict[str, Any], found: dict[str, Any]) -> str | None:
    """What sets two calls apart."""
    if "error" in wanted and "error" in found:
        return None
    for key in {**wanted, **found}:
        if differs(wanted.get(key), found.get(key)):
            return f"{key}: {wanted.get(key)}\nhere: {found.get(key)}"
    return None


def is_chaotic(found: dict[str, Any]) -> bool:
    """Whether numbers have become so large that roundings decide."""
    sizes = [np.abs(one[3]).max() for one in found["state"] if one]
    return not max(sizes) < 1e9


def parted(seed: int) -> str | None:
    """What sets a side apart from PyTorch, None if nothing does."""
    source = text(seed)
    sides: dict[str, Side] = {}
    for name in SIDES:
        try:
            sides[name] = Side(source, seed, name)
        except RuntimeError as error:
            if name not in ORACLES:
                return f"{name} refuses\n{source}\n{error}"
            return None
    for number in range(CALLS):
        found = {name: side.call() for name, side in sides.items()}
        first = found["Python"]
        errors = [str(one.get("error", "")) for one in found.values()]
        if is_chaotic(first) or any(part in error for part in PERMITTED for error in errors):
            return None
        oracles = [found[name] for name in ORACLES if name in found]
        for name in set(sides) - set(ORACLES):
            told_apart = [difference(one, found[name]) for one in oracles]
            if None not in told_apart:
                return f"seed {seed}, {name}, call {number}\n{source}\n{told_apart[0]}"
        if any(errors) or difference(first, found["torch.jit"]) is not None:
            return None
    return None


def differences(count: int, first: int) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + count):
            if (found := parted(seed)) is not None:
                yield found


def main() -> None:
    count, first = [*map(int, sys.argv[1:3]), *(500, 0)[len(sys.argv) - 1 :]]
    found = list(differences(count, first))
    print("\n\n".join([*found, f"{count} programs, {len(found)} differences"]))


if __name__ == "__main__":
    main()
