"""Makes weights constants of the methods that use them, in a module that stands there whole (PyTorch: passes/freeze_module.cpp)."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.api.freeze import freeze
from torchscript_dialect.api.module_from_ir import module_from_ir
from torchscript_dialect.api.module_ir import add_module
from torchscript_dialect.passes.pass_pipeline import PassError
from torchscript_dialect.utils.errors import TorchScriptError


@dataclass(frozen=True)
class FreezeModule(ModulePass):
    """No pipeline has it: it runs on what `ts-opt model.pt` prints, and leaves `forward` and what is preserved. See Note [Freezing] in
    `api/freeze.py`.
    """

    name = "ts-freeze-module"

    preserved: tuple[str, ...] = ()
    """methods and attributes that stay"""

    numerics: bool = False
    """whether batch norms and arithmetic with constants become part of the weights before them"""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            frozen = freeze(
                module_from_ir(op), preserved=self.preserved, optimize_numerics=self.numerics
            )
        except (RuntimeError, TorchScriptError) as error:
            raise PassError(str(error)) from None
        _, unit = frozen.__torchscript_definition__
        add_module(frozen)
        for old in list(op.ops):
            old.detach()
            old.erase(safe_erase=False)
        for made in list(unit.module_op.ops):
            made.detach()
            op.body.block.add_op(made)
