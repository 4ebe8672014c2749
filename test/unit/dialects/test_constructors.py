"""Ops written down in Python: constructors, names of operands and attributes, results, documentation."""

import inspect
import warnings
from typing import Any

import pytest
from xdsl.builder import Builder
from xdsl.dialects.builtin import ArrayAttr, FileLineColLoc, IntAttr, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.dialects.class_names import class_name
from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.dialects.operators import UnknownOperatorWarning, operator_class
from torchscript_dialect.ir.pattern_driver import apply_patterns
from torchscript_dialect.ops import registry
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import ANY, BOOL, FLOAT, INT, NONE, STR
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR

X, Y, N, S = Block(arg_types=[TENSOR, TENSOR, INT, STR]).args


def test_operands_are_positional_or_named_and_results_follow() -> None:
    op = aten.AddTensorOp(X, Y, N)
    assert (op.self, op.other, op.alpha) == (X, Y, N)
    assert op.result.type == TENSOR
    op.verify()
    named = aten.AddTensorOp(X, alpha=N, other=Y)
    assert tuple(named.operands) == (X, Y, N)
    nested = aten.MulTensorOp(op, Y)
    assert nested.self is op.result, "an op stands for its only result"
    assert [value.type for value in aten.MaxDimOp(X, N, N_BOOL).results] == [TENSOR, TENSOR]


N_BOOL = Block(arg_types=[BOOL]).args[0]


