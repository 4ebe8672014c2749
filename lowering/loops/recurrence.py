"""Kernels of all steps of a recurrent layer: the steps' products and scalar bodies (Note [Recurrent steps] in
torchscript_dialect/ops/recurrent/recurrent_steps.py) in one loop.

They are made in Note [Kernel loop form] of lowering/kernel.py, as linalg has no form for a loop that carries what it computes. The
range is the batch: each sequence has states of its own. Rows of the input stand in order of time; a buffer `steps` says where those of
each step begin and how many sequences run, step after step, so that direction and packing are matters of its order. The states are
buffers that are written over, as is room for the products of a step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    SymbolRefAttr,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Region, SSAValue

from lowering.cost import FUNCTION, MULTIPLY_ADD, ROW_GRAIN
from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.kernel import SIZES
from lowering.linalg.convert_torch_to_linalg import Kernel
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder
from lowering.loops.code import Code
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX
from lowering.loops.views import filling
from lowering.pipelines import OF_LOOPS
from lowering.shaped import i32_array, i64_array, memref_of
from torchscript_dialect.backend import Dim, Recurrence, Sym, TensorInput, TensorOutput
from torchscript_dialect.ops.recurrent.recurrent_steps import FEW, STEPS, RecurrentSteps
from torchscript_dialect.tensor.dtype import float32, float64

ROWS, WIDTH, HIDDEN, BATCH, COUNT, INPUT, SAVED, WORK = range(8)
"""Words: rows of all steps together; columns of the gates, of a state; sequences; steps; columns of the input, of what is saved; and
picoseconds.
"""
_BOUND = SAVED
_TYPES = {float32: f32, float64: f64}


def recurrence_kernel(which: Recurrence) -> Kernel:
    """The kernel of a recurrence.

    Forward it takes the input (rows, input), the transposed weights of input and state (input, width) and (hidden, width), biases and
    room (batch, width) of both, the steps, and the states (batch, hidden); and gives the hidden states (rows, hidden), and what is
    saved. Where sequences are few, weights are given as they are, and the room of the input's product is for all rows: it comes before
    the first step.

    Backward it takes that, the gradients of the hidden states (rows, hidden), the weights (width, hidden), the steps from the last to
    the first, and the gradients of the last states (batch, hidden), over which it writes those of the first; and gives the gradients
    of the gates (rows, width), which for a GRU are two.
    """
    return (_Back if which.goes_back else _Forward)(which).kernel()


def _shape(*words: int) -> tuple[Dim, ...]:
    return tuple(map(Sym, words))


class _Kernel(ABC):
    """What both directions have in common."""

    def __init__(self, which: Recurrence) -> None:
        self.which = which
        self.of = float32 if which.dtype == "float32" else float64
        self.type: Attribute = _TYPES[self.of]
        self.steps: RecurrentSteps = STEPS[which.mode]
        self.inputs: list[TensorInput] = []
        self.outputs: list[TensorOutput] = []
        self.describe()
        buffers = [
            flat(i64 if one.dtype == "int64" else self.type)
            for one in (*self.inputs, *self.outputs)
        ]
        self.block = Block(arg_types=[*buffers, flat(i64), INDEX, INDEX])
        *self.buffers, self.words, self.begin, self.end = self.block.args
        end = ReturnOp()
        self.block.add_op(end)
        self.code = Code(self.block, end)

    @abstractmethod
    def describe(self) -> None:
        """Set the inputs and outputs."""

    @abstractmethod
    def write(self) -> None:
        """Write the loop."""

    def takes(self, *words: int) -> None:
        self.inputs.append(TensorInput(self.which.dtype, _shape(*words)))

    def takes_steps(self) -> None:
        self.inputs.append(TensorInput("int64", (Sym(COUNT), 2)))

    def gives(self, *words: int) -> None:
        self.outputs.append(TensorOutput(self.which.dtype, _shape(*words)))

    def word(self, number: int) -> SSAValue:
        loaded = self.code.element(self.words, self.code.constant(number))
        return self.code.add(create(arith.IndexCastOp, (loaded,), (INDEX,)))

    def kernel(self) -> Kernel:
        self.width, self.hidden, self.count = map(self.word, (WIDTH, HIDDEN, COUNT))
        self.saved = self.code.times(self.hidden, self.code.constant(self.steps.saved))
        self.write()
        name = "recurrence"
        function = FuncOp(
            name, FunctionType.from_lists(self.block.arg_types, []), Region(self.block)
        )
        entry = EntryOp(
            name,
            words=WORK + 1,
            range=BATCH,
            grain=max(ROW_GRAIN, FEW),
            work=WORK,
            cost=1,
            sizes=SymbolRefAttr(SIZES),
        )
        return Kernel(
            ModuleOp([function, entry, _sizes(self.steps)]),
            tuple(self.inputs),
            tuple(self.outputs),
            _BOUND,
            returns_tuple=len(self.outputs) > 1,
            pipeline=OF_LOOPS,
        )

    @contextmanager
    def each_step(self, steps: SSAValue) -> Generator[tuple[SSAValue, SSAValue]]:
        """A loop over steps; gives where the rows of one begin, and before which sequence those end that are to be done."""
        code = self.code
        with code.loop(code.constant(0), self.count, 1) as step:
            at = code.times(step.variable, code.constant(2))
            first = code.element(steps, at)
            running = code.element(steps, code.plus(at, 1))
            begin = code.add(create(arith.IndexCastOp, (first,), (INDEX,)))
            end = code.add(create(arith.IndexCastOp, (running,), (INDEX,)))
            yield begin, code.larger(code.smaller(end, self.end), self.begin)

    @contextmanager
    def parallel(self, lower: SSAValue, upper: SSAValue) -> Generator[SSAValue]:
        """A loop whose iterations may be run in any order."""
        code = self.code
        block = Block(arg_types=[INDEX])
        code.blocks.append(block)
        yield block.args[0]
        code.blocks.pop()
        block.add_op(scf.ReduceOp.create())
        code.insert(
            scf.ParallelOp.create(
                operands=[lower, upper, code.constant(1)],
                properties={"operandSegmentSizes": i32_array((1, 1, 1, 0))},
                regions=[Region(block)],
            )
        )

    def matrix(
        self,
        base: SSAValue,
        offset: SSAValue,
        rows: SSAValue,
        columns: SSAValue,
        down: SSAValue | int,
        along: SSAValue | int = 1,
    ) -> SSAValue:
        """A matrix whose rows and columns lie so far apart: one of the two is 1."""
        steps = (down, along)
        known = [None if isinstance(step, SSAValue) else step for step in steps]
        type_ = memref_of(self.type, (DYNAMIC_INDEX,) * 2, (known[0], known[1]), None)
        properties = {
            "static_offsets": i64_array((DYNAMIC_INDEX,)),
            "static_sizes": i64_array((DYNAMIC_INDEX,) * 2),
            "static_strides": i64_array(tuple(one or DYNAMIC_INDEX for one in known)),
            "operandSegmentSizes": i32_array((1, 1, 2, 1)),
        }
        dynamic = [step for step in steps if isinstance(step, SSAValue)]
        operands = [base, offset, rows, columns, *dynamic]
        return self.code.add(create(memref.ReinterpretCastOp, operands, [type_], properties))

    def product(self, a: SSAValue, b: SSAValue, c: SSAValue, *, adds: bool) -> None:
        """`c = a @ b`, or that added to what is there."""
        if not adds:
            zero = self.code.add(arith.ConstantOp(FloatAttr(0.0, self.type)))  # pyright: ignore
            self.code.insert(filling(zero, c))
        self.code.insert(linalg.MatmulOp([a, b], [c], res=[]))

    def loaded(self, buffer: SSAValue, row: SSAValue, column: SSAValue, count: int) -> list[Scalar]:
        """The elements of a column of so many neighbouring parts of a row, each as wide as a state."""
        return [
            Scalar(self.code.element(buffer, place), self.of)
            for place in self._places(row, column, count)
        ]

    def stored(
        self, values: Sequence[Scalar], buffer: SSAValue, row: SSAValue, column: SSAValue
    ) -> None:
        for value, place in zip(values, self._places(row, column, len(values)), strict=True):
            self.code.put(value.ssa, buffer, place)

    def _places(self, row: SSAValue, column: SSAValue, count: int) -> list[SSAValue]:
        code = self.code
        starts = [
            code.plus(row, code.times(self.hidden, code.constant(part))) if part else row
            for part in range(count)
        ]
        return [code.plus(start, column) for start in starts]

    def appended(self, math: ScalarBuilder) -> None:
        for op in math.ops:
            self.code.insert(op)


class _Forward(_Kernel):
    def describe(self) -> None:
        few = self.which.few
        weights = [(WIDTH, wide) if few else (wide, WIDTH) for wide in (INPUT, HIDDEN)]
        rooms = ((ROWS if few else BATCH, WIDTH), (BATCH, WIDTH))
        for words in ((ROWS, INPUT), *weights, (WIDTH,), (WIDTH,), *rooms):
            self.takes(*words)
        self.takes_steps()
        for _ in range(self.steps.states):
            self.takes(BATCH, HIDDEN)
        self.gives(ROWS, HIDDEN)
        if self.which.saves:
            self.gives(ROWS, SAVED)

    def write(self) -> None:
        code = self.code
        x, of_input, of_state, *rest = self.buffers
        biases, rooms, steps, rest = rest[:2], rest[2:4], rest[4], rest[5:]
        states, (out, *saved) = rest[: self.steps.states], rest[self.steps.states :]
        width, few, none = self.word(INPUT), self.which.few, code.constant(0)
        if few:
            self.gates_of(x, none, width, of_input, rooms[0], none, self.word(ROWS))
        with self.each_step(steps) as (first, end):
            rows = code.minus(end, self.begin)
            if not few:
                row = code.plus(first, self.begin)
                self.gates_of(x, row, width, of_input, rooms[0], self.begin, rows)
            self.gates_of(states[0], self.begin, self.hidden, of_state, rooms[1], self.begin, rows)
            with self.parallel(self.begin, end) as sequence:
                row = code.plus(first, sequence)
                places = (
                    code.times(row if few else sequence, self.width),
                    code.times(sequence, self.width),
                )
                of_state, of_out = code.times(sequence, self.hidden), code.times(row, self.hidden)
                of_saved = code.times(row, self.saved)
                with self.parallel(code.constant(0), self.hidden) as column:
                    math: Any = ScalarBuilder()
                    before = [self.loaded(one, of_state, column, 1)[0] for one in states]
                    x_gates, h_gates = [
                        self.sums(math, room, at, bias, column)
                        for room, at, bias in zip(rooms, places, biases, strict=True)
                    ]
                    after, kept = self.steps.step(math, x_gates, h_gates, before)
                    self.appended(math)
                    for value, buffer in zip(after, states, strict=True):
                        self.stored([value], buffer, of_state, column)
                    self.stored(after[:1], out, of_out, column)
                    for buffer in saved:
                        self.stored(kept, buffer, of_saved, column)

    def gates_of(
        self,
        buffer: SSAValue,
        row: SSAValue,
        width: SSAValue,
        weights: SSAValue,
        room: SSAValue,
        to: SSAValue,
        rows: SSAValue,
    ) -> None:
        """Multiply so many rows of a buffer, from one on, with weights, to rows of the room from one on."""
        code = self.code
        a = self.matrix(buffer, code.times(row, width), rows, width, width)
        steps = (1, width) if self.which.few else (self.width, 1)
        b = self.matrix(weights, code.constant(0), width, self.width, *steps)
        at = code.times(to, self.width)
        self.product(a, b, self.matrix(room, at, rows, self.width, self.width), adds=False)

    def sums(
        self,
        math: ScalarBuilder,
        room: SSAValue,
        row: SSAValue,
        bias: SSAValue,
        column: SSAValue,
    ) -> list[Scalar]:
        """The gates' parts of a product and its bias."""
        gates = self.steps.gates
        pairs = zip(
            self.loaded(room, row, column, gates),
            self.loaded(bias, self.code.constant(0), column, gates),
            strict=True,
        )
        return [math.add(*pair) for pair in pairs]


