"""Turns a kernel over tensors into loops over flat buffers (Note [Kernel loop form]).

Every linalg operation becomes one loop nest that writes to the storage chosen by `buffers.py`;
neighbouring dimensions that all operands walk alike become one loop. Float matrix products stay
`linalg.matmul`, on `memref.reinterpret_cast`s, for `ts-matmul-to-loops`. A kernel that is one
parallel nest runs its outermost loop over [begin, end), one that can be run by rows (see rows.py)
that of every nest; any other runs once, as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, builtin, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from lowering.cost import FLAT_GRAIN, ROW_GRAIN, multiply_add, picoseconds
from lowering.dialects.kernel import EntryOp, LayoutAttr, SignatureOp
from lowering.extents import (
    ONE,
    ZERO,
    Dims,
    Extent,
    Extents,
    contiguous_strides,
    declared_dims,
    declared_strides,
    product,
)
from lowering.kernel import (
    SIZES,
    LoweringError,
)
from lowering.kernel_functions import input_kernels
from lowering.loops.buffers import Buffers, View, flat, is_view
from lowering.loops.derived_words import DerivedWords
from lowering.loops.index_builder import INDEX, IndexBuilder, index_op
from lowering.loops.nest import Access, Loop, Nest, coalesce
from lowering.loops.rows import common_rows, join_row_loops, row_loop
from lowering.shaped import element_type, is_integer, is_memref, is_tensor

REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])


@dataclass(frozen=True)
class LinalgToLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-linalg-to-loops"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name):
            KernelLowering(op, func, signature).run()


class KernelLowering:
    """Lowers one kernel function in place."""

    def __init__(self, module: builtin.ModuleOp, func: FuncOp, signature: SignatureOp) -> None:
        self.module = module
        self.func = func
        self.signature = signature
        self.source = func.body.block
        self.extents = Extents(func, signature)
        terminator = self.source.last_op
        if not isinstance(terminator, ReturnOp):
            raise LoweringError("a kernel is one block that ends with func.return")
        self.results = list(terminator.operands)
        self.arguments = list(func.args)
        self.block = Block(arg_types=[*self._buffer_types(), flat(i64), INDEX, INDEX])
        *buffers, syms, self.begin, self.end = self.block.args
        self.out_buffers = buffers[len(buffers) - len(self.results) :]
        for argument, hint in zip(self.block.args[-3:], ("syms", "begin", "end"), strict=True):
            argument.name_hint = hint
        self.builder = IndexBuilder(self.block, syms, self.extents.values)
        self.buffers = Buffers(self.extents, self.builder)
        self.total: Extent = ONE
        self.is_single = False
        """Whether the kernel is one loop nest."""
        self.rows: Extent | None = None
        """The size of the rows by which all nests are run, where they are."""
        self.work: list[tuple[Extent, int]] = []
        """Iterations of each loop nest, and the picoseconds of one."""

    def _buffer_types(self) -> list[Attribute]:
        types = [a.type for a in self.arguments] + [r.type for r in self.results]
        return [flat(element_type(t)) for t in types if is_tensor(t)]

    def run(self) -> None:
        """Replaces the function's body and signature."""
        self._place_arguments()
        operations = list(self.source.ops)
        work = [op for op in operations if self._is_tensor_work(op)]
        for op in operations:
            if op not in work:
                self._move_scalar(op)
        copies = self._place_results()
        for op in reversed(work):
            self.buffers.assign(op)
        emitted = [op for op in work if not self._is_initial_value(op)]
        self.is_single = len(emitted) + len(copies) == 1 and all(map(is_one_nest, emitted))
        if not self.is_single:
            self.rows = common_rows(work, self.results, self.extents)
            self.total = self.rows or ONE
        for op in emitted:
            self._lower(op)
        for source, target in copies:
            self._copy(self.buffers.view(source), target)
        if self.rows is not None and any(map(_reduces, emitted)):
            join_row_loops(self.block, self.begin, self.end)
        self.block.add_op(ReturnOp.create())
        self._finish()
        drop_unused(self.block)

    def _place_arguments(self) -> None:
        buffers = iter(self.block.args)
        for argument, place in zip(self.arguments, self.signature.arguments, strict=True):
            if isinstance(place, LayoutAttr):
                dims = self.extents.dims(argument)
                strides = declared_strides(dims, place)
                buffer = next(buffers)
                buffer.name_hint = argument.name_hint
                self.buffers.place(argument, View(buffer, None, dims, strides))
                continue
            value = self._scalar(place.data, argument.type)
            self.extents.define(value, Extent(1, (place.data,)))
            argument.replace_all_uses_with(value)

    def _scalar(self, sym: int, type_: Attribute) -> SSAValue:
        builder = self.builder
        if isinstance(type_, IndexType):
            return builder.extent(Extent(1, (sym,)))
        word = builder.word(sym)
        if type_ == i64:
            return word
        if type_ == i1:
            zero = arith.ConstantOp.create(
                result_types=[i64], properties={"value": IntegerAttr(0, i64)}
            )
            return builder.add(arith.CmpiOp(word, builder.add(zero), "ne"))
        if isinstance(type_, Float64Type | Float32Type):
            double = builder.add(arith.BitcastOp.create(operands=[word], result_types=[f64]))
            if isinstance(type_, Float64Type):
                return double
            return builder.add(arith.TruncFOp.create(operands=[double], result_types=[type_]))
        if is_integer(type_):
            return builder.add(arith.TruncIOp.create(operands=[word], result_types=[type_]))
        raise LoweringError(f"a scalar argument of type {type_} cannot be lowered")

    @staticmethod
    def _is_tensor_work(op: Operation) -> bool:
        return is_tensor(op.results[0].type) if op.results else False

    def _move_scalar(self, op: Operation) -> None:
        """Scalar operations depend on syms only, so they all go to the top of the kernel."""
        if isinstance(op, ReturnOp):
            return
        if isinstance(op, tensor.DimOp):
            extent = self.extents.index(op.result)
            size = self.builder.extent(extent)
            self.extents.define(size, extent)
            op.result.replace_all_uses_with(size)
            return
        if any(is_tensor(operand.type) for operand in op.operands) or op.regions:
            raise LoweringError(f"{op.name} cannot stand in a kernel")
        for result in op.results:
            if isinstance(result.type, IndexType):
                self.extents.index(result)
        op.detach()
        self.block.add_op(op)

    def _place_results(self) -> list[tuple[SSAValue, View]]:
        """Gives outputs to the operations that make them; returns what must be copied."""
        copies: list[tuple[SSAValue, View]] = []
        layouts = self.signature.results_
        for value, buffer, layout in zip(self.results, self.out_buffers, layouts, strict=True):
            dims = declared_dims(value.type, layout)
            buffer.name_hint = "out"
            view = View(buffer, None, dims, contiguous_strides(dims))
            owner = value.owner
            direct = isinstance(
                owner, linalg.GenericOp | linalg.FillOp | linalg.MatmulOp | tensor.InsertSliceOp
            )
            if direct and not self.buffers.placed(value):
                self.extents.declare(value, dims)
                self.buffers.place(value, view)
            else:
                copies.append((value, view))
        return copies

    def _is_initial_value(self, op: Operation) -> bool:
        """Views, empty tensors, and fills that only start accumulators need no code."""
        if isinstance(op, tensor.EmptyOp) or is_view(op):
            return True
        return isinstance(op, linalg.FillOp) and all(
            isinstance(use.operation, linalg.GenericOp | linalg.MatmulOp)
            and use.index >= len(use.operation.inputs)
            for use in op.res[0].uses
        )

    def _lower(self, op: Operation) -> None:
        if isinstance(op, linalg.FillOp):
            target = self.buffers.view(op.res[0])
            self._fill(op.inputs[0], target)
        elif isinstance(op, linalg.GenericOp):
            if is_product(op):
                self._matmul(op, [attr.data for attr in op.indexing_maps.data])
            else:
                self._generic(op)
        elif isinstance(op, linalg.MatmulOp):
            self._named_matmul(op)
        elif isinstance(op, tensor.InsertSliceOp):
            self._insert_slice(op)
        else:
            raise LoweringError(f"{op.name} cannot be lowered to loops")

    # Pointwise operations and reductions

    def _fill(self, value: SSAValue, target: View) -> None:
        nest, (out,) = self._nest_over(target.dims, [target])
        nest.store(value, out)
        self._close(nest)

    def _copy(self, source: View, target: View) -> None:
        nest, (read, write) = self._nest_over(target.dims, [source, target])
        nest.store(nest.load(read), write)
        self._close(nest)

    def _nest_over(self, dims: Dims, views: list[View]) -> tuple[Nest, list[Access]]:
        accesses = [Access(view.base, view.offset, list(view.strides)) for view in views]
        loops = self._coalesce([Loop(size, False) for size in dims], accesses)
        return Nest(self.builder, loops), accesses

    def _close(self, nest: Nest) -> None:
        if nest.depth:
            iterations = product(tuple(loop.size for loop in nest.loops))
            self.work.append((iterations, picoseconds(nest.blocks[-1])))
        if self.is_single and nest.parallel_depth:
            self.total = nest.loops[0].size
        elif self.rows is None:
            nest.finish(None)
            return
        nest.finish((self.begin, self.end))

    def _coalesce(self, loops: list[Loop], accesses: list[Access]) -> list[Loop]:
        return coalesce(loops, accesses, 0 if self.rows is None else 1)

    def _generic(self, op: linalg.GenericOp) -> None:
        maps = [attr.data for attr in op.indexing_maps.data]
        kinds = [it.data for it in op.iterator_types.data]
        order = [i for i, kind in enumerate(kinds) if kind is IteratorType.PARALLEL]
        order += [i for i, kind in enumerate(kinds) if kind is not IteratorType.PARALLEL]
        if self.rows is not None:
            order.sort(key=lambda i: i != row_loop(maps[len(op.inputs) :]))
        body = op.body.block
        reduces = len(order) and kinds[order[-1]] is not IteratorType.PARALLEL
        sizes = self._loop_sizes(op, maps, len(kinds))
        loops = [Loop(sizes[i], kinds[i] is not IteratorType.PARALLEL) for i in order]
        inputs = [
            self._access(self.buffers.view(value), map_, order) if is_tensor(value.type) else None
            for value, map_ in zip(op.inputs, maps, strict=False)
        ]
        outputs = [
            self._access(self.buffers.view(result), map_, order)
            for result, map_ in zip(op.res, maps[len(op.inputs) :], strict=True)
        ]
        initial_arguments = body.args[len(op.inputs) :]
        initial = [
            self._initial(value, map_, order, bool(argument.uses))
            for value, map_, argument in zip(
                op.outputs, maps[len(op.inputs) :], initial_arguments, strict=True
            )
        ]
        accesses = [a for a in (*inputs, *outputs, *initial) if isinstance(a, Access)]
        index_ops = [inner for inner in body.ops if isinstance(inner, linalg.IndexOp)]
        nest = Nest(self.builder, loops if index_ops else self._coalesce(loops, accesses))
        for inner in index_ops:
            level = order.index(inner.dim.value.data) + 1
            inner.result.replace_all_uses_with(nest.blocks[level].args[0])
            inner.detach()
        for argument, access, value in zip(body.args, inputs, op.inputs, strict=False):
            if argument.uses:
                argument.replace_all_uses_with(value if access is None else nest.load(access))
        starts: list[SSAValue] = []
        for argument, start in zip(initial_arguments, initial, strict=True):
            if start is not None:
                value = nest.load(start) if isinstance(start, Access) else start
                starts.append(value)
                if not reduces:
                    argument.replace_all_uses_with(value)
        if reduces:
            if len(starts) != len(outputs):
                raise LoweringError("a reduction needs the initial value of every accumulator")
            for argument, value in zip(initial_arguments, nest.accumulators(starts), strict=True):
                argument.replace_all_uses_with(value)
        terminator = body.last_op
        assert terminator is not None
        for inner in list(body.ops):
            if inner is not terminator:
                inner.detach()
                nest.place(inner)
        results = list(terminator.operands)
        if reduces:
            for value in results:
                allow_any_order(value.owner)
        if reduces and nest.depth > nest.parallel_depth:
            results = nest.close_reductions(starts, results)
        for value, access in zip(results, outputs, strict=True):
            nest.store(value, access)
        self._close(nest)

    def _initial(
        self, value: SSAValue, map_: AffineMap, order: list[int], used: bool
    ) -> Access | SSAValue | None:
        """What an output holds before: nothing that is looked at, a scalar, or an element."""
        owner = value.owner
        if not used or isinstance(owner, tensor.EmptyOp):
            return None
        if isinstance(owner, linalg.FillOp):
            return owner.inputs[0]
        return self._access(self.buffers.view(value), map_, order)

    def _loop_sizes(self, op: linalg.GenericOp, maps: list[AffineMap], count: int) -> Dims:
        sizes: list[Extent | None] = [None] * count
        values = [*op.inputs, *op.outputs]
        for value, map_ in reversed(list(zip(values, maps, strict=True))):
            if not is_tensor(value.type):
                continue
            for expr, size in zip(map_.results, self.extents.dims(value), strict=True):
                if isinstance(expr, AffineDimExpr) and sizes[expr.position] is None:
                    sizes[expr.position] = size
        for result, map_ in zip(op.res, maps[len(op.inputs) :], strict=True):
            for expr, size in zip(map_.results, self.extents.dims(result), strict=True):
                if isinstance(expr, AffineDimExpr):
                    sizes[expr.position] = size
        known = [size for size in sizes if size is not None]
        if len(known) != count:
            raise LoweringError("linalg.generic: no operand gives the size of a loop")
        return tuple(known)

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

    # Matrix products and concatenation

    def _named_matmul(self, op: linalg.MatmulOp) -> None:
        maps = [attr.data for attr in op.indexing_maps.data]
        assert is_tensor(op.res[0].type)
        if not isinstance(element_type(op.res[0].type), Float32Type | Float64Type):
            raise LoweringError("linalg.matmul needs f32 or f64; use linalg.generic")
        self._matmul(op, maps)

    def _matmul(self, op: linalg.GenericOp | linalg.MatmulOp, maps: list[AffineMap]) -> None:
        result = self.buffers.view(op.res[0])
        views = [*(self.buffers.view(value) for value in op.inputs), result]
        axes = [[dim_position(expr) for expr in map_.results] for map_ in maps]
        row, column = axes[2]
        depth = next(axis for axis in axes[0] if axis not in (row, column))
        wanted = [(row, depth), (depth, column), (row, column)]
        casts = [
            self._reinterpret(view, [own.index(axis) for axis in pair], row in pair)
            for view, own, pair in zip(views, axes, wanted, strict=True)
        ]
        initial = op.outputs[0]
        if isinstance(initial.owner, linalg.FillOp):
            fill = linalg.FillOp.create(
                operands=[initial.owner.inputs[0], casts[2]],
                properties={"operandSegmentSizes": DenseArrayBase.from_list(builtin.i32, (1, 1))},
                regions=[fill_region(casts[2])],
            )
            self.block.add_op(fill)
        elif self.buffers.view(initial) is not result:
            self._copy(self.buffers.view(initial), result)
        self.block.add_op(linalg.MatmulOp(casts[:2], casts[2:], res=[]))
        sizes = (views[0].dims[axes[0].index(depth)], *result.dims)
        self.work.append((product(sizes), multiply_add(result.element_type)))

    def _reinterpret(self, view: View, axes: list[int], has_rows: bool) -> SSAValue:
        """The 2-D memref over `view` with its dimensions in the order `axes`.

        With `has_rows` the first one is that of the rows, of which a kernel run by rows sees some.
        """
        builder = self.builder
        offset = view.offset
        sizes = [view.dims[axis] for axis in axes]
        strides = [view.strides[axis] for axis in axes]
        static_sizes = [DYNAMIC_INDEX if s.atoms else s.factor for s in sizes]
        static_strides = [DYNAMIC_INDEX if s.atoms else s.factor for s in strides]
        dynamic_sizes = [builder.extent(size) for size in sizes if size.atoms]
        if has_rows and self.rows is not None:
            start = index_op(arith.MuliOp, self.begin, builder.extent(strides[0]))
            offset = builder.sum(offset, builder.add(start))
            count = builder.add(index_op(arith.SubiOp, self.end, self.begin))
            dynamic_sizes[: static_sizes[0] == DYNAMIC_INDEX] = [count]
            static_sizes[0] = DYNAMIC_INDEX
        layout = StridedLayoutAttr(
            [None if s.atoms else s.factor for s in strides], None if offset else 0
        )
        op = memref.ReinterpretCastOp(
            view.base,
            [offset] if offset else [],
            dynamic_sizes,
            [builder.extent(stride) for stride in strides if stride.atoms],
            [DYNAMIC_INDEX if offset else 0],
            static_sizes,
            static_strides,
            MemRefType(view.element_type, static_sizes, layout),
        )
        return builder.add(op)

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        result = self.buffers.view(op.result)
        if not isinstance(op.dest.owner, tensor.EmptyOp):
            dest = self.buffers.view(op.dest)
            if dest is not result:
                self._copy(dest, result)
        source = self.buffers.view(op.source)
        part = self.buffers.slice(result, op, op.source.type)
        if op not in self.buffers.inserted:
            self._copy(source, part)

    def _grain(self, is_flat: bool) -> int:
        """What the lengths of parts of the parallel range must be multiples of."""
        if is_flat:
            return FLAT_GRAIN
        has_product = any(isinstance(op, linalg.MatmulOp) for op in self.block.ops)
        return ROW_GRAIN if has_product else 1

    def _finish(self) -> None:
        """Gives the function its new body, signature and attributes."""
        func = self.func
        sizes = DerivedWords(self.module, func, self.signature.number_of_words)
        total = sizes.word_of(self.total)
        known = [piece for piece in self.work if min(piece[0].atoms, default=0) >= 0]
        work, cost = sizes.work(known or [(ONE, 0)])
        sizes.finish()
        entry = EntryOp(
            func.sym_name.data,
            words=sizes.syms,
            range=total,
            grain=self._grain(total == work),
            work=work,
            cost=cost,
            scratch=None,
            sizes=SIZES if sizes.are_computed else None,
        )
        self.module.body.block.insert_op_after(entry, func)
        self.module.body.block.erase_op(self.signature)
        func.properties["function_type"] = FunctionType.from_lists(
            [argument.type for argument in self.block.args], []
        )
        old = func.detach_region(0)
        func.add_region(Region(self.block))
        old.drop_all_references()


