"""Pointwise operators: each becomes a `linalg.generic` whose body is the operator's scalar body."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from xdsl.ir import SSAValue

from lowering.linalg.complex_scalars import Real, ScalarPairs
from lowering.linalg.element import Element
from lowering.linalg.operands import (
    constant,
    dtypes_taken,
    is_complex,
    is_dense,
    is_known,
    is_packed,
)
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.scalar_probe import DeviceProbe, NotComputable, ScalarProbe, Token
from lowering.linalg.symbolic_shapes import Shape, broadcast, broadcast_axes
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ops.pointwise.complex_math import Pair
from torchscript_dialect.ops.pointwise.pointwise import computation
from torchscript_dialect.ops.pointwise.pointwise_declaration import Pointwise, Role, roles
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.tensor.dtype import dtype, from_name, int64
from torchscript_dialect.tensor.float8 import converted
from torchscript_dialect.tensor.tensor import tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


EXPONENT = "exponent"
"""A number that bodies for complex numbers look at: powers are products for some."""


class PointwiseLowering(OperatorLowering):
    """`aten::mul(%x, %y)` becomes `linalg.generic ins(%x, %y) outs(%empty)`, whose body has `arith.mulf` and `linalg.yield`."""

    wider = "lowering.linalg.divisions:Division"
    takes_complex = True
    probe: ClassVar[type[ScalarProbe]] = ScalarProbe

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        """Whether the scalar body, run once on stand-ins, asks for nothing that could raise or that no kernel computes."""
        if len(op.results) != 1:
            return False
        try:
            cls.run_on_stand_ins(op)
        except (NotComputable, ValueError, RuntimeError, NotImplementedError):
            return False
        return True

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return cls.run_on_stand_ins(op).instructions

    @classmethod
    def run_on_stand_ins(cls, op: OperatorOp) -> ScalarProbe:
        """What the scalar body of a node asks for.

        Raises:
            NotComputable: a kernel cannot compute the node.
            Exception: the operator raises it for operands of such dtypes.
        """
        operator, declared = op.OPERATOR, _declared(op)
        assert operator is not None
        known = zip(roles(operator.schema), op.operands, strict=True)
        facts = [_fact(role, value) for role, value in known]
        common, result = computation(operator, facts)
        if not {common.type_name, result.type_name} <= dtypes_taken(
            takes_complex=cls.takes_complex
        ):
            raise NotComputable("a dtype")
        _check(declared, facts, common)
        _check_unknown(declared, facts, op.operands)
        for argument, fact, value in zip(
            operator.schema.arguments, facts, op.operands, strict=True
        ):
            if isinstance(fact, int | float):
                is_known = constant(value) is not None
                declared.check_number(argument.name, fact if is_known else _widest(fact), common)
        is_there = cls.probe is ScalarProbe and fusing_device() != "cpu"
        probe = (DeviceProbe if is_there else cls.probe)()
        if common.is_complex:
            _probe_pairs(op, declared, facts, common, probe)
            return probe
        token = Token(opmath(common))
        declared.body_for(common)(cast(ScalarMath, probe), *_stand_ins(op, declared, facts, token))
        if isinstance(probe, DeviceProbe) and probe.has_remainder and not declared.wide_other:
            _check_exact(op, common)
        return probe

    @classmethod
    def fitting_numbers(cls, op: OperatorOp) -> Iterable[tuple[SSAValue, dtype]]:
        assert op.OPERATOR is not None
        declared, kinds = _declared(op), roles(op.OPERATOR.schema)
        try:
            facts = list(map(_fact, kinds, op.operands))
        except NotComputable:  # it is not lowered either
            return
        common, _ = computation(op.OPERATOR, facts)
        for argument, fact, value in zip(
            op.OPERATOR.schema.arguments, facts, op.operands, strict=True
        ):
            limit = declared.limit(argument.name, common)
            if limit is not None and type(fact) is float and constant(value) is None:
                yield value, limit

    @classmethod
    def result_dtype(cls, op: OperatorOp) -> str:
        """The dtype of the new tensor that the operator makes, or would make if it did not write to another."""
        assert op.OPERATOR is not None
        known = zip(roles(op.OPERATOR.schema), op.operands, strict=True)
        return computation(op.OPERATOR, [_fact(role, value) for role, value in known])[1].type_name

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """xDSL's `linalg.transpose`, which would turn other results, has no complex elements."""
        (result,) = op.results
        return is_dense(result) if is_complex(result) else is_packed(result)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [broadcast([b.shapes[value] for value in op.operands if value in b.shapes])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        assert op.OPERATOR is not None
        values = tuple(op.operands)
        common, result = computation(op.OPERATOR, [b.fact(value) for value in values])
        tensors = list(dict.fromkeys(value for value in values if value in b.shapes))
        shape = b.shapes[op.results[0]]
        inputs = [
            Element(value, b.dtype_of(value), broadcast_axes(b.shapes[value], shape))
            for value in tensors
        ]

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            known = dict(zip(tensors, elements, strict=True))
            return _Body(b, op, common, math, known).record(result)

        return [b.in_memory_order(shape, result, inputs, body, like=op)]


def _declared(op: OperatorOp) -> Pointwise:
    assert op.OPERATOR is not None
    declared = op.OPERATOR.rules.pointwise
    assert isinstance(declared, Pointwise)
    return declared


def _check(declared: Pointwise, facts: list[Any], common: dtype) -> None:
    """Raise what the operator raises for operands of such dtypes; kernels do not check."""
    if declared.check is not None:
        declared.check(common)
    if declared.check_operands is not None:
        declared.check_operands(*map(_tensor_like, facts))


def _check_unknown(declared: Pointwise, facts: Sequence[Any], values: Sequence[SSAValue]) -> None:
    """Refuse floats that are not known where the operator refuses some floats: none is in a range that a NaN is in, too."""
    if declared.check_operands is None:
        return
    are_unknown = [
        type(fact) is float and constant(value) is None for fact, value in zip(facts, values)
    ]
    if any(are_unknown):
        hardest = [math.nan if one else fact for one, fact in zip(are_unknown, facts)]
        declared.check_operands(*map(_tensor_like, hardest))


def _check_exact(op: OperatorOp, common: dtype) -> None:
    """Refuse numbers that floats of 16 bits have no room for: remainders are those of what they are rounded to."""
    if opmath(common) is common:
        return
    for value in op.operands:
        found = None if isinstance(value.type, TensorType) else constant(value)
        number: Any = None if found is None else found.value
        if found is None and not isinstance(value.type, TensorType):
            raise NotComputable("a number that is not constant")
        if isinstance(number, int | float):
            rounded = converted(common.numpy_dtype, np.asarray(number))
            if float(rounded) != number:
                raise NotComputable("a number that is rounded")


def _widest(fact: float) -> float:
    """A number that stands for one that is not known: the largest int; of floats calls tell (`fitting_numbers`)."""
    return 2**63 - 1 if type(fact) is int else 0.0


def _tensor_like(fact: Any) -> Any:
    """A tensor without elements of the dtype and rank that a fact tells of; anything else as it is."""
    if not isinstance(fact, TensorProperties) or fact.dtype is None:
        return fact
    rank = len(fact.sizes or ())
    return tensor_of(np.empty((0,) * rank, from_name(fact.dtype).numpy_dtype))


def _fact(role: Role, value: SSAValue) -> Any:
    """What dtype rules are told of an operand.

    Raises:
        NotComputable: a kernel cannot take it.
    """
    if isinstance(value.type, TensorType):
        if not is_known(value, takes_complex=True):
            raise NotComputable("an operand")
        return value.type.data
    found = constant(value)
    if found is not None:
        return found.value
    numbers: dict[TorchScriptType, Any] = {INT: 1, FLOAT: 1.5, BOOL: True}
    if role is Role.NUMBER and type_of(value) in numbers:
        return numbers[type_of(value)]
    raise NotComputable("an operand that is not constant")


def _probe_pairs(
    op: OperatorOp, declared: Pointwise, facts: list[Any], common: dtype, probe: ScalarProbe
) -> None:
    """Run the body on pairs of stand-ins.

    Raises:
        NotComputable: it asks for what pairs do not have.
    """
    assert op.OPERATOR is not None
    pairs, of = ScalarPairs(probe), common.to_real()
    given: list[Any] = []
    for argument, fact, value, token in zip(
        op.OPERATOR.schema.arguments,
        facts,
        op.operands,
        _stand_ins(op, declared, facts, Token(common)),
    ):
        if argument.name == EXPONENT and not isinstance(fact, TensorProperties):
            if constant(value) is None:
                raise NotComputable("a power that is not known")
            given.append(fact)
        elif isinstance(token, Token) and token.dtype is common:
            given.append(Pair(Real(probe, Token(of)), Real(probe, Token(of))))
        else:
            given.append(Real(probe, token) if isinstance(token, Token) else token)
    try:
        declared.body_for(common)(cast(ScalarMath, pairs), *given)
    except (TypeError, AttributeError) as error:
        raise NotComputable("a function of arrays") from error


def _stand_ins(op: OperatorOp, declared: Pointwise, facts: list[Any], token: Token) -> list[Any]:
    assert op.OPERATOR is not None
    schema = op.OPERATOR.schema
    stand_ins: list[Any] = []
    for role, argument, fact in zip(roles(schema), schema.arguments, facts, strict=False):
        if fact is None or role is Role.STATIC:
            stand_ins.append(fact)
        elif argument.name in declared.keeps and role is Role.TENSOR:
            stand_ins.append(Token(from_name(fact.dtype)))
        else:
            stand_ins.append(token)
    return stand_ins


class _Body:
    """The scalar body of one node, recorded."""

    def __init__(
        self,
        b: LinalgBuilder,
        op: OperatorOp,
        common: dtype,
        math: ScalarBuilder,
        elements: dict[SSAValue, Scalar],
    ) -> None:
        assert op.OPERATOR is not None
        self.b = b
        self.values = tuple(op.operands)
        self.declared = _declared(op)
        self.roles = roles(op.OPERATOR.schema)
        self.names = [argument.name for argument in op.OPERATOR.schema.arguments]
        self.rounded_numbers = self.declared.rounded_numbers(op.OPERATOR.schema)
        self.common = common
        self.math = math
        self.elements = elements

    def record(self, result: dtype) -> Scalar:
        if self.common.is_complex:
            return self.record_pairs(result)
        operands = [self.operand(index, value) for index, value in enumerate(self.values)]
        body = self.declared.body_for(self.common, by_one=self._is_by_one())
        outcome = body(cast(ScalarMath, self.math), *operands[: len(self.roles)])
        return self.math.cast(self.math.scalar(outcome, opmath(self.common)), result.name)

    def _is_by_one(self) -> bool:
        if "other" not in self.names:
            return False
        other = self.values[self.names.index("other")]
        return other not in self.elements or all(
            size.find().is_static for size in self.b.shapes[other]
        )

    def record_pairs(self, result: dtype) -> Scalar:
        """The body on pairs of scalars; see `complex_scalars.py`."""
        pairs = ScalarPairs(self.math)
        operands = [self.pair(pairs, index, value) for index, value in enumerate(self.values)]
        body = self.declared.body_for(self.common)
        outcome = body(cast(ScalarMath, pairs), *operands[: len(self.roles)])
        return pairs.recorded(pairs.cast(outcome, result.name))

    def pair(self, pairs: ScalarPairs, index: int, value: SSAValue) -> Any:
        """As `operand`, a pair where elements are complex numbers. Numbers are complex, too: an infinity times 1 + 0i is none."""
        if index >= len(self.roles) or self.roles[index] is Role.STATIC:
            return self.operand(index, value)
        name, of = self.names[index], self.common.to_real()
        if value in self.elements:
            known = pairs.element(self.elements[value])
            return known if name in self.declared.keeps else pairs.cast(known, self.common.name)
        if value in self.b.scalars:
            number = self.unknown_number(value, name, of)
            return pairs.cast(Real(self.math, number), self.common.name)
        number = self.b.constant(value)
        if number is None or name == EXPONENT:
            return number
        number = complex(self.declared.factor(name, number, self.common))
        known = (self.math.number(one, of) for one in (number.real, number.imag))
        return Pair(*(Real(self.math, one) for one in known))

    def unknown_number(self, value: SSAValue, name: str, compute: dtype) -> Scalar:
        """A number that is not constant, of a dtype of its own; one of the compute dtype where PyTorch negates an int."""
        scalar = self.math.wrap(value, self.b.scalars[value])
        if scalar.dtype is not int64 or name != self.declared.negated:
            return scalar
        return self.math.neg(self.math.cast(self.math.neg(scalar), compute.name))

    def operand(self, index: int, value: SSAValue) -> Any:
        """A value in the compute dtype, None, or a static argument as it is."""
        if index >= len(self.roles):
            return None
        if self.roles[index] is Role.STATIC:
            return self.b.constant(value)
        compute, name = opmath(self.common), self.names[index]
        # PyTorch's kernels for devices compute with numbers as they are, and with elements of the common dtype.
        is_here = fusing_device() == "cpu"
        if value in self.elements:
            scalar = self.elements[value]
            if name in self.declared.keeps:
                return scalar
            is_wide = name == "other" and self.declared.wide_other and not self.b.shapes[value]
            common = compute if is_wide and is_here else self.common
            return self.math.cast(self.math.cast(scalar, common.name), compute.name)
        is_rounded = is_here and name in self.rounded_numbers
        common = self.common if is_rounded else compute
        if value in self.b.scalars:
            scalar = self.unknown_number(value, name, compute)
            return self.math.cast(self.math.cast(scalar, common.name), compute.name)
        number = self.b.constant(value)
        if number is None:
            return None
        number = self.declared.factor(name, number, self.common)
        if common is not compute:
            number = float(converted(common.numpy_dtype, np.asarray(number)))
        return self.math.number(number, compute)
