"""What a node does besides giving its results: side effects, and chance.

Follows `Node::hasSideEffects` and `Node::isNondeterministic` in torch/csrc/jit/ir/ir.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import op_classes
from torchscript_dialect.serialization.graph_printer import is_subgraph_op

_EFFECTFUL_OPS: tuple[type[Operation], ...] = (
    prim.PrintOp,
    prim.PythonOp,
    prim.RaiseExceptionOp,
    prim.CallFunctionOp,
    prim.CallMethodOp,
    prim.EnterOp,
    prim.ExitOp,
    prim.ProfileOp,
    # Statements: they are gone after the conversion to SSA.
    prim.WithOp,
    prim.LoadOp,
    prim.StoreOp,
    prim.BreakStmtOp,
    prim.ContinueStmtOp,
    prim.ReturnStmtOp,
    prim.LoopContinuationOp,
)

_EFFECTFUL_KINDS = frozenset(
    "aten::warn aten::save aten::manual_seed aten::wait aten::set_grad_enabled prim::AddStatValue prim::TimePoint"
    " prim::PythonOp prim::IgnoredPythonOp prim::BailOut prim::BailoutTemplate prim::rpc_async prim::rpc_sync"
    " prim::rpc_remote prim::awaitable_wait".split()
)

_RANDOM_KINDS = frozenset(
    f"aten::{name}"
    for name in (
        "rand randn randint randperm normal bernoulli multinomial poisson binomial cauchy exponential geometric"
        " log_normal uniform random rrelu rrelu_with_noise feature_dropout alpha_dropout feature_alpha_dropout"
        " native_dropout dropout1d dropout2d dropout3d rand_like randn_like randint_like _fused_dropout"
        " _standard_gamma _sample_dirichlet _dirichlet_grad gumbel_softmax empty empty_like empty_strided"
        " empty_permuted new_empty new_empty_strided _scaled_dot_product_attention seed initial_seed"
    ).split()
)
_DROPOUT_KINDS = frozenset(
    f"aten::{name}"
    for name in "dropout feature_dropout alpha_dropout feature_alpha_dropout native_dropout".split()
)


_WRITERS: tuple[type[Operation], ...] = (
    prim.SetAttrOp,
    prim.CallFunctionOp,
    prim.CallMethodOp,
    prim.PythonOp,
    prim.EnterOp,
    prim.ExitOp,
    prim.ForkOp,
    prim.ClosureOp,
    prim.GroupOp,
)


@cache
def _may_write(class_: type[Operation]) -> bool:
    if issubclass(class_, OperatorOp):
        operator = class_.OPERATOR
        return operator is None or operator.schema.is_mutable or operator.schema.is_vararg
    if class_ is ReturnOp:
        return False
    return not issubclass(class_, prim.PrimOp) or issubclass(class_, _WRITERS)


def may_write(block: Block) -> bool:
    """Whether any node of a block or of the blocks in it may write to memory; a look at the kinds of nodes tells."""
    return any(map(_may_write, op_classes(block)))


def has_side_effects(op: Operation) -> bool:
    """Whether the node itself, not the nodes of its blocks, does what nothing in the graph shows.

    Writes to memory are no side effects here: the alias analysis knows of them.
    """
    return _has_side_effects(type(op))


@cache
def _has_side_effects(class_: type[Operation]) -> bool:
    if issubclass(class_, OperatorOp):
        operator = class_.OPERATOR
        if operator is None:
            return True
        return class_.KIND in _EFFECTFUL_KINDS or operator.rules.has_side_effects
    return issubclass(class_, _EFFECTFUL_OPS)


def is_nondeterministic(op: Operation) -> bool:
    """Whether two runs on the same operands may give different results."""
    if not isinstance(op, OperatorOp):
        return False
    if op.OPERATOR is None:
        return True
    kind = op.KIND.removesuffix("_")
    if kind in _DROPOUT_KINDS:
        return not _is_not_training(op)
    return kind in _RANDOM_KINDS or op.OPERATOR.rules.is_nondeterministic


def _is_not_training(op: OperatorOp) -> bool:
    schema = op.schema
    index = None if schema is None else schema.argument_index("train")
    if index is None:
        return False
    owner = op.operands[index].owner
    return isinstance(owner, prim.ConstantOp) and not owner.value


def blocks_of(op: Operation) -> Sequence[Block]:
    """The blocks of a node that belong to the graph around it; a fusion group has none."""
    if not op.regions or is_subgraph_op(op):
        return ()
    return [region.block for region in op.regions]
