"""Kernels, run by the code generator's interpreter: what a group computes is what its kernel computes after every lowering step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.equivalence.inputs import SPECIAL
from torchscript_dialect.equivalence.outcome import array_difference
from torchscript_dialect.ir.edit import terminator
from torchscript_dialect.ir.module import function_of_block, functions_of
from torchscript_dialect.ir.requirements import why_not_torchscript
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.strides import contiguous_strides, memory_order
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types import core
from torchscript_dialect.types.tensor_type import TensorType

SIZES = (2, 3, 1, 0, 5, 17)
TRIALS = 6
OTHER_ROUNDINGS = 6
SLACK = 4
"""How much farther apart than a few other roundings two right ones may be."""

Arrays = list[Any]


def _interpreter() -> Any:
    return import_module("lowering.interpreter.kernels")


def _rounding() -> Any:
    return import_module("lowering.interpreter.rounding")


@dataclass
class Example:
    """Arrays and numbers, and what they give."""

    values: list[Any]
    results: Arrays


@dataclass
class Kernel:
    """A kernel by its name, with where its arguments go, and its examples."""

    name: str
    binding: Any
    examples: list[Example] = field(default_factory=list[Example])


def program_of(module: ModuleOp, *, is_ours: bool) -> Any:
    """A module whose kernels are to be called, in the llvm dialect only where all of it `is_ours`: what machine code does nothing
    bounds, so text from elsewhere must not become any.
    """
    return _interpreter().Program(module, may_compile=is_ours)


def is_torchscript(module: ModuleOp) -> bool:
    """Whether a module holds no op that is below TorchScript: what a pipeline makes of it is then ours."""
    return all(isinstance(op, (TorchScriptOp, ModuleOp, FuncOp, ReturnOp)) for op in module.walk())


def has_kernels(module: ModuleOp) -> bool:
    """Whether there is a kernel in a module, in whichever form."""
    return any(op.name in ("kernel.signature", "kernel.entry") for op in module.ops)


def bodies(module: ModuleOp) -> list[Block]:
    """What becomes a kernel, in order: groups, or where there is none the first function."""
    groups = [op.body for op in module.walk() if isinstance(op, prim.TensorExprGroupOp)]
    functions = [op for op in functions_of(module) if why_not_torchscript(op) is None]
    return groups or [function.body.block for function in functions[:1]]


def from_groups(before: ModuleOp, module: ModuleOp, unverified: dict[str, str]) -> list[Kernel]:
    """The kernels that were made of groups, which say what they should give. Those of loops over numbers give words, and are
    `unverified`.
    """
    found: list[Kernel] = []
    names, given = program_of(module, is_ours=False).names(), bodies(before)
    if any(isinstance(op, prim.LoopOp) for body in given for op in body.walk()):
        unverified |= dict.fromkeys(names, "a loop over numbers has words for results")
        return found
    for name, body in zip(names, given, strict=True):
        binding = _binding(module, name)
        call = interpret(_function(body))
        kernel = Kernel(name, binding)
        for trial in range(TRIALS):
            types = list(body.arg_types)
            values = _Maker(trial).values(types)
            try:
                result: Any = call(*(_runtime_value(v) for v in values))
            except RuntimeError:
                continue  # sizes that do not go together
            results = cast(Any, result) if isinstance(result, tuple) else (result,)
            values = _Maker(trial).values(types)  # anew, where running statistics were written to
            made = [
                _in_memory(one, value.type)
                for one, value in zip(results, terminator(body).operands)
            ]
            kernel.examples.append(Example(values, made))
        found.append(kernel)
    return found


def _in_memory(result: Tensor, type_: Attribute) -> NDArray[Any]:
    """The elements of a result of a type, in the order of memory, in which kernels make it."""
    assert isinstance(type_, TensorType)
    order = memory_order(type_.sizes, type_.strides)
    return result.array if order is None else result.array.transpose(order)


def _runtime_value(value: Any) -> Any:
    return tensor_of(value) if isinstance(value, np.ndarray) else value  # pyright: ignore[reportUnknownArgumentType]


def _function(body: Block) -> FuncOp:
    parent = body.parent_op()
    return parent if isinstance(parent, FuncOp) else function_of_block(body)


def _binding(module: ModuleOp, name: str) -> Any:
    function = next(op for op in functions_of(module) if op.sym_name.data == name)
    return _interpreter().Binding.of(function)


def from_text(module: ModuleOp, unverified: dict[str, str]) -> list[Kernel]:
    """The kernels of a module that is given in input form: the interpreter says what they should give. Those of which it cannot are
    `unverified`.
    """
    found: list[Kernel] = []
    program = program_of(module, is_ours=False)
    for name in program.names():
        functions = [op for op in functions_of(module) if op.sym_name.data == name]
        binding = _interpreter().Binding.of(functions[0]) if functions else None
        if binding is None:
            continue
        kernel = Kernel(name, binding)
        try:
            for trial in range(TRIALS):
                values = _Maker(trial).of_binding(binding)
                if (results := results_of(program, kernel, values)) is not None:
                    kernel.examples.append(Example(values, results))
        except Exception as error:  # text may say anything of a kernel
            unverified[name] = f"{type(error).__name__}: {error}"
            continue
        found.append(kernel)
    return found


def results_of(
    program: Any, kernel: Kernel, values: Sequence[Any], rounding: Any = None
) -> Arrays | None:
    """What a kernel gives; None where it does not take these sizes, or computes what MLIR or PyTorch leaves open."""
    interpreter = _interpreter()
    try:
        return program.call(kernel.name, kernel.binding, values, rounding)
    except (interpreter.Unfit, interpreter.Undefined):
        return None


def difference(
    before: Any, after: Any, kernel: Kernel, example: Example, kinds: frozenset[str]
) -> str | None:
    """What a pass changed for an example, None if nothing; then the example has the new results. `before` and `after` are programs,
    and `kinds` says what the pass may round otherwise. An example of which MLIR or PyTorch leaves open what comes out is dropped.

    Raises:
        NotInterpretable: there is an op that is not known here.
        OutOfBounds: the kernel accesses memory that there is not.
    """
    results = results_of(after, kernel, example.values)
    if results is None:
        kernel.examples = [one for one in kernel.examples if one is not example]
        return None
    for place, (old, new) in enumerate(zip(example.results, results, strict=True)):
        new = results[place] = new.view(old.dtype)
        found = array_difference(_dense(old), _dense(new))
        if found is None:
            continue
        if old.shape != new.shape or not (
            kinds and _allowed(before, after, kernel, example, place, new, kinds)
        ):
            return f"result {place} {found}: it was\n{old}\nand is\n{new}"
    example.results = results
    return None


def _dense(array: Any) -> Any:
    return np.ascontiguousarray(array).reshape(array.shape)


def _allowed(
    before: Any,
    after: Any,
    kernel: Kernel,
    example: Example,
    place: int,
    new: Any,
    kinds: frozenset[str],
) -> bool:
    """Whether other roundings explain a difference: Note [Stochastic rounding] in lowering/interpreter/rounding.py."""
    source = before if kernel.name in before.names() else after
    exact = results_of(source, kernel, example.values)
    if exact is None:
        return True
    wide, spread = _wide(exact[place]), 0.0
    with np.errstate(all="ignore"):
        for seed in range(OTHER_ROUNDINGS):
            rounding = _rounding().Rounding(kinds, seed)
            moved = results_of(source, kernel, example.values, rounding)
            if moved is None:
                return True
            other = _wide(moved[place])
            apart = np.abs(other - wide)
            same = (other == wide) | (np.isnan(other) & np.isnan(wide))
            spread = np.maximum(
                spread, np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
            )
        old = _wide(example.results[place])
        distance = np.abs(_wide(new) - old)
    equal = (_wide(new) == old) | (np.isnan(old) & np.isnan(_wide(new)))
    return bool(np.all(equal | (distance <= SLACK * spread) | np.isinf(spread)))


def _wide(array: Any) -> Any:
    """In the widest dtype, and the parts of complex numbers apart."""
    given: Any = np.asarray(array)
    parts = [given.real, given.imag] if given.dtype.kind == "c" else [given]
    return np.stack(parts).astype(np.longdouble)


class _Maker:
    """Arguments of a kernel; equal sizes stay equal."""

    def __init__(self, trial: int) -> None:
        self.trial = trial
        self.r = random.Random(trial)
        self.rng = np.random.default_rng(trial)

    def values(self, types: Sequence[Any]) -> list[Any]:
        """Of a group: the first with the sizes of its types, the others with other sizes in the same order in memory."""
        sizes: dict[int, int] = {}
        found: list[Any] = []
        for type_ in types:
            if not isinstance(type_, TensorType):
                found.append(self.number(type_ == core.INT, type_ == core.BOOL))
                continue
            assert type_.dtype is not None and type_.sizes is not None
            shape = [self.other_size(size or 0, sizes) for size in type_.sizes]
            of = from_name(type_.dtype).numpy_dtype
            found.append(self.array(of, shape, self.strides(type_, shape)))
        return found

    def other_size(self, size: int, chosen: dict[int, int]) -> int:
        if self.trial == 0 or size == 1:
            return size
        return chosen.setdefault(size, self.r.choice(SIZES))

    def strides(self, type_: TensorType, shape: Sequence[int]) -> list[int]:
        """Contiguous or dense in the order of the type's strides, as the type is; what is expanded stays so."""
        known = [one or 0 for one in type_.strides or ()]
        if self.trial == 0 and type_.strides is not None:
            return known
        sizes = [size or 0 for size in type_.sizes or ()]
        dense = zip(sizes, known, contiguous_strides(sizes), strict=True)
        if 0 in sizes or all(size == 1 or a == b for size, a, b in dense):
            return list(contiguous_strides(shape))
        made = [0] * len(shape)
        step = 1
        order = sorted(range(len(shape)), key=lambda axis: (known[axis], -axis))
        for axis in order:
            if known[axis]:
                made[axis] = step
                step *= max(shape[axis], 1)
        steps = [one for one in known if one]
        has_gap = min(steps, default=1) > 1 and sorted(steps) == steps[::-1]
        return [2 * stride for stride in made] if has_gap else made

    def of_binding(self, binding: Any) -> list[Any]:
        """Of a kernel in input form."""
        numpy_type = import_module("lowering.interpreter.scalars").numpy_type
        words: dict[int, int] = {}
        found: list[Any] = []
        for parameter in binding.takes:
            of = numpy_type(parameter.type)
            if parameter.dims is None:
                found.append(self.number(of.kind == "i", of.kind == "b"))
                continue
            shape = [
                words.setdefault(dim, self.r.choice(SIZES)) if dim >= 0 else static
                for dim, static in zip(parameter.dims, parameter.type.get_shape(), strict=True)
            ]
            strides = [int(np.prod(shape[axis + 1 :], dtype=int)) for axis in range(len(shape))]
            if parameter.strides is not None:
                strides = self.strides_of(parameter.strides, shape)
            found.append(self.array(of, shape, strides))
        return found

    def strides_of(self, marks: Sequence[int], shape: Sequence[int]) -> list[int]:
        """Larger ones first, where words say them; 0 and 1 where the kernel knows them."""
        made, step = [0] * len(shape), 1
        for axis in reversed(range(len(shape))):
            if marks[axis] >= -1:
                made[axis] = 1 if marks[axis] == -1 else step
                step *= max(shape[axis], 1)
        return made

    def number(self, is_int: bool, is_bool: bool) -> Any:
        if is_bool:
            return self.r.random() < 0.5
        return self.r.choice((2, 0, -3, 1)) if is_int else self.r.randint(-8, 8) / 4

    def array(self, of: np.dtype[Any], shape: Sequence[int], strides: Sequence[int]) -> Any:
        reach = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        count = 0 if 0 in shape else reach + 1
        if of.kind == "c":
            flat: Any = np.empty(count, of)
            part = flat.real.dtype
            flat.real, flat.imag = (self.array(part, (count,), (1,)) for _ in range(2))
            return as_strided(flat, tuple(shape), [stride * of.itemsize for stride in strides])
        if of.kind in "biu":
            whole = self.rng.integers(0 if of.kind == "u" else -6, 7, count)
            flat = (whole > 1 if of.kind == "b" else whole).astype(of)
        else:
            numbers: Any = self.rng.integers(-12, 13, count) / 4
            if self.trial > 2:
                numbers = numbers + self.rng.normal(0, 1, count)
            if self.trial > 3:
                special = self.rng.choice(np.array(SPECIAL), count)
                numbers = np.where(self.rng.random(count) < 0.2, special, numbers)
            with np.errstate(all="ignore"):
                flat = numbers.astype(of)
        return as_strided(flat, tuple(shape), [stride * of.itemsize for stride in strides])
