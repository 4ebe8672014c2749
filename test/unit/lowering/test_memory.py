"""Where temporaries of kernels live."""

import numpy as np
import pytest
from xdsl.dialects.memref import AllocOp, ViewOp

import torchscript_dialect as ts
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.pass_pipeline import PassPipeline

MATRIX = "Float({0}, {0}, strides=[{0}, 1], requires_grad=0, device=cpu)"
TO_LOOPS = "ts-convert-torch-to-linalg,ts-fuse-elementwise,ts-linalg-to-loops"


def chain(length: int) -> str:
    """`x.mm(x).mm(x)...`"""
    type_ = MATRIX.format(8)
    lines = [f"  %p{i + 1} : {type_} = aten::mm(%p{i}, %p0)" for i in range(length)]
    return "\n".join([f"graph(%p0 : {type_}):", *lines, f"  return (%p{length})"])


@pytest.mark.parametrize(("length", "places"), [(1, 0), (2, 1), (3, 2), (7, 2)])
def test_buffers_that_are_not_live_at_once_share_a_place(length: int, places: int) -> None:
    module = parse_ir_text(chain(length))
    PassPipeline(TO_LOOPS).run(module)
    assert sum(isinstance(op, AllocOp) for op in module.walk()) == length - 1
    PassPipeline("ts-plan-memory").run(module, verify_each=True)
    views = [op for op in module.walk() if isinstance(op, ViewOp)]
    assert len(views) == length - 1
    assert len({op.byte_shift for op in views}) == places


def test_rows_of_temporaries_are_where_other_threads_do_not_write() -> None:
    source = """
def f(x, w):
    for i in range(5):
        x = torch.softmax(torch.tanh(x.mm(w)) * 3, 1)
    return x
"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3000, 40)).astype(np.float32)
    w = rng.standard_normal((40, 40)).astype(np.float32)
    f = ts.CompilationUnit(source).f
    for _ in range(4):
        result = np.asarray(f(x, w))
    expected = x.astype(np.float64)
    for _ in range(5):
        powers = np.exp(np.tanh(expected @ w.astype(np.float64)) * 3)
        expected = powers / powers.sum(1, keepdims=True)
    np.testing.assert_allclose(result, expected, rtol=2e-5)
