"""The devices that kernels of a module are for, where what they hold depends on it: attributes of the module."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, i32
from xdsl.ir import Operation

from lowering.shaped import integer_of

TARGET = "nvvm.sm"
"""The attribute: 10 times the compute capability. Code is for such devices and later ones."""
TF32 = "nvvm.allow_tf32"
"""The attribute of modules whose products of float32 may round factors to tf32."""
PROCESSORS = "nvvm.processors"
"""The attribute: how many processors devices have."""
USUAL_PROCESSORS = 128
"""About as many as large devices have."""
OLDEST_SM = 75
"""The oldest devices that ptxas of CUDA 13 takes, and the target of modules that name none."""

NEWER_SM = 80
"""The oldest devices that multiply bfloat16 and tf32 on tensor cores, and copy to shared memory while they compute."""


class Target(NamedTuple):
    """The oldest devices that kernels are for, whether products may round factors of float32 to tf32, and how many processors
    tiles should give something to do.
    """

    sm: int = OLDEST_SM
    tf32: bool = False
    processors: int = USUAL_PROCESSORS


def attach_target(module: ModuleOp, target: Target) -> None:
    """Let the kernels of a module be for such devices and later ones."""
    module.attributes[TARGET] = IntegerAttr(target.sm, i32)
    if target.tf32:
        module.attributes[TF32] = UnitAttr()
    if target.processors != USUAL_PROCESSORS:
        module.attributes[PROCESSORS] = IntegerAttr(target.processors, i32)


def target_of(module: ModuleOp) -> Target:
    """What the kernels of a module are for."""
    sm = integer_of(module.attributes.get(TARGET)) or OLDEST_SM
    processors = integer_of(module.attributes.get(PROCESSORS)) or USUAL_PROCESSORS
    return Target(sm, TF32 in module.attributes, processors)


def is_for_device(op: Operation) -> bool:
    """Whether an op is in a module that names its devices."""
    module = op.get_toplevel_object()
    return isinstance(module, ModuleOp) and TARGET in module.attributes
