"""Convolutions: what their samples do not show."""

import pytest

from torchscript_dialect import torch


def test_what_is_left_of_a_transposed_convolution_is_contiguous() -> None:
    """Sizes of 1 hid from NumPy that the padding had been cut off: the strides were (14, 14, 1)."""
    x = torch.ones(1, 1, 4)
    given = torch.nn.functional.conv_transpose1d(
        x, x, torch.ones(1), stride=2, padding=1, output_padding=1, dilation=2
    )
    assert given.shape == (1, 1, 12)
    assert given.stride() == (12, 12, 1)


def test_gradients_of_complex_convolutions() -> None:
    """PyTorch's operator for the gradient refuses complex tensors, as it is given their parts."""
    x, w = (
        torch.randn(1, 2, 5, dtype=torch.complex128),
        torch.randn(2, 2, 3, dtype=torch.complex128),
    )
    for convolution in (torch.conv1d, torch.conv_transpose1d):
        given = (x.clone().requires_grad_(), w.clone().requires_grad_())
        assert torch.autograd.gradcheck(convolution, given)
        assert torch.autograd.gradgradcheck(convolution, given)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("padding", [0, 1, 4])
@pytest.mark.parametrize("transposed", [False, True])
def test_gradients_of_several_images(
    groups: int, stride: int, padding: int, transposed: bool
) -> None:
    """A padding beyond the reach of the kernel cuts some of the gradient off."""
    torch.manual_seed(0)
    x = torch.randn(3, 4, 9, dtype=torch.float64, requires_grad=True)
    sizes = (4, 2, 3) if transposed or groups == 2 else (2, 4, 3)
    w = torch.randn(*sizes, dtype=torch.float64, requires_grad=True)
    bias = torch.randn(sizes[1] * groups if transposed else sizes[0], dtype=torch.float64)

    def f(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.convolution(x, w, bias, [stride], [padding], [2], transposed, [0], groups)

    assert torch.autograd.gradcheck(f, (x, w))


def test_no_images_have_gradients() -> None:
    x = torch.zeros(0, 2, 6, 6, requires_grad=True)
    w = torch.ones(2, 3, 2, 2, requires_grad=True)
    torch.conv_transpose2d(x, w, None, [1, 1], [1, 1]).sum().backward()
    assert x.grad is not None and x.grad.shape == x.shape
    assert w.grad is not None and w.grad.abs().sum().item() == 0


def test_no_images_have_a_transposed_convolution_of_no_elements() -> None:
    x, w = torch.zeros(0, 3, 6, 6), torch.zeros(3, 2, 2, 1)
    given = torch.conv_transpose2d(x, w, None, [1, 1], [2, 3], dilation=[2, 2])
    assert given.shape == (0, 2, 4, 0)


def test_gradients_where_the_input_has_no_channels() -> None:
    """The result has none, either, so nothing reaches the weights. PyTorch gives zeros; the bias has its own size."""
    x = torch.randn(2, 0, 6, requires_grad=True)
    w, b = torch.randn(3, 0, 2, requires_grad=True), torch.randn(3, requires_grad=True)
    torch.conv1d(x, w, b).sum().backward()
    assert x.grad is not None and x.grad.shape == (2, 0, 6)
    assert w.grad is not None and w.grad.shape == (3, 0, 2)
    assert b.grad is not None and b.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_gradients_by_their_sizes(rank: int) -> None:
    """`torch.nn.grad` gives what the backward pass gives."""
    torch.manual_seed(0)
    x = torch.randn(2, 4, *[7] * rank, requires_grad=True)
    w = torch.randn(4, 2, *[3] * rank, requires_grad=True)
    settings = {"stride": 2, "padding": (1,) * rank, "groups": 2}
    result = getattr(torch.nn.functional, f"conv{rank}d")(x, w, **settings)
    given = torch.randn_like(result)
    of_x, of_w = torch.autograd.grad(result, (x, w), given)
    grad = torch.nn.functional.grad
    found = getattr(grad, f"conv{rank}d_input")(x.shape, w.detach(), given, **settings)
    assert torch.equal(found, of_x)
    found = getattr(grad, f"conv{rank}d_weight")(x.detach(), w.shape, given, **settings)
    assert torch.equal(found, of_w)
