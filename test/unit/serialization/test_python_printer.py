"""The Python printer against the golden files: the code that PyTorch printed for the same graphs."""

import ast
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region

from torchscript_dialect.dialects.attributes import TensorAttr
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.dialects.prim import ConstantOp, IfOp, TupleConstructOp, YieldOp
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.serialization.python_printer import (
    ClassSource,
    Method,
    PythonPrinter,
    print_function,
)
from torchscript_dialect.serialization.python_printer_tables import Dependencies, TypeNamer
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import BOOL, INT, STR, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, FunctionType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.types.text import parse_type
from torchscript_dialect.utils.errors import TorchScriptError

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "code"
TOPICS = sorted(path.stem for path in GOLDEN.glob("*.json") if path.stem != "archives")


@cache
def golden(topic: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{topic}.json").read_text())


RECORDS = [(topic, name) for topic in TOPICS for name in golden(topic)]


def function_of(graph: str) -> FuncOp:
    function = parse_ir_text(graph).body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def resolver(names: dict[str, str]) -> TypeNamer:
    """Names what graph text leaves out: called functions and NamedTuples."""

    def resolve(type_: TorchScriptType) -> str | None:
        key = type_.qualified_name.data if isinstance(type_, FunctionType) else type_.repr_str
        return names.get(key)

    return resolve


def test_the_golden_files_are_there() -> None:
    assert len(RECORDS) > 200


@pytest.mark.parametrize(("topic", "name"), RECORDS)
def test_code(topic: str, name: str) -> None:
    record = golden(topic)[name]

    code = print_function(
        function_of(record["graph"]),
        name=record["name"],
        schema=FunctionSchema.parse(record["schema"]),
        is_method=record["is_method"],
        class_resolver=resolver(record["names"]),
    )
    assert code == record["code"]


def class_source(name: str, archive: dict[str, Any]) -> ClassSource:
    class_ = archive["classes"][name]
    constants = {
        field: text.removeprefix("Final[").split("] = ")
        for field, text in class_["constants"].items()
    }
    return ClassSource(
        name,
        attributes={field: parse_type(text) for field, text in class_["attributes"].items()},
        methods=[method(archive["functions"][f"{name}.{m}"]) for m in class_["methods"]],
        constants={f: (ast.literal_eval(v), parse_type(t)) for f, (t, v) in constants.items()},
        is_module=class_["base"] == "Module",
        parameters=frozenset(class_["parameters"]),
        buffers=frozenset(class_["buffers"]),
    )


def method(record: dict[str, Any]) -> Method:
    schema = FunctionSchema.parse(record["schema"])
    return Method(record["name"], function_of(record["graph"]), schema)


@pytest.mark.parametrize("name", golden("archives"))
def test_archive(name: str) -> None:
    """A file per prefix, and in it what is named, in the order in which it is named first."""
    archive = golden("archives")[name]
    names: dict[str, str] = {}
    for record in archive["functions"].values():
        names |= record["names"]

    def members(type_: ClassType) -> Iterable[TorchScriptType]:
        return class_source(type_.qualified_name.data, archive).attributes.values()

    dependencies = Dependencies(members)
    dependencies.add(ClassType(archive["root"]))
    printers: dict[str, PythonPrinter] = {}
    for type_ in dependencies.types:  # grows meanwhile
        probe = PythonPrinter(class_resolver=resolver(names))
        qualified_name = probe.annotations.of(type_)
        prefix = qualified_name.rpartition(".")[0]
        printer = printers.setdefault(
            prefix, PythonPrinter(class_resolver=resolver(names), dependencies=dependencies)
        )
        if isinstance(type_, FunctionType):
            function = method(archive["functions"][qualified_name])
            printer.print_function(function.function, name=function.name, schema=function.schema)
        elif archive["classes"][qualified_name]["base"] == "NamedTuple":
            fields = class_source(qualified_name, archive).attributes
            printer.print_named_tuple(TupleType.get(fields.values(), qualified_name, fields))
        else:
            printer.print_class(class_source(qualified_name, archive))
    assert {prefix: printer.text for prefix, printer in printers.items()} == archive["files"]


def returning(block: Block, *ops: Operation) -> FuncOp:
    """The function of these nodes that returns the last one's results."""
    for op in ops:
        block.add_op(op)
    results = ops[-1].results
    block.add_op(ReturnOp(*results))
    types = ([a.type for a in block.args], [r.type for r in results])
    return FuncOp("f", types, Region(block))


def test_constants_that_code_cannot_hold() -> None:
    tensor = TensorAttr.from_tensor(as_tensor(np.array([1.0, 2.0], np.float32)))
    same, equal = (
        ConstantOp.create(result_types=[TENSOR], attributes={"value": tensor}) for _ in range(2)
    )
    text = ConstantOp.of("h\u00e9", STR)
    values = [same.results[0], equal.results[0], text.results[0]]
    result = TupleType.get([TENSOR, TENSOR, STR])
    made = TupleConstructOp.create(operands=values, result_types=[result])
    printer = PythonPrinter()
    printer.print_function(returning(Block(), same, equal, text, made))
    assert printer.text == (
        "def f() -> Tuple[Tensor, Tensor, str]:\n"
        "  _0 = (CONSTANTS.c0, CONSTANTS.c0, CONSTANTS.c1)\n"
        "  return _0\n"
    )
    assert [entry.type for entry in printer.constant_table] == [TENSOR, STR]
    assert printer.constant_table[0].value == tensor


def test_a_long_chain_takes_no_stack() -> None:
    block = Block(arg_types=[TENSOR])
    value = block.args[0]
    for _ in range(5000):
        op = operator_class("aten::neg").create(operands=[value], result_types=[TENSOR])
        block.add_op(op)
        value = op.results[0]
    function = FuncOp("f", ([TENSOR], [TENSOR]), Region(block))
    block.add_op(ReturnOp(value))
    assert print_function(function).count("torch.neg") == 5000


def test_deep_branches_take_no_stack() -> None:
    block = Block(arg_types=[INT, BOOL])
    number, condition = block.args
    inner: list[Operation] = []
    for _ in range(2000):
        then, other = Block(inner), Block()
        then.add_op(YieldOp.create(operands=inner[-1].results if inner else [number]))
        other.add_op(YieldOp.create(operands=[number]))
        regions = [Region(then), Region(other)]
        inner = [IfOp.create(operands=[condition], result_types=[INT], regions=regions)]
    assert print_function(returning(block, *inner)).count("if argument_1:") == 2000


def test_a_loop_with_a_trip_count_and_a_condition() -> None:
    graph = """graph(%n : int, %c : bool):
      = prim::Loop(%n, %c) # f.py:3:4
        block0(%i : int):
          -> (%c)
      return (%n)"""
    with pytest.raises(TorchScriptError, match=r"trip count and a condition .*\(f.py:3:4\)"):
        print_function(function_of(graph))


def test_a_schema_that_does_not_fit() -> None:
    function = function_of("graph(%x : int):\n  return (%x)")
    with pytest.raises(TorchScriptError, match="has 2 arguments, but the graph of forward has 1"):
        print_function(function, schema=FunctionSchema.parse("f(int x, int y) -> int"))


def test_definitions_of_other_types() -> None:
    printer = PythonPrinter()
    printer.print_named_tuple(TupleType.get([TENSOR, INT], "__torch__.P", ["x", "y"]))
    printer.print_enum("__torch__.Color", {"RED": 1, "HALF": 0.5})
    printer.print_enum("__torch__.Mode", {"FAST": "fast"})
    methods = [FunctionSchema.parse("one(__torch__.I self, Tensor x, int n) -> Tensor")]
    printer.print_interface("__torch__.I", methods, is_module=True)
    printer.print_class(ClassSource("__torch__.Odd", {"0": ClassType("__torch__.M")}))
    assert printer.text == (
        "class P(NamedTuple):\n  x : Tensor\n  y : int\n"
        "class Color(Enum):\n  RED = 1\n  HALF = 0.5\n"
        'class Mode(Enum):\n  FAST = "fast"\n'
        "class I(ModuleInterface):\n  def one(self, x: Tensor, n: int) -> Tensor:\n    pass\n"
        'class Odd:\n  __annotations__ = []\n  __annotations__["0"] = __torch__.M\n'
    )
    assert printer.dependencies.types == [ClassType("__torch__.M")]


def test_dependencies_in_order() -> None:
    dependencies = Dependencies()
    dependencies.add_named_in(parse_type("Dict(str, (__torch__.A, Enum<__torch__.E>)[])"))
    dependencies.add_named_in(parse_type("__torch__.A?"))
    assert dependencies.types == [ClassType("__torch__.A"), EnumType("__torch__.E")]
