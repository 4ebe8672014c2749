"""Says which devices the kernels of a module are for, how many processors these have, and whether products may round float32 to tf32
(PyTorch: `torch.backends.cuda.matmul.allow_tf32`), which decides about tensor cores. Follows upstream's `nvvm-attach-target`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lowering.gpu.target import OLDEST_SM, USUAL_PROCESSORS, Target, attach_target


@dataclass(frozen=True)
class AttachGPUTargetPass(ModulePass):
    """See the module's docstring. No pipeline has it: what compiles for a device begins with it."""

    name = "ts-attach-gpu-target"
    sm: int = OLDEST_SM
    tf32: bool = False
    processors: int = USUAL_PROCESSORS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        attach_target(op, Target(self.sm, self.tf32, self.processors))
