"""Derivatives of what joins, divides and rearranges tensors."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

derivative("cat concat concatenate", tensors="divided(grad, tensors, dim)")
derivative("stack", tensors="grad.unbind(dim)")
derivative("unbind.int", self="torch.stack(grads, dim)")
for _name in (
    "split.Tensor",
    "split.sizes",
    "split",
    "split_with_sizes",
    "chunk",
    "unsafe_split.Tensor",
    "unsafe_split_with_sizes",
    "unsafe_chunk",
):
    derivative(_name, self="torch.cat(grads, dim)")
derivative("flip", self="grad.flip(dims)")
derivative("fliplr", self="grad.flip([1])")
derivative("flipud", self="grad.flip([0])")
derivative("roll", self="grad.roll([-one for one in shifts], dims)")
derivative("rot90", self="grad.rot90(-k, dims)")
derivative("tril", self="grad.tril(diagonal)")
derivative("triu", self="grad.triu(diagonal)")
derivative("repeat", self="repeated(grad, self, repeats)")
derivative("diag_embed", self="grad.diagonal(offset, dim1, dim2)")
derivative("constant_pad_nd", self="torch.constant_pad_nd(grad, [-one for one in pad], 0)")
derivative("pixel_shuffle", self="torch.pixel_unshuffle(grad, upscale_factor)")
derivative("pixel_unshuffle", self="torch.pixel_shuffle(grad, downscale_factor)")

for _name, _least, _dim in (
    ("hstack", 1, "0 if sides[0].dim() == 1 else 1"),
    ("vstack", 2, "0"),
    ("row_stack", 2, "0"),
    ("dstack", 3, "2"),
):
    parts(
        _name,
        "tensors: List[Tensor]",
        f"""
    sides = [torch.atleast_{_least}d(one) for one in tensors]
    return torch.cat(sides, {_dim})
""",
    )
for _least in (1, 2, 3):
    parts(
        f"atleast_{_least}d.Sequence",
        "tensors: List[Tensor]",
        f"return [torch.atleast_{_least}d(one) for one in tensors]",
        "List[Tensor]",
    )
parts(
    "tensor_split.sections",
    "self: Tensor, sections: int, dim: int",
    """
    least = self.size(dim) // sections
    larger = self.size(dim) % sections
    start = 0
    pieces: List[Tensor] = []
    for number in range(sections):
        size = least + 1 if number < larger else least
        pieces.append(torch.slice(self, dim, start, start + size))
        start += size
    return pieces
""",
    "List[Tensor]",
    checked=True,
)
parts(
    "tensor_split.indices",
    "self: Tensor, indices: List[int], dim: int",
    """
    start = 0
    pieces: List[Tensor] = []
    for index in indices:
        pieces.append(torch.slice(self, dim, start, index))
        start = index
    pieces.append(torch.slice(self, dim, start))
    return pieces
""",
    "List[Tensor]",
    checked=True,
)
parts(
    "repeat_interleave.self_Tensor",
    "self: Tensor, repeats: Tensor, dim: Optional[int], output_size: Optional[int]",
    """
    rows = self.flatten() if dim is None else self
    axis = 0 if dim is None else dim
    if rows.dim() == 0:
        rows = rows.reshape([1])
    times = repeats.reshape([-1]).expand([rows.size(axis)])
    ends = times.cumsum(0)
    places = torch.arange(int(times.sum()), device=times.device)
    return rows.index_select(axis, torch.searchsorted(ends, places, right=True))
""",
)
parts(
    "diag",
    "self: Tensor, diagonal: int",
    """
    if self.dim() == 1:
        return torch.diag_embed(self, diagonal)
    return torch.diagonal_copy(self, diagonal)
""",
    checked=True,
)
parts(
    "narrow.Tensor",
    "self: Tensor, dim: int, start: Tensor, length: int",
    "return self.narrow(dim, int(start), length)",
    checked=True,
)
_MESH = """
    sizes = [one.numel() for one in tensors]
    result: List[Tensor] = []
    for place in range(len(tensors)):
        own = [-1 if axis == place else 1 for axis in range(len(tensors))]
        result.append(tensors[place].reshape(own).expand(sizes))
    return result
"""
parts("meshgrid", "tensors: List[Tensor]", _MESH, "List[Tensor]")
parts(
    "meshgrid.indexing",
    "tensors: List[Tensor], indexing: str",
    """
    if indexing == "ij" or len(tensors) < 2:
        return torch.meshgrid(tensors)
    turned = torch.meshgrid([tensors[1], tensors[0]] + tensors[2:])
    return [turned[1], turned[0]] + turned[2:]
""",
    "List[Tensor]",
)
for _overload, _parameters, _arguments in (
    ("", "self: Tensor, unbiased: bool", "unbiased"),
    (
        ".dim",
        "self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool",
        "dim, unbiased, keepdim",
    ),
    (
        ".correction",
        "self: Tensor, dim: Optional[List[int]], correction: Optional[number], keepdim: bool",
        "dim, correction=correction, keepdim=keepdim",
    ),
):
    _mean = "self.mean(dim, keepdim)" if _overload else "self.mean()"
    parts(
        f"std_mean{_overload}",
        _parameters,
        f"return self.std({_arguments}), {_mean}",
        "Tuple[Tensor, Tensor]",
    )
parts("std", "self: Tensor, unbiased: bool", "return self.std(None, correction=int(unbiased))")
parts(
    "std.dim",
    "self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool",
    "return self.std(dim, correction=int(unbiased), keepdim=keepdim)",
)
derivative(
    "as_strided_scatter",
    self="grad.contiguous().as_strided_scatter(torch.zeros_like(src), size, stride, storage_offset)",
    src="grad.contiguous().as_strided(size, stride, storage_offset)",
)
derivative(
    "_pack_padded_sequence",
    input="torch._pack_padded_sequence_backward(grad, input.size(), result1, batch_first)",
)
parts(
    "_pack_padded_sequence_backward",
    "grad: Tensor, input_size: List[int], batch_sizes: Tensor, batch_first: bool",
    """
    sizes = [size for size in input_size]
    if batch_first:
        sizes[0], sizes[1] = input_size[1], input_size[0]
    result = grad.new_zeros(sizes)
    begin = 0
    for step in range(batch_sizes.size(0)):
        count = int(batch_sizes[step])
        result.select(0, step).narrow(0, 0, count).copy_(grad.narrow(0, begin, count))
        begin += count
    return result.transpose(0, 1) if batch_first else result
""",
)
derivative(
    "_pad_packed_sequence",
    data="torch._pack_padded_sequence(grad, result1, batch_first)[0]",
    batch_sizes="not_differentiable",
)
parts(
    "pad_sequence",
    "sequences: List[Tensor], batch_first: bool, padding_value: float, padding_side: str",
    """
    longest = max([one.size(0) for one in sequences])
    rows: List[Tensor] = []
    for one in sequences:
        sides = [0 for axis in range(2 * one.dim())]
        sides[2 * one.dim() - (2 if padding_side == "left" else 1)] = longest - one.size(0)
        rows.append(torch.constant_pad_nd(one, sides, padding_value))
    return torch.stack(rows, 0 if batch_first else 1)
""",
)
