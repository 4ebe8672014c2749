"""Operators that go backwards through what they are made of, where no decomposition says so already."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

derivative(
    "slice_scatter",
    self="torch.slice_scatter(grad, torch.zeros_like(src), dim, start, end, step)",
    src="torch.slice(grad, dim, start, end, step)",
)
derivative(
    "select_scatter",
    self="torch.select_scatter(grad, torch.zeros_like(src), dim, index)",
    src="grad.select(dim, index)",
)
parts(
    "inner",
    "self: Tensor, other: Tensor",
    """
    if self.dim() == 0 or other.dim() == 0:
        return self * other
    return torch.tensordot(self, other, [-1], [-1])
""",
)
parts(
    "nanmean",
    "self: Tensor, dim: Optional[List[int]], keepdim: bool, dtype: Optional[int]",
    """
    count = torch.sum(self.isnan().logical_not(), dim, keepdim)
    return torch.nansum(self, dim, keepdim, dtype=dtype) / count
""",
)
parts(
    "feature_dropout",
    "input: Tensor, p: float, train: bool",
    """
    if not train or p == 0.0 or input.numel() == 0:
        return input
    if p == 1.0:
        return input * torch.zeros([], dtype=input.dtype)
    sizes = [input.size(0), input.size(1)] + [1 for axis in range(input.dim() - 2)]
    noise = torch.bernoulli(input.new_empty(sizes), 1.0 - p)
    return input * (noise / (1.0 - p))
""",
)
parts(
    "rrelu",
    "self: Tensor, lower: number, upper: number, training: bool, generator: Optional[Generator]",
    "return torch.rrelu_with_noise(self, torch.zeros_like(self), lower, upper, training, generator)",
)
_BORDERS = "\n".join(
    f"""    if mode == "{mode}" and len(pad) == {2 * rank}:
        return torch.{name}_pad{rank}d(self, pad)"""
    for mode, name in (("reflect", "reflection"), ("replicate", "replication"))
    for rank in (1, 2, 3)
)
parts(
    "pad",
    "self: Tensor, pad: List[int], mode: str, value: Optional[float]",
    f"""
    if mode == "constant":
        return torch.constant_pad_nd(self, pad, 0.0 if value is None else value)
{_BORDERS}
    return torch._pad_circular(self, pad)
""",
)
parts(
    "_pad_circular",
    "self: Tensor, pad: List[int]",
    """
    sizes = self.size()
    kept = self
    for pair in range(len(pad) // 2):
        axis, before, after = self.dim() - 1 - pair, pad[2 * pair], pad[2 * pair + 1]
        sizes[axis] += before + after
        first = max(-before, 0)
        kept = kept.narrow(axis, first, self.size(axis) - first - max(-after, 0))
    result = self.new_empty(sizes)
    middle = result
    for pair in range(len(pad) // 2):
        axis = self.dim() - 1 - pair
        middle = middle.narrow(axis, max(pad[2 * pair], 0), kept.size(axis))
    middle.copy_(kept)
    for pair in range(len(pad) // 2):
        axis, before, after = self.dim() - 1 - pair, max(pad[2 * pair], 0), max(pad[2 * pair + 1], 0)
        if before > 0:
            result.narrow(axis, 0, before).copy_(result.narrow(axis, kept.size(axis), before))
        if after > 0:
            result.narrow(axis, sizes[axis] - after, after).copy_(result.narrow(axis, before, after))
    return result
""",
)
parts(
    "_pad_enum",
    "self: Tensor, pad: List[int], mode: int, value: Optional[float]",
    "return torch.pad(self, pad, ['reflect', 'replicate', 'circular', 'constant'][mode], value)",
)
parts(
    "special_logsumexp",
    "self: Tensor, dim: List[int], keepdim: bool",
    "return torch.logsumexp(self, dim, keepdim)",
)
parts(
    "frobenius_norm.dim",
    "self: Tensor, dim: List[int], keepdim: bool",
    "return torch.linalg_vector_norm(self, 2, dim, keepdim)",
)
parts(
    "cdist",
    "x1: Tensor, x2: Tensor, p: float, compute_mode: Optional[int]",
    """
    is_long = max(x1.size(-2), x2.size(-2)) > 25
    mode = 0 if compute_mode is None else compute_mode
    is_product = p == 2 and (mode == 1 or (mode != 2 and is_long))
    if is_product and x1.numel() > 0 and x1.size()[:-2] == x2.size()[:-2]:
        return torch._euclidean_dist(x1, x2)
    return torch._cdist_forward(x1, x2, p, compute_mode)
""",
)
derivative(
    "_cdist_forward",
    x1="torch._cdist_backward(grad, x1, x2, p, result)",
    x2="torch._cdist_backward(grad.mT, x2, x1, p, result.mT)",
)
derivative("pdist _pdist_forward", self="torch._pdist_backward(grad, self, p, result)")
_BAG = (
    "weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool, mode: int, sparse: bool, "
    "per_sample_weights: Optional[Tensor], include_last_offset: bool"
)
for _overload, _more, _padding in (
    ("", "", "-1"),
    (
        ".padding_idx",
        ", padding_idx: Optional[int]",
        "-1 if padding_idx is None else padding_idx % weight.size(0)",
    ),
):
    parts(
        f"embedding_bag{_overload}",
        f"{_BAG}{_more}",
        f"""
    return torch._embedding_bag(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, {_padding})
""",
        "Tuple[Tensor, Tensor, Tensor, Tensor]",
    )
for _rank in (1, 2, 3):
    parts(
        f"conv{_rank}d.padding",
        "input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: str, dilation: List[int], "
        "groups: int",
        f"""
    x = input
    if padding != "same" and padding != "valid":
        raise RuntimeError("Invalid padding string: '" + padding + "'")
    if padding == "same":
        if max(stride) > 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        sides: List[int] = []
        for axis in range({_rank}):
            last = {_rank} - 1 - axis
            reach = dilation[last if len(dilation) > 1 else 0] * (weight.size(2 + last) - 1)
            sides.append(reach // 2)
            sides.append(reach - reach // 2)
        x = torch.constant_pad_nd(x, sides, 0)
    return torch.conv{_rank}d(x, weight, bias, stride, [0], dilation, groups)
""",
    )
parts(
    "_convolution_mode",
    "input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: str, dilation: List[int], groups: int",
    """
    if weight.dim() == 3:
        return torch.conv1d(input, weight, bias, stride, padding, dilation, groups)
    if weight.dim() == 4:
        return torch.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return torch.conv3d(input, weight, bias, stride, padding, dilation, groups)
""",
)

# Linear algebra

parts("linalg_eigvalsh", "self: Tensor, UPLO: str", "return torch.linalg_eigh(self, UPLO)[0]")
