"""Bufferizes kernels: linalg on tensors becomes linalg on shaped memrefs.

Before: Note [Kernel input form]. After: Note [Kernel buffer form]. Numbers that do not depend on tensors go to the top. Slices,
transpositions and casts become views, `tensor.insert_slice` a copy at most; buffers.py says which tensors are in one buffer.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntAttr,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass

from lowering.dialects.kernel import KNOWN_STRIDES, LayoutAttr, SignatureOp
from lowering.extents import Extent, Extents, contiguous_strides, declared_dims, declared_strides
from lowering.kernel import LoweringError
from lowering.kernel_functions import Form, input_kernels
from lowering.loops.arguments import KernelArguments
from lowering.loops.buffers import Buffers, computes, is_view
from lowering.loops.index_builder import IndexBuilder
from lowering.loops.views import View, filling, passing
from lowering.shaped import element_type, i32_array, is_memref, is_tensor, memref_of
from torchscript_dialect.ir.edit import release_regions


class BufferizePass(ModulePass):
    """See the module's docstring."""

    name = "ts-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name, Form.TENSORS):
            Bufferization(func, signature).run()


class Bufferization:
    """The conversion of one kernel function, in place."""

    def __init__(self, func: FuncOp, signature: SignatureOp) -> None:
        self.func = func
        self.signature = signature
        self.source = func.body.block
        self.extents = Extents(func, signature)
        terminator = self.source.last_op
        if not isinstance(terminator, ReturnOp):
            raise LoweringError("a kernel is one block that ends with func.return")
        self.results = list(terminator.operands)
        arguments = zip(self.source.args, signature.arguments, strict=True)
        types = [_argument_type(one.type, place) for one, place in arguments]
        types += [_buffer_type(value.type) for value in self.results]
        self.block = Block(arg_types=types)
        self.arguments = KernelArguments(self.block, signature)
        self.builder = IndexBuilder(self.block, self.arguments.index, self.extents.values)
        self.buffers = Buffers(self.extents, self.builder, list(self.source.ops))

    def run(self) -> None:
        """Replaces the function's body."""
        self._place_arguments()
        operations = list(self.source.ops)
        work = [op for op in operations if op.results and is_tensor(op.results[0].type)]
        for op in operations:
            if op not in work:
                self._move_scalar(op)
        copies = self._place_results()
        for op in reversed(work):
            self.buffers.assign(op)
        for op in work:
            self._convert(op)
        for source, target in copies:
            self._copy(self.buffers.of(source), target)
        self.block.add_op(ReturnOp.create())
        self.arguments.finish(self.func)
        release_regions(self.func, 0)
        self.func.add_region(Region(self.block))

    def _place_arguments(self) -> None:
        places = zip(self.source.args, self.block.args, self.signature.arguments, strict=False)
        for old, new, place in list(places):
            new.name_hint = old.name_hint
            if not isinstance(place, LayoutAttr):
                if isinstance(new.type, IndexType):
                    self.extents.define(new, Extent(1, (place.data,)))
                old.replace_all_uses_with(new)
                continue
            dims = self.extents.dims(old)
            self.extents.declare(new, dims)
            self.buffers.place(old, new)
            self.buffers.views.place(new, View(new, None, dims, declared_strides(dims, place)))

    def _move_scalar(self, op: Operation) -> None:
        """Scalar operations depend on numbers only, so they all go to the top of the kernel."""
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

    def _place_results(self) -> list[tuple[SSAValue, SSAValue]]:
        """Gives the buffers of results to the operations that make them; returns what must be copied."""
        copies: list[tuple[SSAValue, SSAValue]] = []
        for value, buffer, layout in zip(
            self.results, self.arguments.results, self.signature.results_, strict=True
        ):
            buffer.name_hint = "out"
            dims = declared_dims(value.type, layout)
            self.extents.declare(buffer, dims)
            view = View(buffer, None, dims, contiguous_strides(dims))
            self.buffers.views.place(buffer, view)
            if computes(value.owner) and not self.buffers.placed(value):
                self.extents.declare(value, dims)
                self.buffers.place(value, buffer)
            else:
                copies.append((value, buffer))
        return copies

    def _convert(self, op: Operation) -> None:
        if isinstance(op, linalg.GenericOp | linalg.MatmulOp):
            self._compute(op)
        elif isinstance(op, linalg.FillOp):
            if not _only_starts(op):
                self._fill(op.inputs[0], self.buffers.of(op.res[0]))
        elif isinstance(op, tensor.InsertSliceOp):
            self._insert_slice(op)
        elif not isinstance(op, tensor.EmptyOp) and not is_view(op):
            raise LoweringError(f"{op.name} cannot be bufferized")

    def _compute(self, op: linalg.GenericOp | linalg.MatmulOp) -> None:
        """The operation on buffers, whose results are first what it starts from, if it looks at that."""
        values = [*op.inputs, *op.res]
        buffers = [self.buffers.of(one) if is_tensor(one.type) else one for one in values]
        outs = buffers[len(op.inputs) :]
        arguments = op.body.block.args[len(op.inputs) :]
        for initial, buffer, argument in zip(op.outputs, outs, arguments, strict=True):
            if argument.uses:
                self._start(initial, buffer)
        properties = {
            **op.properties,
            "operandSegmentSizes": i32_array((len(op.inputs), len(outs))),
        }
        kind = linalg.GenericOp if isinstance(op, linalg.GenericOp) else linalg.MatmulOp
        new = kind.create(operands=buffers, properties=properties, regions=[op.detach_region(0)])
        self.block.add_op(new)

    def _start(self, initial: SSAValue, buffer: SSAValue) -> None:
        if isinstance(initial.owner, linalg.FillOp):
            self._fill(initial.owner.inputs[0], buffer)
        elif not isinstance(initial.owner, tensor.EmptyOp):
            self._copy(self.buffers.of(initial), buffer)

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        result = self.buffers.of(op.result)
        if not isinstance(op.dest.owner, tensor.EmptyOp):
            self._copy(self.buffers.of(op.dest), result)
        source = self.buffers.of(op.source)
        if self.buffers.inserted.get(op.source) is not op:
            self._copy(source, self.buffers.slice(result, op, op.source.type))

    def _fill(self, value: SSAValue, target: SSAValue) -> None:
        self.block.add_op(filling(value, target))

    def _copy(self, source: SSAValue, target: SSAValue) -> None:
        if source is target:
            return
        assert is_memref(target.type)
        rank = len(target.type.get_shape())
        map_ = AffineMapAttr(AffineMap.identity(rank))
        copy = linalg.GenericOp.create(
            operands=[source, target],
            properties={
                "indexing_maps": ArrayAttr([map_, map_]),
                "iterator_types": ArrayAttr([IteratorTypeAttr.parallel()] * rank),
                "operandSegmentSizes": i32_array((1, 1)),
            },
            regions=[passing(element_type(target.type))],
        )
        self.block.add_op(copy)


def _argument_type(type_: Attribute, place: LayoutAttr | IntAttr) -> Attribute:
    if not isinstance(place, LayoutAttr) or not place.words("strides"):
        return _buffer_type(type_)
    return _buffer_type(type_, tuple(KNOWN_STRIDES.get(one) for one in place.words("strides")))


def _buffer_type(type_: Attribute, strides: tuple[int | None, ...] | None = None) -> Attribute:
    """The memref of a tensor; any other type as it is."""
    if not is_tensor(type_):
        return type_
    return memref_of(type_.element_type, type_.get_shape(), strides)


def _only_starts(op: linalg.FillOp) -> bool:
    """Whether a filled tensor is nothing but what other operations start from."""
    return all(
        isinstance(use.operation, linalg.GenericOp | linalg.MatmulOp)
        and use.index >= len(use.operation.inputs)
        for use in op.res[0].uses
    )
