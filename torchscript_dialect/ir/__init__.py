"""Graph, Block, Node and Value: PyTorch's view of a function in an xDSL module."""

from torchscript_dialect.ir.graph import Block, Graph, Node, Use, Value

__all__ = ["Block", "Graph", "Node", "Use", "Value"]
