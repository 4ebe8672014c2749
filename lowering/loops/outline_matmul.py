"""Outlines matrix products: each becomes a call of a private function that holds the product alone.

Before: Note [Kernel loop form], in which `linalg.matmul` on `memref.reinterpret_cast`s may follow a `linalg.fill` of its result with
zero. After: both stand in a function whose name says all that they are, and whose arguments say the rest: the buffer of each matrix,
where in it the matrix begins, the steps between its rows or columns, and the sizes.

    func.call @matmul_f32_ntn(%a, %at, %step, %b, ..., %m, %k, %n)

`n` is a matrix whose elements of a row are neighbours, `t` one of whose columns that holds, `s` one of any strides, in the order a, b,
c; `row` stands for a product of one row, and `added` for one that is added to what is there. Those whose right factor is gathered are
`im2col_matmul_f32` and the like. So kernels share these functions, and each is compiled once: Note [Routines] in lowering/routines.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel_product import DIGITS, Digits, Im2colMatmulOp
from lowering.dialects.linalg_ext import matmul_of
from lowering.kernel import LoweringError
from lowering.kernel_functions import loop_functions
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.product import (
    Number,
    constant_value,
    erase_unused,
    placed,
    zero_fill_before,
)
from lowering.loops.views import filling
from lowering.shaped import element_type, i32_array, i64_array, memref_of
from torchscript_dialect.ir.module import is_private

LAYOUTS = {"n": (None, 1), "t": (1, None), "s": (None, None)}
"""The strides that are known."""
PREFERRED = ("nts", "tns", "nts")
"""Of a, b and c: which layout a matrix gets that is a row or a column, and has two."""


@dataclass(frozen=True)
class OutlineMatmulPass(ModulePass):
    """See the module's docstring."""

    name = "ts-outline-matmul"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = loop_functions(op, self.name)
        made = {one.sym_name.data: one for one in functions if is_private(one)}
        for func in functions:
            if is_private(func):
                continue
            for inner in list(func.walk()):
                if isinstance(inner, linalg.MatmulOp):
                    if isinstance(element_type(inner.outputs[0].type), IntegerType):
                        raise LoweringError("products of integers are for devices")
                    outline(op, inner, made)
                if isinstance(inner, Im2colMatmulOp):
                    outline_im2col(op, inner, made)


@dataclass(frozen=True)
class Routine:
    """What is known of a product before its sizes are."""

    factor: Attribute
    element: Attribute
    layouts: tuple[str, str, str]
    has_one_row: bool
    accumulates: bool

    @property
    def name(self) -> str:
        """`matmul_f32_ntn`, or the like; `matmul_bf16_f32_ntn` of factors that are widened."""
        words = ["matmul", *dict.fromkeys(map(str, (self.factor, self.element)))]
        words.append("".join(self.layouts))
        words += ["row"] * self.has_one_row + ["added"] * self.accumulates
        return "_".join(words)

    def function(self) -> FuncOp:
        """The function of that name."""
        sizes = 2 if self.has_one_row else 3
        types: list[Attribute] = []
        elements = (self.factor, self.factor, self.element)
        for element, layout in zip(elements, self.layouts, strict=True):
            types += [flat(element), INDEX, *[INDEX] * LAYOUTS[layout].count(None)]
        block = Block(arg_types=[*types, *[INDEX] * sizes])
        *places, k, n = block.args
        m = None if self.has_one_row else places.pop()
        rest = iter(places)
        casts = [
            _cast(rest, shape, LAYOUTS[layout])
            for shape, layout in zip(((m, k), (k, n), (m, n)), self.layouts, strict=True)
        ]
        *_, c = values = [cast.results[0] for cast in casts]
        block.add_ops(casts)
        if not self.accumulates:
            zero = arith.ConstantOp(FloatAttr(0.0, self.element))  # pyright: ignore
            block.add_ops([zero, filling(zero.result, c)])
        block.add_ops([matmul_of(values[0], c)(values[:2], [c], res=[]), ReturnOp.create()])
        return FuncOp(self.name, (block.arg_types, []), Region(block), visibility="private")


def outline(module: ModuleOp, op: linalg.MatmulOp, made: dict[str, FuncOp]) -> None:
    """Replace a product by a call; a function that it is the first to call goes to the end of the module."""
    fill = zero_fill_before(op, op.outputs[0])
    matrices = [placed(value) for value in (*op.inputs, *op.outputs)]
    (m, k), (_, n), _ = (one.sizes for one in matrices)
    has_one_row = m == 1 or (not isinstance(m, int) and constant_value(m) == 1)
    layouts = [
        next(layout for layout in order if _suits(one.strides, LAYOUTS[layout]))
        for one, order in zip(matrices, PREFERRED, strict=True)
    ]
    a, b, c = layouts
    factor, element = (element_type(one.type) for one in (op.inputs[0], op.outputs[0]))
    routine = Routine(factor, element, (a, b, c), has_one_row, fill is None)
    arguments: list[Number] = []
    for one, layout in zip(matrices, layouts, strict=True):
        known = zip(one.strides, LAYOUTS[layout], strict=True)
        arguments += [one.base, one.offset, *(stride for stride, at in known if at is None)]
    arguments += [k, n] if has_one_row else [m, k, n]
    _replace(module, op, routine, arguments, made)
    erase_unused([*([] if fill is None else [fill]), *(one.cast for one in matrices)])


