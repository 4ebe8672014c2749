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
%syms: memref<?xi64>, %begin: index, %end: index)`: flat buffers, linear indices, loops in `scf`, of which `scf.parallel` may
run in any order. A `kernel.entry` beside it says what the runtime has to know, among it the words of `syms` that it needs
besides those of the input form, which `@sizes` computes.
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


def input_kernels(module: ModuleOp, pass_name: str) -> list[FuncOp]:
    """The kernels of `module`, all of which are in input form.

    Raises:
        PassFailedException: there is none, or one is in loop form.
    """
    found = list(kernels(module))
    for function in found:
        shaped = [t for t in function.function_type.inputs if isinstance(t, ShapedType)]
        if any(not isinstance(t, TensorType) for t in shaped):
            raise PassFailedException(
                f"{pass_name} works on kernels in input form, and @{function.sym_name.data} takes {shaped[0]}"
            )
    names = ", ".join(f"@{op.sym_name.data}" for op in module.ops if isinstance(op, FuncOp))
    if not found:
        raise PassFailedException(
            f"{pass_name} works on kernels in input form (lowering/kernel.py), which are functions with"
            f" the attribute {KERNEL}; the module has {names or 'no function'}"
        )
    return found


def loop_functions(module: ModuleOp, pass_name: str) -> list[FuncOp]:
    """The functions of `module` that others may call, all of which work on buffers.

    Raises:
        PassFailedException: there is none, or one takes a tensor.
    """
    require_lowered(module, pass_name)
    found = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    for function in found:
        types = (*function.function_type.inputs, *function.function_type.outputs)
        if any(isinstance(type_, TensorType) for type_ in types):
            raise PassFailedException(
                f"{pass_name} comes after ts-linalg-to-loops, and @{function.sym_name.data} is a function of tensors"
            )
    if not found:
        raise PassFailedException(f"{pass_name} works on functions, and the module has none")
    return [function for function in found if function.sym_visibility is None]


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
