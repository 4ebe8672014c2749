"""Op classes made from the operator table, and attributes as Python values."""

from typing import Any

import numpy as np
import pytest
from xdsl.ir import Block

from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.attributes import TensorAttr, from_attribute, to_attribute
from torchscript_dialect.dialects.class_names import class_name
from torchscript_dialect.dialects.operators import (
    class_for,
    operator_class,
    resolve_operator,
)
from torchscript_dialect.dialects.prim import STRUCTURAL_OPS, ConstantOp, kind_class
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, STR
from torchscript_dialect.types.tensor_type import TENSOR


@pytest.mark.parametrize(
    ("qualified_name", "name"),
    [
        ("aten::add.Tensor", "AddTensorOp"),
        ("aten::mm", "MmOp"),
        ("aten::max.dim_max", "MaxDimMaxOp"),
        ("aten::mul_.Tensor", "Mul_TensorOp"),
        ("aten::_softmax", "_SoftmaxOp"),
        ("aten::log_softmax.int", "LogSoftmaxIntOp"),
    ],
)
def test_class_names(qualified_name: str, name: str) -> None:
    assert class_name(qualified_name) == name
    assert operator_class(qualified_name).__name__ == name


def test_the_dialect_has_the_classes_by_name() -> None:
    assert aten.AddTensorOp is operator_class("aten::add.Tensor")
    with pytest.raises(AttributeError, match="the aten dialect has no op NothingOp"):
        _ = aten.NothingOp  # pyright: ignore[reportAttributeAccessIssue]


def test_operands_have_the_names_of_the_schema() -> None:
    x, y, alpha = Block(arg_types=[TENSOR, TENSOR, INT]).args
    op: Any = aten.AddTensorOp.create(operands=[x, y, alpha], result_types=[TENSOR])
    assert (op.self, op.other, op.alpha) == (x, y, alpha)
    assert (
        op.KIND == "aten::add"
        and op.name == "aten.add.Tensor"
        and op.schema.overload_name == "Tensor"
    )


@pytest.mark.parametrize(
    ("types", "overload"),
    [
        ([TENSOR, TENSOR, INT], "aten::add.Tensor"),
        ([TENSOR, FLOAT, INT], "aten::add.Scalar"),
        ([INT, INT], "aten::add.int"),
        ([STR, STR], "aten::add.str"),
        ([ListType(INT), ListType(INT)], "aten::add.t"),
    ],
)
def test_types_of_operands_choose_the_overload(types: list[Any], overload: str) -> None:
    operator = resolve_operator("aten::add", types)
    assert operator is not None and operator.qualified_name == overload
    assert class_for("aten::add", types) is operator_class(overload)


def test_operands_that_fit_no_overload() -> None:
    assert resolve_operator("aten::add", [BOOL, TENSOR]) is None
    assert class_for("aten::add", [BOOL, TENSOR]).name == "aten.add.unresolved"
    assert class_for("aten::add", [BOOL, TENSOR]).KIND == "aten::add"
    assert (
        class_for("my::op", [STR]).name == "my.op" and class_for("my::op", [STR]).OPERATOR is None
    )


def test_every_structural_op_is_found_by_its_kind() -> None:
    assert all(kind_class(op.KIND) is op for op in STRUCTURAL_OPS)
    assert kind_class("prim::If") is not None and kind_class("aten::add") is None


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -(2**63), 1.5, float("inf"), 1j, "a", [1, [2.0, "x"]], [], [True, 1]],
)
def test_values_survive_as_attributes(value: Any) -> None:
    found = from_attribute(to_attribute(value))
    assert found == value and type(found) is type(value)


def test_tuples_come_back_by_the_type_of_the_constant() -> None:
    type_ = TupleType.get([INT, ListType(BOOL)])
    assert ConstantOp.of((1, [True]), type_).value == (1, [True])


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int64", "uint8", "bool", "complex64", "float16"]
)
def test_tensors_survive_as_attributes(dtype: str) -> None:
    array = np.array([[0, 1], [2, 3]]).astype(dtype)
    attribute = TensorAttr.from_tensor(as_tensor(array.T))
    assert np.array_equal(attribute.to_tensor().array, array.T)
    assert attribute.data.data == np.ascontiguousarray(array.T).tobytes()
    assert attribute == TensorAttr.from_tensor(as_tensor(array.T))
    first = attribute.to_tensor()
    first.array[0] = 0
    assert np.array_equal(attribute.to_tensor().array, array.T), "each tensor is fresh"


def test_what_is_no_attribute() -> None:
    with pytest.raises(TypeError, match="a set cannot be an attribute of a node"):
        to_attribute({1})
    with pytest.raises(TypeError, match="is no attribute of a node"):
        from_attribute(TENSOR)
