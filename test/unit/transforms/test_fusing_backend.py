"""Fusion asks the backend that `ts.fuser` chooses what groups may hold."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

import torchscript_dialect as ts
from torchscript_dialect.backend import BACKENDS, Backend, Executable, Lists, NotCompilable
from torchscript_dialect.dialects import aten


class OnlyProducts(Backend):
    """A backend that has code for one operator, and then has none."""

    device = "cpu"
    ops = frozenset({aten.MulTensorOp})

    def can_lower(self, op: Operation) -> bool | None:
        return type(op) in self.ops

    def is_view(self, op: Operation) -> bool:
        return False

    def compile(self, module: ModuleOp, lists: Lists) -> Executable:
        raise NotCompilable("nothing is compiled here")

    def load(self, data: bytes) -> Executable:
        raise ValueError("nothing was kept")


ONLY_PRODUCTS: Backend = OnlyProducts()

SOURCE = """
def f(x, y):
    z = x * y
    z = z * x
    return torch.tanh(torch.exp(z))
"""


def group_members(f: ts.ScriptFunction) -> list[str]:
    """The operators of the one group that is made for two matrices."""
    x = np.ones((3, 4), np.float32)
    text = str(f.graph_for(x, x))
    _, _, group = text.partition("with prim::TensorExprGroup_0")
    assert "TensorExprGroup_1" not in group
    names = ("aten::mul", "aten::exp", "aten::tanh")
    return [name for name in names for _ in range(group.partition("fallback")[0].count(name))]


def test_groups_hold_what_the_chosen_backend_lowers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "products", f"{__name__}:ONLY_PRODUCTS")
    f = ts.CompilationUnit(SOURCE).f
    everything = ["aten::mul", "aten::mul", "aten::exp", "aten::tanh"]
    assert group_members(f) == everything
    with ts.fuser("products"):
        assert group_members(f) == ["aten::mul", "aten::mul"]
    assert group_members(f) == everything


def test_what_the_chosen_backend_does_not_compile_is_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BACKENDS, "products", f"{__name__}:ONLY_PRODUCTS")
    f = ts.CompilationUnit(SOURCE).f
    x = np.full((3, 4), 0.5, np.float32)
    with ts.fuser("products"):
        for _ in range(4):
            result = f(x, x)
    np.testing.assert_allclose(result.numpy(), np.tanh(np.exp(x * x * x)), rtol=1e-6)
