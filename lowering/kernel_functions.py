"""The functions of a module that a pass works on."""

from __future__ import annotations

from enum import Enum

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp

from lowering.dialects.kernel import SignatureOp, signature_of
from lowering.dialects.kernel_launch import LaunchOp
from lowering.kernel import require_lowered
from torchscript_dialect.utils.errors import PassError


class Form(Enum):
    """What a kernel with a signature works on, and the pass that leaves it in this form."""

    TENSORS = "tensors", "ts-convert-torch-to-linalg"
    BUFFERS = "buffers that are shaped as their tensors", "ts-bufferize"
    LOOPS = "loops over flat buffers", "ts-linalg-to-loops"


def form_of(kernel: FuncOp) -> Form:
    """The form of a kernel that is not outlined yet."""
    types = (*kernel.function_type.inputs, *kernel.function_type.outputs)
    if kernel.function_type.outputs.data or any(isinstance(one, TensorType) for one in types):
        return Form.TENSORS
    launches = [op for op in kernel.body.block.ops if isinstance(op, LaunchOp)]
    return Form.LOOPS if any(one.work is not None for one in launches) else Form.BUFFERS


def kernels(module: ModuleOp) -> list[tuple[FuncOp, SignatureOp]]:
    """The kernels of `module` that are not outlined yet and where they find their arguments, in order."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    found = [(function, signature_of(function)) for function in functions]
    return [(function, signature) for function, signature in found if signature is not None]


def input_kernels(
    module: ModuleOp, pass_name: str, form: Form | None = None
) -> list[tuple[FuncOp, SignatureOp]]:
    """The kernels of `module` that are not outlined yet, and where they find their arguments.

    Raises:
        PassError: there is none, or one is of another form than `form`.
    """
    found = kernels(module)
    if not found:
        names = ", ".join(f"@{op.sym_name.data}" for op in module.ops if isinstance(op, FuncOp))
        raise PassError(
            f"{pass_name} works on kernels that are functions with a kernel.signature (lowering/kernel.py);"
            f" the module has {names or 'no function'}"
        )
    for function, _ in found:
        actual = form_of(function)
        if form is not None and actual is not form:
            (wanted, maker), (what, _) = form.value, actual.value
            raise PassError(
                f"{pass_name} works on {wanted}, as {maker} leaves them, and @{function.sym_name.data} is one of {what}"
            )
    return found


def loop_functions(module: ModuleOp, pass_name: str) -> list[FuncOp]:
    """The functions of `module` that have a body, all of which work on buffers.

    Raises:
        PassError: there is none, or one takes a tensor.
    """
    require_lowered(module, pass_name)
    found = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    for function in found:
        types = (*function.function_type.inputs, *function.function_type.outputs)
        if any(isinstance(type_, TensorType) for type_ in types):
            raise PassError(
                f"{pass_name} comes after ts-outline-kernel, and @{function.sym_name.data} is a function of tensors"
            )
    if not found:
        raise PassError(f"{pass_name} works on functions, and the module has none")
    return [function for function in found if function.body.blocks]
