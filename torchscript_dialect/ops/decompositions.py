"""What operators that have a kernel are made of, for other compilers.

`ts-decompose-ops{all=true}`, which is in the pipeline `export`, puts these in their place. Kernels are faster, so that the executor
does not. What is asked of a tensor besides its elements (`x.dim()`, `x.size(0)`, its dtype) is known in an export, so that branches on
it go away and loops over dimensions are unrolled.
"""

from __future__ import annotations

from torchscript_dialect.ops import registry


def _made_of(qualified_name: str, parameters: str, body: str, result: str = "Tensor") -> None:
    """Attach a decomposition: the lines of a function with these parameters, which are indented as here."""
    lines = "\n    ".join(line.removeprefix("    ") for line in body.strip().splitlines())
    text = f"def made_of({parameters}) -> {result}:\n    {lines}\n"
    name = qualified_name if "::" in qualified_name else f"aten::{qualified_name}"
    registry.attach(name, decompose=text)


# Variances and norms

_CORRECTED = "self: Tensor, dim: Optional[List[int]], correction: Optional[number], keepdim: bool"
_UNBIASED = "self: Tensor, dim: Optional[List[int]], unbiased: bool, keepdim: bool"

_made_of(
    "var.correction",
    _CORRECTED,
    """
    dims = [axis for axis in range(self.dim())]
    if dim is not None and len(dim) > 0:
        dims = [axis for axis in dim]
    distance = torch.abs(self - torch.mean(self, dims, True))
    count = 1
    for axis in dims:
        count = count * self.size(axis)
    divisor = max(count - (1.0 if correction is None else float(correction)), 0.0)
    return torch.sum(distance * distance, dims, keepdim) / divisor
    """,
)
_made_of("var", "self: Tensor, unbiased: bool", "return self.var(None, correction=int(unbiased))")
_made_of("var.dim", _UNBIASED, "return self.var(dim, correction=int(unbiased), keepdim=keepdim)")
for _parameters, _overload, _arguments in (
    ("self: Tensor, unbiased: bool", "", "unbiased"),
    (_UNBIASED, ".dim", "dim, unbiased, keepdim"),
    (_CORRECTED, ".correction", "dim, correction=correction, keepdim=keepdim"),
):
    _made_of(f"std{_overload}", _parameters, f"return torch.sqrt(self.var({_arguments}))")
    _mean = "self.mean(dim, keepdim)" if _overload else "self.mean()"
    _made_of(
        f"var_mean{_overload}",
        _parameters,
        f"""
    mean = {_mean}
    return self.var({_arguments}), mean.masked_fill(~torch.isfinite(mean), float("nan"))
    """,
        "Tuple[Tensor, Tensor]",
    )

_made_of(
    "linalg_vector_norm",
    "self: Tensor, ord: number, dim: Optional[List[int]], keepdim: bool, dtype: Optional[int]",
    """
    p = float(ord)
    dims = [axis for axis in range(self.dim())]
    if dim is not None and len(dim) > 0:
        dims = [axis for axis in dim]
    x = self
    if dtype is not None:
        x = self.to(dtype)
    size = torch.abs(x)
    if p == float("inf"):
        return torch.amax(size, dims, keepdim)
    if p == -float("inf"):
        return torch.amin(size, dims, keepdim)
    if p == 0.0:
        return torch.sum((size != 0).to(size.dtype), dims, keepdim)
    if p == 1.0:
        return torch.sum(size, dims, keepdim)
    if p == 2.0:
        return torch.sqrt(torch.sum(size * size, dims, keepdim))
    return torch.pow(torch.sum(torch.pow(size, p), dims, keepdim), 1.0 / p)
    """,
)
for _overload, _parameters, _order, _dims, _options in (
    ("Scalar", "self: Tensor, p: number", "p", "None, False", ""),
    (
        "ScalarOpt_dim",
        "self: Tensor, p: Optional[number], dim: List[int], keepdim: bool",
        "2 if p is None else p",
        "dim, keepdim",
        "",
    ),
    (
        "ScalarOpt_dim_dtype",
        "self: Tensor, p: Optional[number], dim: List[int], keepdim: bool, dtype: int",
        "2 if p is None else p",
        "dim, keepdim",
        ", dtype=dtype",
    ),
):
    _made_of(
        f"norm.{_overload}",
        _parameters,
        f"""
    order = 2.0
    {"order = float(p)" if _order == "p" else "if p is not None: order = float(p)"}
    return torch.linalg_vector_norm(self, order, {_dims}{_options})
    """,
    )
