"""Observed types: what propagation cannot tell, runs do (PyTorch: runtime/profiling_record.cpp).

Types of module attributes and of results without a shape rule are not known before a function runs. Some runs are then made by the
interpreter, on a copy of the graph with `prim::profile` nodes; what they saw specializes the graph.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.backend import fusing_backend
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute, to_attribute
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.runtime.specialization.specialization import Key, argument_key
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.subtyping import unify_types
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

WORTHWHILE = 2
"""Nodes that observed types might make fusible, from which on it is worth to observe them."""


def has_unknown_types(function: FuncOp) -> bool:
    """Whether the dtype or the number of dimensions of a result is not known."""
    types = [result.type for op in nested_ops(function.body.block) for result in op.results]
    tensors = [one for one in types if isinstance(one, TensorType)]
    return any(one.dtype is None or one.sizes is None for one in tensors)


def is_worth_observing(function: FuncOp) -> bool:
    """Whether an optimized function has nodes left that are not fused for want of types."""
    backend = fusing_backend()
    missed, inside = 0, set[Operation]()
    for op in nested_ops(function.body.block):
        if isinstance(op, prim.DifferentiableGraphOp):
            inside.update(op.walk())
        if op in inside:
            continue
        missed += backend.can_lower(op) is None
        if missed >= WORTHWHILE:
            return True
    return False


class Profile:
    """`prim::profile`: lets a value through and merges its type into the node's `profiled_type`.

    Kernels serve tensors of all sizes that `argument_key` does not tell apart: of such, the type is that of the last one.
    """

    def __init__(self, node: prim.ProfileOp) -> None:
        self.node = node
        before = node.attributes.get("profiled_type", TENSOR)
        self.seen = before if isinstance(before, TensorType) and before != TENSOR else None
        """What runs have seen so far, those of other interpreters of the node, too."""
        self.key: Key | None = None

    def __call__(self, value: Any = None) -> Any:
        if isinstance(value, Tensor):
            type_, key = tensor_type(value), argument_key([value])
            if self.seen is not None and self.key != key:
                merged = unify_types(self.seen, type_)
                type_, key = (merged, None) if isinstance(merged, TensorType) else (TENSOR, None)
            self.seen, self.key = type_, key
            self.node.attributes["profiled_type"] = type_
        elif value is None:
            before = self.node.attributes.get("seen_none")
            count = 0 if before is None else from_attribute(before)
            self.node.attributes["seen_none"] = to_attribute(count + 1)
        return value


class ProfileIValue:
    """`prim::profile_ivalue`: lets a value through and counts in the node whether it is None."""

    def __init__(self, node: prim.ProfileIValueOp) -> None:
        self.node = node

    def __call__(self, value: Any) -> Any:
        name = "seen_none" if value is None else "seen"
        self.node.attributes[name] = to_attribute(from_attribute(self.node.attributes[name]) + 1)
        return value
