"""Derivatives of quantiles, covariances, slopes and segments, and of what draws random numbers."""

from torchscript_dialect.ops.derivatives.declaring import derivative, not_differentiable, parts

for _name, _ignores in (("quantile", "False"), ("nanquantile", "True")):
    _rest = "dim: Optional[int], keepdim: bool, interpolation: str"
    _given = f"dim, keepdim, interpolation, {_ignores}"
    parts(
        _name,
        f"self: Tensor, q: Tensor, {_rest}",
        f"return ranked_between(self, q, {_given})",
        checked=True,
    )
    parts(
        f"{_name}.scalar",
        f"self: Tensor, q: float, {_rest}",
        f"return ranked_between(self, torch.scalar_tensor(q, dtype=self.dtype, device=self.device), {_given})",
        checked=True,
    )
parts(
    "cov",
    "self: Tensor, correction: int, fweights: Optional[Tensor], aweights: Optional[Tensor]",
    """
    rows = self.reshape([1, -1]) if self.dim() < 2 else self
    weights = rows.new_ones([rows.size(1)], dtype=torch.long)
    if fweights is not None:
        weights = fweights.reshape([-1])
    if aweights is not None:
        weights = aweights.reshape([-1]) if fweights is None else weights * aweights.reshape([-1])
    total = weights.sum()
    centered = rows - (rows * weights).sum([1], True) / total
    freedom = total - correction
    if aweights is not None and correction != 0:
        freedom = total - correction * (weights * aweights.reshape([-1])).sum() / total
    product = torch.matmul(centered, (centered * weights).t().conj())
    return (product / torch.clamp(freedom, min=0)).squeeze()
""",
    checked=True,
)
parts(
    "corrcoef",
    "self: Tensor",
    """
    found = torch.cov(self)
    if found.dim() == 0:
        return found / found
    deviation = torch.sqrt(torch.real(found.diagonal()))
    result = found / deviation.unsqueeze(1) / deviation.unsqueeze(0)
    if result.is_complex():
        return torch.complex(torch.clamp(torch.real(result), -1, 1), torch.clamp(torch.imag(result), -1, 1))
    return torch.clamp(result, -1, 1)
""",
)

# Slopes between neighbours

for _overload, _parameters, _axes, _slopes in (
    (
        "scalarint",
        "spacing: Optional[number], dim: Optional[int]",
        "all_axes(self, dim)",
        "even_slopes(self, axes[place], 1.0 if spacing is None else float(spacing), edge_order)",
    ),
    (
        "scalararray",
        "spacing: number, dim: List[int]",
        "dim",
        "even_slopes(self, axes[place], float(spacing), edge_order)",
    ),
    ("array", "dim: List[int]", "dim", "even_slopes(self, axes[place], 1.0, edge_order)"),
    (
        "scalarrayint",
        "spacing: List[number], dim: Optional[int]",
        "all_axes(self, dim)",
        "even_slopes(self, axes[place], float(spacing[place]), edge_order)",
    ),
    (
        "scalarrayarray",
        "spacing: List[number], dim: List[int]",
        "dim",
        "even_slopes(self, axes[place], float(spacing[place]), edge_order)",
    ),
    (
        "tensorarrayint",
        "spacing: List[Tensor], dim: Optional[int]",
        "all_axes(self, dim)",
        "slopes(self, axes[place], torch.diff(spacing[place]), edge_order)",
    ),
    (
        "tensorarray",
        "spacing: List[Tensor], dim: List[int]",
        "dim",
        "slopes(self, axes[place], torch.diff(spacing[place]), edge_order)",
    ),
):
    parts(
        f"gradient.{_overload}",
        f"self: Tensor, {_parameters}, edge_order: int",
        f"""
    axes = {_axes}
    return [{_slopes} for place in range(len(axes))]
""",
        "List[Tensor]",
        checked=True,
    )

# Segments

parts(
    "segment_reduce",
    "data: Tensor, reduce: str, lengths: Optional[Tensor], indices: Optional[Tensor], offsets: Optional[Tensor], axis: int, "
    "unsafe: bool, initial: Optional[number]",
    """
    axis = axis % data.dim()
    if lengths is not None:
        ends = lengths.cumsum(-1)
    else:
        assert offsets is not None
        ends = offsets.narrow(-1, 1, offsets.size(-1) - 1)
    lead, rest = data.size()[:axis], data.size()[axis + 1:]
    size, count = data.size(axis), ends.size(-1)
    places = torch.arange(size, device=data.device).unsqueeze(-1)
    segment = (places >= ends.unsqueeze(-2)).sum([-1])
    index = segment.reshape(lead + [size] + [1 for one in rest]).expand(data.size())
    start = 0.0
    if reduce == "prod":
        start = 1.0
    elif reduce == "max" or reduce == "amax":
        start = -float("inf")
    elif reduce == "min" or reduce == "amin":
        start = float("inf")
    if initial is not None:
        start = float(initial)
    kinds = {"max": "amax", "min": "amin", "mean": "sum"}
    kind = kinds[reduce] if reduce in kinds else reduce
    begun = data.new_full(lead + [count + 1] + rest, start)
    result = torch.narrow_copy(begun.scatter_reduce(axis, index, data, kind), axis, 0, count)
    if reduce == "mean":
        ones = data.new_zeros(lead + [count + 1] + rest).scatter_add(axis, index, torch.ones_like(data))
        result = result / ones.narrow(axis, 0, count)
    return result
""",
    checked=True,
)

# Random numbers

derivative("normal.Tensor_Tensor", mean="torch.zeros_like(grad)", std="torch.zeros_like(grad)")
derivative("normal.Tensor_float", mean="torch.zeros_like(grad)")
derivative("normal.float_Tensor", std="torch.zeros_like(grad)")
derivative("bernoulli bernoulli.p", self="torch.zeros_like(grad)")
derivative("nextafter", self="grad.masked_fill(self == other, 0)", other="torch.zeros_like(grad)")
derivative("poisson", self="torch.zeros_like(grad)")
not_differentiable("multinomial")
derivative(
    "uniform_ normal_ log_normal_ cauchy_ exponential_ geometric_ random_ random_.to random_.from bernoulli_.float",
    self="torch.zeros_like(grad)",
)
derivative("bernoulli.Tensor", self="torch.zeros_like(grad)", p="torch.zeros_like(p)")
for _name, _noise in (
    ("alpha_dropout", "torch.empty_like(input)"),
    (
        "feature_alpha_dropout",
        "input.new_empty([input.size(0), input.size(1)] + [1 for axis in range(input.dim() - 2)])",
    ),
):
    parts(
        _name,
        "input: Tensor, p: float, train: bool",
        f"""
    if not train or p == 0.0 or input.numel() == 0:
        return input
    if p == 1.0:
        return input * torch.zeros([], dtype=input.dtype)
    alpha = 1.7580993408473766
    a = 1.0 / ((alpha * alpha * p + 1.0) * (1.0 - p)) ** 0.5
    noise = {_noise}.bernoulli_(1.0 - p)
    return input * (noise * a) + ((noise - 1) * (alpha * a) + alpha * a * p)
""",
    )

derivative("_standard_gamma", self="grad * torch.ops.aten._standard_gamma_grad(self, result)")
