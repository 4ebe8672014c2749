"""Gradients of gradients that are operators of their own (PyTorch: native/Convolution.cpp, native/GatedLinearUnit.cpp)."""

from __future__ import annotations

from collections.abc import Sequence

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.convolution.convolution_plan import Ints
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor.tensor import Tensor

Maybe = Tensor | None


def _windows_of(
    wide: Tensor, narrow: Tensor, stride: Ints, padding: Ints, dilation: Ints
) -> list[int]:
    """The sizes of a convolution with a result as its filter: stride and dilation change places."""
    sizes = zip(wide.array.shape[2:], narrow.array.shape[2:], stride, padding, dilation)
    return [(n + 2 * p - s * (m - 1) - 1) // d + 1 for n, m, s, p, d in sizes]


@registry.kernel("_convolution_double_backward", calls_operators=True)
def convolution_double_backward(
    of_input: Maybe,
    of_weight: Maybe,
    of_bias: Maybe,
    grad: Tensor,
    weight: Tensor,
    x: Tensor,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    _wanted: Sequence[bool],
) -> tuple[Maybe, Maybe, Maybe]:
    """Of a convolution the gradients of `grad`, its result's gradient, of the input and of the weight, where the gradients of input,
    weight and bias have the gradients `of_input`, `of_weight` and `of_bias`. None stands for zero. As in PyTorch, all are given, wanted
    or not.
    """
    windows = (stride, padding, dilation, transposed, output_padding, groups)

    def convolved(x: Tensor, weight: Tensor) -> Tensor:
        return call("aten::convolution", (x, weight, None, *windows))

    def back(x: Tensor, weight: Tensor, place: int) -> Tensor:
        mask = [number == place for number in range(3)]
        operands = (grad, x, weight, None, *windows, mask)
        return call("aten::convolution_backward", operands)[place]

    def by_channels(of: Tensor) -> Tensor:
        """The gradient of the weight with PyTorch's strides: there it is a part of a convolution of channels with channels."""
        wide, narrow = (grad, x) if transposed else (x, grad)
        sizes, kept = _windows_of(wide, narrow, *windows[:3]), of.array.shape[2:]
        pads = [size for n, m in zip(reversed(sizes), reversed(kept)) for size in (0, n - m)]
        of = call("aten::constant_pad_nd", (of.transpose(0, 1).contiguous(), pads, 0.0))
        for dim, size in enumerate(kept):
            of = of.narrow(dim + 2, 0, size)
        return of.transpose(0, 1)

    terms: list[Tensor] = []
    if of_input is not None and x.array.size:
        terms.append(convolved(of_input, weight))
    if of_weight is not None and x.array.size:
        terms.append(convolved(x, of_weight))
    if of_bias is not None:
        sizes = (1, -1, *(1,) * (weight.array.ndim - 2))
        terms.append(of_bias.reshape(sizes).expand(grad.array.shape).contiguous())
    total: Maybe = None
    for term in terms:
        total = term if total is None else total + term
    return (
        total,
        None if of_weight is None else back(x, of_weight, 0),
        None if of_input is None else by_channels(back(of_input, weight, 1)),
    )


composite(
    "aten::glu_backward_jvp",
    """
def gated_back_forward(grad_x: Tensor, grad_glu: Tensor, x: Tensor, dgrad_glu: Tensor, dx: Tensor, dim: int) -> Tensor:
    size = grad_glu.size(dim)
    a, opened = x.narrow(dim, 0, size), torch.sigmoid(x.narrow(dim, size, size))
    da, db = dx.narrow(dim, 0, size), dx.narrow(dim, size, size)
    of_a = grad_x.narrow(dim, 0, size)
    first = dgrad_glu * opened + of_a * (db - db * opened)
    second = (first * a + of_a * (da - a * opened * db)) * (1 - opened)
    return torch.cat([first, second], dim)
""",
)