_made_of(
    "logsumexp",
    "self: Tensor, dim: List[int], keepdim: bool",
    """
    x = self
    if not (self.is_floating_point() or self.is_complex()):
        x = self.to(torch.float32)
    top = torch.amax(x, dim, True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    total = torch.log(torch.sum(torch.exp(x - top), dim, keepdim))
    if not keepdim:
        top = torch.sum(top, dim, False)
    return total + top
    """,
)

# Normalization

_made_of(
    "batch_norm",
    "input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Optional[Tensor], "
    "running_var: Optional[Tensor], training: bool, momentum: float, eps: float, cudnn_enabled: bool",
    """
    if training or running_mean is None or running_var is None:
        raise NotImplementedError("batch_norm that takes the statistics of its batch")
    sizes = [1, -1] + [1 for axis in range(input.dim() - 2)]
    scale = torch.rsqrt(running_var + eps)
    if weight is not None:
        scale = scale * weight
    shift = -running_mean * scale
    if bias is not None:
        shift = shift + bias
    return (input * scale.view(sizes) + shift.view(sizes)).to(input.dtype)
    """,
)
_made_of(
    "group_norm",
    "input: Tensor, num_groups: int, weight: Optional[Tensor], bias: Optional[Tensor], eps: float, "
    "cudnn_enabled: bool",
    """
    count = input.size(1) // num_groups
    for axis in range(2, input.dim()):
        count = count * input.size(axis)
    grouped = input.reshape([input.size(0), num_groups, count])
    distance = grouped - grouped.mean([2], True)
    inverse = torch.rsqrt((distance * distance).mean([2], True) + eps)
    result = (distance * inverse).view(input.size())
    sizes = [1, -1] + [1 for axis in range(input.dim() - 2)]
    if weight is not None:
        result = result * weight.view(sizes)
    if bias is not None:
        result = result + bias.view(sizes)
    return result.to(input.dtype)
    """,
)
for _name in ("dropout", "feature_dropout"):
    _made_of(
        _name,
        "input: Tensor, p: float, train: bool",
        """
    if train:
        raise NotImplementedError("dropout in training draws numbers")
    return input
    """,
    )

# Products

_made_of(
    "linear",
    "input: Tensor, weight: Tensor, bias: Optional[Tensor]",
    """
    product = torch.matmul(input, weight.t())
    if bias is not None:
        product = product + bias
    return product
    """,
)

_made_of("mv", "self: Tensor, vec: Tensor", "return torch.matmul(self, vec)")
_made_of("bmm", "self: Tensor, mat2: Tensor", "return torch.matmul(self, mat2)")
_made_of("dot", "self: Tensor, tensor: Tensor", "return torch.matmul(self, tensor)")
_made_of("outer", "self: Tensor, vec2: Tensor", "return self.unsqueeze(1) * vec2")
for _name, _product in (("baddbmm", "batch1, batch2"), ("addmv", "mat, vec")):
    _first, _second = _product.split(", ")
    _made_of(
        _name,
        f"self: Tensor, {_first}: Tensor, {_second}: Tensor, beta: number, alpha: number",
        f"""
    product = torch.matmul({_product}) * alpha
    if float(beta) == 0.0:
        return product
    return self * beta + product
    """,
    )

# Selections