class _Back(_Kernel):
    def describe(self) -> None:
        self.takes(ROWS, SAVED)
        self.takes(ROWS, HIDDEN)
        self.takes(WIDTH, HIDDEN)
        self.takes_steps()
        for _ in range(self.steps.states):
            self.takes(BATCH, HIDDEN)
        for _ in range(1 if self.steps.has_one_gradient else 2):
            self.gives(ROWS, WIDTH)

    def write(self) -> None:
        code = self.code
        saved, grads, weights, steps, *rest = self.buffers
        states, outs = rest[: self.steps.states], rest[self.steps.states :]
        with self.each_step(steps) as (first, end):
            with self.parallel(self.begin, end) as sequence:
                row = code.plus(first, sequence)
                of_state, of_grad = code.times(sequence, self.hidden), code.times(row, self.hidden)
                of_saved, of_out = code.times(row, self.saved), code.times(row, self.width)
                with self.parallel(code.constant(0), self.hidden) as column:
                    math: Any = ScalarBuilder()
                    kept = self.loaded(saved, of_saved, column, self.steps.saved)
                    later = [self.loaded(one, of_state, column, 1)[0] for one in states]
                    (own,) = self.loaded(grads, of_grad, column, 1)
                    of_x, of_h, before = self.steps.back(
                        math, kept, [math.add(later[0], own), *later[1:]]
                    )
                    self.appended(math)
                    for values, buffer in zip((of_x, of_h), outs, strict=False):
                        self.stored(values, buffer, of_out, column)
                    for value, buffer in zip(before, states, strict=True):
                        self.stored([value], buffer, of_state, column)
            rows = code.minus(end, self.begin)
            at = code.times(code.plus(first, self.begin), self.width)
            gates = self.matrix(outs[-1], at, rows, self.width, self.width)
            u = self.matrix(weights, code.constant(0), self.width, self.hidden, self.hidden)
            at = code.times(self.begin, self.hidden)
            self.product(
                gates, u, self.matrix(states[0], at, rows, self.hidden, self.hidden), adds=True
            )


def _sizes(steps: RecurrentSteps) -> FuncOp:
    """`@sizes`: the columns of what is saved, and the picoseconds that all steps take."""
    function = FuncOp(SIZES, ([flat(i64)], [i1]))
    block = function.body.block
    true = arith.ConstantOp(IntegerAttr.from_bool(True))
    end = ReturnOp(true.result)
    block.add_ops([true, end])
    code = Code(block, end)

    def word(number: int) -> SSAValue:
        loaded = code.element(block.args[0], code.constant(number))
        return code.add(create(arith.IndexCastOp, (loaded,), (INDEX,)))

    def put(value: SSAValue, number: int) -> None:
        whole = code.add(create(arith.IndexCastOp, (value,), (i64,)))
        code.put(whole, block.args[0], code.constant(number))

    put(code.times(word(HIDDEN), code.constant(steps.saved)), SAVED)
    of_element = code.plus(
        code.times(word(WIDTH), code.constant(MULTIPLY_ADD)), (1 + steps.gates) * FUNCTION
    )
    put(code.times(code.times(word(ROWS), word(HIDDEN)), of_element), WORK)
    return function
