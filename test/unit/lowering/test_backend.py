"""What the `llvm` backend says to fusion, and what asking it costs."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from xdsl.ir import Block, SSAValue

import torchscript_dialect as ts
from lowering.kernel import LoweringError
from lowering.linalg.element import Element
from lowering.linalg.linalg_builder import LinalgBuilder
from lowering.linalg.operands import are_floats
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.scalar_probe import ANY_KIND, FLOATS_ONLY
from lowering.linalg.symbolic_shapes import Shape, broadcast
from support.native_calls import needs_native_calls
from torchscript_dialect.backend import get_backend
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.dtype import from_name

MATRIX = "Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)"
INTEGERS = "Long(4, 4, strides=[4, 1], requires_grad=0, device=cpu)"
TURNED = "Float(4, 4, strides=[1, 4], requires_grad=0, device=cpu)"
ROW = "Float(4, 1, 3, strides=[1, 4, 4], requires_grad=0, device=cpu)"


def answer(node: str, argument: str, result: str) -> bool | None:
    """Whether the backend lowers a node of one argument."""
    text = f"graph(%x : {argument}):\n  %r : {result} = {node}\n  return (%r)\n"
    ops = list(parse_ir_text(text).walk())
    (op,) = [op for op in ops if isinstance(op, OperatorOp)]
    return get_backend("llvm").can_lower(op)


@pytest.mark.parametrize(
    ("node", "argument", "result", "expected"),
    [
        ("aten::tanh(%x)", MATRIX, MATRIX, True),
        ("aten::tanh(%x)", "Tensor", "Tensor", None),  # it depends on types
        ("aten::tanh_(%x)", MATRIX, MATRIX, True),  # if the group makes what is written to
        ("aten::tanh(%x)", TURNED, TURNED, True),
        ("aten::tanh(%x)", ROW, ROW, False),  # which strides the result has, sizes tell
        ("aten::tanh(%x)", INTEGERS, MATRIX, True),
        ("aten::floor_divide(%x, %x)", INTEGERS, INTEGERS, False),  # may raise
        ("aten::mm(%x, %x)", MATRIX, MATRIX, True),
        ("aten::mm(%x, %x)", INTEGERS, INTEGERS, False),
        ("aten::t(%x)", MATRIX, TURNED, True),
        ("aten::nonzero(%x)", MATRIX, INTEGERS, False),
        ("aten::nonzero(%x)", "Tensor", "Tensor", False),  # whatever the types are
    ],
)
def test_what_groups_may_hold(node: str, argument: str, result: str, expected: bool | None) -> None:
    assert answer(node, argument, result) is expected


ASK = """
import sys
import numpy as np
import torchscript_dialect as ts
from lowering.linalg.symbolic_shapes import Shape, broadcast
from torchscript_dialect.backend import get_backend
f = ts.CompilationUnit("def f(x):\\n    return torch.tanh(x).sum(0)\\n").f
for _ in range(4):
    f(ts.Tensor(np.ones((3, 4), np.float32)))
assert "lowering.linalg.pointwise" in sys.modules, "nobody asked"
heavy = ("xdsl.dialects.arith", "xdsl.dialects.linalg", "xdsl.dialects.llvm", "llvmlite", "lowering.compiler")
assert not [name for name in heavy if name in sys.modules]
"""


def test_asking_the_backend_loads_no_dialect_of_upstream() -> None:
    subprocess.run([sys.executable, "-c", ASK], check=True)


@pytest.mark.parametrize("name", sorted(ANY_KIND | FLOATS_ONLY))
def test_what_the_probe_allows_is_recorded(name: str) -> None:
    math, f32 = ScalarBuilder(), from_name("float32")
    x = Scalar(Block(arg_types=[element_type(f32)]).args[0], f32)
    condition = math.lt(x, 0.0)
    operands = {
        "constant": (1.0, x),
        "cast": (x, "float64"),
        "where": (condition, x, x),
        "bit_and": (condition, condition),
        "bit_or": (condition, condition),
        "bit_xor": (condition, condition),
        "bit_not": (condition,),
    }
    binary = "add sub mul div pow pow_number minimum maximum copysign atan2 eq ne lt le gt ge"
    default = (x, x) if name in binary.split() else (x,)
    assert getattr(math, name)(*operands.get(name, default)) is not None


@pytest.mark.parametrize("name", ["trunc_div", "floor_div", "fmod", "shift_left", "shift_right"])
def test_what_may_raise_is_not_recorded(name: str) -> None:
    assert name not in ANY_KIND | FLOATS_ONLY
    with pytest.raises(LoweringError, match="is not compiled"):
        getattr(ScalarBuilder(), name)(None, None)


class SumWithTurned(OperatorLowering):
    """`tlower::add_t(%x, %y)` becomes one `linalg.generic` that goes through `%y` column by column."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return are_floats(tuple(op.operands))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> list[Shape]:
        x, y = op.operands
        return [broadcast([b.shapes[x], b.shapes[y][::-1]])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> list[SSAValue]:
        x, y = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(x)
        inputs = [Element(x, of, (0, 1)), Element(y, of, (1, 0))]
        return [b.generic(shape, of, inputs, lambda m, elements: m.add(*elements), like=op)]


@needs_native_calls
def test_an_operator_from_outside_brings_its_lowering() -> None:
    operator = ts.register_operator(
        "tlower::add_t(Tensor x, Tensor y) -> Tensor",
        lambda x, y: x.numpy() + y.numpy().T,
        shape=lambda facts: facts[0],
        lower=SumWithTurned,
    )
    try:
        f = ts.CompilationUnit(
            "def f(x, y):\n    return torch.tanh(torch.ops.tlower.add_t(x, y)) * x\n"
        ).f
        x, y = np.random.default_rng(0).random((2, 5, 5), np.float32)
        for _ in range(4):
            result = f(x, y)
        assert f.native_calls, "not one kernel"
        np.testing.assert_allclose(result.numpy(), np.tanh(x + y.T) * x, rtol=1e-6)
    finally:
        registry.unregister(operator.qualified_name)
