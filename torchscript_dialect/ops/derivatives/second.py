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

# Pooling and resampling are linear: the gradient of the gradient goes the way of the operator itself.

_POOL = "kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"
for _rank in (2, 3):
    derivative(
        f"avg_pool{_rank}d_backward",
        grad_output=f"torch.avg_pool{_rank}d(grad, {_POOL})",
        self="not_differentiable",
    )
    derivative(
        f"_adaptive_avg_pool{_rank}d_backward",
        grad_output=f"torch.adaptive_avg_pool{_rank}d(grad, grad_output.size()[-{_rank}:])",
        self="not_differentiable",
    )
    derivative(
        f"max_pool{_rank}d_with_indices_backward",
        grad_output=f"collected(grad, indices, {_rank})",
        self="not_differentiable",
        indices="not_differentiable",
    )
    derivative(
        f"adaptive_max_pool{_rank}d_backward fractional_max_pool{_rank}d_backward",
        grad_output=f"collected(grad, indices, {_rank})",
        self="not_differentiable",
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
            self="not_differentiable",
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
        self="not_differentiable",
    )
