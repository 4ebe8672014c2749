"""Detection: small tensors that are sorted and indexed in a loop, whose arithmetic between is one kernel."""

from __future__ import annotations

import numpy as np

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = needs_native_calls


SUPPRESSION = """
def suppressed(boxes: Tensor, scores: Tensor, threshold: float) -> List[int]:
    left, top, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    areas = (right - left) * (bottom - top)
    order = torch.argsort(scores, descending=True)
    keep: List[int] = []
    while order.numel() > 0:
        i = int(order[0].item())
        keep.append(i)
        rest = order[1:]
        wide = torch.clamp(right[rest], max=float(right[i].item()))
        wide = wide - torch.clamp(left[rest], min=float(left[i].item()))
        high = torch.clamp(bottom[rest], max=float(bottom[i].item()))
        high = high - torch.clamp(top[rest], min=float(top[i].item()))
        shared = torch.clamp(wide, min=0.0) * torch.clamp(high, min=0.0)
        order = rest[shared / (areas[i] + areas[rest] - shared) <= threshold]
    return keep
"""


def expected(boxes: np.ndarray, scores: np.ndarray, threshold: float) -> list[int]:
    left, top, right, bottom = boxes.T
    areas = (right - left) * (bottom - top)
    order = np.argsort(-scores, kind="stable")
    keep: list[int] = []
    while len(order):
        i, rest = order[0], order[1:]
        keep.append(int(i))
        wide = np.minimum(right[rest], right[i]) - np.maximum(left[rest], left[i])
        high = np.minimum(bottom[rest], bottom[i]) - np.maximum(top[rest], top[i])
        shared = np.maximum(wide, 0) * np.maximum(high, 0)
        order = rest[shared / (areas[i] + areas[rest] - shared) <= threshold]
    return keep


def test_arithmetic_on_what_an_index_gives_is_one_group_of_a_loop() -> None:
    f = ts.CompilationUnit(SUPPRESSION)["suppressed"]
    rng = np.random.default_rng(0)
    for count in (40, 40, 40, 17, 1, 0):
        boxes = (rng.random((count, 4)) * 100).astype(np.float32)
        boxes[:, 2:] += boxes[:, :2] + 5
        scores = rng.random(count, np.float32)
        found = f(as_tensor(boxes), as_tensor(scores), 0.5)
        assert found == expected(boxes, scores, 0.5)
    plan = next(iter(f.get_debug_state().execution_plans.values()))
    (loop,) = (op for op in nested_ops(plan.function.body.block) if isinstance(op, prim.LoopOp))
    groups = [op for op in nested_ops(loop.body.block) if isinstance(op, prim.TensorExprGroupOp)]
    assert len(groups) == 1 and plan.is_native(groups[0])
    assert sum(op.name.startswith("aten.clamp") for op in nested_ops(groups[0].body)) == 6
