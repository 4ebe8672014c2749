"""Pointwise operators: a scalar body and a promotion rule give the kernel, its in-place and `out` variants, the shape rule.

Note [Pointwise operators]
`pointwise("add.Tensor add.Scalar", DEFAULT, lambda m, x, y, alpha: m.add(x, m.mul(alpha, y)))` declares two operators and,
where the table has them, `aten::add_.Tensor`, `aten::add.out` and so on. The body (Note [Scalar bodies]) takes the schema's
arguments in order. What an argument is follows from its type: tensors are values; `Scalar` and `float` arguments are values
too, or None where the schema has them optional and they are not given; `str`, `bool` and `int` arguments are static and reach
the body as they are.

All values are cast to the common dtype before the body runs, except for the arguments in `keeps`. The common dtype comes from
the arguments in `promotes`: by default the tensors, and numbers that stand where a tensor could (`other`). float16 and
bfloat16 bodies see float32 values, and the result is rounded once, at the end, or after each step where PyTorch does so
(`steps.py`). (Numbers are cast to the common dtype first, too, but for those that PyTorch takes as they are.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    KEEPS,
    LIMITS,
    Body,
    Check,
    Limit,
    OperandCheck,
    Pointwise,
    Promotion,
    Role,
)
from torchscript_dialect.ops.pointwise.pointwise_evaluator import Evaluator
from torchscript_dialect.ops.pointwise.pointwise_kernels import make_kernel
from torchscript_dialect.ops.registry import Operator, ShapeRule
from torchscript_dialect.ops.shapes import Unknown, pointwise_rule, promote
from torchscript_dialect.ops.variant_names import inplace_variant, out_variant
from torchscript_dialect.tensor.dtype import dtype


def pointwise(
    names: str,
    promotion: Promotion,
    body: Body,
    *,
    promotes: frozenset[str] | None = None,
    keeps: frozenset[str] = KEEPS,
    check: Check | None = None,
    rounding: str | None = None,
    check_operands: OperandCheck | None = None,
    floats_pass: bool = False,
    reverse_operands: bool = False,
    contiguous: bool = False,
    wide_other: bool = False,
    numpy_only: bool = False,
    shares: str = "",
    bodies: Mapping[dtype, Body] = MappingProxyType({}),
    limits: Mapping[str, Limit] = LIMITS,
    negated: str = "",
) -> None:
    """Declare pointwise operators of `aten` by name, and their in-place and `out` variants.

    Raises:
        KeyError: the table has no such operator.
    """
    declared = Pointwise(
        promotion,
        body,
        promotes,
        keeps,
        check,
        rounding,
        check_operands,
        floats_pass,
        reverse_operands,
        contiguous,
        wide_other,
        numpy_only,
        shares,
        bodies,
        limits,
        negated,
    )
    for name in names.split():
        attach_with_variants(
            f"aten::{name}",
            pointwise=declared,
            derive_kernel=make_kernel,
            derive_shape=make_shape_rule,
        )


def declaration(promotion: Promotion, body: Body) -> Pointwise:
    """What a pointwise operator is without any of the exceptions that PyTorch's have."""
    return Pointwise(promotion, body, None, KEEPS)


def attach_with_variants(qualified_name: str, **known: Any) -> None:
    """Attach rules to an operator and to its in-place and `out` variants."""
    registry.attach(qualified_name, **known)
    for variant in (inplace_variant(qualified_name), out_variant(qualified_name)):
        if variant is not None:
            registry.attach(variant, **known)


def make_shape_rule(operator: Operator) -> ShapeRule:
    """The shape rule of a pointwise operator or of a variant of one."""
    evaluator = Evaluator(operator)

    def dtypes_of(common: dtype, operands: Sequence[Any]) -> tuple[dtype, dtype]:
        rounding = evaluator.pointwise.rounding
        if rounding and isinstance(operands[evaluator.names.index(rounding)], Unknown):
            raise RuntimeError("the dtype depends on an argument that is not known")
        if evaluator.pointwise.check is not None:
            evaluator.pointwise.check(common)
        return evaluator.pointwise.dtypes(common, rounded=evaluator.is_rounded(operands))

    return pointwise_rule(
        [role is Role.TENSOR for role in evaluator.roles],
        evaluator.promotes,
        evaluator.has_strides,
        dtypes_of,
        is_inplace=operator.schema.is_mutable,
        contiguous=evaluator.pointwise.contiguous,
        reverse_operands=evaluator.pointwise.reverse_operands,
        kept=evaluator.kept,
    )


@lru_cache(maxsize=1024)
def _evaluator(operator: Operator) -> Evaluator:
    return Evaluator(operator)


def computation(operator: Operator, facts: Sequence[Any]) -> tuple[dtype, dtype]:
    """The dtypes of the computation (before `opmath`) and of the result, from facts about the operands.

    Facts are those of Note [Shape rules]. This is what a compiler of the body asks for.

    Raises:
        ValueError: the dtypes of the operands are not known.
        RuntimeError: the operator has no meaning for these dtypes.
    """
    evaluator = _evaluator(operator)
    promoting = [f for f, promotes in zip(facts, evaluator.promotes) if promotes and f is not None]
    common = promote(promoting)
    if common is None:
        raise ValueError(f"{operator.qualified_name}: the dtypes of the operands are not known")
    return evaluator.pointwise.dtypes(common, rounded=evaluator.is_rounded(facts))
