"""The functions of a module that a pass works on."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp

from lowering.dialects.kernel import SignatureOp, signature_of
from lowering.kernel import require_lowered
from torchscript_dialect.utils.errors import PassError


def kernels(module: ModuleOp) -> list[tuple[FuncOp, SignatureOp]]:
    """The kernels of `module` that are not outlined yet and where they find their arguments, in order."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    found = [(function, signature_of(function)) for function in functions]
    return [(function, signature) for function, signature in found if signature is not None]


def input_kernels(module: ModuleOp, pass_name: str) -> list[tuple[FuncOp, SignatureOp]]:
    """The kernels of `module` that are not outlined yet, and where they find their arguments.

    Raises:
        PassError: there is none.
    """
    found = kernels(module)
    if not found:
        names = ", ".join(f"@{op.sym_name.data}" for op in module.ops if isinstance(op, FuncOp))
        raise PassError(
            f"{pass_name} works on kernels that are functions with a kernel.signature (lowering/kernel.py);"
            f" the module has {names or 'no function'}"
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
