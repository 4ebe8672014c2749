"""The devices that kernels of a module are for, where what they hold depends on it: an attribute of the module."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32

from lowering.shaped import integer_of

TARGET = "nvvm.sm"
"""The attribute: 10 times the compute capability. Code is for such devices and later ones."""
OLDEST_SM = 75
"""The oldest devices that ptxas of CUDA 13 takes, and the target of modules that name none."""


def attach_target(module: ModuleOp, sm: int) -> None:
    """Let the kernels of a module be for such devices and later ones."""
    module.attributes[TARGET] = IntegerAttr(sm, i32)


def target_of(module: ModuleOp) -> int:
    """The oldest devices that the kernels of a module are for."""
    return integer_of(module.attributes.get(TARGET)) or OLDEST_SM
