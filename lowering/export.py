"""A function as upstream dialects for other compilers: `func.func @forward` over tensors."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from lowering.kernel import KERNEL, SYMS
from lowering.linalg.convert_torch_to_linalg import convert


def to_linalg(body: Block) -> ModuleOp:
    """The block of a fusion group as a module whose text upstream MLIR parses.

    Sizes are those of the group's types.

    Raises:
        LoweringError: the block holds what has no rule for linalg.
    """
    module = convert(body, "forward", has_static_sizes=True).module
    for function in list(module.body.ops):
        if not isinstance(function, FuncOp) or KERNEL not in function.attributes:
            module.body.block.erase_op(function)
            continue
        del function.attributes[KERNEL], function.attributes[SYMS]
        function.properties.pop("arg_attrs", None)
        function.properties.pop("res_attrs", None)
    return module
