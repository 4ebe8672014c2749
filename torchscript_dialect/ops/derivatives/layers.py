"""Derivatives of layers: convolution, pooling, normalization, dropout, losses."""

from torchscript_dialect.ops.derivatives.declaring import derivative

# Convolution

derivative(
    "convolution",
    input__weight__bias=(
        "torch.convolution_backward(grad, input, weight, bias_size(bias), stride, padding, dilation, "
        "transposed, output_padding, groups, needs)"
    ),
)
derivative(
    "_convolution _convolution.deprecated",
    input__weight__bias=(
        "torch.convolution_backward(grad, input, weight, bias_size(bias), stride, padding, dilation, "
        "transposed, output_padding, groups, needs)"
    ),
)
for _rank in (1, 2, 3):
    derivative(
        f"conv{_rank}d",
        input__weight__bias=f"convolved(grad, input, weight, bias, stride, padding, dilation, False, [0], groups, needs, {_rank})",
    )
    _overload = "" if _rank == 1 else ".input"
    derivative(
        f"conv_transpose{_rank}d{_overload}",
        input__weight__bias=(
            "convolved(grad, input, weight, bias, stride, padding, dilation, True, output_padding, groups, "
            f"needs, {_rank})"
        ),
    )

# Pooling

derivative(
    "avg_pool2d",
    self="torch.avg_pool2d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)",
)
derivative(
    "avg_pool3d",
    self="torch.avg_pool3d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)",
)
derivative(
    "avg_pool1d",
    self=(
        "torch.avg_pool2d_backward(grad.unsqueeze(-2), self.unsqueeze(-2), [1, kernel_size[0]], [1, "
        "(stride if len(stride) > 0 else kernel_size)[0]], [0, padding[0]], ceil_mode, "
        "count_include_pad, None).squeeze(-2)"
    ),
)
derivative(
    "_adaptive_avg_pool2d adaptive_avg_pool2d",
    self="torch._adaptive_avg_pool2d_backward(grad, self)",
)
derivative(
    "_adaptive_avg_pool3d adaptive_avg_pool3d",
    self="torch._adaptive_avg_pool3d_backward(grad, self)",
)
derivative(
    "adaptive_avg_pool1d",
    self="torch._adaptive_avg_pool2d_backward(grad.unsqueeze(-2), self.unsqueeze(-2)).squeeze(-2)",
)
for _rank in (2, 3):
    derivative(
        f"max_pool{_rank}d_with_indices",
        self=f"spread(grad, self, result1, {_rank})",
        result1="not_differentiable",
    )
    derivative(
        f"adaptive_max_pool{_rank}d",
        self=f"spread(grad, self, result1, {_rank})",
        result1="not_differentiable",
    )
    derivative(
        f"fractional_max_pool{_rank}d",
        self=f"spread(grad, self, result1, {_rank})",
        result1="not_differentiable",
    )
    derivative(
        f"max_pool{_rank}d",
        self=(
            f"spread(grad, self, torch.max_pool{_rank}d_with_indices(self, kernel_size, stride, padding, "
            f"dilation, ceil_mode)[1], {_rank})"
        ),
    )
derivative(
    "max_pool1d_with_indices", self="spread(grad, self, result1, 1)", result1="not_differentiable"
)
derivative(
    "adaptive_max_pool1d", self="spread(grad, self, result1, 1)", result1="not_differentiable"
)
derivative(
    "max_pool1d",
    self="spread(grad, self, torch.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[1], 1)",
)

# Padding and resampling

for _rank in (1, 2, 3):
    derivative(
        f"reflection_pad{_rank}d",
        self=f"torch.reflection_pad{_rank}d_backward(grad, self, padding)",
    )
    derivative(
        f"replication_pad{_rank}d",
        self=f"torch.replication_pad{_rank}d_backward(grad, self, padding)",
    )

# Normalization

derivative(
    "native_layer_norm",
    input__weight__bias="torch.native_layer_norm_backward(grad, input, normalized_shape, result1, result2, weight, bias, needs)",
    result1="not_differentiable",
    result2="not_differentiable",
)
derivative("native_dropout", input="dropped(grad, result1, p, train)", result1="not_differentiable")

# Losses

derivative(
    "mse_loss",
    self="2 * averaged(grad, self - target, reduction) * (self - target)",
    target="-2 * averaged(grad, self - target, reduction) * (self - target)",
)
derivative(
    "l1_loss",
    self="averaged(grad, self - target, reduction) * (self - target).sgn()",
    target="-averaged(grad, self - target, reduction) * (self - target).sgn()",
)
derivative(
    "smooth_l1_loss",
    self="averaged(grad, self - target, reduction) * smooth(self - target, beta)",
    target="-averaged(grad, self - target, reduction) * smooth(self - target, beta)",
)
derivative(
    "huber_loss",
    self="averaged(grad, self - target, reduction) * torch.clamp(self - target, -delta, delta)",
    target="-averaged(grad, self - target, reduction) * torch.clamp(self - target, -delta, delta)",
)
derivative(
    "binary_cross_entropy",
    self="torch.binary_cross_entropy_backward(grad, self, target, weight, reduction)",
    target="cross_entropy_target(grad, self, target, weight, reduction)",
)
derivative(
    "nll_loss_forward",
    self="torch.nll_loss_backward(grad, self, target, weight, reduction, ignore_index, total_weight)",
    total_weight="not_differentiable",
)
derivative(
    "nll_loss2d_forward",
    self="torch.nll_loss2d_backward(grad, self, target, weight, reduction, ignore_index, total_weight)",
    total_weight="not_differentiable",
)
derivative(
    "nll_loss",
    self=(
        "torch.nll_loss_backward(grad, self, target, weight, reduction, ignore_index, "
        "torch.nll_loss_forward(self, target, weight, reduction, ignore_index)[1])"
    ),
)
derivative(
    "nll_loss2d",
    self=(
        "torch.nll_loss2d_backward(grad, self, target, weight, reduction, ignore_index, "
        "torch.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[1])"
    ),
)
derivative(
    "multi_margin_loss",
    self="torch.multi_margin_loss_backward(grad, self, target, p, margin, weight, reduction)",
)
derivative(
    "multilabel_margin_loss_forward",
    self="torch.multilabel_margin_loss_backward(grad, self, target, reduction, is_target)",
    is_target="not_differentiable",
)
derivative(
    "multilabel_margin_loss",
    self=(
        "torch.multilabel_margin_loss_backward(grad, self, target, reduction, "
        "torch.multilabel_margin_loss_forward(self, target, reduction)[1])"
    ),
)
derivative(
    "cdist",
    x1="torch._cdist_backward(grad.contiguous(), x1, x2, p, result)",
    x2="torch._cdist_backward(grad.transpose(-1, -2).contiguous(), x2, x1, p, result.transpose(-1, -2).contiguous())",
)
