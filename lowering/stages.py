"""Which operations may stand in a module after each pass on the way from tensors to machine code.

A name is that of an operation, or of a dialect all of whose operations may. Passes of xDSL's that know no dialect (canonicalize, cse,
licm) may run after any of them. `illegal` is for tests: passes trust the ones before them.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from lowering.math.expand_math import INLINE

FUNCTIONS = frozenset(("builtin.module", "func.func", "func.return", "arith"))
SIZES = frozenset(("memref.load", "memref.store"))
"""What `@sizes` needs, in whichever form the kernel is."""

TENSORS = (
    FUNCTIONS
    | SIZES
    | {
        "complex.create",
        "complex.im",
        "complex.re",
        "kernel.signature",
        "math",
        "math_ext",
        "linalg.fill",
        "linalg.generic",
        "linalg.index",
        "linalg.matmul",
        "linalg.transpose",
        "linalg.yield",
        "tensor.cast",
        "tensor.collapse_shape",
        "tensor.dim",
        "tensor.empty",
        "tensor.expand_shape",
        "tensor.extract_slice",
        "tensor.insert_slice",
    }
)
"""Note [Kernel input form] in lowering/kernel.py."""

BUFFERS = TENSORS - {name for name in TENSORS if name.startswith("tensor.")} - {
    "linalg.transpose"
} | {"memref.alloc", "memref.cast", "memref.reinterpret_cast", "memref.subview"}
"""Note [Kernel buffer form] in lowering/kernel.py."""

ROWS = BUFFERS | {"kernel.launch", "scf.for", "scf.parallel", "scf.reduce", "scf.yield"}

PRODUCTS = frozenset(
    ("kernel.im2col_matmul", "linalg.fill", "linalg.matmul", "linalg_ext.matmul", "linalg.yield")
)
SCALAR_LOOPS = (
    FUNCTIONS
    | SIZES
    | {
        "math",
        "math_ext",
        "memref.reinterpret_cast",
        "memref.view",
        "scf.for",
        "scf.parallel",
        "scf.reduce",
        "scf.yield",
    }
)
"""Note [Kernel launch form] and Note [Kernel loop form] in lowering/kernel.py."""

VECTOR_LOOPS = SCALAR_LOOPS | {
    "func.call",
    "kernel.entry",
    "memref.alloca",
    "memref.extract_aligned_pointer_as_index",
    "memref_ext.prefetch",
    "scf.if",
    "vector",
    "arith_ext",
}

LEGAL_AFTER: dict[str, frozenset[str]] = {
    "ts-convert-torch-to-linalg": TENSORS,
    "ts-fuse-elementwise": TENSORS | {"linalg_ext.generic"},
    "ts-bufferize": BUFFERS,
    "ts-tile-rows": ROWS,
    "ts-plan-memory": ROWS | {"memref.view"},
    "ts-linalg-to-loops": SCALAR_LOOPS
    | PRODUCTS
    | {"kernel.launch", "kernel.signature", "memref.alloc"},
    "ts-outline-kernel": SCALAR_LOOPS | PRODUCTS | {"kernel.entry"},
    "ts-outline-matmul": SCALAR_LOOPS | PRODUCTS | {"func.call", "kernel.entry"},
    "ts-matmul-to-loops": VECTOR_LOOPS - {"arith_ext", "memref.extract_aligned_pointer_as_index"},
    "ts-vectorize-loops": VECTOR_LOOPS,
    "ts-outline-math": VECTOR_LOOPS,
    "ts-expand-math": VECTOR_LOOPS - {"math", "math_ext"} | {op.name for op in INLINE},
    "ts-convert-to-llvm": frozenset(("builtin.module", "kernel.entry", "llvm", "llvm_ext")),
}
"""In the order of the passes."""

LEGAL_IN_SCALAR_LOOPS_AFTER: dict[str, frozenset[str]] = {
    "ts-convert-scalars-to-scf": FUNCTIONS
    | SIZES
    | {"math", "math_ext", "kernel.entry", "scf.if", "scf.while", "scf.condition", "scf.yield"},
    "ts-convert-to-llvm": LEGAL_AFTER["ts-convert-to-llvm"],
}
"""What may stand there on the way of a loop over numbers, which never was one over tensors."""

GPU = {
    "gpu.module", "gpu.func", "gpu.return", "gpu.thread_id", "gpu.block_id", "gpu.block_dim"
}  # fmt: skip
TENSOR_CORES = {
    "llvm.bitcast", "llvm.extractvalue", "llvm.getelementptr", "llvm.load", "llvm.store",
    "memref.extract_aligned_pointer_as_index", "memref.view", "memref_ext.pointer", "nvvm",
}  # fmt: skip
"""Where pieces of factors are copied to shared memory, and multiplied on tensor cores."""
SHARED = {"gpu.barrier", "kernel.grid_entry", "scf.if", *TENSOR_CORES}
"""Where threads of a block share what they do."""
EXCHANGES = {"memref.get_global", "memref.global", "nvvm"}
ADDRESSES = {"memref.extract_aligned_pointer_as_index"}
LOOPS = (
    FUNCTIONS | SIZES | {"math", "math_ext", "scf.for", "scf.parallel", "scf.reduce", "scf.yield"}
)

TILED = (
    SCALAR_LOOPS
    | TENSOR_CORES
    | {
        "gpu.barrier",
        "gpu.thread_id",
        "memref.get_global",
        "memref.global",
        "scf.if",
    }
)
"""Where products are computed by tiles."""

ALL_REDUCES = frozenset({"gpu.all_reduce", "gpu.yield"})

LEGAL_ON_GPU_AFTER: dict[str, frozenset[str]] = {
    "ts-fuse-reductions": TENSORS,
    "ts-tile-products": TILED | {"kernel.launch", "kernel.signature", "memref.alloc"},
    "ts-collapse-loops": TILED | {"kernel.launch", "kernel.signature", "memref.alloc"},
    "ts-split-stages": TILED | {"kernel.launch", "kernel.signature", "memref.alloc"},
    "ts-outline-kernel": TILED | {"kernel.entry"},
    "ts-map-to-gpu": LOOPS | GPU | SHARED | EXCHANGES,
    "ts-vectorize-accesses": LOOPS | GPU | SHARED | EXCHANGES | ADDRESSES,
    "ts-distribute-rows": LOOPS | GPU | SHARED | EXCHANGES | ADDRESSES | ALL_REDUCES,
    "ts-vectorize-rows": LOOPS | GPU | SHARED | EXCHANGES | ADDRESSES | ALL_REDUCES,
    "ts-expand-all-reduce": LOOPS | GPU | SHARED | EXCHANGES | ADDRESSES,
    "ts-expand-math": (LOOPS - {"math", "math_ext"})
    | GPU
    | {op.name for op in INLINE}
    | SHARED
    | EXCHANGES
    | ADDRESSES,
    "ts-convert-gpu-to-nvvm": (LOOPS - {"math", "math_ext"})
    | {op.name for op in INLINE}
    | (SHARED - {"gpu.barrier"})
    | EXCHANGES
    | ADDRESSES,
    "ts-convert-to-llvm": frozenset(
        ("builtin.module", "kernel.grid_entry", "llvm", "llvm_ext", "nvvm")
    ),
}
"""What may stand there on the way to a GPU, after passes that are not on the CPU's way or come after those."""


def illegal(
    module: ModuleOp,
    pass_name: str,
    legal_after: Mapping[str, frozenset[str]] = LEGAL_AFTER,
) -> list[str]:
    """The names of the operations of `module` that may not be there after a pass, each once."""
    legal = legal_after[pass_name]
    names = dict.fromkeys(op.name for op in module.walk())
    return [name for name in names if name not in legal and name.split(".")[0] not in legal]
