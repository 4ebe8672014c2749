"""The form in which the interpreter runs the functions of a program: what it needs before a node is run, and nothing for speed."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import op_classes
from torchscript_dialect.ir.numbers import with_tensors_for_numbers
from torchscript_dialect.passes.pass_pipeline import PassPipeline


def runnable(function: FuncOp) -> FuncOp:
    """The function itself, or a copy in a module of its own, with a number for each constant tensor that stands for one, and
    branches for `prim::GradOf`.
    """
    block = function.body.block
    if prim.GradOfOp not in op_classes(block) and not with_tensors_for_numbers(block):
        return function
    copy = function.clone()
    _passes().apply(ModuleOp([copy]))
    return copy


@cache
def _passes() -> PassPipeline:
    return PassPipeline("ts-use-numbers,ts-lower-grad-of")
