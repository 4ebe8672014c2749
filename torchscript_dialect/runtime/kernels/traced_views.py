"""View programs from the kernels of views.

Note [Traced views]
A kernel that only looks at sizes and strides is run once on a tensor whose sizes and strides are `TracedInt`s, beside numbers that are
such ints, too. What it computes becomes the steps of a program (Note [View programs] in native/view_table.py); what it asks of an int,
whether that is less than another or which number it is, becomes a comparison that must come out as it did now. So the program does what
the kernel does for all operands for which the kernel goes the same way, and what a view is stands in the kernel alone. It may give such
an int, or an element as it is, which become Python's numbers. One that does anything else to the array (copies it, computes with an
element) has no program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from torchscript_dialect.backend import Dim, ScalarInput, Sym
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.runtime.native.view_table import (
    ELEMENTS,
    Element,
    IntsInput,
    Number,
    Operation,
    Output,
    Step,
    View,
    ViewedInput,
    ViewInput,
    ViewProgram,
    dims_of,
    words_of,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Int: TypeAlias = "TracedInt | int"
LARGEST = 1 << 60
"""Numbers are smaller: nothing of a kind is larger, but what stands for the end of a slice."""


class Untraceable(Exception):
    """The kernel does more than to look at sizes and strides, or its operands are of no kind that programs take."""


class Trace:
    """The steps of a program, as they are found."""

    def __init__(self) -> None:
        self.inputs: list[ViewInput] = []
        self.steps: list[Step] = []
        self.known: dict[tuple[Operation, Dim, Dim], TracedInt] = {}
        self.bound = 0

    def operand(self, value: Any) -> Any:
        """What the kernel gets in the place of an operand."""
        class_ = value.__class__
        if class_ is Tensor:
            return self.tensor(value)
        if class_ is int:
            (symbol,) = self.bind(ScalarInput("int", Sym(self.bound)))
            return TracedInt(self, symbol, value)
        if class_ is bool or value is None:
            self.bind(None if value is None else ScalarInput("bool", Sym(self.bound)))
            return value
        if class_ is list and all(one.__class__ is int for one in value):
            symbols = self.bind(IntsInput(len(value)))
            return [TracedInt(self, *one) for one in zip(symbols, value, strict=True)]
        raise Untraceable

    def bind(self, one: ViewInput) -> list[Sym]:
        self.inputs.append(one)
        first, self.bound = self.bound, self.bound + words_of(one)
        return [Sym(index) for index in range(first, self.bound)]

    def tensor(self, tensor: Tensor) -> Tensor:
        array = tensor.array
        if array.dtype.metadata is not None or not array.size:
            raise Untraceable
        contiguous, *symbols = self.bind(ViewedInput(tensor.dtype.name, array.ndim))
        values = (*array.shape, *array.strides)
        ints = [TracedInt(self, *one) for one in zip(symbols, values, strict=True)]
        for size in ints[: array.ndim]:
            size.is_positive = True
        flag = TracedInt(self, contiguous, int(array.flags.c_contiguous))
        shape, strides = tuple(ints[: array.ndim]), tuple(ints[array.ndim :])
        traced: Any = TracedArray(self, array.dtype, shape, strides, 0, flag, len(self.inputs) == 1)
        return tensor_of(traced)

    def step(self, operation: Operation, first: Int, second: Int, value: int) -> Int:
        """The result of a step whose value is known for the operands that there are."""
        first, second = _plain(first), _plain(second)
        if not isinstance(first, TracedInt) and not isinstance(second, TracedInt):
            return value
        if abs(value) >= LARGEST:
            raise Untraceable
        key = (operation, _dim(first), _dim(second))
        found = self.known.get(key)
        if found is None:
            wanted = operation >= Operation.LESS and bool(value)
            symbol = Sym(_FIRST_STEP + len(self.steps))
            self.steps.append(Step(*key, wanted))
            found = self.known[key] = TracedInt(self, symbol, value)
        return found

    def compare(self, operation: Operation, first: Int, second: Int, value: bool) -> bool:
        """The outcome of a comparison, on which the program depends from now on."""
        self.step(operation, first, second, int(value))
        return value


_FIRST_STEP = 1 << 20
"""Symbols of steps while it is not known how many come before."""


class TracedInt:
    """An int that the operands decide: a symbol, and its value for those that there are."""

    __slots__ = ("is_positive", "symbol", "trace", "value")

    def __init__(self, trace: Trace, symbol: Sym, value: int) -> None:
        self.trace = trace
        self.symbol: Dim = symbol
        self.value = value
        self.is_positive = False

    def __index__(self) -> int:
        if isinstance(self.symbol, Sym):
            self.trace.compare(Operation.EQUAL, self, self.value, True)
            self.symbol = self.value
        return self.value

    __int__ = __index__

    def __hash__(self) -> int:
        raise Untraceable  # a cache would keep it, and give it to others

    def __bool__(self) -> bool:
        return self != 0

    def __repr__(self) -> str:
        return f"{self.symbol}={self.value}"

    def __add__(self, other: Any) -> Any:
        if other.__class__ is int and not other:
            return self
        return self.trace.step(Operation.ADD, self, other, self.value + _value(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.trace.step(Operation.SUBTRACT, self, other, self.value - _value(other))

    def __rsub__(self, other: Any) -> Any:
        return self.trace.step(Operation.SUBTRACT, other, self, _value(other) - self.value)

    def __neg__(self) -> Any:
        return 0 - self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (tuple, list)):
            return NotImplemented  # a sequence is repeated
        value = self.value * _value(other)
        other = _plain(other)
        if other.__class__ is int and 0 <= other <= 1:
            return self if other else 0
        result = self.trace.step(Operation.MULTIPLY, self, other, value)
        if _is_positive(self) and _is_positive(other) and isinstance(result, TracedInt):
            result.is_positive = True
        return result

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _divided(Operation.DIVIDE, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divided(Operation.DIVIDE, other, self)

    def __mod__(self, other: Any) -> Any:
        return _divided(Operation.MODULO, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _divided(Operation.MODULO, other, self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, TracedInt)):
            return NotImplemented
        if self.is_positive and not isinstance(other, TracedInt) and other <= 0:
            return False
        return self.trace.compare(Operation.EQUAL, self, other, self.value == _value(other))

    def __lt__(self, other: Any) -> bool:
        return _less(Operation.LESS, self, other, self.value < _value(other))

    def __le__(self, other: Any) -> bool:
        return _less(Operation.AT_MOST, self, other, self.value <= _value(other))

    def __gt__(self, other: Any) -> bool:
        return _less(Operation.LESS, other, self, self.value > _value(other))

    def __ge__(self, other: Any) -> bool:
        return _less(Operation.AT_MOST, other, self, self.value >= _value(other))


def _plain(value: Any) -> Int:
    """An int that is known not to depend on the operands as that."""
    if isinstance(value, TracedInt):
        return value if isinstance(value.symbol, Sym) else value.value
    return value


def _dim(value: Any) -> Dim:
    return value.symbol if isinstance(value, TracedInt) else int(value)


def _value(value: Any) -> int:
    if isinstance(value, TracedInt):
        return value.value
    if value.__class__ is int or value.__class__ is bool:
        return int(value)
    raise Untraceable


def _is_positive(value: Any) -> bool:
    return value.is_positive if isinstance(value, TracedInt) else value > 0


def _trace_of(first: Any, second: Any) -> Trace:
    return first.trace if isinstance(first, TracedInt) else second.trace


def _less(operation: Operation, first: Any, second: Any, value: bool) -> bool:
    """A comparison; one of what is positive with what is not needs no step, nor one with the first or last int of 64 bits."""
    bounds = [one for one in (first, second) if one.__class__ is int]
    if operation is Operation.AT_MOST and bounds in ([-(2**63)], [2**63 - 1]):
        return value
    if first.__class__ is not int and first.is_positive and second.__class__ is int and second <= 0:
        return False
    if first.__class__ is int and first <= 0 and second.is_positive:
        return True
    if value and first.__class__ is int and first >= 0 and operation is Operation.LESS:
        second.is_positive = True
    return _trace_of(first, second).compare(operation, first, second, value)


def _divided(operation: Operation, first: Any, second: Any) -> Any:
    if _value(second) <= 0:
        raise Untraceable
    quotient, rest = divmod(_value(first), _value(second))
    value = quotient if operation is Operation.DIVIDE else rest
    return _trace_of(first, second).step(operation, first, second, value)


class TracedArray:
    """Stands for the array of a tensor in kernels of views: its methods are those of NumPy's that such kernels use."""

    __slots__ = ("_contiguous", "dtype", "is_first", "offset", "shape", "strides", "trace")

    def __init__(
        self,
        trace: Trace,
        dtype: np.dtype[Any],
        shape: Sequence[Int],
        strides: Sequence[Int],
        offset: Int,
        contiguous: TracedInt | None,
        is_first: bool,
    ) -> None:
        self.trace = trace
        self.dtype = dtype
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.offset = offset
        self._contiguous = contiguous
        self.is_first = is_first
        """Whether it is a view of the first operand."""

    def restrided(
        self, shape: Sequence[Int], strides: Sequence[Int], offset: Int = 0
    ) -> TracedArray:
        """The view from an offset in bytes with this shape and these strides in bytes."""
        offset = self.offset + offset
        return TracedArray(self.trace, self.dtype, shape, strides, offset, None, self.is_first)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise Untraceable

    def __len__(self) -> int:
        return int(self.shape[0])

    def __iter__(self) -> Iterator[TracedArray]:
        return (self[place, ...] for place in range(len(self)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def size(self) -> Any:
        return prod(cast("Any", self.shape))

    @property
    def flags(self) -> TracedArray:
        return self

    @property
    def c_contiguous(self) -> bool:
        if self._contiguous is not None:
            return bool(self._contiguous)
        step: Int = self.itemsize
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size != 1 and stride != step:
                return False
            step = step * size
        return True

    def item(self) -> TracedElement:
        """The only element; ValueError where there are others."""
        if self.size != 1:
            raise ValueError("several elements")
        return TracedElement(self)

    @property
    def T(self) -> TracedArray:
        return self.restrided(self.shape[::-1], self.strides[::-1])

    def transpose(self, order: Sequence[Int]) -> TracedArray:
        places = [int(place) for place in order]
        return self.restrided(
            [self.shape[one] for one in places], [self.strides[one] for one in places]
        )

    def swapaxes(self, first: Int, second: Int) -> TracedArray:
        order = list(range(self.ndim))
        a, b = int(first), int(second)
        order[a], order[b] = order[b], order[a]
        return self.transpose(order)

    def squeeze(self, axes: Sequence[int]) -> TracedArray:
        kept = [dim for dim in range(self.ndim) if dim not in axes]
        return self.transpose(kept)

    def reshape(self, shape: Sequence[Int]) -> TracedArray:
        if tuple(shape) == self.shape:
            return self.restrided(self.shape, self.strides)
        if not self.c_contiguous:
            raise Untraceable
        strides: list[Int] = []
        step: Int = self.itemsize
        for size in reversed(shape):
            strides.insert(0, step)
            step = step * size
        return self.restrided(shape, strides)

    def __getitem__(self, key: Any) -> TracedArray:
        entries = list(cast("Sequence[Any]", key)) if isinstance(key, tuple) else [key]
        shape: list[Int] = []
        strides: list[Int] = []
        offset: Int = 0
        dim = 0
        for place, entry in enumerate(entries):
            if isinstance(entry, EllipsisType):
                if place != len(entries) - 1:
                    raise Untraceable
                break
            size, stride = self.shape[dim], self.strides[dim]
            dim += 1
            if isinstance(entry, slice):
                start, count, step = _span(cast("slice[Any, Any, Any]", entry), size)
                offset = offset + start * stride
                shape.append(count)
                strides.append(stride * step)
            elif isinstance(entry, (int, TracedInt)):
                offset = offset + (entry + size if entry < 0 else entry) * stride
            else:
                raise Untraceable
        return self.restrided([*shape, *self.shape[dim:]], [*strides, *self.strides[dim:]], offset)


class TracedElement(NamedTuple):
    """The first element of an array."""

    of: TracedArray


def _span(part: slice[Any, Any, Any], size: Int) -> tuple[Int, Int, Int]:
    """Where a slice of so many elements begins, how many it has, and its step."""
    step = 1 if part.step is None else part.step
    start = 0 if part.start is None else _bound(part.start, size)
    stop = size if part.stop is None else _bound(part.stop, size)
    if step <= 0 or stop <= start:
        raise Untraceable
    length = stop - start
    if isinstance(length, TracedInt):
        length.is_positive = True
    return start, length if step == 1 else (length + step - 1) // step, step


def _bound(place: Int, size: Int) -> Int:
    """What `slice.indices` makes of a place."""
    if place < 0:
        place = place + size
        return 0 if place < 0 else place
    return size if place > size else place


def traced(kernel: Kernel, operands: Sequence[Any]) -> ViewProgram:
    """The program of a kernel for operands of these kinds.

    Raises:
        Untraceable: it has none.
        Exception: what the kernel raises where it does not take such operands, or does anything else to arrays.
    """
    if not operands or operands[0].__class__ is not Tensor:
        raise Untraceable
    trace = Trace()
    given = [trace.operand(one) for one in operands]
    result = kernel(*given)
    gives_list = isinstance(result, list)
    results = cast("list[Any]", result) if isinstance(result, list) else [result]
    outputs = [None if one is given[0] else _output(one) for one in results]
    return _Renumbered(trace).program(outputs, gives_list)


def _output(result: Any) -> View | Element | Number:
    if isinstance(result, TracedInt) or result.__class__ is int:
        return Number(_dim(result))
    if not isinstance(result, TracedElement):
        return _view(result)
    element = dtypes.of_array(np.empty(0, result.of.dtype)).name
    if not result.of.is_first or element not in ELEMENTS:
        raise Untraceable
    return Element(_dim(result.of.offset), element)


def _view(result: Any) -> View:
    array: Any = result.array if isinstance(result, Tensor) else None
    if not isinstance(array, TracedArray) or not array.is_first:
        raise Untraceable
    if not all(size > 0 for size in array.shape):
        raise Untraceable
    return View(_dim(array.offset), tuple(map(_dim, array.shape)), tuple(map(_dim, array.strides)))


class _Renumbered:
    """The steps of a trace on which something depends, with the symbols that they have in the program."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.places: dict[int, int] = {}

    def program(self, outputs: Sequence[Output], gives_list: bool) -> ViewProgram:
        steps = self.trace.steps
        used: set[int] = set()
        pending = [dim for output in outputs for dim in dims_of(output)]
        for step in steps:
            if step.operation >= Operation.LESS:
                pending += [step.first, step.second]
        while pending:
            dim = pending.pop()
            if isinstance(dim, Sym) and dim.index >= _FIRST_STEP and dim.index not in used:
                used.add(dim.index)
                step = steps[dim.index - _FIRST_STEP]
                pending += [step.first, step.second]
        kept: list[Step] = []
        for index, step in enumerate(steps, _FIRST_STEP):
            if step.operation >= Operation.LESS or index in used:
                self.places[index] = self.trace.bound + len(kept)
                kept.append(step._replace(first=self.dim(step.first), second=self.dim(step.second)))
        made = tuple(map(self.output, outputs))
        return ViewProgram(tuple(self.trace.inputs), tuple(kept), made, gives_list)

    def output(self, output: Output) -> Output:
        if output is None:
            return None
        if isinstance(output, Number):
            return Number(self.dim(output.value))
        offset = self.dim(output.offset)
        if isinstance(output, Element):
            return output._replace(offset=offset)
        return View(
            offset, tuple(map(self.dim, output.sizes)), tuple(map(self.dim, output.strides))
        )

    def dim(self, dim: Dim) -> Dim:
        return (
            Sym(self.places[dim.index])
            if isinstance(dim, Sym) and dim.index >= _FIRST_STEP
            else dim
        )
