"""Histories after writes to views and their bases: nodes have the names and the edges of PyTorch's."""

from __future__ import annotations

from typing import Any

import pytest

from torchscript_dialect import torch

CLONED = "CopySlices(CloneBackward0(),)"

NODES = [
    ("v = x.view(6); v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.view(6); v.mul_(2)", "x", "CopySlices(CloneBackward0(MulBackward0(,)),)"),
    ("v = x.view(6); w = x.t(); v.mul_(2)", "w", f"AsStridedBackward0({CLONED})"),
    ("v = x[0]; v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x[0, 1]; v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x[:, 1]; v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.diagonal(); v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.reshape(6); v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.view_as(x); v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.expand(2, 2, 3); x.mul_(2)", "v", "AsStridedBackward0(MulBackward0(CloneBackward0(),))"),
    ("v = x.unfold(1, 2, 1); x.mul_(2)", "v", "AsStridedBackward0(MulBackward0(CloneBackward0(),))"),
    ("v = x.transpose(0, 1)[1]; x.add_(1)", "v", "AsStridedBackward0(AddBackward0(CloneBackward0(),))"),
    ("v = x[0]; x.mul_(2); v.grad_fn; x.mul_(3)", "v", "AsStridedBackward0(MulBackward0(MulBackward0(,),))"),
    ("v = x.view(6); u = v[1:]; u.mul_(2)", "u", f"AsStridedBackward0({CLONED})"),
    ("v = x.view(6); u = v[1:]; u.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.view(2, 3); v.t_()", "v", "TBackward1(ViewBackward0(CloneBackward0()))"),
    ("v = x.view(2, 3); v.t_(); v.mul_(2)", "v", f"AsStridedBackward0({CLONED})"),
    ("v = x.contiguous(); v.mul_(2)", "x", "MulBackward0(CloneBackward0(MulBackward0(,)),)"),
    ("b = torch.zeros(2, 3); v = b[0]; v.copy_(x[0])", "v", "AsStridedBackward0(CopySlices(,SelectBackward0()))"),
    ("b = torch.zeros(2, 3); v = b[0]; v.mul_(x[0])", "b", "CopySlices(,SelectBackward0(CloneBackward0()))"),
    ("b = torch.zeros(2, 3); b[0] += x[0]", "b",
     "CopySlices(CopySlices(,SelectBackward0()),AsStridedBackward0(CopySlices(,)))"),
    ("b = torch.zeros(2, 3); v = b.view(6); b.copy_(x)", "v", "AsStridedBackward0(CopyBackwards(,CloneBackward0()))"),
    ("x[0].zero_()", "x", "CopySlices(CloneBackward0(MulBackward0(,)))"),
    ("x[0] = 1.0", "x", "CopySlices(CloneBackward0(MulBackward0(,)),)"),
    ("x.view(6).exp_()", "x", "CopySlices(CloneBackward0(MulBackward0(,)))"),
    ("x.add_(1).div_(3).sub_(1)", "x", "SubBackward0(DivBackward0(AddBackward0(,),),)"),
    ("c = torch.view_as_complex((x[0, :2] * 1).clone()); v = torch.view_as_real(c); v.mul_(2)", "v",
     "ViewAsRealBackward0(ViewAsComplexBackward0(CopySlices(,)))"),
]  # fmt: skip


def shown(node: Any, depth: int = 3) -> str:
    """A node and those that it leads to."""
    if node is None or not depth:
        return ""
    names = [shown(one, depth - 1) for one, _ in node.next_functions]
    return f"{node.name().rpartition('::')[2]}({','.join(names)})"


def leaf() -> torch.Tensor:
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)


@pytest.mark.parametrize(("code", "name", "expected"), NODES)
def test_nodes(code: str, name: str, expected: str) -> None:
    names: dict[str, Any] = {"x": (leaf() * 1).clone()}
    exec(code, {"torch": torch}, names)
    assert shown(names[name].grad_fn) == expected


