"""Derivatives of operators that give gradients themselves: what double backward runs through."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts
from torchscript_dialect.ops.derivatives.layers import UPSAMPLES

# Convolution: products of three, so that each gradient is a product of the other two.

derivative(
    "convolution_backward",
    grad_output__input__weight=(
        "convolved_twice(grad0, grad1, grad2, grad_output, input, weight, stride, padding, dilation, transposed, "
        "output_padding, groups, output_mask)"
    ),
)

derivative(
    "_slow_conv2d_backward.output_mask",
    grad_output__self__weight=(
        "convolved_twice(grad0, grad1, grad2, grad_output, self, weight, stride, padding, [1, 1], False, [0, 0], 1, output_mask)"
    ),
)

# Pooling and resampling are linear: the gradient of the gradient goes the way of the operator itself.

_POOL = "kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"
for _rank in (2, 3):
    derivative(
        f"avg_pool{_rank}d_backward",
        grad_output=f"torch.avg_pool{_rank}d(grad, {_POOL})",
        self="torch.zeros_like(grad)",
    )
    derivative(
        f"_adaptive_avg_pool{_rank}d_backward",
        grad_output=f"torch.adaptive_avg_pool{_rank}d(grad, grad_output.size()[-{_rank}:])",
        self="torch.zeros_like(grad)",
    )
    derivative(
        f"max_pool{_rank}d_with_indices_backward",
        grad_output=f"collected(grad, indices, {_rank})",
        self="torch.zeros_like(grad)",
        indices="not_differentiable",
    )
    derivative(
        f"adaptive_max_pool{_rank}d_backward fractional_max_pool{_rank}d_backward",
        grad_output=f"collected(grad, indices, {_rank})",
        self="torch.zeros_like(grad)",
        indices="not_differentiable",
    )
    derivative(
        f"max_unpool{_rank}d",
        self=f"collected(grad, indices, {_rank})",
        indices="not_differentiable",
    )
for _rank in (1, 2, 3):
    for _kind in ("reflection", "replication"):
        derivative(
            f"{_kind}_pad{_rank}d_backward",
            grad_output=f"torch.{_kind}_pad{_rank}d(grad, padding)",
            self="torch.zeros_like(grad)",
        )
for _name, _rank, _aligns in (
    *UPSAMPLES,
    ("_upsample_bilinear2d_aa", 2, True),
    ("_upsample_bicubic2d_aa", 2, True),
    ("_upsample_lanczos2d_aa", 2, True),
):
    _scales = ["scales"] if _rank == 1 else [f"scales_{axis}" for axis in "dhw"[3 - _rank :]]
    _given = ", ".join(["output_size", *(["align_corners"] if _aligns else []), *_scales])
    _forward = _name if _name.endswith("aa") else f"{_name}{_rank}d"
    derivative(f"{_forward}_backward", grad_output=f"torch.{_forward}(grad, {_given})")

# Activations: the formulas of `activation.py`, which gradients go through.

for _name, _parameters, _gradient in (
    ("tanh_backward", "output: Tensor", "grad_output * (1 - output * output).conj()"),
    ("sigmoid_backward", "output: Tensor", "grad_output * ((1 - output) * output).conj()"),
    (
        "threshold_backward",
        "self: Tensor, threshold: number",
        "torch.where(self <= threshold, 0.0, grad_output)",
    ),
    (
        "hardtanh_backward",
        "self: Tensor, min_val: number, max_val: number",
        "torch.where(torch.logical_and(self > min_val, self < max_val), grad_output, 0.0)",
    ),
    (
        "leaky_relu_backward",
        "self: Tensor, negative_slope: number, self_is_result: bool",
        "torch.where(self > 0, grad_output, grad_output * negative_slope)",
    ),
    ("gelu_backward", "self: Tensor, approximate: str", "gelu_of(grad_output, self, approximate)"),
    ("hardswish_backward", "self: Tensor", "hardswish_of(grad_output, self)"),
    ("silu_backward", "self: Tensor", "silu_of(grad_output, self)"),
    ("mish_backward", "self: Tensor", "mish_of(grad_output, self)"),
    (
        "log_sigmoid_backward",
        "self: Tensor, buffer: Tensor",
        "grad_output * torch.sigmoid(-self)",
    ),
    (
        "softplus_backward",
        "self: Tensor, beta: number, threshold: number",
        "softplus_of(grad_output, self, beta, threshold)",
    ),
    (
        "softshrink_backward",
        "self: Tensor, lambd: number",
        "torch.where(torch.logical_or(self < -1.0 * lambd, self > lambd), grad_output, 0.0)",
    ),
    (
        "_log_softmax_backward_data",
        "output: Tensor, dim: int, input_dtype: int",
        "log_softmax_of(grad_output, output, dim)",
    ),
):
    parts(_name, f"grad_output: Tensor, {_parameters}", f"return {_gradient}")
parts(
    "logit_backward",
    "grad_output: Tensor, self: Tensor, eps: Optional[float]",
    "return logit_of(grad_output, self, eps)",
    checked=True,
)
parts(
    "hardshrink_backward",
    "grad_out: Tensor, self: Tensor, lambd: number",
    "return torch.where(torch.logical_or(self < -1.0 * lambd, self > lambd), grad_out, 0.0)",
)
parts(
    "elu_backward",
    "grad_output: Tensor, alpha: number, scale: number, input_scale: number, is_result: bool, self_or_result: Tensor",
    """
    if is_result:
        slope = input_scale * (self_or_result + alpha * scale)
        return torch.where(self_or_result <= 0, grad_output * slope, grad_output * scale)
    return elu_of(grad_output, self_or_result, alpha, scale, input_scale)
