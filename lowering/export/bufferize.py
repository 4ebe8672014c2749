"""Exported functions over buffers: memrefs instead of tensors, with which xDSL's own conversions go on.

A tensor becomes a buffer that is allocated where the tensor is made, and written to by no other op. An op that writes into a tensor
without content, or into one that a number fills, or that a slice was put into, and that nobody else reads, writes into its buffer.
Slices and reshapes are loops that copy, constants are globals. A function returns buffers that it has allocated; nothing is
deallocated, which is what passes such as upstream's buffer deallocation are for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp, MatmulOp, TransposeOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from lowering.create import create
from lowering.export.function import to_linalg
from lowering.linalg.tensor_builder import INDEX, NO_OVERFLOW_FLAGS
from lowering.shaped import i32_array, integer_attribute, integers_of, is_tensor
from torchscript_dialect.backend import Dimensions
from torchscript_dialect.ir.edit import all_ops, erase, insert_before, replace_uses, set_type
from torchscript_dialect.tensor.tensor import Tensor

Indices = Sequence[SSAValue]


def to_memrefs(
    body: Block, name: str, constants: Mapping[int, Tensor], dynamic: Dimensions
) -> ModuleOp:
    """As `to_linalg`, over memrefs.

    Raises:
        NotCompilable: the block holds what has no rule for linalg.
    """
    module = to_linalg(body, name, constants, dynamic)
    bufferize(module)
    return module


def bufferize(module: ModuleOp) -> None:
    """Let the functions of an exported module take and give memrefs."""
    for function in [op for op in module.ops if isinstance(op, FuncOp)]:
        _Bufferization(module, function).run()


def _buffer_type(type_: Attribute) -> Attribute:
    """The memref of a tensor; any other type as it is."""
    if not is_tensor(type_):
        return type_
    return cast(Attribute, MemRefType(type_.element_type, type_.get_shape()))


_FRESH = (tensor.EmptyOp, FillOp, tensor.InsertSliceOp)
"""What makes tensors whose buffers nobody else has, as long as there is one use."""


class _Bufferization:
    """The conversion of a function, in place, op by op. `buffers` holds those of tensors that are gone when all is done."""

    def __init__(self, module: ModuleOp, function: FuncOp) -> None:
        self.module = module
        self.function = function
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.owned: set[SSAValue] = set()
        """Buffers that this function has allocated."""
        self.gone: list[Operation] = []

    def run(self) -> None:
        block = self.function.body.block
        given = [_buffer_type(argument.type) for argument in block.args]
        self.block(block)
        for op in reversed(self.gone):
            erase(op)
        end = block.last_op
        assert end is not None
        gives = [value.type for value in end.operands]
        self.function.function_type = FunctionType.from_lists(given, gives)

    def block(self, block: Block) -> None:
        for argument in block.args:
            set_type(argument, _buffer_type(argument.type))
        for op in all_ops(block):
            self.op(op)

    def op(self, op: Operation) -> None:
        match op:
            case tensor.EmptyOp():
                self.become(op, self.alloc(op, op.results[0].type, op.operands))
            case FillOp() | MatmulOp() | TransposeOp() | GenericOp():
                self.structured(op)
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
                self.reshape(op)
            case tensor.ExtractSliceOp():
                self.extract_slice(op)
            case tensor.InsertSliceOp():
                self.insert_slice(op)
            case tensor.ExtractOp():
                self.exchange(op, memref.LoadOp)
            case tensor.DimOp():
                self.exchange(op, memref.DimOp)
            case arith.ConstantOp() if is_tensor(op.results[0].type):
                self.constant(op)
            case _:
                self.keep(op)

    # Buffers.

    def buffer(self, value: SSAValue) -> SSAValue:
        """What stands for a value."""
        return self.buffers.get(value, value)

    def become(self, op: Operation, buffer: SSAValue) -> None:
        """Let a buffer stand for the tensor that an op makes."""
        self.buffers[op.results[0]] = buffer
        self.gone.append(op)

    def alloc(self, before: Operation, type_: Attribute, sizes: Sequence[SSAValue]) -> SSAValue:
        """A new buffer for a tensor of that type."""
        properties = {"operandSegmentSizes": i32_array((len(sizes), 0))}
        op = create(memref.AllocOp, sizes, (_buffer_type(type_),), properties)
        insert_before(before, op)
        self.owned.add(op.results[0])
        return op.results[0]

    def alloc_like(self, before: Operation, buffer: SSAValue) -> SSAValue:
        """A new buffer of the sizes of another."""
        shape = cast("MemRefType[Attribute]", buffer.type).get_shape()
        dynamic = [axis for axis, size in enumerate(shape) if size == DYNAMIC_INDEX]
        sizes = [self.size(before, buffer, axis) for axis in dynamic]
        return self.alloc(before, buffer.type, sizes)

    def destination(self, op: Operation, value: SSAValue) -> SSAValue:
        """The buffer of a tensor that an op writes into."""
        buffer = self.buffer(value)
        is_alone = value.first_use is not None and len(list(value.uses)) == 1
        if isinstance(value.owner, _FRESH) and is_alone:
            return buffer
        return self.copy(op, buffer)

    def copy(self, before: Operation, buffer: SSAValue) -> SSAValue:
        """A new buffer with the elements of another."""
        made = self.alloc_like(before, buffer)
        self.move(before, self.sizes(before, buffer), buffer, list, made, list)
        return made

    # Ops.

    def structured(self, op: Operation) -> None:
        """An op of linalg writes into a buffer, and has no result."""
        *inputs, output = op.operands
        for region in op.regions:
            for block in region.blocks:
                self.block(block)
        into = self.destination(op, output)
        operands = [*map(self.buffer, inputs), into]
        made = create(type(op), operands, (), dict(op.properties))
        for region in list(op.regions):
            made.add_region(Region([region.detach_block(block) for block in list(region.blocks)]))
        insert_before(op, made)
        self.become(op, into)

    def exchange(self, op: Operation, op_class: type[Operation]) -> None:
        """An op that reads a tensor becomes one that reads a memref."""
        made = create(op_class, [self.buffer(value) for value in op.operands], op.result_types)
        insert_before(op, made)
        replace_uses(op.results[0], made.results[0])
        self.gone.append(op)

    def constant(self, op: arith.ConstantOp) -> None:
        taken = sum(isinstance(one, memref.GlobalOp) for one in self.module.ops)
        name, type_ = f"constant_{taken}", _buffer_type(op.results[0].type)
        made = memref.GlobalOp.get(
            StringAttr(name), type_, op.value, StringAttr("private"), UnitAttr()
        )
        insert_before(self.function, made)
        get = create(memref.GetGlobalOp, (), (type_,), {"name": SymbolRefAttr(name)})
        insert_before(op, get)
        self.become(op, get.results[0])

    def keep(self, op: Operation) -> None:
        """An op that is about numbers, or passes on what it is given."""
        op.operands = [self.buffer(value) for value in op.operands]
        if isinstance(op, ReturnOp):
            op.operands = [self.returned(op, value) for value in op.operands]
        for region in op.regions:
            for block in region.blocks:
                self.block(block)
        for result in op.results:
            set_type(result, _buffer_type(result.type))
            if isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp) and result.type != INDEX:
                self.buffers[result] = result

    def returned(self, op: Operation, value: SSAValue) -> SSAValue:
        """A buffer that is given to the caller is none that the caller has, or that calls share."""
        is_shared = isinstance(value, BlockArgument) or isinstance(value.owner, memref.GetGlobalOp)
        is_branch = isinstance(value.owner, scf.IfOp | scf.ForOp | scf.WhileOp)
        if isinstance(value.type, MemRefType) and (is_shared or is_branch):
            return self.copy(op, value)
        return value

    # Loops that copy.

    def reshape(self, op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> None:
        """Walk the dimensions that are cut; their places make up those of the joined ones."""
        source = self.buffer(op.operands[0])
        groups = _groups(op)
        is_cut = isinstance(op, tensor.ExpandShapeOp)
        if is_cut:
            into = self.alloc(op, op.results[0].type, op.operands[1:])
            sizes = self.sizes(op, into)
        else:
            sizes = self.sizes(op, source)
            joined = [self.product(op, [sizes[dim] for dim in group]) for group in groups]
            shape = cast(Any, op.results[0].type).get_shape()
            dynamic = [n for n, size in zip(joined, shape, strict=True) if size == DYNAMIC_INDEX]
            into = self.alloc(op, op.results[0].type, dynamic)
        cut, whole = (into, source) if is_cut else (source, into)

        def joined_places(places: Indices, before: Operation) -> Indices:
            found: list[SSAValue] = []
            for group in groups:
                total = places[group[0]]
                for dim in group[1:]:
                    total = _times(before, total, sizes[dim])
                    total = _plus(before, total, places[dim])
                found.append(total)
            return found

        nest = _Nest(op, sizes)
        at = joined_places(nest.places, nest.end)
        if is_cut:
            nest.copy(whole, at, cut, nest.places)
        else:
            nest.copy(cut, nest.places, whole, at)
        self.become(op, into)

    def extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        source = self.buffer(op.source)
        offsets, sizes, strides = _slice(op, op)
        shape = cast(Any, op.result.type).get_shape()
        kept = _kept(op.static_sizes, shape)
        dynamic = [sizes[a] for a, size in zip(kept, shape, strict=True) if size == DYNAMIC_INDEX]
        into = self.alloc(op, op.result.type, dynamic)
        nest = _Nest(op, sizes)
        at = _moved(nest, offsets, strides)
        nest.copy(source, at, into, [nest.places[axis] for axis in kept])
        self.become(op, into)

    def insert_slice(self, op: tensor.InsertSliceOp) -> None:
        into = self.destination(op, op.dest)
        offsets, sizes, strides = _slice(op, op)
        kept = _kept(op.static_sizes, cast(Any, op.source.type).get_shape())
        nest = _Nest(op, sizes)
        at = _moved(nest, offsets, strides)
        nest.copy(self.buffer(op.source), [nest.places[axis] for axis in kept], into, at)
        self.become(op, into)

    def move(
        self,
        before: Operation,
        sizes: Indices,
        source: SSAValue,
        read: Callable[[Indices], Indices],
        into: SSAValue,
        written: Callable[[Indices], Indices],
    ) -> None:
        """Copy so many elements, from where `read` says to where `written` says."""
        nest = _Nest(before, sizes)
        nest.copy(source, read(nest.places), into, written(nest.places))

    def sizes(self, before: Operation, buffer: SSAValue) -> Indices:
        """The sizes of a buffer."""
        rank = len(cast("MemRefType[Attribute]", buffer.type).get_shape())
        return [self.size(before, buffer, axis) for axis in range(rank)]

    def size(self, before: Operation, buffer: SSAValue, axis: int) -> SSAValue:
        """A size of a buffer."""
        size = cast("MemRefType[Attribute]", buffer.type).get_shape()[axis]
        if size != DYNAMIC_INDEX:
            return _index(before, size)
        op = create(memref.DimOp, (buffer, _index(before, axis)), (INDEX,))
        insert_before(before, op)
        return op.results[0]

    def product(self, before: Operation, sizes: Indices) -> SSAValue:
        """The product of sizes."""
        total, *others = sizes
        for size in others:
            total = _times(before, total, size)
        return total


class _Nest:
    """Loops in front of an op, one for each size; `places` are where they stand."""

    def __init__(self, before: Operation, sizes: Indices) -> None:
        self.places: list[SSAValue] = []
        self.end = before
        zero, one = _index(before, 0), _index(before, 1)
        for size in sizes:
            body = Block(arg_types=[INDEX])
            last = create(scf.YieldOp, (), ())
            body.add_op(last)
            loop = create(scf.ForOp, (zero, size, one), ())
            loop.add_region(Region(body))
            insert_before(self.end, loop)
            self.places.append(body.args[0])
            self.end = last

    def copy(self, source: SSAValue, read: Indices, into: SSAValue, written: Indices) -> None:
        """Copy an element in the innermost loop."""
        element = cast("MemRefType[Attribute]", source.type).element_type
        load = create(memref.LoadOp, (source, *read), (element,))
        insert_before(self.end, load)
        insert_before(self.end, create(memref.StoreOp, (load.results[0], into, *written), ()))


def _groups(op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> list[list[int]]:
    """The dimensions that are one on the other side."""
    found: Any = op.reassociation
    return [[dim.value.data for dim in group] for group in found]


def _index(before: Operation, number: int) -> SSAValue:
    op = create(arith.ConstantOp, (), (INDEX,), {"value": integer_attribute(number, INDEX)})
    insert_before(before, op)
    return op.results[0]


def _plus(before: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    op = create(arith.AddiOp, (a, b), (INDEX,), NO_OVERFLOW_FLAGS)
    insert_before(before, op)
    return op.results[0]


def _times(before: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    op = create(arith.MuliOp, (a, b), (INDEX,), NO_OVERFLOW_FLAGS)
    insert_before(before, op)
    return op.results[0]


def _slice(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp, before: Operation
) -> tuple[list[SSAValue], list[SSAValue], list[SSAValue]]:
    """Offsets, sizes and strides, all of them values."""

    def values(static: Attribute, dynamic: Sequence[SSAValue]) -> list[SSAValue]:
        rest = iter(dynamic)
        return [
            next(rest) if one == DYNAMIC_INDEX else _index(before, one)
            for one in integers_of(static) or ()
        ]

    return (
        values(op.static_offsets, op.offsets),
        values(op.static_sizes, op.sizes),
        values(op.static_strides, op.strides),
    )


def _moved(nest: _Nest, offsets: Indices, strides: Indices) -> list[SSAValue]:
    """Where the elements of a slice are in the whole."""
    return [
        _plus(nest.end, offset, _times(nest.end, place, stride))
        for place, offset, stride in zip(nest.places, offsets, strides, strict=True)
    ]


def _kept(static_sizes: Attribute, shape: Sequence[int]) -> list[int]:
    """Which dimensions of a slice its type has; the others are of size 1."""
    sizes = integers_of(static_sizes) or ()
    dropped = len(sizes) - len(shape)
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        left = len(shape) - len(kept)
        if dropped and size == 1 and (not left or shape[len(kept)] != 1):
            dropped -= 1
        else:
            kept.append(axis)
    return kept