_made_of(
    "masked_fill.Scalar",
    "self: Tensor, mask: Tensor, value: number",
    "return torch.where(mask, torch.full_like(self, value), self)",
)
_made_of(
    "masked_fill.Tensor",
    "self: Tensor, mask: Tensor, value: Tensor",
    "return torch.where(mask, value.to(self.dtype), self)",
)
for _name, _comparison in (("tril", "<="), ("triu", ">=")):
    _made_of(
        _name,
        "self: Tensor, diagonal: int",
        f"""
    rows = torch.arange(self.size(-2), device=self.device).unsqueeze(1)
    columns = torch.arange(self.size(-1), device=self.device)
    return torch.where(columns - rows {_comparison} diagonal, self, torch.zeros_like(self))
    """,
    )
_made_of(
    "flip",
    "self: Tensor, dims: List[int]",
    """
    result = self
    for axis in dims:
        last = self.size(axis) - 1
        result = result.index_select(axis, last - torch.arange(last + 1, device=self.device))
    return result
    """,
)
_made_of(
    "index.Tensor",
    "self: Tensor, indices: List[Optional[Tensor]]",
    """
    axes: List[int] = []
    others: List[int] = []
    for axis in range(self.dim()):
        if axis < len(indices) and indices[axis] is not None:
            axes.append(axis)
        else:
            others.append(axis)
    place, count, lead = torch.zeros([], dtype=torch.int64), 1, axes[0]
    for number in range(len(axes)):
        index = indices[axes[number]]
        assert index is not None
        if index.dtype == torch.bool:
            raise NotImplementedError("indexing by a mask: the sizes of the result depend on its elements")
        size = self.size(axes[number])
        wrapped = torch.where(index < 0, index + size, index)
        place = wrapped if number == 0 else place * size + wrapped
        count = count * size
        if axes[number] != axes[0] + number:
            lead = 0
    before = [self.size(axis) for axis in others[:lead]]
    behind = [self.size(axis) for axis in others[lead:]]
    flat = self.permute(others[:lead] + axes + others[lead:]).reshape(before + [count] + behind)
    taken = flat.index_select(lead, place.reshape([-1]))
    return taken.view(before + place.size() + behind)
    """,
)
_made_of(
    "take",
    "self: Tensor, index: Tensor",
    """
    flat = self.reshape([-1])
    places = torch.where(index < 0, index + flat.size(0), index).reshape([-1])
    return flat.index_select(0, places).view(index.size())
    """,
)
for _overload, _type in (("int_Scalar", "number"), ("int_Tensor", "Tensor")):
    _made_of(
        f"index_fill.{_overload}",
        f"self: Tensor, dim: int, index: Tensor, value: {_type}",
        """
    count = self.size(dim)
    places = torch.where(index < 0, index + count, index).reshape([1, -1])
    chosen = torch.any(torch.arange(count, device=self.device).unsqueeze(1) == places, 1)
    behind = [1 for axis in range(dim % self.dim(), self.dim() - 1)]
    return self.masked_fill(chosen.view([count] + behind), value)
    """,
    )
_made_of(
    "one_hot",
    "self: Tensor, num_classes: int",
    """
    if num_classes < 0:
        raise NotImplementedError("one_hot whose number of classes depends on elements")
    return (self.unsqueeze(-1) == torch.arange(num_classes, device=self.device)).to(torch.int64)
    """,
)
_made_of(
    "embedding",
    "weight: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool, sparse: bool",
    """
    sizes = indices.size() + [weight.size(1)]
    return weight.index_select(0, indices.reshape([-1])).view(sizes)
    """,
)

# Parts and repetitions

