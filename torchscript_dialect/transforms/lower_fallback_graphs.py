"""Makes functions of `prim::FallbackGraph`s, and calls of these (PyTorch: passes/tensorexpr_fuser.cpp,
`replaceFallbackGraphWithFallbackFunction`).

A fallback function gives a tuple of the results. Where the executor shows a graph, it knows what runs the function.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.ir.requirements import require_functions
from torchscript_dialect.transforms._pass import dump
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

FALLBACK = "fallback_function"


class LowerFallbackGraphs(ModulePass):
    name = "ts-lower-fallback-graphs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        taken = {function.sym_name.data for function in functions_of(op)}
        count = 0
        for function in require_functions(op, self.name):
            for graph in edit.nested_ops(function.body.block):
                if isinstance(graph, prim.FallbackGraphOp):
                    while f"{FALLBACK}_{count}" in taken:
                        count += 1
                    _lower(op, graph, f"{FALLBACK}_{count}")
                    count += 1
            dump(LOG, "After LowerFallbackGraphs: ", function)


def _lower(module: ModuleOp, graph: prim.FallbackGraphOp, symbol: str) -> None:
    outputs = TupleType.get([type_of(result) for result in graph.results])
    constant = prim.ConstantOp.create(
        result_types=[FunctionType(symbol)],
        attributes={"name": StringAttr(FALLBACK), "fallback": to_attribute(1)},
    )
    call = prim.CallFunctionOp.create(
        operands=[constant.results[0], *graph.operands], result_types=[outputs]
    )
    unpack = prim.TupleUnpackOp.create(operands=call.results, result_types=graph.result_types)
    for op in (constant, call, unpack):
        edit.insert_before(graph, op)
    module.body.block.add_op(_function(graph.detach_region(0), symbol))
    for old, new in zip(graph.results, unpack.results, strict=True):
        edit.replace_uses(old, new)
    edit.erase(graph)


def _function(region: Region, symbol: str) -> FuncOp:
    """The nodes of a graph as a function, which gives a tuple of its results."""
    body: Block = region.block
    end = edit.terminator(body)
    results = list(end.operands)
    edit.erase(end)
    type_ = TupleType.get([type_of(result) for result in results])
    pack = prim.TupleConstructOp.create(operands=results, result_types=[type_])
    body.add_ops([pack, ReturnOp(pack.results[0])])
    function_type = (list(body.arg_types), [pack.results[0].type])
    return FuncOp(symbol, function_type, region, visibility="private")
