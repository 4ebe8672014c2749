"""What a kernel function looks like before and after `ts-linalg-to-loops`.

Note [Kernel input form]
A kernel is a `func.func @name(...) -> (...)` over tensors, and a `kernel.signature @name` beside it, which says where arguments
and results have their sizes from: 64-bit words, which the caller passes in `syms`.

    kernel.signature @name([s0, _, s3], [s0, s1] strides [s5, 1], s4) -> ([s0, s3]) words 6

A static size, `_`, of 1 marks a dimension that broadcasts. One size, one word: equal sizes name the same word, so that contiguous
operands are seen to be walked alike. A scalar is a word too: f64 and f32 are read as the bits of a double, i1 is "not 0".

The body may hold: `tensor.empty`, `tensor.dim`, `arith` on scalars, `linalg.generic` (parallel
and reduction iterators; indexing maps whose results are dimensions or the constant 0),
`linalg.fill`, `linalg.matmul`, `linalg.transpose`, `tensor.extract_slice`,
`tensor.insert_slice` (slices of one `tensor.empty` do not overlap), `tensor.cast`,
`tensor.collapse_shape` and `tensor.expand_shape` (of tensors whose elements lie in the order of
their indices), and `func.return`. An optional
`func.func @sizes(%syms: memref<?xi64>) -> i1` computes derived words and checks constraints.

Note [Kernel loop form]
`func.func @name(%in0: memref<?xf32>, ..., %out0: memref<?xf32>, ..., [%scratch: memref<?xi8>,]
%syms: memref<?xi64>, %begin: index, %end: index)`: flat buffers, linear indices, loops in `scf`, of which `scf.parallel` may
run in any order. Temporaries are `memref.alloc`s up to `ts-plan-memory`, which adds `%scratch`. A `kernel.entry` beside the
function says what the runtime has to know, among it the words of `syms` that it needs besides those of the input form, which
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