_made_of(
    "stack",
    "tensors: List[Tensor], dim: int",
    "return torch.cat([one.unsqueeze(dim) for one in tensors], dim)",
)
_made_of(
    "unbind.int",
    "self: Tensor, dim: int",
    "return [self.select(dim, place) for place in range(self.size(dim))]",
    "List[Tensor]",
)
_made_of(
    "split.Tensor",
    "self: Tensor, split_size: int, dim: int",
    """
    size = self.size(dim)
    step = max(split_size, 1)
    return [self.narrow(dim, start, min(step, size - start)) for start in range(0, max(size, 1), step)]
    """,
    "List[Tensor]",
)
for _name, _sizes in (
    ("split", "split_sizes"),
    ("split.sizes", "split_size"),
    ("split_with_sizes", "split_sizes"),
):
    _made_of(
        _name,
        f"self: Tensor, {_sizes}: List[int], dim: int",
        f"""
    start = 0
    parts: List[Tensor] = []
    for size in {_sizes}:
        parts.append(self.narrow(dim, start, size))
        start = start + size
    return parts
    """,
        "List[Tensor]",
    )
_made_of(
    "chunk",
    "self: Tensor, chunks: int, dim: int",
    """
    size = self.size(dim)
    step = (size + chunks - 1) // chunks
    count = chunks if step == 0 else (size + step - 1) // step
    return [self.narrow(dim, place * step, min(step, size - place * step)) for place in range(count)]
    """,
    "List[Tensor]",
)
_made_of(
    "repeat",
    "self: Tensor, repeats: List[int]",
    """
    lead = len(repeats) - self.dim()
    ones: List[int] = []
    wide: List[int] = []
    whole: List[int] = []
    for axis in range(len(repeats)):
        size = 1
        if axis >= lead:
            size = self.size(axis - lead)
        ones.append(1)
        ones.append(size)
        wide.append(repeats[axis])
        wide.append(size)
        whole.append(repeats[axis] * size)
    return self.reshape(ones).expand(wide).clone(memory_format=torch.contiguous_format).view(whole)
    """,
)
_made_of(
    "tile",
    "self: Tensor, dims: List[int]",
    """
    ones = [1 for axis in range(self.dim() - len(dims))]
    return self.repeat(ones + dims)
    """,
)
_made_of(
    "repeat_interleave.self_int",
    "self: Tensor, repeats: int, dim: Optional[int], output_size: Optional[int]",
    """
    x, axis = self, 0
    if dim is None:
        x = self.reshape([-1])
    else:
        axis = [one for one in range(self.dim())][dim]
    sizes = [repeats if one == axis + 1 else -1 for one in range(x.dim() + 1)]
    spread = x.unsqueeze(axis + 1).expand(sizes)
    return spread.clone(memory_format=torch.contiguous_format).flatten(axis, axis + 1)
    """,
)
_made_of(
    "pixel_shuffle",
    "self: Tensor, upscale_factor: int",
    """
    lead = self.size()[:-3]
    channels, rows, columns, r = self.size(-3), self.size(-2), self.size(-1), upscale_factor
    cut = self.reshape([-1, channels // (r * r), r, r, rows, columns])
    return cut.permute([0, 1, 4, 2, 5, 3]).reshape(
        lead + [channels // (r * r), rows * r, columns * r])
    """,
)
_made_of(
    "pad",
    "self: Tensor, pad: List[int], mode: str, value: Optional[float]",
    """
    if mode == "constant":
        return torch.constant_pad_nd(self, pad, 0.0 if value is None else value)
    result = self
    for pair in range(len(pad) // 2):
        axis = self.dim() - 1 - pair
        size = self.size(axis)
        places = torch.arange(-pad[2 * pair], size + pad[2 * pair + 1], device=self.device)
        if mode == "reflect":
            places = (size - 1) - torch.abs((size - 1) - torch.abs(places))
        elif mode == "replicate":
            places = torch.clamp(places, 0, size - 1)
        else:
            first = max(-pad[2 * pair], 0)
            kept = size - first - max(-pad[2 * pair + 1], 0)
            places = places - first
            places = torch.where(places < 0, places + kept, places)
            places = torch.where(places >= kept, places - kept, places) + first
        result = result.index_select(axis, places)
    return result
    """,
)
_made_of(
    "roll",
    "self: Tensor, shifts: List[int], dims: List[int]",
    """
    result, axes = self, dims
    if len(dims) == 0:
        result, axes = self.reshape([-1]), [0]
    for place in range(len(axes)):
        axis, size = axes[place], result.size(axes[place])
        first = (size - shifts[place]) % max(size, 1)
        parts = [result.narrow(axis, first, size - first), result.narrow(axis, 0, first)]
        result = torch.cat(parts, axis)
    return result.view(self.size())
    """,
)
_made_of(
    "broadcast_tensors",
    "tensors: List[Tensor]",
    """
    rank = max([one.dim() for one in tensors])
    sizes: List[int] = []
    for axis in range(rank):
        size = 1
        for one in tensors:
            own = axis + one.dim() - rank
            if own >= 0 and one.size(own) != 1:
                size = one.size(own)
        sizes.append(size)
    return [one if one.size() == sizes else one.expand(sizes) for one in tensors]
    """,
    "List[Tensor]",
)
_made_of(
    "movedim.int",
    "self: Tensor, source: int, destination: int",
    """
    rank = self.dim()
    order: List[int] = []
    for axis in range(rank):
        if axis != source % rank:
            order.append(axis)
    place = destination % rank
    return self.permute(order[:place] + [source % rank] + order[place:])
    """,
)

