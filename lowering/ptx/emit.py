"""PTX from kernels in the llvm dialect, by LLVM's NVPTX target.

LLVM ends the process where it has no code for an intrinsic (`exp`, `tan`), and makes an approximation of some that it has (`exp2`,
`frem`) without a word. So what a kernel may hold is a list, and anything else is refused before LLVM sees it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lowering.dialects import llvm_ext, nvvm
from lowering.dialects.nvvm_copy import ASYNCHRONOUS
from lowering.gpu.target import NEWER_SM, OLDEST_SM
from lowering.kernel import LoweringError
from lowering.llvm.translate import translate
from torchscript_dialect.utils import llvm as llvm_library

PASSES = ("sroa", "simplify_cfg", "instruction_combine", "aggressive_dce")
INTRINSICS = frozenset(
    f"llvm.{name}"
    for name in (
        "abs", "arithmetic.fence", "ceil", "copysign", "ctlz", "ctpop", "fabs", "floor", "fma", "maximum", "maxnum",
        "minimum", "minnum", "rint", "roundeven", "smax", "smin", "sqrt", "trap", "trunc", "umax", "umin",
    )
)  # fmt: skip
"""What NVPTX has instructions for that round as IEEE 754 says, or are exact."""
OF_NEWER = (nvvm.ConvertFloatToTF32Op, *ASYNCHRONOUS)
REFUSED = (llvm.FRemOp, llvm.CallOp, llvm.InlineAsmOp, llvm_ext.FCmpOp)


@lru_cache(maxsize=8)
def _machine(sm: int) -> Any:
    library = llvm_library.binding()
    library.initialize_all_targets()
    library.initialize_all_asmprinters()
    target = library.Target.from_triple("nvptx64-nvidia-cuda")
    features = (
        "+ptx65" if sm == OLDEST_SM else ""
    )  # LLVM chooses an older PTX there, which lacks its tensor cores
    return target.create_target_machine(cpu=f"sm_{sm}", features=features, opt=3)


def check(op: Operation, sm: int) -> None:
    """Refuse what NVPTX has no code for, for such devices, or code that rounds otherwise.

    Raises:
        LoweringError: the op is such.
    """
    if isinstance(op, llvm.CallIntrinsicOp) and op.intrin.data not in INTRINSICS:
        raise LoweringError(f"a GPU has no instruction for '{op.intrin.data}'")
    if isinstance(op, OF_NEWER) and sm < NEWER_SM:
        raise LoweringError(f"'{op.name}' is for sm_{NEWER_SM} and later")
    if isinstance(op, nvvm.MmaOp) and sm < op.oldest_sm:
        raise LoweringError(f"'{op.name}' of {op.kind[0]} is for sm_{op.oldest_sm} and later")
    if isinstance(op, REFUSED):
        raise LoweringError(f"a GPU has no instruction for '{op.name}'")


def kernels_of(module: ModuleOp) -> list[llvm.FuncOp]:
    """The functions of a module that a GPU runs."""
    functions = [op for op in module.body.block.ops if isinstance(op, llvm.FuncOp)]
    return [function for function in functions if nvvm.KERNEL in function.attributes]


def emit(module: ModuleOp, sm: int) -> str:
    """The PTX of the kernels of a module in the llvm dialect, for devices of compute capability `sm / 10` and later.

    Raises:
        LoweringError: there is no kernel, or one holds what NVPTX has no code for, or there are no such devices.
    """
    if sm < OLDEST_SM:
        raise LoweringError(f"there is no PTX for sm_{sm}: the oldest is sm_{OLDEST_SM}")
    kernels = kernels_of(module)
    if not kernels:
        raise LoweringError("the module has no kernel of a GPU")
    for kernel in kernels:
        for op in kernel.body.walk():
            check(op, sm)
    shared = [op for op in module.body.block.ops if isinstance(op, llvm.GlobalOp)]
    alone = ModuleOp([one.clone() for one in (*shared, *kernels)])
    try:
        machine = _machine(sm)
        text = machine.emit_assembly(
            llvm_library.optimized_module(translate(alone), machine, PASSES)
        )
    except RuntimeError as error:
        raise LoweringError(f"LLVM rejects the generated code: {error}") from error
    if f".target sm_{sm}" not in text:
        raise LoweringError(f"LLVM knows no sm_{sm}")
    return text
