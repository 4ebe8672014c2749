"""Where temporaries of kernels live."""

import numpy as np
import pytest
from xdsl.dialects.memref import AllocOp, ViewOp
from xdsl.dialects.scf import ForOp

import torchscript_dialect as ts
from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir.graph import standing_alone
from torchscript_dialect.passes.pass_pipeline import PassPipeline

MATRIX = "Float({0}, {0}, strides=[{0}, 1], requires_grad=0, device=cpu)"
TO_BUFFERS = "ts-convert-torch-to-linalg,ts-fuse-elementwise,ts-bufferize"


def chain(length: int) -> str:
    """`x.mm(x).mm(x)...`"""
    type_ = MATRIX.format(8)
    lines = [f"  %p{i + 1} : {type_} = aten::mm(%p{i}, %p0)" for i in range(length)]
    return "\n".join([f"graph(%p0 : {type_}):", *lines, f"  return (%p{length})"])


@pytest.mark.parametrize(("length", "places"), [(1, 0), (2, 1), (3, 2), (7, 2)])
def test_buffers_that_are_not_live_at_once_share_a_place(length: int, places: int) -> None:
    module = parse_ir_text(chain(length))
    PassPipeline(TO_BUFFERS).run(module)
    assert sum(isinstance(op, AllocOp) for op in module.walk()) == length - 1
    PassPipeline("ts-plan-memory").run(module, verify_each=True)
    views = [op for op in module.walk() if isinstance(op, ViewOp)]
    assert len(views) == length - 1
    assert len({op.byte_shift for op in views}) == places


BY_ROWS = {
    "softmax": "torch.softmax(torch.relu(x + b), 1) * 2 + 1",
    "log_softmax": "(torch.log_softmax(torch.tanh(x), 1) * b).sum(1)",
    "layer_norm": "torch.relu(torch.layer_norm(torch.tanh(x + b), [24], b, b))",
    "var": "torch.var(torch.tanh(x + b), 1) * 2",
    "norm": "torch.norm(torch.tanh(x + b), 2, 1)",
    "two of them": "torch.softmax(torch.softmax(torch.tanh(x), 1) * torch.exp(x + b), 1)",
}


@pytest.mark.parametrize("body", BY_ROWS.values(), ids=BY_ROWS)
def test_what_reduces_rows_has_temporaries_of_a_row(body: str) -> None:
    """Of 64 rows at most: the rest of a part uses the memory of its first row again."""
    f = ts.CompilationUnit(f"def f(x, b):\n    return {body}\n").f
    rng = np.random.default_rng(0)
    x, b = (rng.standard_normal(size).astype(np.float32) for size in ((3000, 24), (24,)))
    expected = np.asarray(f(x, b))
    for _ in range(3):
        result = np.asarray(f(x, b))
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-6)
    ops = list(f.graph_for(x, b).module_op.walk())
    (group,) = [op for op in ops if isinstance(op, prim.TensorExprGroupOp)]
    module = standing_alone(group.body).module_op.clone()
    PassPipeline(f"{TO_BUFFERS},ts-tile-rows,ts-plan-memory").run(module, verify_each=True)
    views = [op for op in module.walk() if isinstance(op, ViewOp)]
    assert views
    for view in views:
        assert view.result.type.get_shape()[0] == 1
        assert isinstance(view.parent_op(), ForOp)


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
