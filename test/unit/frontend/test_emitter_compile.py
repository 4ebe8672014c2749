"""Functions, classes and modules compile, call each other, and fail with messages that tell where and why."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.ir import Operation

from torchscript_dialect.frontend.compile import compile_function, compile_module, compile_source
from torchscript_dialect.frontend.sugared.arguments import NamedValue
from torchscript_dialect.frontend.sugared.context import Overloads
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.frontend.sugared.schema_matching import match_schemas
from torchscript_dialect.frontend.sugared.torch_names import torch_constant
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ops import registry
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import FLOAT, INT, NONE
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.source_range import Source, SourceRange


def operator(name: str) -> Callable[..., Any]:
    def function() -> None: ...

    vars(function)["__torchscript_op__"] = name
    return function


tanh = operator("aten::tanh")


def helper(x, k: int = 2):
    return tanh(x) * k


def caller(x):
    return helper(x) + helper(x, k=3)


def closure_of(function: Callable[..., Any]) -> Callable[..., Any]:
    def closed(x):
        return function(x) + math.pi

    return closed


def ping(x: int):
    return pong(x)


def pong(x: int):
    return ping(x)


def wrong(x):
    return x.no_such_method()


def calls_wrong(x):
    return wrong(x)


class Module:
    """What the stand-in namespace's Module has to have."""

    __torchscript_module__ = True

    def __init__(self) -> None:
        self._parameters: dict[str, Any] = {}
        self._buffers: dict[str, Any] = {}
        self._modules: dict[str, Any] = {}
        self.training = True


class Scale(Module):
    __constants__ = ("by",)

    def __init__(self, by: int) -> None:
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by


class Net(Module):
    def __init__(self) -> None:
        super().__init__()
        self._modules = {"first": Scale(2), "second": Scale(2), "third": Scale(3)}
        self.bias = 1.5

    def forward(self, x):
        y = self.first(x) + self.second(x) + self.third(x)  # pyright: ignore[reportAttributeAccessIssue]
        if self.training:
            y = y + self.bias
        return y


def kinds(op: Operation) -> list[str]:
    return [inner.name for inner in op.walk() if inner is not op]


def test_callees_are_compiled_into_the_unit() -> None:
    unit, function = compile_function(caller)
    assert list(unit.functions) == ["caller", "helper"]
    assert kinds(function.op).count("prim.CallFunction") == 2
    assert str(unit.functions["helper"].schema) == "helper(Tensor x, int k=2) -> Tensor"
    unit.module_op.verify()


def test_closed_over_functions_are_found() -> None:
    _, function = compile_function(closure_of(helper))
    assert "aten.add.Scalar" in kinds(function.op) or "aten.add.Tensor" in kinds(function.op)


def test_recursion_is_reported_with_the_chain_of_calls() -> None:
    with pytest.raises(TorchScriptError) as error:
        compile_function(ping)
    text = str(error.value)
    assert "function 'ping' is called recursively" in text
    assert "'pong' is being compiled since it was called from 'ping'" in text


def test_errors_tell_where_the_function_was_called_from() -> None:
    with pytest.raises(TorchScriptError) as error:
        compile_function(calls_wrong)
    text = str(error.value)
    assert "'Tensor (inferred)' object has no attribute or method 'no_such_method'" in text
    assert "'wrong' is being compiled since it was called from 'calls_wrong'" in text


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(total: int):\n  return totl\n", "undefined value totl. Did you mean 'total'?"),
        ("def f(x):\n  return torch.tahn(x)\n", "torch has no attribute 'tahn'"),
        ("def f(x):\n  return torch.add(x)\n", "Argument other not provided"),
        ("def f(x: int):\n  break\n", "SyntaxError: 'break' outside loop"),
        ("def f(x: Foo):\n  return x\n", "Unknown type name 'Foo'"),
    ],
)
def test_messages(source: str, message: str) -> None:
    with pytest.raises(TorchScriptError) as error:
        compile_source(source)
    assert message in str(error.value)


def test_an_error_shows_all_overloads() -> None:
    with pytest.raises(TorchScriptError) as error:
        compile_source("def f(x: int):\n  return x + 'a'\n")
    text = str(error.value)
    assert "The following variants are available:" in text
    assert "aten::add.int(int a, int b) -> int:" in text
    assert "Expected a value of type 'int' for argument 'b' but instead found type 'str'" in text