ADD: Any = aten.AddTensorOp
MUL: Any = aten.MulTensorOp
"""As Python sees them: what a type checker would refuse must be refused with a message, too."""


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ADD(X, Y), "needs the operand 'alpha': .*AddTensorOp.of\\(rewriter"),
        (lambda: MUL(X), "needs the operand 'other': aten::mul.Tensor[^;]*$"),
        (lambda: MUL(X, Y, N), "takes 2 operands, not 3"),
        (lambda: MUL(X, Y, self=X), "is given its operand 'self' twice"),
        (lambda: MUL(X, Y, alpha=N), "has no operand 'alpha'"),
        (lambda: aten.AddTensorOp(X, N, N), "do not fit .*; they fit aten.add.Scalar"),
        (lambda: prim_operators.TolistOp(X, N, N), "needs result_types: no schema tells them"),
        (lambda: prim.GetAttrOp(X, name="w"), "GetAttrOp needs result_types"),
    ],
)
def test_mistakes_are_told(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


def test_an_op_without_one_result_has_no_result() -> None:
    with pytest.raises(ValueError, match=r"aten.max.dim has 2 results, not one"):
        _ = aten.MaxDimOp(X, N, N_BOOL).result


def test_names_that_are_keywords_get_an_underscore() -> None:
    class_ = operator_class("aten::random_.from")
    assert class_.NAMES == ("self", "from_", "to", "generator")
    assert "name_" in operator_class("debugprims::load_tensor").NAMES
    assert operator_class("static_runtime::clamp_nan_to_num").NAMES[-2:] == ("posinf", "posinf_")


def test_all_operands_of_all_operators_have_names() -> None:
    for qualified_name in registry.texts():
        class_ = operator_class(qualified_name)
        assert class_.OPERATOR is not None
        assert len(set(class_.NAMES)) == len(class_.OPERATOR.schema.arguments)
        assert all(name.isidentifier() and name in class_.__dict__ for name in class_.NAMES)


class Doubled(RewritePattern):
    """`x + x` is `x * 2`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.AddTensorOp, rewriter: PatternRewriter, /) -> None:
        if op.self is op.other:
            rewriter.replace(op, [], [aten.MulScalarOp.of(rewriter, op.self, 2.0).result])


def test_a_pattern_inserts_an_op_with_its_constants() -> None:
    block = Block(arg_types=[TENSOR, INT])
    place = FileLineColLoc(StringAttr("f.py"), IntAttr(3), IntAttr(1))
    add = aten.AddTensorOp(block.args[0], block.args[0], block.args[1], location=place)
    block.add_ops([add, ReturnOp(add.result)])
    function = FuncOp("f", ([TENSOR, INT], [TENSOR]), Region(block))
    apply_patterns(block, [Doubled()])
    constant, product, _ = block.ops
    assert isinstance(constant, prim.ConstantOp)
    assert constant.value == 2.0
    assert isinstance(product, aten.MulScalarOp)
    assert constant.location == product.location == place
    function.verify()


def test_defaults_become_constants_of_the_schemas_types() -> None:
    block = Block(arg_types=[TENSOR, TENSOR])
    builder = Builder(InsertPoint.at_end(block))
    x, y = block.args
    add = aten.AddTensorOp.of(builder, x, y)
    softmax = aten.SoftmaxIntOp.of(builder, add, -1)
    conv = aten.Conv2dOp.of(builder, softmax, y, stride=2)
    dropout = aten.DropoutOp.of(builder, conv, 0, True)
    for op in (add, softmax, conv, dropout):
        op.verify()
    constants = [op for op in block.ops if isinstance(op, prim.ConstantOp)]
    assert [(op.value, op.result.type) for op in constants] == [
        (1, INT),
        (-1, INT),
        (None, NONE),
        (None, NONE),
        ([2, 2], ListType(INT)),
        ([0, 0], ListType(INT)),
        ([1, 1], ListType(INT)),
        (1, INT),
        (0.0, FLOAT),
        (True, BOOL),
    ]
    with pytest.raises(TypeError, match="cannot be a constant"):
        aten.MulScalarOp.of(builder, x, object())
    with pytest.raises(TypeError, match="needs the operand 'other'"):
        MUL.of(builder, x)


def test_structural_nodes() -> None:
    pair = prim.TupleConstructOp(X, N)
    assert pair.result.type == TupleType.get([TENSOR, INT])
    assert list(pair.elements) == [X, N]
    unpack = prim.TupleUnpackOp(pair)
    assert [result.type for result in unpack.results] == [TENSOR, INT]
    assert unpack.tuple is pair.result
    part = prim.TupleSliceOp(pair, begin=0, end=1)
    assert (part.begin, part.end, part.result.type) == (0, 1, TupleType.get([TENSOR]))
    items = prim.ListConstructOp(X, Y)
    assert items.result.type == ListType(TENSOR)
    get = prim.GetAttrOp(OBJECT, attribute_name="weight", result_types=[TENSOR])
    assert (get.object, get.attribute_name) == (OBJECT, "weight")
    store = prim.SetAttrOp(OBJECT, X, attribute_name="weight")
    assert (store.object, store.value, len(store.results)) == (OBJECT, X, 0)
    check = prim.IsInstanceOp(MAYBE, types=TYPES)
    assert (check.value, check.types, check.result.type) == (MAYBE, [INT], BOOL)
    index = prim.TupleIndexOp(pair, N, result_types=[ANY])
    assert (index.tuple, index.index) == (pair.result, N)
    last = prim.TupleIndexOp(pair, prim.ConstantOp.of(-1, INT))
    assert last.result.type == INT
    with pytest.raises(TypeError, match="TupleIndexOp needs result_types"):
        prim.TupleIndexOp(pair, prim.ConstantOp.of(2, INT))
    chunks = prim.ConstantChunkOp(X, chunks=2, dim=0)
    assert (chunks.tensor, chunks.chunks, chunks.dim, len(chunks.results)) == (X, 2, 0, 2)
    pairs = prim.DictConstructOp(N, X, N, Y)
    assert pairs.result.type == DictType(INT, TENSOR)
    assert (list(pairs.keys), list(pairs.values)) == ([N, N], [X, Y])
    for op in (pair, unpack, part, items, get, store, check, index, last, chunks, pairs):
        op.verify()


OBJECT, MAYBE = Block(arg_types=[ClassType(StringAttr("C")), OptionalType(INT)]).args
TYPES = ArrayAttr([INT])


def test_documentation_is_the_schema() -> None:
    assert str(aten.MulTensorOp.__doc__).startswith(
        "`aten::mul.Tensor(Tensor self, Tensor other) -> Tensor`"
    )
    assert list(inspect.signature(aten.AddTensorOp).parameters) == ["self", "other", "alpha"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AddOp", "aten::add is AddTensorOp, AddScalarOp"),
        ("mull", "did you mean aten::mul, which is MulTensorOp"),
        ("MullOp", "did you mean aten::mul, which is MulTensorOp"),
        ("AddtensorOp", "did you mean AddTensorOp"),
        ("EmptyOp", "aten::empty is EmptyMemoryFormatOp"),
        ("NothingOp", "has no op NothingOp$"),
    ],
)
def test_classes_that_are_not_there(name: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        getattr(aten, name)


def test_addition_of_numbers_is_not_taken_for_that_of_tensors() -> None:
    assert class_name("aten::add") == "AddDefaultOp"
    assert aten.AddDefaultOp is operator_class("aten::add")
    assert class_name("aten::linspace") == "LinspaceOp"
    assert class_name("aten::mm") == "MmOp"
    with pytest.raises(VerifyException, match="do not fit the schema aten::add"):
        operator_class("aten::add").create(operands=[X, Y], result_types=[TENSOR]).verify()


def test_unknown_operators_of_pytorchs_namespaces_are_told() -> None:
    with pytest.warns(UnknownOperatorWarning, match="no operator aten::mull .*Did you mean 'mul'"):
        operator_class("aten::mull")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        operator_class("aten::mull")  # It has been told.
        operator_class("mine::mull")
        operator_class("aten::add.unresolved")


def test_text_with_an_unknown_operator_is_read_and_told() -> None:
    context = make_context()
    with pytest.warns(UnknownOperatorWarning, match="aten::reluu"):
        class_ = context.get_op("aten.reluu")
    assert issubclass(class_, Operation)
