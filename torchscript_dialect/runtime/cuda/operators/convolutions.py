"""Convolutions on the device, and their gradients: windows are copied side by side and multiplied as matrices, a batch for each group.

The gradient of the filters is a product of windows and gradients, that of the input the transposed convolution. Where windows move by
more than one element, this is a product that gives windows side by side, which are added up where they overlap. Elsewhere, and of 16
bits, which such sums would be rounded to in between, it is a convolution over the elements with zeros in between, by turned filters.
What does not fit together is refused as on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from torchscript_dialect.ops.convolution.convolution import result_format
from torchscript_dialect.ops.convolution.convolution_plan import Windows, plan_for
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.layouts import row_strides
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.windows import Table, overlapped
from torchscript_dialect.tensor.layout import contiguous_format, memory_format
from torchscript_dialect.tensor.strides import contiguous_strides, element_strides
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Ints = Sequence[int]
Pads = Sequence[tuple[int, int]]


def _dense(x: Tensor) -> Tensor:
    return call("aten::contiguous", (x,))


def _padded(x: Tensor, pads: Pads) -> Tensor:
    flat = [size for pad in reversed(pads) for size in pad]
    return call("aten::constant_pad_nd", (x, flat, 0)) if any(flat) else _dense(x)


def _columns(x: Tensor, kernel: Ints, sizes: Ints, windows: Windows) -> Tensor:
    """The windows of `x`, padded already, as (groups, C / groups * kernel, N * sizes)."""
    batch, channels = x.array.shape[:2]
    strides = contiguous_strides(x.array.shape)
    within = [step * stride for step, stride in zip(windows.dilation, strides[2:])]
    between = [step * stride for step, stride in zip(windows.stride, strides[2:])]
    shape = [channels, *kernel, batch, *sizes]
    steps = [strides[1], *within, strides[0], *between]
    found = call("aten::as_strided", (x, shape, steps))
    rows = channels // windows.groups * prod(kernel)
    return found.reshape([windows.groups, rows, batch * prod(sizes)])


def _by_group(x: Tensor, groups: int) -> Tensor:
    """(N, C, sizes) as (groups, C / groups, N * sizes)."""
    batch, channels, *sizes = x.array.shape
    return x.transpose(0, 1).reshape([groups, channels // groups, batch * prod(sizes)])


def _slid(x: Tensor, w: Tensor, sizes: Ints, windows: Windows) -> Tensor:
    """The convolution of `x`, padded already, which is no transposed one."""
    groups, outputs = windows.groups, w.array.shape[0]
    columns = _columns(x, w.array.shape[2:], sizes, windows)
    rows = columns.array.shape[1]
    found = w.reshape([groups, outputs // groups, rows]).bmm(columns)
    return found.view([outputs, x.array.shape[0], *sizes]).transpose(0, 1)


def _turned(w: Tensor, groups: int) -> Tensor:
    """Filters (I, O / groups, kernel) as those (O, I / groups, kernel) of the convolution the other way."""
    inputs, outputs, *kernel = w.array.shape
    flipped = w.flip(list(range(2, w.array.ndim)))
    by_group = flipped.view([groups, inputs // groups, outputs, *kernel]).transpose(1, 2)
    return by_group.reshape([groups * outputs, inputs // groups, *kernel])


MOST_PLACES = 1 << 31
"""Tables of windows tell of fewer."""


def _transposed(x: Tensor, w: Tensor, sizes: Ints, windows: Windows, pads: Pads) -> Tensor:
    """The transposed convolution, whose result has these sizes."""
    kernel, groups = w.array.shape[2:], windows.groups
    elements = x.array.size // x.array.shape[1] * prod(kernel)
    is_summed = x.array.itemsize >= 4 and max(windows.stride) > 1 and elements < MOST_PLACES
    if not is_summed:
        return _spread(x, w, sizes, windows, pads)
    inputs, outputs = w.array.shape[:2]
    filters = w.reshape([groups, inputs // groups, outputs * prod(kernel)]).transpose(1, 2)
    found = filters.bmm(_by_group(x, groups))
    columns = found.view([groups * outputs, *kernel, x.array.shape[0], *x.array.shape[2:]])
    before = [pad[0] for pad in pads]
    each = zip(sizes, x.array.shape[2:], kernel, windows.stride, before, windows.dilation)
    tables = [Table.of_sliding(*one) for one in each]
    return overlapped(columns, [1 + len(kernel), 0], tables, sizes)


def _spread(x: Tensor, w: Tensor, sizes: Ints, windows: Windows, pads: Pads) -> Tensor:
    """The same as a convolution, whatever the windows are."""
    kernel = w.array.shape[2:]
    whole = [(size - 1) * step + 1 for size, step in zip(x.array.shape[2:], windows.stride)]
    spaced = x.new_zeros([*x.array.shape[:2], *whole])
    view = spaced
    for axis, step in enumerate(windows.stride, 2):
        view = call("aten::slice", (view, axis, None, None, step))
    view.copy_(x)
    around: list[tuple[int, int]] = []
    for size, wanted, (before, _), taps, step in zip(whole, sizes, pads, kernel, windows.dilation):
        reach = step * (taps - 1)
        around.append((reach - before, wanted + before - size))
    each = Windows((1,) * len(kernel), (0,) * len(kernel), windows.dilation, windows.groups)
    return _slid(_padded(spaced, around), _turned(w, windows.groups), sizes, each)


def _fits(*operands: Tensor | None) -> bool:
    """Whether operands are floats of one dtype."""
    kinds = {one.dtype for one in operands if one is not None}
    return len(kinds) == 1 and kinds.pop().is_floating_point


def _format(x: Tensor, w: Tensor) -> memory_format:
    """That of results."""
    return result_format([(one.array.shape, element_strides(one.array)) for one in (x, w)])


def _laid_out(x: Tensor, format: memory_format) -> Tensor:
    """The tensor, with its elements in the order of a format."""
    array = x.array
    strides = row_strides(array.shape, format)
    if element_strides(array) == strides:
        return x
    made: Any = memory().empty(array.shape, array.dtype)
    made = made.restrided(array.shape, [stride * array.itemsize for stride in strides])
    memory().assign(made, array)
    return tensor_of(made)


def _convolve(x: Tensor, w: Tensor, bias: Tensor | None, windows: Windows) -> Any:
    plan = plan_for(
        x.array.shape, w.array.shape, None if bias is None else bias.array.shape, windows
    )
    if not _fits(x, w, bias):
        return NOTHING
    if not prod(plan.shape):
        return _laid_out(x.new_empty([*plan.shape]), _format(x, w))
    if plan.is_empty or not x.array.size:
        return NOTHING
    windows, sizes = plan.windows, plan.shape[2:]
    pads = windows.pads(w.array.shape[2:])
    if plan.is_transposed:
        found = _transposed(x, w, sizes, windows, pads)
    else:
        found = _slid(_padded(x, pads), w, sizes, windows)
    found = _laid_out(found, _format(x, w))
    return found if bias is None else found.add(bias.view(list(plan.bias_shape)))


def _declared(rank: int | None, windows_of: Callable[..., Windows]) -> Callable[..., Any]:
    """Operators whose arguments after input, weight and bias are those of `windows_of`; with a rank, the input may lack its batch."""

    def run(x: Tensor, w: Tensor, bias: Tensor | None, *arguments: Any) -> Any:
        windows = windows_of(*arguments)
        if rank is None or x.array.ndim == rank + 2:
            return _convolve(x, w, bias, windows)
        if x.array.ndim != rank + 1:
            return NOTHING
        found = _convolve(x.unsqueeze(0), w, bias, windows)
        return found if found is NOTHING else found.squeeze(0)

    return run


def _backward(grad: Tensor, x: Tensor, w: Tensor, _bias_sizes: Ints | None, *arguments: Any) -> Any:
    """`aten::convolution_backward`."""
    *settings, wanted = arguments
    plan = plan_for(x.array.shape, w.array.shape, None, Windows.of_either(*settings))
    if not _fits(grad, x, w) or grad.array.shape != plan.shape:
        return NOTHING
    format = _format(x, w)
    of_filters = format if plan.windows.groups == 1 else contiguous_format
    of_bias = grad.sum([0, *range(2, grad.array.ndim)]) if wanted[2] else None
    if not x.array.size or not grad.array.size:  # nothing is added up
        empty = (_laid_out(x.new_zeros([*x.array.shape]), format), w.new_zeros([*w.array.shape]))
        of_input, of_weight = (one if want else None for one, want in zip(empty, wanted))
        return of_input, of_weight, of_bias
    windows, kernel = plan.windows, w.array.shape[2:]
    pads = windows.pads(kernel)
    of_input = of_weight = None
    wide, other = (grad, x) if plan.is_transposed else (x, grad)
    if wanted[0]:
        sizes = x.array.shape[2:]
        if plan.is_transposed:
            of_input = _slid(_padded(grad, pads), w, sizes, windows)
        else:
            of_input = _transposed(grad, w, sizes, windows, pads)
        of_input = _laid_out(of_input, format)
    if wanted[1]:
        columns = _columns(_padded(wide, pads), kernel, other.array.shape[2:], windows)
        product = _by_group(other, windows.groups).bmm(columns.transpose(1, 2))
        of_weight = _laid_out(product.view(list(w.array.shape)), of_filters)
    return of_input, of_weight, of_bias


CONVOLUTIONS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    **{f"aten::conv{rank}d": own(_declared(rank, Windows)) for rank in (1, 2, 3)},
    **{
        f"aten::conv_transpose{rank}d": own(_declared(rank, Windows.of_transposed))
        for rank in (1, 2, 3)
    },
    "aten::_convolution_mode": own(_declared(None, Windows)),
    "aten::convolution": own(_declared(None, Windows.of_either)),
    "aten::_convolution": own(_declared(None, Windows.of_either)),
    "aten::convolution_backward": own(_backward),
}
"""What runs operators, by their names."""
