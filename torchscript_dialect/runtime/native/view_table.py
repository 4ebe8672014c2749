"""Encodes how views are made, as words that the native entry interprets.

Note [View programs]
A specialization that makes views has no kernel. Its arguments bind the sizes and strides of tensors, and numbers, to symbols; the steps
of its program compute further symbols of these, or compare two and give the call to the next specialization where the outcome is
another one than it was made for; its outputs are views of the first argument, whose words are constants or read symbols, or numbers: a
word, or an element of the first argument.

    header:   NUM_STEPS, FIRST_STEP (the symbol of the first step's result), STEPS_AT; MAKES_VIEWS is set
    argument: KIND_VIEWED, rank, descr, descr, first symbol   whether it is contiguous, its sizes, its strides in bytes
    argument: KIND_INTS, length, first symbol                 a list of ints
    step:     operation, word, word, wanted (of a comparison)
    output:   rank, offset in bytes, sizes..., strides in bytes...; of rank SAME it is the first argument itself
    output:   NUMBER, word
    output:   ELEMENT, offset in bytes, place of the dtype in ELEMENTS
"""

from __future__ import annotations

import array
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from torchscript_dialect.backend import Dim, ScalarInput, Sym
from torchscript_dialect.runtime.native import table
from torchscript_dialect.runtime.native.abi import descriptors

SAME, NUMBER, ELEMENT = -1, -2, -3
ELEMENTS = ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")
"""Dtypes of elements that become numbers."""
STEP_WORDS = 4


class Operation(IntEnum):
    """What a step does with two words; those from LESS on are comparisons."""

    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    """Rounds down; the second word is positive."""
    MODULO = 4
    """The rest of that."""
    LESS = 5
    AT_MOST = 6
    EQUAL = 7


class ViewedInput(NamedTuple):
    """A tensor with elements of a dtype and no size of 0."""

    dtype: str
    rank: int


class IntsInput(NamedTuple):
    """A list of so many ints."""

    length: int


ViewInput: TypeAlias = "ViewedInput | IntsInput | ScalarInput | None"
"""An argument; None must be None."""


class Step(NamedTuple):
    """One step; its result is the next symbol."""

    operation: Operation
    first: Dim
    second: Dim
    wanted: bool = False


class View(NamedTuple):
    """A view of the first argument."""

    offset: Dim
    sizes: tuple[Dim, ...]
    strides: tuple[Dim, ...]


class Element(NamedTuple):
    """An element of the first argument as a Python number."""

    offset: Dim
    dtype: str


class Number(NamedTuple):
    """An int."""

    value: Dim


Output: TypeAlias = "View | Element | Number | None"
"""A result; one that is None is the first argument."""


class ViewProgram(NamedTuple):
    """How views of the first argument are made: see the Note."""

    inputs: tuple[ViewInput, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]
    gives_list: bool


def dims_of(output: Output) -> tuple[Dim, ...]:
    """What an output reads."""
    if output is None:
        return ()
    if isinstance(output, View):
        return output.offset, *output.sizes, *output.strides
    return (output.value if isinstance(output, Number) else output.offset,)


def words_of(one: ViewInput) -> int:
    """How many symbols an argument binds."""
    if isinstance(one, ViewedInput):
        return 1 + 2 * one.rank
    if isinstance(one, IntsInput):
        return one.length
    return 0 if one is None else 1


def encode_views(program: ViewProgram) -> array.array[int]:
    """The table of a program.

    ValueError where it is larger than a native call may be.
    """
    arguments: list[int] = []
    bound = 0
    for one in program.inputs:
        if isinstance(one, ViewedInput):
            first, second, _ = descriptors(one.dtype)
            arguments += [table.KIND_VIEWED, one.rank, first, second, bound]
        elif isinstance(one, IntsInput):
            arguments += [table.KIND_INTS, one.length, bound]
        elif one is None:
            arguments += [table.KIND_NONE, 0]
        else:
            arguments += [table.KIND_OF_SCALAR[one.kind], bound]
        bound += words_of(one)
    steps = [
        word
        for step in program.steps
        for word in (step.operation, _word(step.first), _word(step.second), int(step.wanted))
    ]
    outputs: list[int] = []
    for view in program.outputs:
        if view is None:
            outputs.append(SAME)
        elif isinstance(view, Number):
            outputs += [NUMBER, _word(view.value)]
        elif isinstance(view, Element):
            outputs += [ELEMENT, _word(view.offset), ELEMENTS.index(view.dtype)]
        else:
            outputs += [len(view.sizes), *map(_word, dims_of(view))]
    _check_limits(program, bound)
    header = [0] * table.HEADER_WORDS
    header[table.NARGS] = len(program.inputs)
    header[table.MAKES_VIEWS] = 1
    header[table.NUM_STEPS] = len(program.steps)
    header[table.FIRST_STEP] = bound
    header[table.NUM_OUTPUTS] = len(program.outputs)
    header[table.RETURNS_TUPLE] = int(program.gives_list)
    words = array.array("q", [*header, *arguments, *steps, *outputs])
    start = words.buffer_info()[0]
    words[table.STEPS_AT] = start + 8 * (table.HEADER_WORDS + len(arguments))
    words[table.OUTPUTS_AT] = words[table.STEPS_AT] + 8 * len(steps)
    return words


def _word(dim: Dim) -> int:
    tag = table.TAG_COMPARE if isinstance(dim, Sym) else table.TAG_CONSTANT
    return (dim.index if isinstance(dim, Sym) else dim) << 2 | tag


def _check_limits(program: ViewProgram, bound: int) -> None:
    ranks = [one.rank for one in program.inputs if isinstance(one, ViewedInput)]
    made = [len(view.sizes) for view in program.outputs if isinstance(view, View)]
    constants = [
        dim
        for parts in (
            *((step.first, step.second) for step in program.steps),
            *map(dims_of, program.outputs),
        )
        for dim in parts
        if not isinstance(dim, Sym)
    ]
    limits: Sequence[tuple[str, int, int]] = (
        ("symbols", bound + len(program.steps), table.MAX_SYMS),
        ("dimensions", max((*ranks, *made), default=0), table.MAX_RANK),
        ("buffers", len(ranks), table.MAX_BUFFERS),
        ("results", len(program.outputs), table.MAX_BUFFERS),
        ("in a constant", max(map(abs, constants), default=0), 1 << 60),
    )
    for what, number, limit in limits:
        table.check_number(what, number, limit)
    if not program.gives_list and len(program.outputs) != 1:
        raise ValueError(f"{len(program.outputs)} views that are no list")
