"""Types in their three spellings."""

import pytest
from xdsl.parser import Parser

from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import (
    AwaitType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    RRefType,
    TupleType,
    UnionType,
    optional_of,
    union_of,
)
from torchscript_dialect.types.core import (
    ANY,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.named import (
    ClassType,
    EnumType,
    FunctionType,
    InterfaceType,
    VarType,
)
from torchscript_dialect.types.tensor_type import TENSOR, TensorProperties, TensorType
from torchscript_dialect.types.text import TextError, parse_type

PLAIN = TensorType.of("Float", (2, None))
FULL = TensorType.of("Double", (2, 3), (3, 1), "cuda:0", True)

SPELLINGS: list[tuple[TorchScriptType, str, str, str]] = [
    (INT, "!prim.int", "int", "int"),
    (NUMBER, "!prim.number", "Scalar", "number"),
    (NONE, "!prim.none", "NoneType", "NoneType"),
    (core.DEVICE, "!prim.device", "Device", "Device"),
    (TENSOR, "!prim.tensor", "Tensor", "Tensor"),
    (PLAIN, "!prim.tensor<Float, sizes = [2, ?]>", "Float(2, *)", "Tensor"),
    (
        FULL,
        '!prim.tensor<Double, sizes = [2, 3], strides = [3, 1], device = "cuda:0", requires_grad = true>',
        "Double(2, 3, strides=[3, 1], requires_grad=1, device=cuda:0)",
        "Tensor",
    ),
    (TensorType.of("Float", ()), "!prim.tensor<Float, sizes = []>", "Float()", "Tensor"),
    (TensorType.of(sizes=()), "!prim.tensor<sizes = []>", "Tensor()", "Tensor"),
    (TensorType.of("Float"), "!prim.tensor<Float>", "FloatTensor", "Tensor"),
    (
        TensorType.of(device="cpu"),
        '!prim.tensor<device = "cpu">',
        "Tensor(device=cpu)",
        "Tensor",
    ),
    (ListType(INT), "!prim.list<!prim.int>", "int[]", "List[int]"),
    (
        ListType(ListType(STR)),
        "!prim.list<!prim.list<!prim.str>>",
        "str[][]",
        "List[List[str]]",
    ),
    (OptionalType(INT), "!prim.optional<!prim.int>", "int?", "Optional[int]"),
    (
        DictType(STR, TENSOR),
        "!prim.dict<!prim.str, !prim.tensor>",
        "Dict(str, Tensor)",
        "Dict[str, Tensor]",
    ),
    (TupleType.get([]), "!prim.tuple<()>", "()", "Tuple[()]"),
    (TupleType.get([INT]), "!prim.tuple<!prim.int>", "(int)", "Tuple[int]"),
    (
        TupleType.get([INT, ListType(FLOAT)]),
        "!prim.tuple<!prim.int, !prim.list<!prim.float>>",
        "(int, float[])",
        "Tuple[int, List[float]]",
    ),
    (FutureType(INT), "!prim.future<!prim.int>", "Future[int]", "Future[int]"),
    (AwaitType(INT), "!prim.await<!prim.int>", "Await[int]", "Await[int]"),
    (RRefType(INT), "!prim.rref<!prim.int>", "RRef[int]", "RRef[int]"),
    (ClassType("__torch__.M"), '!prim.class<"__torch__.M">', "__torch__.M", "__torch__.M"),
    (EnumType("__torch__.E"), '!prim.enum<"__torch__.E">', "Enum<__torch__.E>", "__torch__.E"),
]


@pytest.mark.parametrize(("type_", "mlir", "text", "annotation"), SPELLINGS, ids=lambda x: str(x))
def test_spellings(type_: TorchScriptType, mlir: str, text: str, annotation: str) -> None:
    assert str(type_) == mlir
    assert type_.repr_str == text
    assert type_.annotation_str == annotation


BOX = TupleType.get([FULL, INT], "__torch__.Box", ["corner", "size"])
RESULT = TupleType.get([TENSOR, TENSOR], None, ["values", "indices"])


@pytest.mark.parametrize(
    ("type_", "graph", "schema"),
    [
        (ListType(RESULT), "NamedTuple(values : Tensor, indices : Tensor)[]", "(Tensor, Tensor)[]"),
        (DictType(STR, RESULT), "Dict(str, (Tensor, Tensor))", "Dict(str, (Tensor, Tensor))"),
        (
            DictType(INT, OptionalType(BOX)),
            "Dict(int, __torch__.Box?)",
            "Dict(int, __torch__.Box?)",
        ),
        (union_of([INT, BOX]), "Union(__torch__.Box, int)", "Union(__torch__.Box, int)"),
        (DictType(STR, FULL), "Dict(str, Tensor)", "Dict(str, Tensor)"),
    ],
)
def test_names_of_fields_are_not_within_dicts_and_unions(
    type_: TorchScriptType, graph: str, schema: str
) -> None:
    assert type_.graph_str == type_.str() == graph
    assert type_.schema_str == schema


MLIR_ONLY: list[TorchScriptType] = [
    InterfaceType("__torch__.I"),
    FunctionType("f"),
    VarType("t"),
    TupleType.get([INT, STR], "__torch__.P", ["x", "y"]),
    TupleType.get([], "__torch__.P"),
    union_of([INT, STR, TENSOR]),
    TensorType(TensorProperties(undefined=True)),
    *core.SIMPLE_TYPES,
]


@pytest.mark.parametrize("type_", [*(row[0] for row in SPELLINGS), *MLIR_ONLY], ids=str)
def test_mlir_text_parses_to_the_same_type(type_: TorchScriptType) -> None:
    assert Parser(make_context(), str(type_)).parse_type() == type_


GRAPH_TEXT = [row for row in SPELLINGS if row[2] not in ("Function",)]


@pytest.mark.parametrize("type_", [row[0] for row in GRAPH_TEXT], ids=str)
def test_graph_text_parses_to_the_same_type(type_: TorchScriptType) -> None:
    assert parse_type(type_.repr_str) == type_


@pytest.mark.parametrize(
    ("verbosity", "text"),
    [
        ("0", "Double(2, 3)"),
        ("1", "Double(2, 3)"),
        ("2", "Double(2, 3, strides=[3, 1])"),
        ("3", "Double(2, 3, strides=[3, 1], requires_grad=1, device=cuda:0)"),
        ("nonsense", "Double(2, 3, strides=[3, 1], requires_grad=1, device=cuda:0)"),
    ],
)
def test_verbosity(verbosity: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTORCH_JIT_TYPE_VERBOSITY", verbosity)
    assert FULL.repr_str == text


def test_optional_does_not_nest() -> None:
    assert optional_of(OptionalType(INT)) == OptionalType(INT)
    assert optional_of(NONE) == NONE
    assert optional_of(union_of([INT, STR, NONE])) == union_of([INT, STR, NONE])


def test_unions_are_flat_sorted_and_without_duplicates() -> None:
    assert union_of([INT, STR, INT]) == union_of([STR, INT])
    assert (
        union_of([union_of([INT, STR]), OptionalType(FLOAT)]).repr_str
        == "Union(float, int, NoneType, str)"
    )
    assert union_of([INT, INT]) == INT
    assert union_of([NONE, INT]) == OptionalType(INT)
    assert union_of([INT, FLOAT, COMPLEX]) == NUMBER
    assert union_of([INT, FLOAT, COMPLEX, STR]).repr_str == "Union(Scalar, str)"
    assert union_of([ListType(INT), TENSOR]).repr_str == "Union(Tensor, int[])"


def test_contained_types_can_be_replaced() -> None:
    tuple_ = TupleType.get([INT, STR], "__torch__.P", ["x", "y"])
    assert tuple_.with_contained((STR, INT)) == TupleType.get([STR, INT], "__torch__.P", ["x", "y"])
    assert DictType(STR, INT).with_contained((INT, INT)) == DictType(INT, INT)
    union = union_of([INT, STR])
    assert isinstance(union, UnionType) and union.with_contained((INT, ANY, STR)) == union_of(
        [INT, ANY, STR]
    )


def test_tensor_types_tell_what_they_know() -> None:
    assert not TENSOR.is_refined and TENSOR.dim is None
    assert FULL.is_refined and FULL.dim == 2
    assert FULL.replace(sizes=None).sizes is None
    assert FULL.dtype == "Double" and FULL.device == "cuda:0" and FULL.requires_grad


def test_classes_have_base_names() -> None:
    assert ClassType("__torch__.a.B").base_name == "B"
    assert ClassType("B").base_name == "B"


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("int[", "expected ']' but found 'end of text' here", 4),
        ("Dict(int)", "Dict takes 2 type(s) but 1 are given", 9),
        ("Float(2, foo=1)", "a tensor type has no 'foo'", 13),
        ("(int, ", "expected a name but found 'end of text' here", 6),
        ("int int", "unexpected 'int' after a type", 4),
        ("3", "expected a name but found '3' here", 0),
        ("", "expected a name but found 'end of text' here", 0),
    ],
)
def test_malformed_types_name_the_place(text: str, message: str, offset: int) -> None:
    with pytest.raises(TextError) as caught:
        parse_type(text)
    assert (caught.value.message, caught.value.offset) == (message, offset)
