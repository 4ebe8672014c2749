"""Shape rules: what is known of results from what is known of operands, checked against the kernels."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

import numpy as np
import pytest

from samples import samples_of, unruled
from torchscript_dialect import torch
from torchscript_dialect.ops import registry, shapes
from torchscript_dialect.ops.shapes import UNKNOWN, Unknown, said_of
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import FLOAT, INT
from torchscript_dialect.types.tensor_type import TensorProperties as Known

registry.load_families()
RULES = [
    name
    for name, _ in registry.attached()
    if (operator := registry.find(name)) is not None
    and operator.shape is not None
    and operator.kernel is not None
]


def fact_of(value):
    """All that can be known of a value."""
    if isinstance(value, Tensor):
        return Known(value.dtype.type_name, value.array.shape, value.stride(), "cpu")
    if isinstance(value, (list, tuple)):
        return type(value)(fact_of(item) for item in value)
    return value


def without_sizes(fact):
    if isinstance(fact, Known):
        sizes = None if fact.sizes is None else (None,) * len(fact.sizes)
        return Known(fact.dtype, sizes, None, fact.device)
    if isinstance(fact, (list, tuple)):
        return type(fact)(without_sizes(item) for item in fact)
    return fact


def without_rank(fact):
    if isinstance(fact, Known):
        return Known(fact.dtype, None, None, fact.device)
    if isinstance(fact, (list, tuple)):
        return type(fact)(without_rank(item) for item in fact)
    return fact


def check(fact, value) -> None:
    """The fact says nothing that the value contradicts."""
    if isinstance(fact, Unknown):
        return
    if isinstance(fact, (list, tuple)):
        assert len(fact) == len(value)
        for one, item in zip(fact, value):
            check(one, item)
        return
    if not isinstance(fact, Known):
        assert fact == value
        return
    assert fact.dtype in (None, value.dtype.type_name)
    if fact.sizes is not None:
        assert len(fact.sizes) == value.array.ndim
        assert all(size in (None, actual) for size, actual in zip(fact.sizes, value.array.shape))
    if fact.strides is not None and value.array.size:
        assert all(step in (None, actual) for step, actual in zip(fact.strides, value.stride()))


def operands_of(make):
    return [
        [as_tensor(item) if isinstance(item, np.ndarray) else item for item in value]
        if isinstance(value, list)
        else as_tensor(value)
        if isinstance(value, np.ndarray)
        else value
        for value in make()
    ]


@pytest.mark.parametrize("name", RULES)
def test_rule_agrees_with_kernel(name: str) -> None:
    operator = registry.find(name)
    assert operator is not None
    for make, number in zip(samples_of(operator), range(60)):
        operands = operands_of(make)
        facts = [fact_of(operand) for operand in operands]
        try:
            result = operator.kernel(*operands)
        except (RuntimeError, IndexError, ValueError, TypeError):
            operator.shape(facts)
            continue
        check(operator.shape(facts), result)
        check(operator.shape([without_sizes(fact) for fact in facts]), result)
        check(operator.shape([without_rank(fact) for fact in facts]), result)
        blurred = [fact if isinstance(fact, Known) else UNKNOWN for fact in facts]
        check(operator.shape(blurred), result)
        for place, fact in enumerate(facts if number < 6 else ()):
            if not isinstance(fact, Known):
                check(operator.shape([*facts[:place], UNKNOWN, *facts[place + 1 :]]), result)


def test_what_gives_tensors_has_a_rule_or_a_reason() -> None:
    """In-place operators that keep their sizes among them; a write to `out` may give it others."""
    without = [
        operator
        for name, _ in registry.attached()
        if (operator := registry.find(name)) is not None
        and operator.kernel is not None
        and operator.shape is None
        and not operator.reshapes
        and not registry.is_registered(name)
        and "Tensor" in operator.text.rpartition(" -> ")[2]
    ]
    assert [each.qualified_name for each in without if unruled.reason(each) is None] == []


def rule(name: str):
    operator = registry.find(name)
    assert operator is not None
    return operator.shape


def test_pointwise_says_everything() -> None:
    a, b = Known("Float", (3, 4), (4, 1), "cpu"), Known("Long", (4,), (1,), "cpu")
    assert rule("aten::add.Tensor")([a, b, 1]) == Known("Float", (3, 4), (4, 1), "cpu")


def test_pointwise_broadcasts_unknown_sizes() -> None:
    a, b = Known("Float", (None, 4), None, "cpu"), Known("Float", (1, None), None, "cpu")
    assert rule("aten::add.Tensor")([a, b, 1]) == Known("Float", (None, 4), None, "cpu")


def test_numbers_promote_by_type() -> None:
    x = Known("Long", (3,), (1,), "cpu")
    assert rule("aten::mul.Scalar")([x, Unknown(INT)]).dtype == "Long"
    assert rule("aten::mul.Scalar")([x, Unknown(FLOAT)]).dtype == "Float"
    assert rule("aten::mul.Scalar")([x, UNKNOWN]).dtype is None


def test_programs_of_the_overview() -> None:
    gates = Known("Float", (5, 32), (32, 1), "cpu")
    pieces = rule("aten::chunk")([gates, 4, 1])
    assert pieces == [Known("Float", (5, 8), (32, 1), "cpu")] * 4
    x, w = Known("Float", (None, 10), None, "cpu"), Known("Float", (10, 8), None, "cpu")
    assert rule("aten::mm")([x, w]).sizes == (None, 8)
    assert rule("aten::sum")([gates, None]) == Known("Float", (), (), "cpu")
    assert rule("aten::size.int")([gates, 1]) == 32


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("aten::slice.Tensor", (1, 16, None, 1)),
        ("aten::slice.Tensor", (1, 16, 2**63 - 1, 1)),
        ("aten::slice.Tensor", (1, None, -16, 1)),
        ("aten::slice.Tensor", (1, 5000, 6000, 1)),
        ("aten::diagonal", (16, 0, 1)),
    ],
)
def test_parts_beyond_the_sizes_that_are_tried_may_have_elements(
    name: str, operands: tuple[int | None, ...]
) -> None:
    """They were said to have none, and gradients of `torch.cat([x[:, 16:], x[:, :16]], 1)` failed."""
    x = Known("Float", (None, None), None, "cpu")
    assert set(rule(name)([x, *operands]).sizes) == {None}


def test_where_a_part_begins_says_nothing_of_its_sizes() -> None:
    x = Known("Float", (10, 4, 16), (64, 16, 1), "cpu")
    assert rule("aten::select.int")([x, 0, UNKNOWN]) == Known("Float", (4, 16), (16, 1), "cpu")
    assert rule("aten::select.int")([x, UNKNOWN, 0]).sizes is None
    part = Known("Float", (10, 2, 16), (64, 16, 1), "cpu")
    assert rule("aten::narrow")([x, 1, UNKNOWN, 2]) == part
    part = Known("Float", (10, None, 16), (64, 32, 1), "cpu")
    assert rule("aten::slice.Tensor")([x, 1, UNKNOWN, None, 2]) == part
    assert rule("aten::slice.Tensor")([x, -2, None, UNKNOWN, 2]) == part


def test_pieces_of_an_unknown_size_are_not_counted() -> None:
    x = Known("Float", (None, None), None, "cpu")
    assert rule("aten::split.Tensor")([x, 16, 1]) is UNKNOWN


def test_dtypes_where_no_rank_is_known() -> None:
    """The parts of a complex tensor of unknown rank were said to be complex."""
    numbers = Known("ComplexFloat", None, None, "cpu")
    assert rule("aten::real")([numbers]).dtype == "Float"
    assert rule("aten::imag")([numbers]).dtype == "Float"
    mixed = [Known("Float", None, None, "cpu"), Known("Double", None, None, "cpu")]
    assert rule("aten::outer")(mixed).dtype is None


def test_what_was_said_is_remembered_by_operator_dtype_and_kinds_of_numbers() -> None:
    full = registry.find("aten::full")
    assert full is not None
    asked: list[object] = []

    def rule(facts):
        asked.append(facts)
        return full.shape(facts)

    def said(value):
        facts = [[2, 3], value, None, None, None, None]
        return said_of(full, rule, facts, follows_ranks=False).dtype

    shapes._REMEMBERED.clear()  # pyright: ignore[reportPrivateUsage]
    assert [said(one) for one in (1, 1.0, True, 1)] == ["Long", "Float", "Bool", "Long"]
    assert len(asked) == 3
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        assert said(1.0) == "Double"
    finally:
        torch.set_default_dtype(before)
