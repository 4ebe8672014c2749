"""Arguments for random functions of tensors: sizes, dtypes, strides, shared memory and values, by number.

Calls with the same program, seed and variant get equal arguments in the same layout, each time in memory of their own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from support.random_tensor_expressions import ACCUMULATING, FLOATS, INTEGERS
from support.random_tensor_programs import Parameter, Program

SIZES = (0, 1, 2, 2, 3, 3, 4, 5, 7, 8, 17, 33, 64)
LARGEST = 40_000
"""Elements of an argument."""


@dataclass(frozen=True)
class View:
    """A strided part of a piece of memory; strides and offset count elements."""

    memory: int
    dtype: str
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def extent(self) -> int:
        """Elements of memory up to the last that it reaches."""
        if 0 in self.sizes:
            return self.offset
        return (
            self.offset
            + 1
            + sum((n - 1) * s for n, s in zip(self.sizes, self.strides, strict=True))
        )


def contiguous(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(prod(max(size, 1) for size in sizes[axis + 1 :]) for axis in range(len(sizes)))


@dataclass(frozen=True)
class Arguments:
    """What a call gets: `make` makes it, in fresh memory."""

    seed: int
    views: tuple[View, ...]
    numbers: tuple[int, float, bool]
    special: tuple[float, ...]
    """Unusual numbers, of which some stand among the usual ones."""

    def memory(self) -> dict[int, np.ndarray]:
        """Each piece of memory, filled."""
        sizes: dict[int, tuple[int, str]] = {}
        for view in self.views:
            found, _ = sizes.get(view.memory, (0, ""))
            sizes[view.memory] = (max(found, view.extent), view.dtype)
        rng = np.random.default_rng(self.seed)
        return {key: fill(rng, n, name, self.special) for key, (n, name) in sizes.items()}

    def make(self) -> list[Any]:
        memory = self.memory()
        made: dict[View, np.ndarray] = {}
        for view in self.views:
            flat = memory[view.memory]
            strides = tuple(stride * flat.itemsize for stride in view.strides)
            if view not in made:
                made[view] = np.lib.stride_tricks.as_strided(
                    flat[view.offset :], view.sizes, strides
                )
        return [*(made[view] for view in self.views), *self.numbers]


def numpy_dtype(name: str) -> np.dtype:
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5)
EXTREME = (65504.0, -3e38, 1e300, 1e-40, -1e-310)
"""Numbers whose sums depend on the order of adding, and that some libraries take for zero."""


def fill(rng: np.random.Generator, count: int, name: str, special: Sequence[float]) -> np.ndarray:
    """Numbers of a dtype: small ones, with unusual ones among them if wanted."""
    kind = numpy_dtype(name)
    if name == "bool":
        return rng.random(count) < 0.5
    if name in INTEGERS:
        info = np.iinfo(kind)
        small = rng.integers(max(info.min, -9), 10, count).astype(kind)
        if not special:
            return small
        limits = (info.min, info.max, info.max - 1) if EXTREME[0] in special else (100, 127)
        large = rng.choice(np.array([*limits, 1, 0], kind), count)
        return np.where(rng.random(count) < 0.3, large, small)
    quarters = rng.integers(-12, 13, count) / 4
    numbers = np.where(rng.random(count) < 0.5, quarters, rng.normal(0, 2, count))
    if special:
        numbers = np.where(rng.random(count) < 0.25, rng.choice(special, count), numbers)
    with np.errstate(all="ignore"):
        return numbers.astype(kind)


def variants(program: Program, count: int = 5) -> list[Arguments]:
    """The arguments of a program's calls: the first choice, then others which keep a part of it."""
    return list(_Chooser(program).variants(count))


