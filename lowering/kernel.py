"""What a kernel function looks like on its way from tensors to loops.

Note [Kernel input form]
A kernel is a `func.func @name(...) -> (...)` over tensors, and a `kernel.signature @name` beside it, which says where arguments
and results have their sizes from: 64-bit words, which the caller passes in `syms`.

    kernel.signature @name([s0, _, s3], [s0, s1] strides [s5, 1], s4) -> ([s0, s3]) words 6

A static size, `_`, of 1 marks a dimension that broadcasts. One size, one word: equal sizes name the same word, so that contiguous
operands are seen to be walked alike. A scalar is a word too: f64 and f32 are read as the bits of a double, i1 is "not 0".

The body may hold: `tensor.empty`, `tensor.dim`, `arith` on scalars, `linalg.generic` (parallel
and reduction iterators; indexing maps whose results are dimensions or the constant 0, and of one factor of a product sums of loops),
`linalg.fill`, `linalg.matmul`, `linalg.transpose`, `tensor.extract_slice`,
`tensor.insert_slice` (slices of one `tensor.empty` do not overlap), `tensor.cast`,
`tensor.collapse_shape` and `tensor.expand_shape` (of tensors whose elements lie in the order of
their indices), and `func.return`. An optional
`func.func @sizes(%syms: memref<?xi64>) -> i1` computes derived words and checks constraints; where these are about the addresses of
tensor arguments, it takes `%buffers: memref<?xi64>` besides.

Note [Kernel buffer form]
After `ts-bufferize` a kernel is a function of shaped memrefs and numbers, `func.func @name(%x: memref<?x?xf32>, ..., %0: index, ...,
%out: memref<?x?xf32>, ...)`, that gives nothing: the buffers of its results are its last arguments. Its signature stays and describes
them all. Operations of linalg on buffers follow each other in its block, between `memref.alloc`s of temporaries and views
(`memref.subview`, `memref.cast`, `memref.reinterpret_cast`). After `ts-tile-rows` they may stand in a `kernel.launch`, in which a loop
over rows runs from its begin to its end. After `ts-plan-memory` temporaries are `memref.view`s of one buffer of bytes.

Note [Kernel launch form]
After `ts-linalg-to-loops` buffers are flat, `memref<?xf32>`, with linear indices. Loops are those of `scf`, of which `scf.parallel` may
run in any order. They stand in one `kernel.launch`, and all index arithmetic that depends on sizes only stands before it.

Note [Kernel loop form]
After `ts-outline-kernel` the runtime can call the function: `func.func @name(%in0: memref<?xf32>, ..., %out0: memref<?xf32>, ...,
[%scratch: memref<?xi8>,] %syms: memref<?xi64>, %begin: index, %end: index)` does the part from begin to end. A `kernel.entry` beside
the function says what the runtime has to know, among it the words of `syms` that it needs besides those of the input form, which
`@sizes` computes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException

from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import PassError, TorchScriptError

SIZES = "sizes"


class LoweringError(TorchScriptError, DiagnosticException):
    """The program cannot be lowered; the message names the construct."""


def require_lowered(module: ModuleOp, pass_name: str) -> None:
    """Refuse functions of TorchScript.

    Raises:
        PassError: there is one.
    """
    for function in module.ops:
        if not isinstance(function, FuncOp):
            continue
        types = (*function.function_type.inputs, *function.function_type.outputs)
        if any(isinstance(type_, TorchScriptType) for type_ in types):
            raise PassError(
                f"{pass_name} comes after ts-convert-torch-to-linalg, and @{function.sym_name.data} is a function of TorchScript"
            )
