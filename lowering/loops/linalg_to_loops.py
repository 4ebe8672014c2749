"""Turns linalg on shaped memrefs into loops over flat buffers.

Before: Note [Kernel buffer form], with temporaries in scratch memory or not. After: Note [Kernel launch form]. Every linalg operation
becomes one loop nest; neighbouring dimensions that all operands walk alike become one loop. Of complex numbers the parts are
left, which lie next to each other in buffers of real ones. Float matrix products stay `linalg.matmul`, on `memref.reinterpret_cast`s,
for `ts-matmul-to-loops`. What is not in a `kernel.launch` yet gets one, in which a kernel that is one parallel nest has its
outermost loop, and any other all that it does.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice

from xdsl.context import Context
from xdsl.dialects import arith, complex, memref, scf
from xdsl.dialects.builtin import (
    ModuleOp,
    f32,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from lowering.cost import FLAT_GRAIN, multiply_add, picoseconds
from lowering.dialects.kernel import LayoutAttr, SignatureOp
from lowering.dialects.kernel_launch import LaunchOp
from lowering.dialects.kernel_product import Digits, Im2colMatmulOp
from lowering.dialects.linalg_ext import matmul_of
from lowering.extents import ONE, ZERO, Dims, Extent, Extents, declared_strides, product
from lowering.kernel import LoweringError
from lowering.kernel_functions import Form, input_kernels
from lowering.loops.arguments import KernelArguments
from lowering.loops.flat import flat, is_complex
from lowering.loops.im2col import Factor, Im2col
from lowering.loops.index_builder import INDEX, IndexBuilder, index_op
from lowering.loops.linalg_ops import (
    VIEWS,
    LinalgOp,
    dim_position,
    is_any_product,
    is_batch_product,
    is_convolution,
    is_product,
    kinds_of,
    maps_of,
    units,
)
from lowering.loops.nest import ONE_DIMENSION, Access, Loop, Nest, coalesce
from lowering.loops.scope import Scope
from lowering.loops.views import View, Views, filling, reinterpreted
from lowering.shaped import element_type, i32_array, is_memref
from torchscript_dialect.ir.edit import release_regions

REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])


class LinalgToLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-linalg-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name, Form.BUFFERS):
            KernelLowering(func, signature).run()


class KernelLowering:
    """Lowers one kernel function in place."""

    def __init__(self, func: FuncOp, signature: SignatureOp) -> None:
        self.func = func
        self.source = func.body.block
        self.extents = Extents(func, signature)
        types = [
            flat(element_type(one.type)) if is_memref(one.type) else one.type
            for one in self.source.args
        ]
        self.block = Block(arg_types=types)
        self.arguments = KernelArguments(self.block, signature)
        self.builder = IndexBuilder(self.block, self.arguments.index, self.extents.values)
        self.views = Views(self.extents, self.builder)
        self._place_arguments((*signature.arguments, *signature.results_))
        self.body = Block(arg_types=[INDEX, INDEX])
        """Of the launch."""
        self.begin, self.end = self.body.args
        self.begin.name_hint, self.end.name_hint = "begin", "end"
        self.scope = Scope([self.body], self.block.args[: len(signature.arguments)])
        self.pairs: dict[SSAValue, Sequence[SSAValue]] = {}
        """The parts of complex numbers, which no operation makes from here on."""
        self.range: Extent = ONE
        self.is_single = False
        """Whether the kernel is one loop nest."""
        self.repeated: Extent = ONE
        """How often what is lowered is done: once, or for every row."""
        self.all_rows: dict[Extent, Extent] = {}
        """How many rows there are where a part has so many."""
        self.work: list[tuple[Extent, int]] = []
        """Iterations of each loop nest, and the picoseconds of one."""

    def _place_arguments(self, places: Sequence[object]) -> None:
        for old, new, place in zip(self.source.args, self.block.args, places, strict=True):
            new.name_hint = old.name_hint
            if isinstance(place, LayoutAttr):
                dims = self.extents.dims(old)
                self.views.place(old, View(new, None, dims, declared_strides(dims, place)))
            else:
                if new.type == INDEX:
                    self.extents.define(new, self.extents.index(old))
                old.replace_all_uses_with(new)

    def run(self) -> None:
        """Replaces the function's body."""
        launch = next((op for op in self.source.ops if isinstance(op, LaunchOp)), None)
        work = units(self.source.ops)
        self.is_single = len(work) == 1 and not is_any_product(work[0][-1])
        self._lower(self.source.ops)
        step: SSAValue | None = None
        if launch is None:
            range_ = self.builder.extent(self.range)
        else:
            range_, step = launch.range, launch.step
        total, cost = self._total()
        if step is None:
            is_flat = self.is_single and total is range_
            step = self.builder.constant(FLAT_GRAIN if is_flat else 1)
        made = LaunchOp.of(self.body, range_, step)
        made.set_work(total, cost)
        self.block.add_ops([made, ReturnOp.create()])
        self.arguments.finish(self.func)
        release_regions(self.func, 0)
        self.func.add_region(Region(self.block))
        drop_unused(self.block)

    def _lower(self, ops: Iterable[Operation]) -> None:
        operations = list(ops)
        unit_of = {unit[-1]: unit for unit in units(operations)}
        for op in operations:
            if isinstance(op, linalg.GenericOp | linalg.MatmulOp | linalg.FillOp):
                if op in unit_of:
                    self._compute(unit_of[op])
            elif isinstance(op, VIEWS):
                self.views.of(op.results[0])
            elif isinstance(op, memref.AllocOp | memref.ViewOp):
                self._flatten(op)
            elif isinstance(op, LaunchOp):
                self._launch(op)
            elif isinstance(op, scf.ForOp | scf.ParallelOp):
                self._rows(op)
            elif op.regions:
                raise LoweringError(f"{op.name} cannot be lowered to loops")
            elif isinstance(op, complex.CreateOp):
                self.pairs[op.complex] = op.real, op.imaginary
            elif not isinstance(op, ReturnOp | scf.YieldOp | scf.ReduceOp):
                op.detach()
                self.builder.append(op)

    def _launch(self, op: LaunchOp) -> None:
        """What is in a launch stays there."""
        body = op.body.block
        self.range = self.extents.index(op.range)
        for old, new in zip(body.args, self.body.args, strict=True):
            old.replace_all_uses_with(new)
        for inner in body.ops:
            if isinstance(inner, arith.SubiOp) and inner.operands[:2] == (self.end, self.begin):
                self.all_rows[self.extents.index(inner.result)] = self.range
        with self.builder.within(self.scope):
            self._lower(body.ops)

    def _rows(self, op: scf.ForOp | scf.ParallelOp) -> None:
        """A loop over rows."""
        body = Block(arg_types=[INDEX])
        op.body.block.args[0].replace_all_uses_with(body.args[0])
        outer, self.scope = self.scope, self.scope.inside(body)
        self.repeated = self.range
        with self.builder.within(self.scope):
            self._lower(op.body.block.ops)
        body.add_op(scf.YieldOp.create() if isinstance(op, scf.ForOp) else scf.ReduceOp.create())
        properties = {} if isinstance(op, scf.ForOp) else ONE_DIMENSION
        loop = type(op).create(operands=op.operands, properties=properties, regions=[Region(body)])
        self.scope, self.repeated = outer, ONE
        self.scope.add(loop)

    def _flatten(self, op: memref.AllocOp | memref.ViewOp) -> None:
        """A buffer of its own, whose elements stand next to each other."""
        value = op.results[0]
        assert is_memref(value.type)
        if value.type == flat(i8):
            op.detach()
            self.builder.append(op)
            return
        view = self.views.of(value)
        element = element_type(value.type)
        parts = Extent(2) if is_complex(element) else ONE
        count = self.builder.extent(product(view.dims).times(parts))
        shape = [flat(element)]
        if isinstance(op, memref.AllocOp):
            sizes = {"operandSegmentSizes": i32_array((1, 0))}
            made = memref.AllocOp.create(operands=[count], result_types=shape, properties=sizes)
        else:
            operands = [op.source, op.byte_shift, count]
            made = memref.ViewOp.create(operands=operands, result_types=shape)
        made.results[0].name_hint = value.name_hint
        self.builder.append(made)
        self.views.place(value, View(made.results[0], None, view.dims, view.strides))

    def _compute(self, unit: list[LinalgOp]) -> None:
        *fills, op = unit
        initial = {fill.outputs[0]: fill.inputs[0] for fill in fills}
        if isinstance(op, linalg.FillOp):
            self._fill(op)
        elif isinstance(op, linalg.MatmulOp) or is_product(op):
            self._product(op, initial.get(op.outputs[0]))
        elif is_batch_product(op):
            self._batch_product(op, initial.get(op.outputs[0]))
        elif is_convolution(op):
            self._convolution(op, fills)
        else:
            self._generic(op, initial)

    # Pointwise operations and reductions

    def _fill(self, op: linalg.FillOp) -> None:
        target = self.views.of(op.outputs[0])
        whole = Access(target.base, target.offset, list(target.strides))
        accesses = whole.of_parts() if op.inputs[0] in self.pairs else [whole]
        loops = coalesce([Loop(size, False) for size in target.dims], accesses)
        mark = self.scope.blocks[-1].last_op
        nest = Nest(self.builder, self.scope, loops)
        for value, access in zip(self._parts(op.inputs[0]), accesses, strict=True):
            nest.store(value, access)
        self._close(nest, mark)

    def _close(self, nest: Nest, mark: Operation | None) -> None:
        """Ends a nest; what it has put into the block around it comes after `mark`."""
        iterations = product(tuple(loop.size for loop in nest.loops)).times(self.repeated)
        if nest.loops:
            self.work.append((iterations, picoseconds(nest.blocks[-1].ops)))
        elif len(self.scope.blocks) > 1:
            self.work.append((iterations, picoseconds(_after(self.scope.blocks[-1], mark))))
        if self.is_single and nest.parallel_depth > nest.base:
            self.range = nest.loops[0].size
            nest.finish((self.begin, self.end))
            return
        nest.finish(None)

    def _generic(self, op: linalg.GenericOp, initial: dict[SSAValue, SSAValue]) -> None:
        maps, kinds = maps_of(op), kinds_of(op)
        order = [i for i, kind in enumerate(kinds) if kind is IteratorType.PARALLEL]
        order += [i for i, kind in enumerate(kinds) if kind is not IteratorType.PARALLEL]
        body = op.body.block
        reduces = len(order) and kinds[order[-1]] is not IteratorType.PARALLEL
        sizes = self._loop_sizes(op, maps, len(kinds))
        loops = [Loop(sizes[i], kinds[i] is not IteratorType.PARALLEL) for i in order]
        accesses = [
            self._accesses(value, map_, order) if is_memref(value.type) else []
            for value, map_ in zip(op.operands, maps, strict=True)
        ]
        outputs = accesses[len(op.inputs) :]
        index_ops = [inner for inner in body.ops if isinstance(inner, linalg.IndexOp)]
        if not index_ops:
            loops = coalesce(loops, [*chain(*accesses)])
        mark = self.scope.blocks[-1].last_op
        nest = Nest(self.builder, self.scope, loops)
        for inner in index_ops:
            level = order.index(inner.dim.value.data)
            inner.result.replace_all_uses_with(nest.variable(level))
            inner.detach()
        for argument, own, value in zip(body.args, accesses, op.inputs, strict=False):
            if argument.uses:
                self._stand(argument, [*map(nest.load, own)] or self._parts(value))
        used = [
            (argument, self._parts(initial[out]) if out in initial else [*map(nest.load, own)])
            for argument, out, own in zip(
                body.args[len(op.inputs) :], op.outputs, outputs, strict=True
            )
            if argument.uses
        ]
        if reduces and len(used) != len(outputs):
            raise LoweringError("a reduction needs the initial value of every accumulator")
        starts = [*chain(*(values for _, values in used))]
        carried = iter(nest.accumulators(starts) if reduces else starts)
        for argument, values in used:
            self._stand(argument, [*islice(carried, len(values))])
        terminator = body.last_op
        assert terminator is not None
        for inner in list(body.ops):
            if inner is not terminator:
                self._place(inner, nest)
        results = [*chain(*map(self._parts, terminator.operands))]
        if reduces:
            for value in results:
                allow_any_order(value.owner)
        if reduces and nest.depth > nest.parallel_depth:
            results = nest.close_reductions(starts, results)
        for value, access in zip(results, chain(*outputs), strict=True):
            nest.store(value, access)
        self._close(nest, mark)

    def _parts(self, value: SSAValue) -> Sequence[SSAValue]:
        """The parts of a complex number; any other value itself."""
        return self.pairs[value] if is_complex(value.type) else (value,)

    def _stand(self, argument: SSAValue, values: Sequence[SSAValue]) -> None:
        """Lets values stand for an element."""
        if is_complex(argument.type):
            self.pairs[argument] = values
        else:
            argument.replace_all_uses_with(*values)

    def _place(self, op: Operation, nest: Nest) -> None:
        """Moves an operation of a body to the nest; those that take pairs apart or make them become nothing."""
        op.detach()
        if isinstance(op, complex.CreateOp):
            self.pairs[op.complex] = op.real, op.imaginary
        elif isinstance(op, complex.ReOp | complex.ImOp):
            op.result.replace_all_uses_with(self.pairs[op.complex][isinstance(op, complex.ImOp)])
        else:
            nest.place(op)

    def _loop_sizes(self, op: linalg.GenericOp, maps: list[AffineMap], count: int) -> Dims:
        sizes: list[Extent | None] = [None] * count
        for value, map_ in reversed(list(zip(op.operands, maps, strict=True))):
            if not is_memref(value.type):
                continue
            for expr, size in zip(map_.results, self.extents.dims(value), strict=True):
                if isinstance(expr, AffineDimExpr) and sizes[expr.position] is None:
                    sizes[expr.position] = size
        known = [size for size in sizes if size is not None]
        if len(known) != count:
            raise LoweringError("linalg.generic: no operand gives the size of a loop")
        return tuple(known)

    def _accesses(self, value: SSAValue, map_: AffineMap, order: list[int]) -> list[Access]:
        """The access to an operand, or to each part of its complex numbers."""
        found = self._access(self.views.of(value), map_, order)
        return found.of_parts() if is_complex(element_type(value.type)) else [found]

    def _access(self, view: View, map_: AffineMap, order: list[int]) -> Access:
        strides = [ZERO] * len(order)
        for expr, stride in zip(map_.results, view.strides, strict=True):
            if isinstance(expr, AffineDimExpr):
                if strides[expr.position] != ZERO:
                    raise LoweringError("linalg.generic: one loop walks two dimensions")
                strides[expr.position] = stride
            elif not (isinstance(expr, AffineConstantExpr) and expr.value == 0):
                raise LoweringError(f"linalg.generic: indexing map result {expr} is not handled")
        return Access(view.base, view.offset, [strides[i] for i in order])

    # Matrix products

    def _product(self, op: linalg.GenericOp | linalg.MatmulOp, initial: SSAValue | None) -> None:
        if isinstance(op, linalg.MatmulOp):
            assert is_memref(op.outputs[0].type)
            types = {element_type(value.type) for value in op.operands}
            if len(types) > 1 or not types <= {f32, f64, i32, i64}:
                raise LoweringError(
                    "linalg.matmul needs one of f32, f64, i32, i64; use linalg.generic"
                )
        views = [self.views.of(value) for value in op.operands]
        axes = [[dim_position(expr) for expr in map_.results] for map_ in maps_of(op)]
        self._multiply(views, axes, initial)

    def _batch_product(self, op: linalg.GenericOp, initial: SSAValue | None) -> None:
        """A product in a loop over the first dimension."""
        views = [self.views.of(value) for value in op.operands]
        axes = [[dim_position(expr) for expr in map_.results] for map_ in maps_of(op)]
        with self._loop(views[2].dims[0], is_parallel=True) as number:
            matrices = [
                View(
                    view.base,
                    self._moved(view, [(number, view.strides[0])]),
                    view.dims[1:],
                    view.strides[1:],
                )
                for view in views
            ]
            self._multiply(matrices, [one[1:] for one in axes], initial)

    def _convolution(self, op: linalg.GenericOp, fills: Sequence[LinalgOp]) -> None:
        """A convolution as products in loops: see the docstring of im2col.py."""
        maps = maps_of(op)
        sizes = self._loop_sizes(op, maps, maps[0].num_dims)
        parts = Im2col.of(op, [self.views.of(value) for value in op.operands], sizes)
        initial = None
        for fill in fills:
            if not parts.reducing:
                initial = fill.inputs[0]
            elif isinstance(fill, linalg.FillOp):
                self._fill(fill)
        self._around(parts, [*parts.parallel, *parts.reducing], sizes, {}, initial)

    def _around(
        self,
        parts: Im2col,
        loops: Sequence[int],
        sizes: Dims,
        variables: dict[int, SSAValue],
        initial: SSAValue | None,
    ) -> None:
        """The loops around a product, and it."""
        if loops:
            first, *others = loops
            with self._loop(sizes[first], is_parallel=first in parts.parallel) as variable:
                self._around(parts, others, sizes, {**variables, first: variable}, initial)
            return
        m = ONE if parts.m is None else sizes[parts.m]
        a, x, c = (self._part(one, variables) for one in (parts.a, parts.x, parts.c))
        k, n = parts.rows.size, parts.columns.size
        down = [ZERO if parts.m is None else one.steps[parts.m] for one in (parts.a, parts.c)]
        left = self._cast(a, (m, k), (down[0], ONE))
        result = self._cast(c, (m, n), (down[1], ONE))
        made: Operation
        if parts.is_product:
            right = self._cast(x, (k, n), (parts.rows.step, ONE))
            made = matmul_of(left, result)([left, right], [result], res=[])
        else:
            rows, columns = (
                Digits(
                    *([self.builder.extent(one) for one in numbers] for numbers in axis.digits())
                )
                for axis in (parts.rows, parts.columns)
            )
            start = x.offset or self.builder.constant(0)
            made = Im2colMatmulOp.of(left, x.base, start, rows, columns, result)
        if initial is not None:
            self.scope.add(filling(initial, result))
        self.scope.add(made)
        iterations = product((m, k, n)).times(self.repeated)
        self.work.append((iterations, multiply_add(c.element_type)))

    def _cast(self, view: View, dims: Dims, strides: Dims) -> SSAValue:
        """The matrix of these sizes and strides that begins where a view does."""
        cast = reinterpreted(view.base, view.offset, dims, strides, self.builder)
        self.scope.add(cast)
        return cast.result

    def _part(self, factor: Factor, variables: dict[int, SSAValue]) -> View:
        """The part of an operand that loops around choose."""
        moves = [(value, factor.steps[loop]) for loop, value in variables.items()]
        offset = self._moved(factor.view, moves)
        with self.builder.within(self.scope):
            for one in factor.before:
                offset = self.builder.sum(offset, self.builder.extent(one))
        return replace(factor.view, offset=offset)

    def _moved(self, view: View, moves: Sequence[tuple[SSAValue, Extent]]) -> SSAValue | None:
        """Where the part of a buffer begins that variables of loops choose, each times a step."""
        offset = view.offset
        with self.builder.within(self.scope):
            for variable, step in moves:
                if step != ZERO:
                    move = index_op(arith.MuliOp, variable, self.builder.extent(step))
                    self.scope.add(move)
                    offset = self.builder.sum(offset, move.results[0])
        return offset

    @contextmanager
    def _loop(self, size: Extent, *, is_parallel: bool) -> Generator[SSAValue]:
        """A loop around products; gives its variable."""
        zero, one = map(self.builder.constant, (0, 1))
        bounds = [zero, self.builder.extent(size), one]
        body = Block(arg_types=[INDEX])
        outer, repeated = self.scope, self.repeated
        self.scope, self.repeated = outer.inside(body), repeated.times(size)
        yield body.args[0]
        kind = scf.ParallelOp if is_parallel else scf.ForOp
        body.add_op(scf.ReduceOp.create() if is_parallel else scf.YieldOp.create())
        properties = ONE_DIMENSION if is_parallel else {}
        self.scope, self.repeated = outer, repeated
        self.scope.add(kind.create(operands=bounds, properties=properties, regions=[Region(body)]))

    def _multiply(
        self, views: Sequence[View], axes: Sequence[list[int]], initial: SSAValue | None
    ) -> None:
        """A product of two matrices into a third, whose dimensions are walked by the loops `axes`."""
        row, column = axes[2]
        depth = next(axis for axis in axes[0] if axis not in (row, column))
        wanted = [(row, depth), (depth, column), (row, column)]
        casts = [
            self._matrix(view, [own.index(axis) for axis in pair])
            for view, own, pair in zip(views, axes, wanted, strict=True)
        ]
        if initial is not None:
            self.scope.add(filling(initial, casts[2]))
        self.scope.add(matmul_of(casts[0], casts[2])(casts[:2], casts[2:], res=[]))
        rows, columns = views[2].dims
        sizes = (views[0].dims[axes[0].index(depth)], self.all_rows.get(rows, rows), columns)
        self.work.append((product(sizes).times(self.repeated), multiply_add(views[2].element_type)))

    def _matrix(self, view: View, axes: list[int]) -> SSAValue:
        """The 2-D memref over `view` with its dimensions in the order `axes`."""
        dims = tuple(view.dims[axis] for axis in axes)
        return self._cast(view, dims, tuple(view.strides[axis] for axis in axes))

    def _total(self) -> tuple[SSAValue, int]:
        """What there is to do in all, and the picoseconds of a unit of it."""
        known = [piece for piece in self.work if min(piece[0].atoms, default=0) >= 0]
        if len(known) == 1:
            ((iterations, cost),) = known
            return self.builder.extent(iterations), cost
        total: SSAValue | None = None
        for iterations, cost in known:
            total = self.builder.sum(total, self.builder.extent(iterations.times(Extent(cost))))
        return (self.builder.constant(1), 0) if total is None else (total, 1)


def allow_any_order(op: object) -> None:
    """Lets the operation that combines the values of a reduction combine them in any order."""
    if isinstance(op, arith.AddfOp | arith.MulfOp):
        op.properties["fastmath"] = REASSOCIATE


def drop_unused(block: Block) -> None:
    """Erases index arithmetic that nothing needed in the end."""
    for op in reversed(list(block.ops)):
        if op.results and not op.regions and not any(result.uses for result in op.results):
            block.erase_op(op)


def _after(block: Block, mark: Operation | None) -> Iterable[Operation]:
    """The operations of a block after `mark`, all if there is none."""
    op = block.first_op if mark is None else mark.next_op
    while op is not None:
        yield op
        op = op.next_op
