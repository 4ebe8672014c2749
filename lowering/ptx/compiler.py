"""The way of the `ptx` backend: functions of TorchScript to linalg, to PTX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation

from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.own_kernels import OWN_KERNELS
from lowering.gpu.target import Target, attach_target
from lowering.kernel import SIZES, LoweringError
from lowering.kernel_spec import spec_of
from lowering.linalg.convert_torch_to_linalg import Kernel, convert_function
from lowering.llvm.object import compile_ir
from lowering.llvm.translate import translate
from lowering.pipelines import LINALG_TO_PTX
from lowering.ptx.assemble import assemble
from lowering.ptx.emit import emit
from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.executable import PRODUCT_NOTE, Code, CudaKernel
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.linker import link_objects

PIPELINE = "linalg-to-ptx"
NEWEST_SM = 90
"""The newest devices that code is made for; those after them take it."""


def compile_function(module: ModuleOp, lists: PassLists) -> CudaKernel:
    """See `torchscript_dialect.backend.Backend`. The module is consumed.

    Raises:
        NotCompilable: the function holds what a GPU has no code for.
        CudaError: there is no device.
    """
    capability = driver().capability
    target = Target(_sm(capability), settings.current().allows_tf32, driver().processors)
    try:
        kernel = convert_function(module)
        attach_target(kernel.module, target)
        note = PRODUCT_NOTE if any(map(_is_product, kernel.module.walk())) else ""
        pipeline(lists, PIPELINE).apply(kernel.module)
        return _linked(kernel, capability, note)
    except (LoweringError, LinkError) as error:
        raise NotCompilable(str(error)) from error


def compile_own(name: str, form: Sequence[Any], capability: tuple[int, int]) -> str:
    """The PTX of a kernel that is not made of a program: see `lowering/gpu/own_kernels.py`. It has that name."""
    module = OWN_KERNELS[name](*form)
    PassPipeline(",".join(LINALG_TO_PTX[LINALG_TO_PTX.index("ts-map-to-gpu") :])).apply(module)
    return emit(module, _sm(capability))


def _sm(capability: tuple[int, int]) -> int:
    major, minor = capability
    return min(major * 10 + minor, NEWEST_SM)


def _is_product(op: Operation) -> bool:
    """Whether an op adds up products: of matrices, or of batches of them, which are a generic op."""
    if isinstance(op, GenericOp):
        kinds = [one.data for one in op.iterator_types]
        return len(op.inputs) > 1 and IteratorType.REDUCTION in kinds
    return "matmul" in op.name


def _linked(kernel: Kernel, capability: tuple[int, int], note: str) -> CudaKernel:
    (entry,) = (op for op in kernel.module.body.block.ops if isinstance(op, GridEntryOp))
    spec = spec_of(kernel, entry)
    text = emit(kernel.module, _sm(capability)) + note
    own = capability[0] * 10 + capability[1]
    return CudaKernel(
        spec,
        entry.callee,
        Code(text, assemble(text, own), own),
        (entry.each_block, entry.number("threads")),
        _sizes(kernel.module),
    )


def _sizes(module: ModuleOp) -> Blob | None:
    """Machine code for the host of the function that computes words, where there is one."""
    found = [
        op
        for op in module.body.block.ops
        if isinstance(op, llvm.FuncOp) and op.sym_name.data == SIZES
    ]
    if not found:
        return None
    return link_objects([compile_ir(translate(ModuleOp([found[0].clone()])))])
