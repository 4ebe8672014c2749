"""Random pointwise and reduction programs, each run by the interpreter, as a kernel of the CPU and as one of a device.

Pointwise float32 results of both kernels have the same bits; those of reductions, and of the interpreter, which has NumPy's functions,
are close.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import torchscript_dialect as ts
from support.reduced import Find, report
from support.simt.moving import on_cuda
from torchscript_dialect.reducer import SourceText
from torchscript_dialect.tensor.conversion import as_tensor

Array = NDArray[Any]

CALLS = 2
"""Of a program, which is compiled before the first one."""
UNARY = (
    "torch.tanh({})", "torch.sigmoid({})", "torch.exp({} * 0.5)", "torch.log(torch.abs({}) + 1)", "torch.sin({})",
    "torch.cos({})", "torch.sqrt(torch.abs({}))", "torch.erf({})", "torch.relu({})", "torch.floor({} * 3)", "-{}",
    "torch.rsqrt(torch.abs({}) + 1)", "torch.clamp({}, -1.0, 1.0)", "torch.atan({})", "torch.nn.functional.gelu({})",
)  # fmt: skip
BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "torch.maximum({}, {})", "torch.minimum({}, {})", "torch.where({} > 0, {}, s)",
    "{} / (torch.abs({}) + 1)",
)  # fmt: skip
REDUCTIONS = ("sum", "mean", "amax", "amin", "var", "softmax", "all", "layer_norm")


class Program:
    """The program of a seed, which gives one tensor: its text, and whether it reduces."""

    def __init__(self, seed: int) -> None:
        self.r = r = random.Random(seed)
        self.dtype = r.choice(("float32", "float32", "float32", "float64"))
        self.shape = tuple(r.choice((1, 2, 3, 7, 33, 130)) for _ in range(r.randint(1, 3)))
        if np.prod(self.shape) > 20000:
            self.shape = self.shape[:2]
        self.shapes = [self.shape, self._broadcasting(), self._broadcasting()]
        self.layouts = [r.choice(("contiguous", "contiguous", "turned", "stepped")) for _ in "xyz"]
        self.reduces = False
        names = ["x", "y", "z"]
        lines: list[str] = []
        for number in range(r.randint(2, 7)):
            text = self._expression(names, number)
            lines.append(f"    v{number} = {text}\n")
            names.append(f"v{number}")
        kept = " + ".join(names[-2:])
        if r.random() < 0.5:
            kept, self.reduces = self._reduced(f"({kept})"), True
        body = "".join(lines)
        self.text = f"def main(x, y, z, s: float):\n{body}    return {kept}\n"

    def _broadcasting(self) -> tuple[int, ...]:
        shape = self.shape[self.r.choice((0, 0, self.r.randint(0, len(self.shape)))) :]
        return tuple(1 if self.r.random() < 0.2 else size for size in shape)

    def _expression(self, names: list[str], number: int) -> str:
        r = self.r
        if number == 0:
            return r.choice(BINARY[:3]).format("x", r.choice(names))
        one, other = names[-1], r.choice(names)
        if r.random() < 0.5:
            return r.choice(UNARY).format(one)
        return r.choice(BINARY).format(one, other)

    def _reduced(self, x: str) -> str:
        """A reduction of an expression of the full shape, over some of its dimensions."""
        r, rank = self.r, len(self.shape)
        kind = r.choice(REDUCTIONS)
        last = self.shape[-1]
        if kind == "layer_norm" and last > 1:
            return f"torch.layer_norm({x}, [{last}]) * 2"
        if kind == "softmax":
            return f"torch.softmax({x}, {r.randrange(rank)})"
        if kind == "all":
            return f"{x}.sum()"
        dims = sorted(r.sample(range(rank), r.randint(1, rank)))
        keep = r.choice((True, False))
        if kind == "var" and np.prod([self.shape[dim] for dim in dims]) > 1:
            return f"torch.var({x}, {dims}, unbiased=True, keepdim={keep}) + 1"
        kind = "sum" if kind in ("var", "layer_norm") else kind
        return f"torch.{kind}({x}, {dims}, {keep}) * 2"

    def arguments(self) -> Iterator[Array]:
        """The tensors, of several layouts in memory."""
        generator = np.random.default_rng(self.r.randrange(1 << 30))
        for shape, layout in zip(self.shapes, self.layouts, strict=True):
            wide = (*shape[:-1], shape[-1] * 2) if shape else shape
            sizes = {"turned": shape[::-1], "stepped": wide}.get(layout, shape)
            made = np.asarray(generator.standard_normal(sizes)).astype(self.dtype)
            turned = made.T if layout == "turned" else made
            yield turned[..., ::2] if layout == "stepped" and shape else turned


def results(text: str, arguments: Sequence[Array]) -> list[Array]:
    """What the interpreter, the kernel of the CPU and that of the device give."""
    before = ts.set_num_profiled_runs(0)
    try:
        return _results(text, arguments)
    finally:
        ts.set_num_profiled_runs(before)


def _results(text: str, arguments: Sequence[Array]) -> list[Array]:
    found: list[Array] = []
    for fuser, move in (("none", as_tensor), ("llvm", as_tensor), ("llvm", on_cuda)):
        main = ts.CompilationUnit(text)["main"]
        operands = [move(one) for one in arguments]
        with ts.fuser(fuser), warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(CALLS):
                result: Any = main(*operands, 0.25)
        found.append(result.cpu().numpy())
    return found


def is_kernel_of_host(text: str, arguments: Sequence[Array]) -> bool:
    """Whether the host runs a program as a kernel: it does not where sizes of 1 leave open in which order dimensions lie."""
    before = ts.set_num_profiled_runs(0)
    try:
        main = ts.CompilationUnit(text)["main"]
        operands = [as_tensor(one) for one in arguments]
        with ts.fuser("llvm"):
            main(*operands, 0.25)
            return "TensorExprGroup" in str(main.graph_for(*operands, 0.25))
    finally:
        ts.set_num_profiled_runs(before)


def difference(program: Program, find: Find | None = None) -> str | None:
    """How the three ways to run a program differ, with the smallest program that shows it. `find` tells it of a text."""
    find = find or partial(difference_of, program, list(program.arguments()))
    return None if find(program.text) is None else report(SourceText(), program.text, find)


def difference_of(program: Program, arguments: Sequence[Array], text: str) -> str | None:
    """How the three ways to run a text with the arguments of a program differ."""
    interpreted, on_host, there = results(text, arguments)
    if len({(one.shape, one.dtype) for one in (interpreted, on_host, there)}) > 1:
        return "shapes or dtypes differ"
    is_exact = not program.reduces and program.dtype == "float32"
    if is_exact and there.tobytes() != on_host.tobytes() and is_kernel_of_host(text, arguments):
        return "the kernels give other bits"
    single = program.dtype == "float32"
    close = {"rtol": 1e-4 if single else 1e-10, "atol": 1e-5 if single else 1e-11}
    if "layer_norm" in text:  # of a row of equal elements, errors are multiplied by 1 / sqrt(eps)
        close["atol"] *= 10
    for one in (on_host, there):
        if not np.allclose(one, interpreted, **close, equal_nan=True):
            return f"results differ: by {np.nanmax(np.abs(one - interpreted))}"
    return None
