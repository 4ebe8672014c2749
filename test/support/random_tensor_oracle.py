"""PyTorch's side of random functions of tensors: eager, and eager with other roundings. Imports PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import torch

from support.random_tensor_arguments import Arguments
from support.random_tensor_comparison import EPSILON, Outcome, interpreted, outcome
from support.random_tensor_expressions import ACCUMULATING, APPROXIMATE

CHOOSING = ("maximum", "minimum", "clamp", "clamp_min", "relu", "amax", "amin")
"""Functions that may choose either of two zeros."""


class Strict:
    """PyTorch's namespace, where `bmm` asks for one dtype also if there is nothing to multiply."""

    def __getattr__(self, name: str) -> Any:
        return self.bmm if name == "bmm" else getattr(torch, name)

    def bmm(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if x.dtype != y.dtype:
            raise RuntimeError("expected one dtype")
        return torch.bmm(x, y)


STRICT = Strict()


class OtherRoundings:
    """PyTorch's namespace, where what may be rounded differently is."""

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def __getattr__(self, name: str) -> Any:
        function = getattr(STRICT, name)
        if name in CHOOSING:
            return lambda *args, **kwargs: self.either_zero(function(*args, **kwargs))
        if name.removesuffix("_") in CHOOSING:
            return lambda x, *args: x.copy_(self.either_zero(function(x, *args)))
        if name in ACCUMULATING or name in APPROXIMATE:
            return self.rounded(function, name in ACCUMULATING)
        return function

    def rounded(self, function: Callable[..., Any], operands_too: bool) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if operands_too:
                args = tuple(self.off(arg, 16) for arg in args)
            return self.off(function(*args, **kwargs))

        return call

    def either_zero(self, value: Any) -> Any:
        """A float tensor whose zeros have any sign."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        noise = torch.rand(value.shape, generator=self.generator) - 0.5
        return torch.where(value == 0, torch.copysign(value, noise.to(value.dtype)), value)

    def off(self, value: Any, units: int = 1) -> Any:
        """A float tensor, each element off by a few units in the last place, and by one at least: the function may be."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        size = units * EPSILON[str(value.dtype).removeprefix("torch.")]
        noise = torch.rand(value.shape, generator=self.generator, dtype=torch.float64) * 2 - 1
        noise = (noise + torch.sign(noise)) / 2
        return (value.double() * (1 + size * noise)).to(value.dtype)


def in_pytorch(text: str, namespace: Any = STRICT) -> Callable[..., Any]:
    """`main` as Python runs it, operator by operator."""
    scope: dict[str, Any] = {
        "torch": namespace,
        "Tensor": torch.Tensor,
        "Tuple": tuple,
        "List": list,
    }
    exec(compile(text, "<program>", "exec"), scope)
    return scope["main"]


def to_torch(array: np.ndarray) -> torch.Tensor:
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def to_array(value: Any) -> np.ndarray | None:
    if not isinstance(value, torch.Tensor):
        return None
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return value.numpy()


def tensors(arguments: Arguments) -> list[Any]:
    """The arguments as PyTorch's tensors on shared memory, where memory is shared."""
    memory = {key: to_torch(flat) for key, flat in arguments.memory().items()}
    made: dict[Any, torch.Tensor] = {}
    for view in arguments.views:
        if view not in made:
            flat = memory[view.memory]
            made[view] = flat.as_strided(view.sizes, view.strides, view.offset)
    return [*(made[view] for view in arguments.views), *arguments.numbers]


def pytorch(text: str, arguments: Arguments) -> tuple[Outcome, list[Outcome]]:
    """What PyTorch gives operator by operator, and what is as good: other roundings; and where it raises, what its compiler gives, to
    which what raises may be dead code, as it may be to ours where our interpreter raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = outcome(in_pytorch(text), tensors(arguments), to_array)
        others = [
            outcome(in_pytorch(text, OtherRoundings(seed)), tensors(arguments), to_array)
            for seed in range(3)
        ]
        if wanted.error is not None:
            compiled = torch.jit.CompilationUnit(text).main
            others += [outcome(compiled, tensors(arguments), to_array) for _ in range(3)]
            if interpreted(text, arguments)[0].error is not None:
                others.append(Outcome(None, [], []))
    return wanted, others
