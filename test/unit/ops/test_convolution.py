"""Convolutions: what their samples do not show."""

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