@pytest.mark.parametrize(
    ("code", "first", "second"),
    [
        ("v = y.expand(2, 2, 3); y.mul_(2)", [[48, 192, 432], [768, 1200, 1728]], [[144, 576, 1296], [2304, 3600, 5184]]),
        ("v = y.unfold(1, 2, 1); y.mul_(2)", [[24, 192, 216], [384, 1200, 864]], [[72, 576, 648], [1152, 3600, 2592]]),
        ("v = y.t(); y[0].mul_(3)", [[81, 324, 729], [48, 75, 108]], [[243, 972, 2187], [144, 225, 324]]),
        ("v = y.view(6)[1::2]; y.mul_(2)", [[0, 96, 0], [384, 0, 864]], [[0, 288, 0], [1152, 0, 2592]]),
        ("v = y[1:, 1:]; v.mul_(y[:1, :2].clone())", [[375, 2592, 0], [0, 75, 864]], [[2250, 15552, 0], [0, 450, 5184]]),
        ("v = y.as_strided((2, 2), (1, 1)); y.mul_(2)", [[24, 192, 216], [0, 0, 0]], [[72, 576, 648], [0, 0, 0]]),
    ],
)  # fmt: skip
def test_gradients_of_views_made_anew(code: str, first: Any, second: Any) -> None:
    """Views may overlap themselves; a gradient of a gradient goes through them, and through what a write kept."""
    x = leaf()
    names: dict[str, Any] = {"y": x * 1}
    exec(code, {}, names)
    v = names["v"]
    (found,) = torch.autograd.grad((v * v * v).sum(), x, create_graph=True)
    assert found.tolist() == first
    (found,) = torch.autograd.grad((found * x).sum(), x)
    assert found.tolist() == second


def test_what_a_write_reads_and_writes_is_counted_once() -> None:
    y = leaf() * 1
    y[1:].mul_(y[:1])
    assert y._version == 1
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0 instead"):
        y.sum().backward()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y.retain_grad(); y.exp_(); y.sum().backward()", [1.0, 1.0]),
        (
            "y.retain_grad(); (y * 3).sum().backward(retain_graph=True); y[0].mul_(2); y.sum().backward()",
            [4.0, 4.0],
        ),
        ("v = y[:]; v.retain_grad(); y.mul_(2); (v * v).sum().backward(); y = v", [4.0, 8.0]),
    ],
)
def test_a_retained_gradient_is_that_of_the_new_value(code: str, expected: list[float]) -> None:
    names: dict[str, Any] = {"y": torch.tensor([1.0, 2.0], requires_grad=True) * 1}
    exec(code, names)
    assert names["y"].grad.tolist() == expected


def test_a_leaf_that_requires_no_gradient_any_more_gets_none() -> None:
    x: Any = leaf()
    y = x * 2
    x.detach_()
    y.sum().backward()
    assert x.grad is None


def test_a_base_may_be_written_to_after_its_view_was_read() -> None:
    """The view made anew keeps the places of the base's elements, and not these."""
    x: Any = leaf()
    y = x * 1
    view = y[1:]
    y.add_(1)
    read = view.clone()
    y[:, 0].mul_(2)
    read.sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]


@pytest.mark.parametrize("part", ("real", "imag"))
def test_parts_of_complex_numbers_are_written_to(part: str) -> None:
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    view = getattr(x * (1 + 2j), part)
    view.mul_(2)
    factor = 2 if part == "real" else 4
    assert view.tolist() == (x * factor).tolist()
    (view * view).sum().backward()
    assert x.grad.tolist() == (2 * factor * factor * x).tolist()


@pytest.mark.parametrize("times", range(3))
def test_a_view_keeps_the_sizes_it_was_given_by_another_tensor(times: int) -> None:
    """What PyTorch gives: `view_as` is a view of sizes, whatever becomes of the tensor that it asked for them."""
    x = torch.tensor([1.0, -2.0, 3.0, -4.0], requires_grad=True)
    y = x.reshape(1, 4) * 1
    view = y.view_as(y)
    y.swapaxes_(0, 1)
    view.relu_()
    assert y.tolist() == [[1.0], [0.0], [3.0], [0.0]]
    (y * y).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 0.0, 6.0, 0.0]


def test_a_view_of_a_permuted_result_is_written_to() -> None:
    """Its memory is one block, though no array of its shape lies on it in order."""
    leaf = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
    base = leaf.permute(0, 2, 1) * 2
    view = base.view_as(base)
    view.cumsum_(1)
    base.sum().backward()
    assert leaf.grad.tolist() == [[[8.0, 6.0, 4.0, 2.0]] * 3] * 2
    parts = (torch.arange(24.0).reshape(2, 3, 4).permute(0, 2, 1) * 2).as_strided((2, 3), (5, 2), 1)
    assert parts.tolist() == [[2.0, 6.0, 10.0], [12.0, 16.0, 20.0]]


def test_a_diagonal_of_one_element_has_the_usual_stride() -> None:
    x = torch.arange(15.0).reshape(5, 3).requires_grad_()
    assert torch.diag(x, 2).stride() == (1,)
    assert torch.diag(x.detach(), 2).stride() == (1,)
