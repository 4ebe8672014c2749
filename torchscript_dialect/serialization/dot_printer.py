"""A drawing of a graph for Graphviz, in the manner of the plots of 'Optimizing models using the PyTorch JIT'."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim import ConstantOp, yielded
from torchscript_dialect.serialization.graph_printer import is_subgraph_op, value_names
from torchscript_dialect.types.function_schema import quote


def print_dot(function: FuncOp) -> str:
    """The drawing as text: boxes are nodes, edges are values, clusters are blocks and sub-graphs."""
    return "".join(_DotPrinter().graph(function))


class _DotPrinter:
    def __init__(self) -> None:
        self.sources: dict[SSAValue, str] = {}
        self.count = 0

    def graph(self, function: FuncOp) -> Iterator[str]:
        yield f"digraph {quote(function.sym_name.data)} {{\n"
        names = value_names(function.body.block)
        for argument in function.body.block.args:
            self.sources[argument] = self._new("input")
            label = quote(names[argument])
            yield f"  {self.sources[argument]} [label={label}, color=blue];\n"
        yield from self._nodes(function.body.block)
        yield '  outputs [label="outputs", color=blue];\n'
        last = function.body.block.last_op
        yield from self._edges(last.operands if last is not None else (), "outputs")
        yield "}\n"

    def _new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _edges(self, values: object, target: str) -> Iterator[str]:
        for value in values:  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
            if value in self.sources:
                yield f"  {self.sources[value]} -> {target};\n"

    def _nodes(self, block: Block) -> Iterator[str]:
        for op in block.ops:
            if isinstance(op, ConstantOp) or not isinstance(op, TorchScriptOp):
                continue
            if op is block.last_op and op.name == "prim.yield":
                continue
            node = self._new("node")
            label = op.KIND.removeprefix("aten::").removeprefix("prim::")
            shape = "diamond" if op.KIND in ("prim::If", "prim::Loop") else "box"
            yield f"  {node} [label={quote(label)}, shape={shape}];\n"
            yield from self._edges(op.operands, node)
            yield from self._regions(op, node)
            for result in op.results:
                self.sources[result] = node

    def _regions(self, op: Operation, node: str) -> Iterator[str]:
        for index, region in enumerate(op.regions):
            inner = region.block
            if is_subgraph_op(op):
                for argument, operand in zip(inner.args, op.operands, strict=True):
                    if operand in self.sources:
                        self.sources[argument] = self.sources[operand]
            else:
                for argument in inner.args:
                    self.sources[argument] = node
            label = f"block{index}" if len(op.regions) > 1 else ""
            yield f'  subgraph cluster_{node}_{index} {{\n  label="{label}";\n'
            yield from self._nodes(inner)
            yield "  }\n"
            yield from self._edges(yielded(region), node)
