"""What a kernel function looks like before and after `ts-linalg-to-loops`.

Note [Kernel input form]
A kernel is `func.func @name(...) -> (...) attributes {ts.kernel, ts.syms = N : i64}` over
tensors. N is the number of 64-bit words that the caller passes in `syms`. Every argument and
every result says where its sizes come from:

    argument `tensor<?x1x?xf32> {ts.dims = array<i64: 0, -1, 3>}`
        one entry per dimension: the index of the word that holds the size, or -1 where the type
        has it. A static size of 1 marks a dimension that broadcasts. One size, one word: equal
        sizes name the same word, so that contiguous operands are seen to be walked alike.
    argument `... {ts.dims = ..., ts.strides = array<i64: 5, -1>}`
        element strides, per dimension: the index of a word, -1 for the constant 1, -2 for the
        constant 0. Without `ts.strides` the argument is C-contiguous.
    argument `i64 | i1 | f64 | f32 | index {ts.sym = 4 : i64}`
        a scalar: word 4 of `syms` (f64 and f32 are read as the bits of a double, i1 is "not 0").
    result   `tensor<?x?xf32> {ts.dims = array<i64: 0, 3>}`
        fresh, C-contiguous.

The body may hold: `tensor.empty`, `tensor.dim`, `arith` on scalars, `linalg.generic` (parallel
and reduction iterators; indexing maps whose results are dimensions or the constant 0),
`linalg.fill`, `linalg.matmul`, `linalg.transpose`, `tensor.extract_slice`,
`tensor.insert_slice` (slices of one `tensor.empty` do not overlap), `tensor.cast`, and
`func.return`. An optional
`func.func @sizes(%syms: memref<?xi64>) -> i1` computes derived words and checks constraints.

Note [Kernel loop form]
`func.func @name(%in0: memref<?xf32>, ..., %out0: memref<?xf32>, ..., [%scratch: memref<?xi8>,]
%syms: memref<?xi64>, %begin: index, %end: index)`: flat buffers, linear indices, loops in `scf`.
`ts.total` is the word with the length of the parallel range, `ts.scratch` (where there is a
scratch buffer) the word with its size in bytes, `ts.work` the word with what there is to do in
all, in units of `ts.cost` picoseconds; `ts.syms` has grown by these words, which `@sizes` computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    ShapedType,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from torchscript_dialect.types.core import TorchScriptType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.ir import Attribute

KERNEL = "ts.kernel"
SYMS = "ts.syms"
DIMS = "ts.dims"
STRIDES = "ts.strides"
SYM = "ts.sym"
TOTAL = "ts.total"
SCRATCH = "ts.scratch"
WORK = "ts.work"
COST = "ts.cost"
PARALLEL = "ts.parallel"
REDUCTION = "ts.reduction"
SIZES = "sizes"

STATIC_DIM = -1
UNIT_STRIDE = -1
ZERO_STRIDE = -2


class LoweringError(DiagnosticException):
    """The program cannot be lowered; the message names the construct."""


def kernels(module: ModuleOp) -> Iterator[FuncOp]:
    """The kernel functions of `module`, in order."""
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and KERNEL in op.attributes:
            yield op


def kernels_over(type_: type[Attribute], module: ModuleOp, pass_name: str) -> list[FuncOp]:
    """The kernel functions of `module`, whose arguments are of a type: `TensorType` is the input form, `MemRefType` the loop form.

    Raises:
        PassFailedException: there is none, or one is in the other form.
    """
    form = "input" if type_ is TensorType else "loop"
    found = list(kernels(module))
    for function in found:
        shaped = [t for t in function.function_type.inputs if isinstance(t, ShapedType)]
        if any(not isinstance(t, type_) for t in shaped):
            raise PassFailedException(
                f"{pass_name} works on kernels in {form} form, and @{function.sym_name.data} takes {shaped[0]}"
            )
    names = ", ".join(f"@{op.sym_name.data}" for op in module.ops if isinstance(op, FuncOp))
    if not found:
        raise PassFailedException(
            f"{pass_name} works on kernels in {form} form (lowering/kernel.py), which are functions with"
            f" the attribute {KERNEL}; the module has {names or 'no function'}"
        )
    return found


def require_lowered(module: ModuleOp, pass_name: str) -> None:
    """Refuse functions of TorchScript.

    Raises:
        PassFailedException: there is one.
    """
    for function in module.ops:
        if not isinstance(function, FuncOp):
            continue
        types = (*function.function_type.inputs, *function.function_type.outputs)
        if any(isinstance(type_, TorchScriptType) for type_ in types):
            raise PassFailedException(
                f"{pass_name} comes after ts-convert-torch-to-linalg, and @{function.sym_name.data} is a function of TorchScript"
            )


def argument_attributes(attributes: ArrayAttr[DictionaryAttr] | None, count: int):
    """The attribute dictionaries of `count` arguments or results; empty ones where absent."""
    if attributes is None:
        return [dict[str, "Attribute"]()] * count
    return [dict(entry.data) for entry in attributes.data]


def integers(attributes: dict[str, Attribute], name: str) -> tuple[int, ...] | None:
    """The values of the `array<i64: ...>` called `name`, or None."""
    value = attributes.get(name)
    if not isinstance(value, DenseArrayBase):
        return None
    return tuple(int(item) for item in value.get_values())


def integer(attributes: dict[str, Attribute], name: str) -> int | None:
    """The value of the integer attribute called `name`, or None."""
    value = attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else None