def allow_any_order(op: object) -> None:
    """Lets the operation that combines the values of a reduction combine them in any order."""
    if isinstance(op, arith.AddfOp | arith.MulfOp):
        op.properties["fastmath"] = REASSOCIATE


def drop_unused(block: Block) -> None:
    """Erases index arithmetic that nothing needed in the end."""
    for op in reversed(list(block.ops)):
        if op.results and not op.regions and not any(result.uses for result in op.results):
            block.erase_op(op)


def dim_position(expr: object) -> int:
    """The loop that an indexing map result stands for."""
    if not isinstance(expr, AffineDimExpr):
        raise LoweringError("a matrix product's indexing maps must be permutations of loops")
    return expr.position


def _reduces(op: Operation) -> bool:
    """Whether an operation that is no matrix product has loops that reduce."""
    if not isinstance(op, linalg.GenericOp) or is_product(op):
        return False
    return any(kind.data is IteratorType.REDUCTION for kind in op.iterator_types.data)


def is_one_nest(op: Operation) -> bool:
    """Whether one parallel nest is all that `op` becomes."""
    if isinstance(op, tensor.InsertSliceOp):
        return isinstance(op.dest.owner, tensor.EmptyOp)
    return not is_product(op)


def is_product(op: Operation) -> bool:
    """Whether `op` is a float matrix product with any of its operands transposed."""
    if not isinstance(op, linalg.GenericOp):
        return isinstance(op, linalg.MatmulOp)
    kinds = [it.data for it in op.iterator_types.data]
    maps = op.indexing_maps.data
    if kinds.count(IteratorType.REDUCTION) != 1 or len(kinds) != 3 or len(maps) != 3:
        return False
    if any(len(attr.data.results) != 2 for attr in maps) or len(op.inputs) != 2:
        return False
    if not all(isinstance(e, AffineDimExpr) for attr in maps for e in attr.data.results):
        return False
    used = [{dim_position(expr) for expr in attr.data.results} for attr in maps]
    reduced = kinds.index(IteratorType.REDUCTION)
    if reduced not in used[0] & used[1] or reduced in used[2] or used[0] == used[1]:
        return False
    row, _ = (dim_position(expr) for expr in maps[2].data.results)
    if row not in used[0]:
        return False
    ops = list(op.body.block.ops)
    if (
        len(ops) != 3
        or not isinstance(ops[0], arith.MulfOp)
        or not isinstance(ops[1], arith.AddfOp)
    ):
        return False
    left, right, running = op.body.block.args
    return (
        isinstance(ops[0].result.type, Float32Type | Float64Type)
        and {ops[0].lhs, ops[0].rhs} == {left, right}
        and {ops[1].lhs, ops[1].rhs} == {running, ops[0].result}
    )


def fill_region(target: SSAValue) -> Region:
    """The body that every linalg.fill carries."""
    assert is_memref(target.type)
    element = element_type(target.type)
    block = Block(arg_types=[element, element])
    block.add_op(linalg.YieldOp.create(operands=[block.args[0]]))
    return Region(block)