_made_of(
    "real",
    "self: Tensor",
    """
    if self.is_complex():
        raise NotImplementedError("real of complex numbers")
    return self
    """,
)

# Reductions that are made of others. Where there is a NaN, it is the largest and the smallest element.

_made_of("max", "self: Tensor", "return torch.amax(self, [])")
_made_of("min", "self: Tensor", "return torch.amin(self, [])")
for _name, _extreme in (("max", "amax"), ("min", "amin")):
    _made_of(
        f"arg{_name}",
        "self: Tensor, dim: Optional[int], keepdim: bool",
        f"""
    x, axis, rank = self, 0, self.dim()
    if dim is None:
        x = self.reshape([-1])
    elif self.dim() > 0:
        axis = dim % self.dim()
    if rank == 0:
        return torch.zeros([], dtype=torch.int64)
    extreme = torch.{_extreme}(x, [axis], True)
    holds = torch.logical_or(x == extreme, torch.isnan(x))
    count = x.size(axis)
    places = torch.arange(count, device=x.device).view([count if axis == one else 1 for one in range(x.dim())])
    place = torch.amin(torch.where(holds, places, count), [axis], keepdim)
    if dim is None and keepdim:
        place = place.view([1 for axis in range(rank)])
    return place
    """,
    )
    _made_of(
        f"{_name}.dim",
        "self: Tensor, dim: int, keepdim: bool",
        f"return torch.{_extreme}(self, [dim], keepdim), torch.arg{_name}(self, dim, keepdim)",
        "Tuple[Tensor, Tensor]",
    )
_made_of(
    "aminmax",
    "self: Tensor, dim: Optional[int], keepdim: bool",
    """
    if dim is None:
        return torch.amin(self, [], keepdim), torch.amax(self, [], keepdim)
    return torch.amin(self, [dim], keepdim), torch.amax(self, [dim], keepdim)
    """,
    "Tuple[Tensor, Tensor]",
)
for _name, _found in (
    ("all", "torch.sum(self == 0{}) == 0"),
    ("any", "torch.sum(self != 0{}) != 0"),
):
    for _overload, _parameters, _arguments in (
        ("", "self: Tensor", ""),
        (".dim", "self: Tensor, dim: int, keepdim: bool", ", [dim], keepdim"),
    ):
        _made_of(
            f"{_name}{_overload}",
            _parameters,
            f"""
    found = {_found.format(_arguments)}
    return found.to(torch.uint8) if self.dtype == torch.uint8 else found
    """,
        )
_made_of(
    "size", "self: Tensor", "return [self.size(axis) for axis in range(self.dim())]", "List[int]"
)
_made_of("prim::abs", "x: Tensor", "return torch.abs(x)")
_made_of("fill.Scalar", "self: Tensor, value: number", "return torch.full_like(self, value)")
