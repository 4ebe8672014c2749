"""The way of the `ptx` backend: functions of TorchScript to linalg, to PTX."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation

from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.binary_search import NAME as binary_search_name
from lowering.gpu.binary_search import binary_search
from lowering.gpu.block_scan import CARRY_NAME as carry_name
from lowering.gpu.block_scan import NAME as block_scan_name
from lowering.gpu.block_scan import block_scan, carry
from lowering.gpu.block_sort import SORT_STEPS
from lowering.gpu.chosen_places import NAME as chosen_places_name
from lowering.gpu.chosen_places import chosen_places
from lowering.gpu.indexed_copy import NAME as indexed_copy_name
from lowering.gpu.indexed_copy import Form, indexed_copy
from lowering.gpu.random_numbers import NAME as random_numbers_name
from lowering.gpu.random_numbers import Kind, random_numbers
from lowering.gpu.strided_copy import NAME as strided_copy_name
from lowering.gpu.strided_copy import strided_copy
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
from torchscript_dialect.tensor.dtype import dtype

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


def compile_strided_copy(rank: int, bits: int, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `strided_copy`."""
    return strided_copy_name, _compiled(strided_copy(rank, bits), capability)


def compile_random_numbers(
    kind: Kind, element: dtype, capability: tuple[int, int]
) -> tuple[str, str]:
    """The name and the PTX of `random_numbers`."""
    return random_numbers_name, _compiled(random_numbers(kind, element), capability)


def compile_indexed_copy(form: Form, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `indexed_copy`."""
    return indexed_copy_name, _compiled(indexed_copy(form), capability)


def compile_chosen_places(rank: int, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `chosen_places`."""
    return chosen_places_name, _compiled(chosen_places(rank), capability)


def compile_block_scan(way: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `block_scan`."""
    return block_scan_name, _compiled(block_scan(way, element), capability)


def compile_carry(way: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `carry`."""
    return carry_name, _compiled(carry(way, element), capability)


def compile_sort_step(name: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
    """The name and the PTX of `block_sort`, `block_merge` or `exchange`."""
    return name, _compiled(SORT_STEPS[name](element), capability)


def compile_binary_search(
    element: dtype, steps: int, right: bool, capability: tuple[int, int]
) -> tuple[str, str]:
    """The name and the PTX of `binary_search`."""
    return binary_search_name, _compiled(binary_search(element, steps, right=right), capability)


def _compiled(module: ModuleOp, capability: tuple[int, int]) -> str:
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
