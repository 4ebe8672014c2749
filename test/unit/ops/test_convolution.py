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
