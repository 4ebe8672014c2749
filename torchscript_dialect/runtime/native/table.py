"""Encodes a `KernelSpec` as the table of words that the native entry interprets.

Note [The table of a specialization]
A header of 64-bit words, then one record per argument, then one per output. Sizes and strides are
encoded in a word each: a tag in the low two bits, and above it the constant, or the index of the
symbol to bind, to compare with or (in outputs and the parallel range) to read.

    argument: kind, symbol                                        a number or None
    argument: kind, rank, descr, descr, flags, shift, strided, sizes..., strides...
    output:   descr, itemsize, rank, turned, sizes..., order...   the order, fastest first, where it is turned

A specialization that has a Python function in a kernel's place has no outputs, and tensors of any
sizes and strides. In one that is in place all tensors are contiguous and `strided` is MEASURED.
What makes views is in `view_table.py`.
"""

from __future__ import annotations

import array
import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from torchscript_dialect.backend import (
    Dim,
    Grid,
    KernelSpec,
    NoneInput,
    ScalarInput,
    ScalarKind,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.runtime.native.abi import ALIGNED, C_CONTIGUOUS, WRITEABLE, descriptors

HEADER_FIELDS = (
    *("NEXT", "NARGS", "KERNEL", "SIZES", "OUTPUTS_AT", "NUM_OUTPUTS", "RETURNS_TUPLE"),
    *("GIL_WORK", "PARALLEL_WORK", "WAKE_WORK", "CHUNK_WORK", "GRAIN", "SCRATCH"),
    *("FUNCTION", "IN_PLACE", "MAKES_VIEWS", "NUM_STEPS", "FIRST_STEP", "STEPS_AT"),
    *("LAST_AT", "LAST", "TOTAL_RANK", "WORK_RANK", "TOTAL_DIMS", "WORK_DIMS"),
    *(
        "DEVICE_EACH",
        "DEVICE_THREADS",
        "DEVICE_WORDS",
        "DEVICE_FAILED",
        "DEVICE_STAGE",
        "DEVICE_STAGES",
        "DEVICE_CHOSEN",
    ),
)
MAX_TOTAL_RANK = 8
NEXT, NARGS, KERNEL, SIZES, OUTPUTS_AT, NUM_OUTPUTS, RETURNS_TUPLE = range(7)
GIL_WORK, PARALLEL_WORK, WAKE_WORK, CHUNK_WORK, GRAIN, SCRATCH = range(7, 13)
FUNCTION, IN_PLACE, MAKES_VIEWS, NUM_STEPS, FIRST_STEP, STEPS_AT = range(13, 19)
LAST_AT, LAST, TOTAL_RANK, WORK_RANK, TOTAL_DIMS = range(19, 24)
WORK_DIMS = TOTAL_DIMS + MAX_TOTAL_RANK
DEVICE_EACH = WORK_DIMS + MAX_TOTAL_RANK
DEVICE_THREADS, DEVICE_WORDS, DEVICE_FAILED, DEVICE_STAGE = range(DEVICE_EACH + 1, DEVICE_EACH + 5)
DEVICE_STAGES, DEVICE_CHOSEN = DEVICE_STAGE + 1, DEVICE_STAGE + 2
HEADER_WORDS = DEVICE_CHOSEN + 1
NO_WORD = -1
"""What stands for the number of a word of syms that there is not."""

KIND_TENSOR, KIND_INT, KIND_FLOAT, KIND_BOOL, KIND_NONE, KIND_WRAPPED = range(6)
KIND_VIEWED, KIND_INTS, KIND_ANY = 6, 7, 8
KIND_THERE, KIND_ANY_THERE = 9, 10
"""Tensors on a device, as `KIND_TENSOR` and `KIND_ANY` are on the host. No kind comes after them."""
KIND_OF_SCALAR = {"int": KIND_INT, "float": KIND_FLOAT, "bool": KIND_BOOL}
WALKED, STRIDED, MEASURED = range(3)
"""What of an array is looked at beside its sizes: nothing, its strides, or where it ends."""
TENSOR_FIXED_WORDS = 7
OTHER_WORDS = 2
VIEWED_WORDS, INTS_WORDS = 5, 3
OUTPUT_FIXED_WORDS = 4

TAG_CONSTANT, TAG_BIND, TAG_COMPARE = 0, 1, 2

MAX_SYMS, MAX_BUFFERS, MAX_RANK = 256, 64, 32
WAKE_NS = 20_000.0
"""Work for less than this is not worth waking a sleeping thread."""
CHUNK_NS = 4_000.0
"""A chunk takes about this long at least."""
NEVER = (1 << 63) - 1
WORK_IS_TOTAL = -1
"""The rank of the work of a kernel that has none of its own."""


def can_be_in_place(spec: KernelSpec) -> bool:
    """Whether the result of a kernel has the form of its first argument, all tensors are contiguous and nothing else is written."""
    first = spec.inputs[0] if spec.inputs else None
    return (
        isinstance(first, TensorInput)
        and all(one.strides is None for one in spec.inputs if isinstance(one, TensorInput))
        and list(spec.outputs) == [TensorOutput(first.dtype, first.shape)]
        and not spec.returns_tuple
        and spec.scratch is None
    )


def encode(
    spec: KernelSpec,
    kernel: int,
    sizes: int,
    *,
    in_place: bool = False,
    takes_tracked: bool = False,
    grid: Grid | None = None,
) -> array.array[int]:
    """The table for `spec` (see the Note), its kernel's address and its sizes function's or 0. What is `in_place` writes its result
    over the first argument: the kernel has to read each element before it writes it, and no other one after that. `takes_tracked`:
    tensors may require gradients, of which the caller knows. Where there is a `grid`, `kernel` is the driver's number of a kernel
    of the device on which all tensors are.

    ValueError where the spec is inconsistent: an unbound symbol, an index or rank beyond the
    limits.
    """
    _check_limits(spec)
    if in_place and not can_be_in_place(spec):
        raise ValueError("the result has no place in the first argument")
    if grid is None:
        kind = KIND_ANY if takes_tracked else KIND_TENSOR
    else:
        kind = KIND_ANY_THERE if takes_tracked else KIND_THERE
    encoder = _Encoder(spec, in_place, kind)
    arguments: list[int] = []
    for one in spec.inputs:
        match one:
            case TensorInput():
                arguments += encoder.tensor(one)
            case ScalarInput():
                arguments += [KIND_OF_SCALAR[one.kind], encoder.bind(one.sym)]
            case NoneInput():
                arguments += [KIND_NONE, 0]
    if sizes:
        encoder.bound = set(range(spec.num_syms))
    outputs: list[int] = []
    for one in spec.outputs:
        descr, _, itemsize = descriptors(one.dtype)
        outputs += [descr, itemsize, len(one.shape), int(one.order is not None)]
        outputs += [*map(encoder.read, one.shape), *reversed(one.order or ())]
    header = [0] * HEADER_WORDS
    header[NARGS] = len(spec.inputs)
    header[KERNEL] = kernel
    header[SIZES] = sizes
    header[NUM_OUTPUTS] = len(spec.outputs)
    header[RETURNS_TUPLE] = int(spec.returns_tuple)
    header[GIL_WORK] = _units(spec.release_gil_ns, spec.cost_ns)
    header[PARALLEL_WORK] = _units(spec.parallel_ns, spec.cost_ns)
    header[WAKE_WORK] = _units(max(WAKE_NS, spec.parallel_ns), spec.cost_ns)
    header[CHUNK_WORK] = max(_units(CHUNK_NS, spec.cost_ns), 1)
    header[GRAIN] = spec.grain
    header[IN_PLACE] = int(in_place)
    header[SCRATCH] = 0 if spec.scratch is None else encoder.read(spec.scratch)
    header[TOTAL_RANK] = len(spec.total)
    header[TOTAL_DIMS : TOTAL_DIMS + len(spec.total)] = map(encoder.read, spec.total)
    header[WORK_RANK] = WORK_IS_TOTAL if spec.work is None else len(spec.work)
    if spec.work is not None:
        header[WORK_DIMS : WORK_DIMS + len(spec.work)] = map(encoder.read, spec.work)
    if grid is not None:
        header[DEVICE_EACH], header[DEVICE_THREADS] = grid.each, grid.threads
        header[DEVICE_WORDS], header[DEVICE_FAILED] = spec.num_syms, id(grid.failed)
        header[DEVICE_STAGE] = NO_WORD if spec.stage is None else spec.stage.index
        header[DEVICE_STAGES] = spec.stages
        header[DEVICE_CHOSEN] = NO_WORD if spec.threads is None else spec.threads.index
    words = array.array("q", [*header, *arguments, *outputs])
    words[OUTPUTS_AT] = words.buffer_info()[0] + 8 * (HEADER_WORDS + len(arguments))
    return words


class AnyTensor(NamedTuple):
    """An argument that is a tensor, and no array, of a dtype and rank."""

    dtype: str
    rank: int


Forwarded: TypeAlias = AnyTensor | ScalarKind
"""An argument of a call that a Python function gets."""


def encode_function(inputs: Sequence[Forwarded], function: object) -> array.array[int]:
    """The table for a Python function that gets the calls with such arguments.

    ValueError where there are more of them than a native call takes.
    """
    arguments: list[int] = []
    symbols = 0
    for one in inputs:
        if isinstance(one, AnyTensor):
            first, second, _ = descriptors(one.dtype)
            sizes = [index << 2 | TAG_BIND for index in range(one.rank)]
            arguments += [KIND_WRAPPED, one.rank, first, second, 0, 0, 0, *sizes]
            symbols = max(symbols, one.rank)
        else:
            arguments += [KIND_OF_SCALAR[one], 0]
    tensors = sum(isinstance(one, AnyTensor) for one in inputs)
    check_number("dimensions", symbols, MAX_RANK)
    check_number("buffers", tensors, MAX_BUFFERS)
    header = [0] * HEADER_WORDS
    header[NARGS] = len(inputs)
    header[FUNCTION] = id(function)
    return array.array("q", [*header, *arguments])


def check_spec(spec: KernelSpec, *, has_sizes: bool) -> None:
    """ValueError where `encode` would refuse the spec of a kernel with or without a sizes function."""
    encode(spec, 0, int(has_sizes))


class _Encoder:
    """Follows which symbols the entry has bound when it comes to a word."""

    def __init__(self, spec: KernelSpec, in_place: bool, kind: int):
        self.kind = kind
        self.num_syms = spec.num_syms
        self.in_place = in_place
        self.has_first = False
        self.bound: set[int] = set()

    def tensor(self, one: TensorInput) -> list[int]:
        first, second, itemsize = descriptors(one.dtype)
        if itemsize & (itemsize - 1):
            raise ValueError(f"{one.dtype} has items of {itemsize} bytes")
        flags = ALIGNED if one.strides is not None else ALIGNED | C_CONTIGUOUS
        strided = WALKED if one.strides is None else STRIDED
        kind = self.kind
        if self.in_place:
            kind, strided = KIND_WRAPPED, MEASURED
            flags |= 0 if self.has_first else WRITEABLE
        self.has_first = True
        fixed = [kind, len(one.shape), first, second, flags, itemsize.bit_length() - 1]
        sizes = [self.match(dim) for dim in one.shape]
        return [*fixed, strided, *sizes, *(self.match(dim) for dim in one.strides or ())]

    def bind(self, sym: Sym) -> int:
        index = self._index(sym)
        if index in self.bound:
            raise ValueError(f"the scalar symbol {index} is bound twice")
        self.bound.add(index)
        return index

    def match(self, dim: Dim) -> int:
        if not isinstance(dim, Sym):
            return _constant(dim)
        index = self._index(dim)
        tag = TAG_COMPARE if index in self.bound else TAG_BIND
        self.bound.add(index)
        return index << 2 | tag

    def read(self, dim: Dim) -> int:
        if not isinstance(dim, Sym):
            return _constant(dim)
        if self._index(dim) not in self.bound:
            raise ValueError(f"the symbol {dim.index} is not bound by any input")
        return dim.index << 2 | TAG_COMPARE

    def _index(self, sym: Sym) -> int:
        if not 0 <= sym.index < self.num_syms:
            raise ValueError(f"symbol {sym.index} of {self.num_syms}")
        return sym.index


def _constant(value: int) -> int:
    return value << 2 | TAG_CONSTANT


def _units(nanoseconds: float, cost: float) -> int:
    """How many units of work take so long."""
    count = nanoseconds / cost if cost > 0 else math.inf
    return math.ceil(count) if count < 1 << 62 else NEVER


def check_number(what: str, number: int, limit: int) -> None:
    """ValueError where a native call has no room for so many."""
    if number > limit:
        raise ValueError(f"{number} {what}; a native call has at most {limit}")


def _check_limits(spec: KernelSpec) -> None:
    tensors = [one for one in spec.inputs if isinstance(one, TensorInput)]
    for one in tensors:
        if one.strides is not None and len(one.strides) != len(one.shape):
            raise ValueError(f"{len(one.strides)} strides for {len(one.shape)} dimensions")
    buffers = len(tensors) + len(spec.outputs) + (spec.scratch is not None)
    limits: Sequence[tuple[str, int, int]] = (
        ("symbols", spec.num_syms, MAX_SYMS),
        ("buffers", buffers, MAX_BUFFERS),
        ("dimensions", max((len(o.shape) for o in (*tensors, *spec.outputs)), default=0), MAX_RANK),
        ("factors of the parallel range", len(spec.total), MAX_TOTAL_RANK),
        ("factors of the work", len(spec.work or ()), MAX_TOTAL_RANK),
    )
    for what, number, limit in limits:
        check_number(what, number, limit)
    if spec.grain < 1:
        raise ValueError(f"a grain of {spec.grain}")
    for one in spec.outputs:
        if one.order is not None and sorted(one.order) != list(range(len(one.shape))):
            raise ValueError(f"{one.order} is no order of {len(one.shape)} dimensions")
    if not spec.returns_tuple and len(spec.outputs) != 1:
        raise ValueError(f"{len(spec.outputs)} outputs that are not returned as a tuple")
