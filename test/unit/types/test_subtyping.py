"""Subtypes, unification and type variables (the grid against PyTorch is test/oracle/test_types.py)."""

import pytest

from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    union_of,
)
from torchscript_dialect.types.core import ANY, ANY_LIST, BOOL, FLOAT, INT, NONE, NUMBER, STR
from torchscript_dialect.types.named import VarType
from torchscript_dialect.types.subtyping import (
    TypeEnv,
    evaluate_type_variables,
    has_type_variables,
    is_subtype,
    match_type_variables,
    unify_all,
    unify_types,
    unshaped,
)
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.types.text import parse_type

FLOAT23 = TensorType.of("Float", (2, 3))


@pytest.mark.parametrize(
    ("sub", "sup"),
    [
        ("int", "Any"),
        ("int", "Scalar"),
        ("int", "int?"),
        ("NoneType", "int?"),
        ("int?", "Scalar?"),
        ("int[]", "list"),
        ("(int, int?)", "(Scalar, Any)"),
        ("int", "Union(int, str)"),
        ("Union(int, str)", "Union(float, int, str)"),
        ("int?", "Union(int, NoneType, str)"),
        ("Float(2, 3)", "Tensor"),
        ("Float(2, 3)", "Float(2, *)"),
        ("Float(2, 3)[]", "Tensor[]"),
        ("Dict(str, Float(2))", "Dict(str, Tensor)"),
        ("Future[int]", "Future[Any]"),
    ],
)
def test_subtypes_are_one_way(sub: str, sup: str) -> None:
    assert is_subtype(parse_type(sub), parse_type(sup))
    assert not is_subtype(parse_type(sup), parse_type(sub))


@pytest.mark.parametrize(
    ("sub", "sup"),
    [
        ("bool", "Scalar"),
        ("int", "float"),
        ("int[]", "Scalar[]"),
        ("int[]", "Any[]"),
        ("(int, int)", "(int)"),
        ("Float(2)", "Float(2, 3)"),
        ("Float(2)", "Double(2)"),
        ("int?", "Union(int, str)"),
        ("Dict(int, int)", "Dict(Scalar, int)"),
    ],
)
def test_what_is_no_subtype(sub: str, sup: str) -> None:
    assert not is_subtype(parse_type(sub), parse_type(sup))


def test_named_tuples_are_tuples_but_not_the_other_way() -> None:
    named = TupleType.get([INT, STR], "P", ["x", "y"])
    plain = TupleType.get([INT, STR])
    assert is_subtype(named, plain)
    assert not is_subtype(plain, named)


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("int", "int", "int"),
        ("int", "NoneType", "int?"),
        ("int?", "Scalar", "Scalar?"),
        ("Float(2, 3)", "Float(2, 4)", "Float(2, *)"),
        ("Float(2, 3)", "Double(2, 3)", "Tensor(2, 3)"),
        ("Float(2)", "Float(2, 3)", "FloatTensor"),
        ("(int, NoneType)", "(int, str)", "(int, str?)"),
        ("Float(2)[]", "Float(3)[]", "Float(*)[]"),
        ("int", "Any", "Any"),
    ],
)
def test_unification(a: str, b: str, result: str) -> None:
    for first, second in ((a, b), (b, a)):
        unified = unify_types(parse_type(first), parse_type(second))
        assert unified is not None and unified.repr_str == result


@pytest.mark.parametrize(
    ("a", "b"), [("int", "str"), ("int[]", "str[]"), ("(int)", "(int, int)"), ("int", "float")]
)
def test_what_does_not_unify(a: str, b: str) -> None:
    assert unify_types(parse_type(a), parse_type(b)) is None
    assert unify_types(parse_type(a), parse_type(b), default_to_union=True) == union_of(
        [parse_type(a), parse_type(b)]
    )


def test_unify_all() -> None:
    assert unify_all([]) is None
    assert unify_all([INT]) == INT
    assert unify_all([INT, NONE, INT]) == OptionalType(INT)
    assert unify_all([INT, STR, INT]) is None
    assert unify_all([NONE, NONE]) == NONE


def test_unshaped_reaches_into_containers() -> None:
    assert unshaped(DictType(STR, ListType(FLOAT23))) == DictType(STR, ListType(TENSOR))
    assert unshaped(INT) == INT


def test_type_variables_keep_the_first_type() -> None:
    env: TypeEnv = {}
    assert match_type_variables(ListType(VarType("t")), ListType(TENSOR), env) is None
    assert match_type_variables(VarType("t"), FLOAT23, env) is None
    assert env == {"t": TENSOR}
    assert evaluate_type_variables(DictType(STR, VarType("t")), env) == DictType(STR, TENSOR)
    assert evaluate_type_variables(VarType("u"), env) is None


def test_type_variables_say_why_they_do_not_match() -> None:
    env: TypeEnv = {"t": INT}
    assert match_type_variables(VarType("t"), STR, env) == (
        "Type variable 't' previously matched to type int is matched to type str"
    )
    assert match_type_variables(ListType(VarType("u")), INT, env) == "Cannot match List[u] to int"


def test_optional_variables_take_values_and_none() -> None:
    formal = OptionalType(VarType("t"))
    for actual in (INT, OptionalType(INT)):
        env: TypeEnv = {}
        assert match_type_variables(formal, actual, env) is None and env == {"t": INT}
    env = {}
    assert match_type_variables(formal, NONE, env) is None and env == {}


def test_lists_of_variables_take_tuples_of_one_type() -> None:
    env: TypeEnv = {}
    assert match_type_variables(ListType(VarType("t")), TupleType.get([INT, INT]), env) is None
    assert env == {"t": INT}
    assert match_type_variables(ListType(VarType("u")), TupleType.get([INT, BOOL]), env) is not None


def test_types_without_variables_are_left_to_subtyping() -> None:
    assert not has_type_variables(ListType(ANY))
    assert has_type_variables(DictType(VarType("k"), FLOAT))
    assert match_type_variables(ANY_LIST, INT, {}) is None
    assert is_subtype(ListType(NUMBER), ANY_LIST)