@dataclass(frozen=True)
class Im2colRoutine:
    """What is known of a product with a gathered factor."""

    factor: Attribute
    element: Attribute
    accumulates: bool

    @property
    def name(self) -> str:
        """`im2col_matmul_f32`, or the like; `im2col_matmul_bf16_f32` of factors that are widened."""
        types = dict.fromkeys(map(str, (self.factor, self.element)))
        return "_".join(["im2col_matmul", *types, *["added"] * self.accumulates])

    def function(self) -> FuncOp:
        """The function of that name."""
        factor, buffer = ([flat(one), INDEX] for one in (self.factor, self.element))
        block = Block(
            arg_types=[*factor, INDEX, *factor, *buffer, INDEX, *[INDEX] * (1 + 4 * DIGITS)]
        )
        a, a_start, a_step, x, x_start, c, c_start, c_step, m, *digits = block.args
        lists = [digits[at : at + DIGITS] for at in range(0, 4 * DIGITS, DIGITS)]
        sizes: list[SSAValue] = []
        for numbers in (lists[0], lists[2]):
            total = numbers[0]
            for one in numbers[1:]:
                product = index_op(arith.MuliOp, total, one)
                block.add_op(product)
                total = product.results[0]
            sizes.append(total)
        k, n = sizes
        casts = [
            _cast([a, a_start, a_step], (m, k), LAYOUTS["n"]),
            _cast([c, c_start, c_step], (m, n), LAYOUTS["n"]),
        ]
        block.add_ops(casts)
        left, result = (cast.results[0] for cast in casts)
        if not self.accumulates:
            zero = arith.ConstantOp(FloatAttr(0.0, self.element))  # pyright: ignore
            block.add_ops([zero, filling(zero.result, result)])
        rows, columns = Digits(*lists[:2]), Digits(*lists[2:])
        block.add_op(Im2colMatmulOp.of(left, x, x_start, rows, columns, result))
        block.add_op(ReturnOp.create())
        return FuncOp(self.name, (block.arg_types, []), Region(block), visibility="private")


def outline_im2col(module: ModuleOp, op: Im2colMatmulOp, made: dict[str, FuncOp]) -> None:
    """As `outline`, of a product with a gathered factor."""
    fill = zero_fill_before(op, op.c)
    a, c = placed(op.a), placed(op.c)
    routine = Im2colRoutine(element_type(op.a.type), element_type(op.c.type), fill is None)
    arguments: list[Number] = [a.base, a.offset, a.strides[0], op.x, op.offset]
    arguments += [c.base, c.offset, c.strides[0], a.sizes[0]]
    arguments += [one for digits in (op.rows, op.columns) for part in digits for one in part]
    _replace(module, op, routine, arguments, made)
    erase_unused([*([] if fill is None else [fill]), a.cast, c.cast])


def _replace(
    module: ModuleOp,
    op: Operation,
    routine: Routine | Im2colRoutine,
    arguments: Iterable[Number],
    made: dict[str, FuncOp],
) -> None:
    """Let a call stand for an op."""
    block = op.parent
    assert block is not None
    block.insert_ops_before(_call(routine.name, arguments), op)
    if routine.name not in made:
        made[routine.name] = routine.function()
        module.body.block.add_op(made[routine.name])
    block.erase_op(op)


def _suits(strides: Sequence[Number], known: Sequence[int | None]) -> bool:
    return all(one is None or one == stride for stride, one in zip(strides, known, strict=True))


def _call(name: str, arguments: Iterable[Number]) -> list[Operation]:
    """The call, after the constants that it needs."""
    ops: list[Operation] = []
    constants: dict[int, SSAValue] = {}
    values: list[SSAValue] = []
    for one in arguments:
        if isinstance(one, int) and one not in constants:
            ops.append(index_constant(one))
            constants[one] = ops[-1].results[0]
        values.append(constants[one] if isinstance(one, int) else one)
    return [*ops, CallOp(name, values, [])]


def _cast(
    arguments: Iterable[SSAValue],
    shape: tuple[SSAValue | None, SSAValue],
    known: tuple[int | None, int | None],
) -> memref.ReinterpretCastOp:
    """The matrix of that shape, where None is 1, that the next of the arguments describe."""
    rest = iter(arguments)
    base, offset = next(rest), next(rest)
    strides = [next(rest) for one in known if one is None]
    sizes = [size for size in shape if size is not None]
    rows = 1 if shape[0] is None else DYNAMIC_INDEX
    return memref.ReinterpretCastOp.create(
        operands=[base, offset, *sizes, *strides],
        result_types=[memref_of(element_type(base.type), (rows, DYNAMIC_INDEX), known, None)],
        properties={
            "static_offsets": i64_array((DYNAMIC_INDEX,)),
            "static_sizes": i64_array((rows, DYNAMIC_INDEX)),
            "static_strides": i64_array(
                tuple(DYNAMIC_INDEX if one is None else one for one in known)
            ),
            "operandSegmentSizes": i32_array((1, 1, len(sizes), len(strides))),
        },
    )