class _Chooser:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.r = random.Random(f"arguments {program.seed}")
        self.accumulates = "alpha=" in program.text or any(
            f"torch.{name}(" in program.text for name in ACCUMULATING
        )

    def variants(self, count: int) -> Iterator[Arguments]:
        dims, dtypes = self.dims(), self.dtypes()
        layouts = ["contiguous"] * len(dtypes) if self.r.random() < 0.5 else self.layouts()
        for number in range(count):
            change = self.r.choice(("dims", "dims", "dtypes", "layouts", "wild")) if number else ""
            wild = False
            if change == "dims":
                dims = self.dims()
            elif change == "dtypes":
                dtypes = self.dtypes()
            elif change == "layouts":
                layouts = self.layouts()
            elif change == "wild":
                wild = True
            yield self.arguments(dims, dtypes, layouts, wild)

    def dims(self) -> dict[str, int]:
        while True:
            dims = {name: self.r.choice(SIZES) for name in "ABC"} | {"1": 1}
            if self.r.random() < 0.05:
                dims["A"] = 300
            sizes = [self.sizes(p, dims) for p in self.program.parameters]
            if all(prod(shape) <= LARGEST for shape in sizes):
                return dims

    def sizes(self, parameter: Parameter, dims: dict[str, int]) -> tuple[int, ...]:
        return tuple(sum(dims[name] for name in dim) for dim in parameter.shape)

    def dtypes(self) -> list[str]:
        """One float dtype for all, or one each."""
        one = self.r.choice(("float32", "float32", "float64", "float16", "bfloat16", None))
        found: list[str] = []
        for parameter in self.program.parameters:
            if parameter.kind == "f":
                found.append(one or self.r.choice((*FLOATS[:2], *FLOATS)))
            elif parameter.kind == "i":
                found.append(self.r.choice(("int64", "int64", *INTEGERS[:2], *INTEGERS)))
            else:
                found.append("bool")
        return found

    def layouts(self) -> list[str]:
        kinds = "contiguous contiguous permuted stepped expanded offset same shared".split()
        return [self.r.choice(kinds) for _ in self.program.parameters]

    def arguments(
        self, dims: dict[str, int], dtypes: list[str], layouts: list[str], wild: bool
    ) -> Arguments:
        views: list[View] = []
        for place, parameter in enumerate(self.program.parameters):
            sizes = self.sizes(parameter, dims)
            if wild and self.r.random() < 0.4:
                sizes = tuple(self.r.choice((size, 1, size + 1)) for size in sizes)
            view = View(place, dtypes[place], sizes, contiguous(sizes))
            views.append(self.laid_out(view, layouts[place], views))
        numbers = (
            self.r.randint(0, 4),
            self.r.choice((0.5, -1.5, 2.0, 0.0)),
            self.r.random() < 0.5,
        )
        special: tuple[float, ...] = ()
        if self.r.random() < 0.3:
            special = SPECIAL if self.accumulates else (*SPECIAL, *EXTREME)
        return Arguments(self.r.randrange(2**31), tuple(views), numbers, special)

    def laid_out(self, view: View, layout: str, others: list[View]) -> View:
        sizes, rank = view.sizes, len(view.sizes)
        fitting = [other for other in others if other.dtype == view.dtype]
        if layout == "same":
            same = [other for other in fitting if other.sizes == sizes]
            return same[0] if same else view
        if layout == "shared":
            # Dense, so that PyTorch and we notice a write that overlaps.
            dense = [other for other in fitting if other.strides == contiguous(other.sizes)]
            large = [other for other in dense if prod(other.sizes) >= prod(sizes)]
            if not large:
                return view
            other = self.r.choice(large)
            offset = self.r.choice((0, prod(other.sizes) - prod(sizes)))
            return replace(view, memory=other.memory, offset=other.offset + offset)
        if layout == "permuted":
            order = self.r.sample(range(rank), rank)
            strides = contiguous(tuple(sizes[axis] for axis in order))
            return replace(view, strides=tuple(strides[order.index(axis)] for axis in range(rank)))
        if layout == "stepped":
            step = self.r.choice((2, 3))
            return replace(view, strides=tuple(step * s for s in view.strides), offset=1)
        if layout == "expanded" and rank:
            axis = self.r.randrange(rank)
            rest = contiguous((*sizes[:axis], 1, *sizes[axis + 1 :]))
            return replace(view, strides=(*rest[:axis], 0, *rest[axis + 1 :]))
        return replace(view, offset=self.r.choice((0, 3)))
