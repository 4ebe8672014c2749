"""`verify_equiv` finds passes that change what programs do, and no others.

Point 8 of docs/testing.md.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp

from lowering.interpreter import kernels
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.equivalence.check import NotEquivalent
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.passes.pass_pipeline import PassPipeline

PROGRAM = """
def f(x: Tensor, n: int) -> Tuple[Tensor, Tensor]:
    y = x.clone()
    x.add_(1)
    if n > 2:
        raise ValueError("on purpose")
    print(n)
    return x - y, y.t()
"""


def module(text: str = PROGRAM) -> ModuleOp:
    found = compile_source(text, "f.py").module_op
    PassPipeline("after-frontend").run(found)
    return found


def replacing(name: str, by: Callable[[Any], Any]) -> Callable[[FuncOp], None]:
    """A pass that puts operands in the place of what ops of a name compute."""

    def wrong(function: FuncOp) -> None:
        for op in list(function.walk()):
            if op.name == name:
                for result in op.results:
                    result.replace_all_uses_with(by(op))
                op.detach()
                op.erase()

    return wrong


def swap(function: FuncOp) -> None:
    for op in function.walk():
        if isinstance(op, aten.SubTensorOp):
            left, right, *rest = op.operands
            op.operands = [right, left, *rest]


def raise_earlier(function: FuncOp) -> None:
    for op in function.walk():
        if isinstance(op, prim.ConstantOp) and op.value == 2:
            op.attributes["value"] = IntegerAttr(-9, 64)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (swap, "a tensor changed its numbers"),
        (replacing("aten.clone", lambda op: op.operands[0]), "a tensor changed its numbers|result"),
        (replacing("aten.add_.Scalar", lambda op: op.operands[0]), "changed its numbers"),
        (replacing("aten.t", lambda op: op.operands[0]), "result 1|changed its"),
        (replacing("prim.Print", lambda op: None), "printed"),
        (
            replacing("prim.RaiseException", lambda op: None),
            "it raised Error: builtins.ValueError: on purpose",
        ),
        (
            raise_earlier,
            "it raises Error: builtins.ValueError: on purpose, which it did not before",
        ),
    ],
)
def test_a_wrong_pass_is_named_with_the_inputs(
    wrong: Callable[[FuncOp], None], message: str
) -> None:
    passes = PassPipeline(["ts-constant-pooling", wrong, "ts-dead-code-elimination"])
    name = passes.passes[1].name
    with pytest.raises(NotEquivalent, match=message) as raised:
        passes.run(module(), verify_equiv=True)
    text = str(raised.value)
    assert text.startswith(f"{name} changed what @f does: ")
    assert re.search(r"called with x=tensor\(.*, n=-?\d", text, re.DOTALL)


def test_an_alias_that_is_gone_is_noticed() -> None:
    def copy(graph: Graph) -> None:
        with graph.insert_point_guard(graph.return_node()):
            (node,) = graph.findAllNodes("aten::relu_")
            made = graph.insert("aten::clone", [node.output()])
        graph.return_node().replaceInput(0, made)

    text = "graph(%x : Tensor):\n  %y : Tensor = aten::relu_(%x)\n  return (%y)\n"
    with pytest.raises(
        NotEquivalent, match=r"(?s)result 0 was .*\(number 0\), and is .*\(number 1\)"
    ):
        PassPipeline([copy]).run(parse_ir_text(text), verify_equiv=True)


def test_right_passes_pass() -> None:
    """What raises in dead code may be gone."""
    text = "graph(%x : Tensor):\n  %y : Tensor = aten::mm(%x, %x)\n  return (%x)\n"
    assert PassPipeline("ts-dead-code-elimination").run(parse_ir_text(text), verify_equiv=True)
    PassPipeline("inlining,ts-peephole,canonicalize,cse,dce").run(module(), verify_equiv=True)


def test_a_loop_that_does_not_end_is_no_input() -> None:
    text = "def f(n: int) -> int:\n    while n != 2:\n        n = n + 0\n    return n\n"
    passes = PassPipeline("ts-constant-pooling")
    passes.run(module(text), verify_equiv=True)
    assert not passes.unverified


def test_functions_that_cannot_be_run_are_told() -> None:
    passes = PassPipeline("ts-constant-pooling")
    passes.run(module("def f(x: Future[int]) -> int:\n    return 1\n"), verify_equiv=True)
    assert passes.unverified == {"f": "there are no random values of type Future[int]"}


KERNEL = """
graph(%x : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu), %y : Float(6, strides=[1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %1)
  %b : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::exp(%a)
  return (%b)
"""


LOWERING = (
    "ts-convert-torch-to-linalg",
    *("ts-fuse-elementwise", "ts-bufferize", "ts-tile-rows", "ts-plan-memory"),
    *("ts-linalg-to-loops", "ts-outline-kernel", "ts-matmul-to-loops{width=16}"),
    'ts-vectorize-loops{width=16 tail="branch"}',
    *("ts-outline-math", "ts-expand-math", "ts-convert-to-llvm"),
)


def add_twice(op: Any) -> None:
    op.operands = [op.operands[0], op.operands[0]]


def all_lanes(op: Any) -> None:
    """Store the lanes beyond the end, too."""
    outer = op.parent_op().parent
    ones = next(each for each in outer.ops if each.results[0].type == op.mask.type)
    op.operands = [*op.operands[:2], ones.results[0], op.operands[3]]


@pytest.mark.parametrize(
    ("steps", "change", "name", "message"),
    [
        (0, add_twice, "arith.addf", "result 0 changed its numbers"),
        (2, add_twice, "arith.addf", "result 0 changed its numbers"),
        (5, add_twice, "arith.addf", "result 0 changed its numbers"),
        (8, add_twice, "arith.addf", "result 0 changed its numbers"),
        (8, all_lanes, "vector.maskedstore", "OutOfBounds: elements"),
    ],
)
def test_a_wrong_lowering_step_is_named(
    steps: int, change: Callable[[Any], None], name: str, message: str
) -> None:
    def wrong(module: ModuleOp) -> None:
        for op in list(module.walk()):
            if op.name == name:
                change(op)

    passes: list[Any] = [*LOWERING[: steps + 1], wrong, *LOWERING[steps + 1 :]]
    with pytest.raises(NotEquivalent, match=f"^wrong.* changed what @kernel does: {message}"):
        PassPipeline(passes).run(parse_ir_text(KERNEL), verify_equiv=True)


def test_right_lowering_steps_pass() -> None:
    passes = PassPipeline(LOWERING, verify_equiv=True)
    passes.run(parse_ir_text(KERNEL))
    assert not passes.unverified


def test_machine_code_is_run_of_what_passes_made_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text below TorchScript may hold any instruction: it is interpreted, and not run once it is in the llvm dialect."""
    compiled: list[str] = []
    load = kernels._load

    def counted(module: ModuleOp, function: Any, sizes: Any) -> Any:
        compiled.append(function.sym_name.data)
        return load(module, function, sizes)

    monkeypatch.setattr(kernels, "_load", counted)
    given = parse_ir_text(KERNEL)
    PassPipeline(LOWERING[:1]).run(given)
    passes = PassPipeline(LOWERING[1:], verify_equiv=True)
    passes.run(given)
    assert not compiled
    told = "machine code of @kernel, of text that came in, is not run, after ts-convert-to-llvm"
    assert passes.unverified == {"kernel": told}
    test_right_lowering_steps_pass()
    assert compiled


def test_a_kernel_in_text_that_cannot_be_called_is_told() -> None:
    given = parse_ir_text(KERNEL)
    PassPipeline(LOWERING[:6]).run(given)
    passes = PassPipeline("ts-outline-kernel", verify_equiv=True)
    passes.run(given)
    assert passes.unverified.keys() == {"kernel"}


FLOATS = "Float(5, 5, strides=[5, 1], requires_grad=0, device=cpu)"


def test_which_of_two_zeros_a_maximum_gives_is_open() -> None:
    """PyTorch's vector lanes give the second, its last elements the first: machine code may as well."""
    group = f"""
graph(%x : {FLOATS}, %s : float):
  %a : {FLOATS} = aten::mul(%x, %s)
  %n : NoneType = prim::Constant()
  %b : {FLOATS} = aten::clamp(%x, %a, %n)
  return (%b)
"""
    PassPipeline(LOWERING).run(parse_ir_text(group), verify_equiv=True)


SUM_THAT_OVERFLOWS = f"""
graph(%x : {FLOATS}):
  %beta : int = prim::Constant[value=2]()
  %alpha : float = prim::Constant[value=0.5]()
  %a : {FLOATS} = aten::addmm(%x, %x, %x, %beta, %alpha)
  %b : {FLOATS} = aten::div(%x, %a)
  return (%b)
"""


def test_a_product_that_overflows_may_be_fused_with_its_sum() -> None:
    """inf + a * b is NaN where a * b is rounded to -inf first, and inf where it is not."""
    passes = PassPipeline("ts-convert-torch-to-linalg,linalg-to-llvm")
    passes.run(parse_ir_text(SUM_THAT_OVERFLOWS), verify_equiv=True)


def test_a_sum_that_overflows_hides_no_wrong_step() -> None:
    def wrong(module: ModuleOp) -> None:
        op = next(op for op in module.walk() if op.name == "arith.divf")
        op.operands = [*reversed(op.operands)]

    with pytest.raises(NotEquivalent, match=r"^wrong"):
        passes: list[Any] = [LOWERING[0], wrong]
        PassPipeline(passes).run(parse_ir_text(SUM_THAT_OVERFLOWS), verify_equiv=True)


def test_a_tensor_that_is_expanded_last_stays_so() -> None:
    """It was taken for one with gaps, and its kernel called with strides that it was not made for."""
    group = """
graph(%x : Float(2, 64, strides=[0, 1], requires_grad=0, device=cpu),
      %y : Float(2, 64, strides=[1, 0], requires_grad=0, device=cpu)):
  %z : Float(2, 64, strides=[64, 1], requires_grad=0, device=cpu) = aten::maximum(%x, %y)
  return (%z)
"""
    passes = PassPipeline(LOWERING, verify_equiv=True)
    passes.run(parse_ir_text(group))
    assert not passes.unverified