""",
)
for _kind in ("tensor", "channel"):
    parts(
        f"fake_quantize_per_{_kind}_affine_cachemask_backward",
        "grad: Tensor, mask: Tensor",
        """
    assert mask.size() == grad.size(), "`mask` and `dY` are not the same size"
    return torch.where(mask, grad, 0.0)
""",
    )

# Normalization: the statistics are functions of the input, too.

parts(
    "native_batch_norm_backward",
    "grad_out: Tensor, input: Tensor, weight: Optional[Tensor], running_mean: Optional[Tensor], "
    "running_var: Optional[Tensor], save_mean: Optional[Tensor], save_invstd: Optional[Tensor], train: bool, eps: float, "
    "output_mask: List[bool]",
    """
    axes = [axis if axis == 0 else axis + 1 for axis in range(input.dim() - 1)]
    sizes = [-1 if axis == 1 else 1 for axis in range(input.dim())]
    if not train:
        assert running_mean is not None and running_var is not None
        scale = torch.rsqrt(running_var + eps).view(sizes)
        normal = (input - running_mean.view(sizes)) * scale
        slope = grad_out * scale
    else:
        distance = input - input.mean(axes, True)
        scale = torch.rsqrt((distance * distance).mean(axes, True) + eps)
        normal = distance * scale
        slope = (grad_out - grad_out.mean(axes, True) - normal * (grad_out * normal).mean(axes, True)) * scale
    if weight is not None:
        slope = slope * weight.view(sizes)
    return slope, (grad_out * normal).sum(axes), grad_out.sum(axes)
""",
    "Tuple[Tensor, Tensor, Tensor]",
)
parts(
    "native_layer_norm_backward",
    "grad_out: Tensor, input: Tensor, normalized_shape: List[int], mean: Tensor, rstd: Tensor, weight: Optional[Tensor], "
    "bias: Optional[Tensor], output_mask: List[bool]",
    """
    lead = input.dim() - len(normalized_shape)
    axes = [axis for axis in range(lead, input.dim())]
    distance = input - input.mean(axes, True)
    variance = (distance * distance).mean(axes, True)
    eps = 1 / (rstd * rstd) - variance.detach()
    scale = torch.rsqrt(variance + eps)
    normal = distance * scale
    slope = grad_out
    if weight is not None:
        slope = slope * weight
    slope = (slope - slope.mean(axes, True) - normal * (slope * normal).mean(axes, True)) * scale
    front = [axis for axis in range(lead)]
    if lead == 0:
        return slope, grad_out * normal, grad_out
    return slope, (grad_out * normal).sum(front), grad_out.sum(front)
""",
    "Tuple[Tensor, Tensor, Tensor]",
)
parts(
    "native_group_norm_backward",
    "grad_out: Tensor, input: Tensor, mean: Tensor, rstd: Tensor, weight: Optional[Tensor], N: int, C: int, HxW: int, group: int, "
    "output_mask: List[bool]",
    """
    rows = input.reshape([N, group, C // group * HxW])
    distance = rows - rows.mean([2], True)
    variance = (distance * distance).mean([2], True)
    given = rstd.detach().unsqueeze(2)
    eps = 1 / (given * given) - variance.detach()
    scale = torch.rsqrt(variance + eps)
    normal = distance * scale
    flat = grad_out.reshape([N, C, HxW])
    slope = flat
    if weight is not None:
        slope = slope * weight.view([1, C, 1])
    slope = slope.reshape([N, group, C // group * HxW])
    slope = (slope - slope.mean([2], True) - normal * (slope * normal).mean([2], True)) * scale
    return slope.reshape(input.size()), (flat * normal.reshape([N, C, HxW])).sum([0, 2]), flat.sum([0, 2])
""",
    "Tuple[Tensor, Tensor, Tensor]",
)

# What chooses and what drops

derivative("native_dropout_backward", grad_output="grad * mask * scale", mask="not_differentiable")
derivative(
    "embedding_dense_backward",
    grad_output="looked_up(grad, indices, padding_idx)",
    indices="not_differentiable",
)
for _name in ("nll_loss", "nll_loss2d"):
    derivative(
        f"{_name}_backward",
        grad_output=f"torch.{_name}(grad, target, weight, reduction, ignore_index)",
        self="torch.zeros_like(grad)",
    )
