"""Which views require gradients, where those go, and which views may be written to: as PyTorch's."""

from __future__ import annotations

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch as ours

pytorch = pytest.importorskip("torch")

PROGRAMS = {
    "of_leaf": "v = without(lambda: x[1:]); show(v); show(v * 2); (v * 2).sum().backward(); show(v.grad, x.grad); v.mul_(2)",
    "of_result": "v = without(lambda: y[1:]); show(v); v.mul_(2)",
    "of_view": "v = without(lambda: y[1:]); show(v[1:]); v[1:].mul_(2)",
    "in_inference_mode": "v = torch.inference_mode()(lambda: y[1:])(); show(v, v[1:]); v[1:].mul_(2)",
    "told_itself": "v = without(lambda: x[1:]).requires_grad_(); v.sum().backward(); show(v.grad); v.requires_grad_(False); show(v)",
    "before": "v = z[1:]; z.requires_grad_(); show(v, v[1:]); z.requires_grad_(False); show(v); z.requires_grad_(); v.mul_(2)",
    "before_a_write": "v = z[1:]; z.requires_grad_(); without(lambda: z.mul_(2)); show(v); v.sum().backward(); show(z.grad)",
    "after_a_write": "v = x[1:]; without(lambda: x.mul_(2)); show(v)",
    "written_without": "v = without(lambda: x[1:].mul_(2)); v * 2",
    "pieces_after_a_write": "v = x.chunk(2); without(lambda: x.mul_(2)); v[0] * 2",
    "pieces_of_plain": "z.unbind(0)[1].mul_(w)",
    "pieces_of_pieces": "y.split(2)[1][1:].mul_(2)",
    "pieces_without": "without(lambda: y.split(2))[0].mul_(2)",
    "slices": "v = y.tensor_split(3); v[1].mul_(w); show(y, *v); y.sum().backward(); show(x.grad, w.grad)",
    "slices_of_plain": "v = z.tensor_split(4); v[1].mul_(w); show(z, *v); z.sum().backward(); show(w.grad)",
    "slices_of_plain_at": "v = torch.tensor_split(z, (1, -2)); v[2].mul_(w); show(z, *v); z.sum().backward(); show(w.grad)",
    "slices_of_leaf": "x.hsplit(2)[0].mul_(2)",
    "slices_that_overlap": "v = torch.tensor_split(x, [4, 1]); show(*v); (v[0].sum() + 2 * v[2].sum()).backward(); show(x.grad)",
}  # fmt: skip
"""`x` and `w` are leaves, `y` is a result, `z` requires no gradient; `without` calls under `no_grad`."""


def told(torch: Any, program: str) -> list[Any]:
    """What a program shows, and how it ends."""
    found: list[Any] = []

    def show(*tensors: Any) -> None:
        for one in tensors:
            node = None if one is None or one.grad_fn is None else one.grad_fn.name()
            found.append(
                one
                if one is None
                else (one.detach().tolist(), one.requires_grad, one.is_leaf, node)
            )

    x = torch.arange(6.0, requires_grad=True)
    names = {"torch": torch, "show": show, "without": lambda call: torch.no_grad()(call)()}
    names |= {"x": x, "w": torch.tensor(3.0, requires_grad=True), "y": x * 1, "z": torch.ones(6)}
    try:
        exec(program, names)
    except RuntimeError as error:
        found.append(str(error))
    return found


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")
@pytest.mark.parametrize("name", PROGRAMS)
def test_views(name: str) -> None:
    ours.ones(1).requires_grad_()  # views are followed from now on
    assert told(ours, PROGRAMS[name]) == told(pytorch, PROGRAMS[name])


@pytest.mark.parametrize("name", ["before", "pieces_of_plain", "slices_of_plain"])
def test_views_where_there_are_sparse_tensors(name: str) -> None:
    kept = ours.ones(2).requires_grad_(), ours.ones(2).to_sparse()
    assert told(ours, PROGRAMS[name]) == told(pytorch, PROGRAMS[name])
    del kept


class Rows(pytorch.nn.Module):
    """Gives a row of its parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.w = pytorch.nn.Parameter(pytorch.ones(2, 3))

    def forward(self, x):  # pyright: ignore
        return x * 2, self.w[0]


def test_views_of_parameters_of_pytorchs_modules() -> None:
    module, x = Rows(), pytorch.ones(3, requires_grad=True)
    shown: list[Any] = []
    for made in (ts.script(module), pytorch.jit.script(module)):
        with pytorch.no_grad():
            found, row = made(x)
        shown.append([found.requires_grad, row.requires_grad, row.is_leaf, row._base is module.w])
        with pytest.raises(RuntimeError, match="created in no_grad mode"):
            row.mul_(2)
    assert shown[0] == shown[1]
