"""Products of three tensors, channels in another order, and convolutions over time first, as decompositions (PyTorch:
native/Linear.cpp, ChanelShuffle.cpp, ConvolutionTBC.cpp).
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

composite(
    "aten::bilinear",
    """
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    if input1.dim() != input2.dim():
        raise RuntimeError(
            "bilinear(): input dimensions do not match: got " + str(input1.dim()) + " and "
            + str(input2.dim()))
    for place in range(input1.dim() - 1):
        if input1.size(place) != input2.size(place):
            raise RuntimeError(
                "bilinear(): input batch dimensions do not match at dim " + str(place) + ": got "
                + str(input1.size(place)) + " and " + str(input2.size(place)))
    if input1.size(-1) != weight.size(1):
        raise RuntimeError(
            "bilinear(): input1 size does not match weight size: got " + str(input1.size(-1))
            + " but expected " + str(weight.size(1)))
    if input2.size(-1) != weight.size(2):
        raise RuntimeError(
            "bilinear(): input2 size does not match weight size: got " + str(input2.size(-1))
            + " but expected " + str(weight.size(2)))
    if bias is not None and bias.size(0) != weight.size(0):
        raise RuntimeError(
            "bilinear(): bias size does not match weight size: got " + str(bias.size(0))
            + " but expected " + str(weight.size(0)))
    outputs, first, second = weight.size(0), weight.size(1), weight.size(2)
    x, y = input1.reshape([-1, first]), input2.reshape([-1, second])
    middle = x.matmul(weight.permute([1, 0, 2]).reshape([first, outputs * second]))
    middle = middle.reshape([x.size(0), outputs, second])
    result = torch.bmm(middle, y.unsqueeze(-1)).squeeze(-1)
    result = result.reshape(input1.size()[:-1] + [outputs])
    if bias is not None:
        result = result + bias
    return result
""",
)
composite(
    "aten::_trilinear",
    """
def _trilinear(
    i1: Tensor, i2: Tensor, i3: Tensor, expand1: List[int], expand2: List[int],
    expand3: List[int], sumdim: List[int], unroll_dim: int
) -> Tensor:
    x, y, z = i1, i2, i3
    for dim in expand1:
        x = x.unsqueeze(dim)
    for dim in expand2:
        y = y.unsqueeze(dim)
    for dim in expand3:
        z = z.unsqueeze(dim)
    product = x * y * z
    result = product
    if len(sumdim) > 0:
        result = product.sum(sumdim)
    return result
""",
)
_SHUFFLE = """
def {name}(self: Tensor, groups: int) -> Tensor:
    if self.dim() < 3:
        raise RuntimeError(
            "channel_shuffle expects input with > 2 dims, but got input with sizes "
            + str(self.size()))
    if groups <= 0:
        raise RuntimeError(
            "Number of groups to divide channels in must be positive. Value of groups:"
            + str(groups))
    channels = self.size(1)
    if channels % groups != 0:
        raise RuntimeError(
            "Number of channels must be divisible by groups. Got " + str(channels)
            + " channels and " + str(groups) + " groups.")
    parts = self.reshape([self.size(0), groups, channels // groups] + self.size()[2:])
    shuffled = parts.transpose(1, 2).clone(memory_format=torch.contiguous_format).view(self.size())
    if self.dim() == 4 and not self.is_contiguous():
        if self.is_contiguous(memory_format=torch.channels_last):
            return shuffled.contiguous(memory_format=torch.channels_last)
    return shuffled
"""
for _name in ("channel_shuffle", "native_channel_shuffle"):
    composite(f"aten::{_name}", _SHUFFLE.format(name=_name))
composite(
    "aten::conv_tbc",
    """
def conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: int) -> Tensor:
    if self.dim() != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.dim() != 3:
        raise RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")
    if bias.dim() != 1:
        raise RuntimeError("Bias must be 1-D")
    times = self.size(0) + 2 * pad - weight.size(0) + 1
    if times < 0:
        return self.new_empty([times, self.size(1), weight.size(2)])
    if times == 0:
        self = torch.constant_pad_nd(self, [0, 0, 0, 0, 0, 1])
    rows = torch.conv1d(self.permute([1, 2, 0]), weight.permute([2, 1, 0]), bias, [1], [pad])
    result = rows.permute([2, 0, 1]).clone(memory_format=torch.contiguous_format)
    if times == 0:
        return result[:0]
    return result
""",
)
