"""Values are made before they are used."""

import pytest
from xdsl.utils.exceptions import PassFailedException, VerifyException

import torchscript_dialect as ts
from torchscript_dialect.ir.verification import verify

TEXT = """graph(%x : Tensor, %c : bool):
  %y : Tensor = aten::tanh(%x)
  %z : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::sin(%y)
      -> (%a)
    block1():
      %b : Tensor = aten::cos(%x)
      -> (%b)
  %w : Tensor = aten::exp(%z)
  return (%w)
"""


def graph() -> ts.Graph:
    made = ts.parse_ir(TEXT)
    verify(made.module_op)
    return made


def use(graph: ts.Graph, user: str, maker: str) -> None:
    (node,), (other,) = graph.findAllNodes(user), graph.findAllNodes(maker)
    node.replaceInput(0, other.output())


@pytest.mark.parametrize(
    ("user", "maker"),
    [
        ("aten::tanh", "aten::exp"),  # later in the block
        ("aten::cos", "aten::sin"),  # in the other branch
        ("aten::exp", "aten::sin"),  # in a block that is over
        ("aten::sin", "prim::If"),  # of the node around
        ("aten::exp", "aten::exp"),  # of itself
    ],
)
def test_a_use_before_the_value_is_told(user: str, maker: str) -> None:
    made = graph()
    use(made, user, maker)
    with pytest.raises(VerifyException, match="is not made before it"):
        verify(made.module_op)


def test_blocks_of_one_region_may_use_each_other_s_values() -> None:
    from xdsl.context import Context
    from xdsl.dialects import cf, func, test
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser

    context = Context()
    for dialect in (Builtin, cf.Cf, func.Func, test.Test):
        context.load_dialect(dialect)
    text = 'func.func @f() {\n cf.br ^a\n^b:\n "test.op"(%v) : (i32) -> ()\n func.return\n^a:\n %v = "test.op"() : () -> i32\n cf.br ^b\n}'
    verify(Parser(context, text).parse_module())


def use_too_early(graph: ts.Graph) -> None:
    use(graph, "aten::tanh", "aten::exp")


def test_pipelines_and_functions_from_graphs_look_for_it() -> None:
    made = graph()
    with pytest.raises(PassFailedException, match="use-too-early left invalid IR behind"):
        ts.PassPipeline(use_too_early).run(made)
    with pytest.raises(ts.TorchScriptError, match="is not made before it"):
        ts.function_from(made)
    with pytest.raises(ts.TorchScriptError, match="is not made before it"):
        ts.run_graph(made, [1.0], True)