def test_overloads_after_the_one_that_fits_are_not_asked_for() -> None:
    functions = [Function("f", "f", "aten::add", lambda _: pytest.fail("compiled for nothing"))]
    graph = FunctionBuilder("g")
    x = NamedValue(graph.uninitialized(TENSOR))
    overloads = Overloads(registry.lookup("aten::add"), functions)
    index, _ = match_schemas(overloads, SourceRange(Source("x + x"), 0, 5), graph, [x, x], [])
    assert overloads[index].overload_name == "Tensor"


def test_functions_of_a_text_see_each_other_in_any_order() -> None:
    unit = compile_source("def f(x: int):\n  return g(x)\ndef g(x: int):\n  return [x]\n")
    assert unit.functions["f"].schema.returns[0].type == ListType(INT)


def test_names_of_the_surroundings_are_found() -> None:
    unit = compile_source("def f(x):\n  return helper(x)\n", names={"helper": helper})
    assert "helper" in unit.functions


def test_classes_of_a_text() -> None:
    unit = compile_source(
        "class A:\n"
        "  def __init__(self, x: int):\n"
        "    self.x = x\n"
        "    self.y: Optional[float] = None\n"
        "  def twice(self):\n"
        "    return self.x * 2\n"
        "def f(x: int):\n"
        "  return A(x).twice()\n"
    )
    assert unit.classes["__torch__.A"].attributes == {"x": INT, "y": NONE}
    assert unit.functions["f"].schema.returns[0].type == INT
    unit.module_op.verify()


def test_modules_share_types_by_what_they_are_made_of() -> None:
    unit, definition = compile_module(Net())
    first, second, third = (definition.attributes[name] for name in ("first", "second", "third"))
    assert first == second != third
    assert "prim.CallMethod" in kinds(definition.methods["forward"].op)
    assert definition.attributes["bias"] == FLOAT
    unit.module_op.verify()


def test_emit_only_keeps_loads_and_stores() -> None:
    _, function = compile_function(helper, emit_only=True)
    assert {"prim.Store", "prim.Load", "prim.ReturnStmt"} <= set(kinds(function.op))


def test_return_types() -> None:
    source = "def f(x, n: int):\n  if n > 0:\n    return {0}\n  return {1}\n"
    results = {
        ("x", "x + 1"): TENSOR,
        ("n", "None"): OptionalType(INT),
    }
    for values, expected in results.items():
        unit = compile_source(source.format(*values))
        assert unit.functions["f"].schema.returns[0].type == expected
    assert compile_source("def f(x):\n  pass\n").functions["f"].schema.returns[0].type == NONE


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n  return " + "(" * 300 + "x" + " + 1)" * 300 + "\n",
        "def f(x: int):\n  return " + " + ".join(["x"] * 5000) + "\n",
        "def f(x: int):\n"
        + "".join("  " * (i + 1) + f"if x > {i}:\n" for i in range(95))
        + "  " * 96
        + "x = 1\n  return x\n",
        "def f(x: int):\n  return [" + ", ".join(["x"] * 5000) + "]\n",
        "def f(x: int):\n" + "  x = x + 1\n" * 3000 + "  return x\n",
    ],
    ids=["nested", "chain", "branches", "literal", "statements"],
)
def test_large_programs(source: str) -> None:
    compile_source(source)


def test_constants_of_torch() -> None:
    assert torch_constant("float32") == 6
    assert torch_constant("strided") == 0
    assert torch_constant("nothing") is None
    assert [torch_constant(name) for name in ("bool", "float", "int")] == [11, 6, 3]
    assert torch_constant("bool_") is None


def test_int_defaults_become_what_the_parameter_takes() -> None:
    """An int stood in the schema, and was the argument, where the parameter is a float or a complex number."""
    unit = compile_source(
        "def f(a: float = 1, b: Optional[float] = 2, c: Optional[int] = 3, d: complex = 4):\n"
        "  return a, b, c, d\n"
    )
    defaults = [argument.default for argument in unit.functions["f"].schema.arguments]
    assert [type(default) for default in defaults] == [float, float, int, complex]
    assert defaults == [1, 2, 3, 4]


def test_of_a_function_of_the_library_the_overload_that_is_called_is_compiled() -> None:
    unit = compile_source("def f(x: Tensor):\n    return torch.norm(x, 2, -1)\n")
    compiled = [name for name, one in unit.functions.items() if one.func_op is not None]
    assert len(compiled) == 2 and "f" in compiled
