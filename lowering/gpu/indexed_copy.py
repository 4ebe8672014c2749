"""Kernels that copy elements whose places along some dimensions other tensors hold: `aten::gather`, `aten::index`, and writes to such
places, which may be added to what is there.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from xdsl.dialects import arith, llvm, memref, scf
from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    ModuleOp,
    UnitAttr,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.dialects import llvm_ext
from lowering.dialects.memref_ext import PointerOp
from lowering.dialects.nvvm_copy import GLOBAL_SPACE
from lowering.gpu.element_kernel import ElementKernel
from lowering.llvm.memref_to_llvm import RELAXED
from lowering.loops.code import NO_FAST_MATH
from lowering.loops.index_builder import INDEX, index_op

NAME = "indexed_copy"
WORK_PS = 2000
OF_AXIS = 3
"""Words of a dimension that is indexed: how many places there are, how far they lie from each other, and the least one, below 0 where
they count from the end, too.
"""
TYPES: dict[str, Attribute] = {
    "float32": f32,
    "float64": f64,
    "int32": i32,
    "int64": i64,
}
"""Elements that are combined with others in memory."""
Way = Literal["read", "write", "add", "amax", "amin", "prod"]
KINDS: dict[tuple[Way, bool], int] = {
    ("add", True): 0,
    ("add", False): 1,
    ("amax", True): 3,
    ("amax", False): 4,
    ("amin", True): 6,
    ("amin", False): 7,
}
"""`memref.atomic_rmw` by what combines elements, and whether these are floats: upstream's `AtomicRMWKind`."""


class Form(NamedTuple):
    """Which kernel it is."""

    way: Way
    """Whether places are read from, written to, or elements there combined with others, one after another."""
    rank: int
    """Of what is walked."""
    element: str
    """The dtype of elements that are combined, a key of `TYPES`, or the number of their bits."""
    place_bits: int
    axes: int
    """How many dimensions are indexed, each by an array of places."""

    @property
    def of_dimension(self) -> int:
        """Words of a dimension: its size, and the strides of source, target and places."""
        return 3 + self.axes


def indexed_copy(form: Form) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over source, target and places.

    Its words are the number of elements, then those of each dimension and of each axis, strides in elements. The places are those of
    the source where they are read from, otherwise those of the target. Where places repeat that are written to, one of the values
    stays. A place that is beyond all ends the launch with an error.
    """
    element = TYPES.get(form.element) or IntegerType(int(form.element))
    place_type = IntegerType(form.place_bits)
    kernel = ElementKernel(element, element, *[place_type] * form.axes)
    source, target, *places = kernel.arrays
    dims = [
        [kernel.size(1 + form.of_dimension * dim + part) for part in range(form.of_dimension)]
        for dim in range(form.rank)
    ]
    words = 1 + form.of_dimension * form.rank
    found = kernel.places(dims, form.of_dimension - 1)
    side = 0 if form.way == "read" else 1
    for axis, (array, at) in enumerate(zip(places, found[2:], strict=True)):
        parts = [kernel.size(words + OF_AXIS * axis + part) for part in range(OF_AXIS)]
        there = _there(kernel, kernel.load(array, at, place_type), parts[0], parts[2])
        found[side] = kernel.moved(found[side], there, parts[1])
    value = kernel.load(source, found[0], element)
    if form.way == "read":
        kernel.store(value, target, found[1])
    elif form.way == "write":
        store = create(memref.StoreOp, (value, target, found[1]), ())
        store.attributes[RELAXED] = UnitAttr()
        kernel.body.add_op(store)
    elif form.way == "prod":
        _multiply(kernel, value, target, found[1])
    else:
        kind = IntegerAttr(KINDS[form.way, form.element.startswith("float")], i64)
        kernel.each(
            create(memref.AtomicRMWOp, (value, target, found[1]), (element,), {"kind": kind})
        )
    return kernel.module(NAME, words=words + OF_AXIS * form.axes, cost=WORK_PS)


def _multiply(kernel: ElementKernel, value: SSAValue, target: SSAValue, at: SSAValue) -> None:
    """Multiply an element in memory, which devices do not do at once: until nobody has changed it since it was looked at."""
    type_ = value.type
    is_float = type_ in (f32, f64)
    bits: Attribute = i64 if type_ in (f64, i64) else i32
    pointer = kernel.each(PointerOp.of(target, at, GLOBAL_SPACE))
    first = kernel.load(target, at, type_)
    attempt, again = Block(arg_types=[bits]), Block(arg_types=[bits])

    def add(op: Operation) -> SSAValue:
        attempt.add_op(op)
        return op.results[0]

    (old,) = attempt.args
    if is_float:
        before = add(create(arith.BitcastOp, (old,), (type_,)))
        product = add(create(arith.MulfOp, (before, value), (type_,), {"fastmath": NO_FAST_MATH}))
        made = add(create(arith.BitcastOp, (product,), (bits,)))
        start = kernel.each(create(arith.BitcastOp, (first,), (bits,)))
    else:
        made, start = add(create(arith.MuliOp, (old, value), (bits,))), first
    seen = add(create(llvm_ext.CmpXchgOp, (pointer, old, made), (bits,)))
    attempt.add_op(scf.ConditionOp(add(arith.CmpiOp(seen, old, "ne")), seen))
    again.add_op(scf.YieldOp(*again.args))
    kernel.body.add_op(scf.WhileOp([start], [bits], [attempt], [again]))


def _there(kernel: ElementKernel, loaded: SSAValue, size: SSAValue, least: SSAValue) -> SSAValue:
    """A place, counted from the beginning, that lies between the least one and the size."""
    place = kernel.each(create(arith.IndexCastOp, (loaded,), (INDEX,)))
    is_low = kernel.each(arith.CmpiOp(place, least, "slt"))
    is_high = kernel.each(arith.CmpiOp(place, size, "sge"))
    is_beyond = kernel.each(create(arith.OrIOp, (is_low, is_high), (i1,)))
    trap = Block([llvm.CallIntrinsicOp("llvm.trap", [], []), scf.YieldOp.create()])
    kernel.body.add_op(scf.IfOp(is_beyond, [], Region(trap), Region(Block([scf.YieldOp.create()]))))
    from_end = kernel.each(index_op(arith.AddiOp, place, size))
    is_from_end = kernel.each(arith.CmpiOp(place, kernel.index(0), "slt"))
    return kernel.each(create(arith.SelectOp, (is_from_end, from_end, place), (INDEX,)))
