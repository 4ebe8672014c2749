"""In which buffer each tensor of a kernel is: that of an argument or a result, a part of one, or one of its own.

That is decided backwards from `func.return`, so that an operation writes straight into the buffer of a result, or into the slice of
one that `tensor.insert_slice` would copy to. A pointwise operation also writes over an operand that nothing reads after it. What is
left gets a buffer of its own, for which `ts-plan-memory` finds a place.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.extents import Dims, Extents, Slice, contiguous_strides
from lowering.kernel import LoweringError
from lowering.loops.fuse_elementwise import is_identity
from lowering.loops.index_builder import IndexBuilder
from lowering.loops.views import Views, allocated, reinterpreted, sliced
from lowering.shaped import element_type, is_memref, is_tensor


class Buffers:
    """The buffers of the tensors of one kernel."""

    def __init__(self, extents: Extents, builder: IndexBuilder, order: Sequence[Operation]) -> None:
        self.extents = extents
        self.builder = builder
        self.views = Views(extents, builder)
        self.order = {op: number for number, op in enumerate(order)}
        self.inserted: dict[SSAValue, tensor.InsertSliceOp] = {}
        """Tensors that are computed in the place that a slice is put into."""
        self._shared: dict[SSAValue, SSAValue] = {}
        """Tensors in the buffers of others."""
        self._known: dict[SSAValue, SSAValue] = {}

    def place(self, value: SSAValue, buffer: SSAValue) -> None:
        """Says in which buffer `value` is."""
        self._known[value] = buffer

    def placed(self, value: SSAValue) -> bool:
        """Whether it is decided where `value` is."""
        return value in self._known or value in self._shared or value in self.inserted

    def assign(self, op: Operation) -> None:
        """Passes the buffers of the results of `op` on to the operands that it overwrites.

        Called for the operations of a kernel from last to first.
        """
        if isinstance(op, tensor.InsertSliceOp):
            self._pass_on(op, op.dest, op.result)
            fresh = starts_empty(op) and not self.placed(op.source)
            if fresh and writes_only_to(op, op.source):
                self.inserted[op.source] = op
        elif isinstance(op, linalg.GenericOp | linalg.MatmulOp):
            for out, result in zip(op.outputs, op.res, strict=True):
                if isinstance(out.owner, linalg.FillOp):
                    continue  # the initial value of an accumulator, unless others see it
                if result.uses:
                    self._pass_on(op, out, result)
            if isinstance(op, linalg.GenericOp):
                self._overwrite(op)
        elif isinstance(op, linalg.FillOp):
            self._pass_on(op, op.outputs[0], op.res[0])

    def _pass_on(self, op: Operation, operand: SSAValue, result: SSAValue) -> None:
        if not self.placed(operand) and writes_only_to(op, operand):
            self._shared[operand] = result

    def _overwrite(self, op: linalg.GenericOp) -> None:
        """Lets a pointwise `op` write its results over operands of their type that it reads at the same places, as the last."""
        if any(kind.data is not IteratorType.PARALLEL for kind in op.iterator_types.data):
            return
        if not all(isinstance(out.owner, tensor.EmptyOp) for out in op.outputs):
            return
        maps = op.indexing_maps.data
        free = list(zip(op.res, maps[len(op.inputs) :], strict=True))
        for value, map_ in zip(op.inputs, maps, strict=False):
            if not is_identity(map_) or self.placed(value) or not self._ends(op, value):
                continue
            found = [one for one in free if one[1] == map_ and one[0].type == value.type]
            if found:
                self._shared[value] = found[0][0]
                free.remove(found[0])

    def _ends(self, op: Operation, value: SSAValue) -> bool:
        """Whether `op` reads `value`, which some operation computes, once, and no other after it."""
        if not computes(value.owner):
            return False
        users = [use.operation for use in value.uses]
        last = self.order[op]
        return users.count(op) == 1 and all(
            computes(user) and self.order[user] <= last for user in users
        )

    def of(self, value: SSAValue) -> SSAValue:
        """The buffer in which `value` is; one of its own where nothing said so before."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._make(value)
        return found

    def _make(self, value: SSAValue) -> SSAValue:
        owner = value.owner
        if (result := self._shared.get(value)) is not None:
            return self.of(result)
        if (insert := self.inserted.get(value)) is not None:
            return self.slice(self.of(insert.result), insert, value.type)
        if isinstance(owner, tensor.ExtractSliceOp):
            return self.slice(self.of(owner.source), owner, value.type)
        if isinstance(owner, tensor.CastOp):
            return self._cast(self.of(owner.source), value.type)
        if isinstance(owner, linalg.TransposeOp):
            return self._transpose(self.of(owner.inputs[0]), owner)
        if isinstance(owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
            return self._reshape(self.of(owner.operands[0]), self.extents.dims(value))
        return self._allocate(self.extents.dims(value), value.type)

    def _allocate(self, dims: Dims, type_: Attribute) -> SSAValue:
        if any(atom < 0 for size in dims for atom in size.atoms):
            raise LoweringError("the size of an intermediate tensor must be a product of syms")
        return self.builder.add(allocated(dims, element_type(type_), self.builder))

    def slice(self, source: SSAValue, op: Slice, type_: Attribute) -> SSAValue:
        """The part of the buffer `source` that a slice operation names; `type_` is the slice's type."""
        assert is_tensor(type_)
        offsets, sizes, steps = self.extents.slice_of(op)
        shape = type_.get_shape()
        return self.builder.add(sliced(source, offsets, sizes, steps, shape, self.builder))

    def _cast(self, source: SSAValue, type_: Attribute) -> SSAValue:
        assert is_memref(source.type) and is_tensor(type_)
        if type_.get_shape() == source.type.get_shape():
            return source
        to = MemRefType(type_.element_type, type_.get_shape(), source.type.layout)
        return self.builder.add(memref.CastOp.create(operands=[source], result_types=[to]))

    def _reshape(self, source: SSAValue, dims: Dims) -> SSAValue:
        view = self.views.of(source)
        strides = contiguous_strides(dims)
        return self.builder.add(reinterpreted(view.base, view.offset, dims, strides, self.builder))

    def _transpose(self, source: SSAValue, op: linalg.TransposeOp) -> SSAValue:
        view = self.views.of(source)
        axes = op.permutation.get_values()
        dims = tuple(view.dims[axis] for axis in axes)
        strides = tuple(view.strides[axis] for axis in axes)
        return self.builder.add(reinterpreted(view.base, view.offset, dims, strides, self.builder))


def computes(op: object) -> bool:
    """Whether `op` writes its tensor results somewhere, unlike a view."""
    return isinstance(op, linalg.GenericOp | linalg.FillOp | linalg.MatmulOp | tensor.InsertSliceOp)


def is_view(op: object) -> bool:
    """Whether the result of `op` is where its operand is."""
    return isinstance(
        op,
        tensor.ExtractSliceOp
        | tensor.CastOp
        | tensor.CollapseShapeOp
        | tensor.ExpandShapeOp
        | linalg.TransposeOp,
    )


def starts_empty(op: tensor.InsertSliceOp) -> bool:
    """Whether slices are all that the destination of `op` consists of.

    Nothing then writes to the whole of it after a slice has been computed in its place.
    """
    owner = op.dest.owner
    while isinstance(owner, tensor.InsertSliceOp):
        owner = owner.dest.owner
    return isinstance(owner, tensor.EmptyOp)


def writes_only_to(user: object, value: SSAValue) -> bool:
    """Whether `user` is the only one to see `value`, a tensor that some operation computes."""
    return computes(value.owner) and value.get_user_of_unique_use() is user
