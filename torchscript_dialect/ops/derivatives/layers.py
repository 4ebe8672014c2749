"""Derivatives of layers: convolution, pooling, normalization, dropout, losses."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

# Convolution

derivative(
    "convolution",
    input__weight__bias=(
        "torch.convolution_backward(grad, input.conj(), weight.conj(), bias_size(bias), stride, padding, dilation, "
        "transposed, output_padding, groups, needs)"
    ),
)
derivative(
    "_convolution _convolution.deprecated",
    input__weight__bias=(
        "torch.convolution_backward(grad, input.conj(), weight.conj(), bias_size(bias), stride, padding, dilation, "
        "transposed, output_padding, groups, needs)"
    ),
)
for _rank in (1, 2, 3):
    derivative(
        f"conv{_rank}d",
        input__weight__bias=(
            "convolved(grad, input.conj(), weight.conj(), bias, stride, padding, dilation, False, [0], groups, needs, "
            f"{_rank})"
        ),
    )
    _overload = "" if _rank == 1 else ".input"
    derivative(
        f"conv_transpose{_rank}d{_overload}",
        input__weight__bias=(
            "convolved(grad, input.conj(), weight.conj(), bias, stride, padding, dilation, True, output_padding, groups, "
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
_WINDOWS = "kernel_size, stride, padding, dilation, ceil_mode"
for _rank in (2, 3):
    _back = f"torch.max_pool{_rank}d_with_indices_backward(grad, self, {_WINDOWS}, "
    derivative(
        f"max_pool{_rank}d_with_indices", self=f"{_back}result1)", result1="not_differentiable"
    )
    derivative(
        f"max_pool{_rank}d",
        self=f"{_back}torch.max_pool{_rank}d_with_indices(self, {_WINDOWS})[1])",
    )
    derivative(
        f"adaptive_max_pool{_rank}d",
        self=f"torch.ops.aten.adaptive_max_pool{_rank}d_backward(grad, self, result1)",
        result1="not_differentiable",
    )
    derivative(
        f"fractional_max_pool{_rank}d",
        self=f"torch.ops.aten.fractional_max_pool{_rank}d_backward(grad, self, kernel_size, output_size, result1)",
        result1="not_differentiable",
    )
derivative(
    "max_pool1d_with_indices adaptive_max_pool1d",
    self="line_spread(grad, self, result1)",
    result1="not_differentiable",
)
derivative(
    "max_pool1d",
    self=f"line_spread(grad, self, torch.max_pool1d_with_indices(self, {_WINDOWS})[1])",
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
derivative(
    "_scaled_dot_product_flash_attention_for_cpu",
    query__key__value="torch._scaled_dot_product_flash_attention_for_cpu_backward("
    "grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask=attn_mask, scale=scale)",
    logsumexp="not_differentiable",
)
derivative(
    "layer_norm",
    input__weight__bias="layer_norm_gradients(grad, input, normalized_shape, weight, bias, eps, needs)",
)
derivative("native_dropout", input="dropped(grad, result1, p, train)", result1="not_differentiable")

# Losses

for _name, _more in (("mse", ""), ("smooth_l1", ", beta"), ("huber", ", delta")):
    derivative(
        f"{_name}_loss",
        self=f"torch.{_name}_loss_backward(grad, self, target, reduction{_more})",
        target=f"torch.{_name}_loss_backward(grad, target, self, reduction{_more})",
    )
derivative(
    "l1_loss",
    self="averaged(grad, self - target, reduction) * (self - target).sgn()",
    target="-averaged(grad, self - target, reduction) * (self - target).sgn()",
)
derivative(
    "soft_margin_loss", self="torch.soft_margin_loss_backward(grad, self, target, reduction)"
)
derivative(
    "binary_cross_entropy_with_logits",
    self="logits_of(grad, self, target, weight, pos_weight, reduction)",
    target="targets_of(grad, self, weight, pos_weight, reduction)",
)
derivative(
    "binary_cross_entropy",
    self="torch.binary_cross_entropy_backward(grad, self, target, weight, reduction)",
    target="cross_entropy_target(grad, self, target, weight, reduction)",
)
_LIKELIHOOD = (
    "self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int, ignore_index: int"
)
for _name in ("nll_loss", "nll_loss2d"):
    derivative(
        f"{_name}_forward",
        self=f"torch.{_name}_backward(grad, self, target, weight, reduction, ignore_index, total_weight)",
        total_weight="not_differentiable",
    )
    parts(
        _name,
        _LIKELIHOOD,
        f"return torch.{_name}_forward(self, target, weight, reduction, ignore_index)[0]",
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
    "_softmax_backward_data",
    grad_output="torch._softmax_backward_data(grad, output, dim, output.dtype)",
    output="grad * grad_output - grad * (output * grad_output).sum([dim], True) - grad_output * (output * grad).sum([dim], True)",
)
for _names in (
    "native_batch_norm",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit.no_stats",
):
    _statistics = "None, None" if _names.endswith("no_stats") else "running_mean, running_var"
    derivative(
        _names,
        input__weight__bias=f"torch.native_batch_norm_backward(grad, input, weight, {_statistics}, "
        "result1, result2, training, eps, needs)",
        result1="not_differentiable",
        result2="not_differentiable",
    )
derivative(
    "_batch_norm_impl_index",
    input__weight__bias="torch.native_batch_norm_backward(grad, input, weight, None if training else running_mean, "
    "None if training else running_var, result1 if training else None, result2 if training else None, training, eps, needs)",
    running_mean__running_var="not_differentiable",
    result1="not_differentiable",
    result2="not_differentiable",
    result3="not_differentiable",
)
derivative(
    "_batch_norm_with_update",
    input__weight__bias="torch.native_batch_norm_backward(grad, input, weight, running_mean, running_var, result1, result2, True, "
    "eps, needs)",
    result1="not_differentiable",
    result2="not_differentiable",
    result3="not_differentiable",
)
derivative(
    "_batch_norm_with_update_functional",
    input__weight__bias="torch.native_batch_norm_backward(grad, input, weight, running_mean, running_var, result1, result2, True, "
    "eps, needs)",
    result1="not_differentiable",
    result2="not_differentiable",
    result3="not_differentiable",
    running_mean_out="not_differentiable",
    running_var_out="not_differentiable",
)
derivative(
    "_native_batch_norm_legit_functional",
    input__weight__bias="torch.native_batch_norm_backward(grad, input, weight, running_mean, running_var, result1, result2, "
    "training, eps, needs)",
    result1="not_differentiable",
    result2="not_differentiable",
    running_mean_out="not_differentiable",
    running_var_out="not_differentiable",
)
derivative(
    "_native_batch_norm_legit_no_training",
    input__weight__bias="torch.native_batch_norm_backward(grad, input, weight, running_mean, running_var, result1, result2, False, "
    "eps, needs)",
    result1="not_differentiable",
    result2="not_differentiable",
)
derivative(
    "native_group_norm",
    input__weight__bias="group_norm_gradients(grad, grad1, grad2, input, weight, result1, result2, N, C, HxW, group, needs)",
)
derivative(
    "group_norm",
    input__weight__bias="gradients_of_groups(grad, input, num_groups, weight, bias, eps, needs)",
)
_NORM = "input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Optional[Tensor], running_var: Optional[Tensor]"
parts(
    "batch_norm",
    f"{_NORM}, training: bool, momentum: float, eps: float, cudnn_enabled: bool",
    """
    if input.numel() == 0:
        result = input.clone()
        if weight is not None:
            result = result * weight.select(0, 0)
        if bias is not None:
            result = result + bias.select(0, 0)
        return result
    return torch.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]
""",
)
parts(
    "instance_norm",
    f"{_NORM}, use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool",
    """
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    batch, channels = input.size(0), input.size(1)
    mean, variance = running_mean, running_var
    if running_mean is not None:
        mean = running_mean.repeat([batch])
    if running_var is not None:
        variance = running_var.repeat([batch])
    rows = input.contiguous().view([1, batch * channels] + input.size()[2:])
    scale, shift = weight, bias
    if weight is not None:
        scale = weight.repeat([batch])
    if bias is not None:
        shift = bias.repeat([batch])
    result = torch.batch_norm(rows, scale, shift, mean, variance, use_input_stats, momentum, eps, cudnn_enabled)
    if use_input_stats and running_mean is not None and mean is not None:
        running_mean.copy_(mean.view([batch, channels]).mean([0], False))
    if use_input_stats and running_var is not None and variance is not None:
        running_var.copy_(variance.view([batch, channels]).mean([0], False))
    return result.view(input.size())
""",
)
parts(
    "dropout",
    "input: Tensor, p: float, train: bool",
    """
    if not train or p == 0.0 or input.numel() == 0:
        return input
    if p == 1.0:
        return input * torch.zeros([], dtype=input.dtype, device=input.device)
    return torch.native_dropout(input, p, train)[0]
""",
)
parts(
    "nll_loss_nd",
    _LIKELIHOOD,
    """
    if self.dim() < 3:
        return torch.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]
    if self.dim() == 4:
        return torch.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    x, places = self.flatten(2).unsqueeze(2), target.flatten(1).unsqueeze(1)
    result = torch.nll_loss2d_forward(x, places, weight, reduction, ignore_index)[0]
    if reduction == 0:
        return result.view(target.size())
    return result
""",
)
UPSAMPLES = (
    ("upsample_nearest", 1, False),
    ("upsample_nearest", 2, False),
    ("upsample_nearest", 3, False),
    ("_upsample_nearest_exact", 1, False),
    ("_upsample_nearest_exact", 2, False),
    ("_upsample_nearest_exact", 3, False),
    ("upsample_linear", 1, True),
    ("upsample_bilinear", 2, True),
    ("upsample_trilinear", 3, True),
    ("upsample_bicubic", 2, True),
)
"""The resampling operators: name, number of spatial dimensions, whether they take `align_corners`."""

for _name, _rank, _aligns in UPSAMPLES:
    _scales = ["scales"] if _rank == 1 else [f"scales_{axis}" for axis in "dhw"[3 - _rank :]]
    _align = "align_corners, " if _aligns else ""
    derivative(
        f"{_name}{_rank}d",
        self=f"torch.{_name}{_rank}d_backward(grad, output_size, self.size(), {_align}{', '.join(_scales)})",
    )
    _factors = ", ".join(f"scale_at(scale_factors, {place})" for place in range(_rank))
    derivative(
        f"{_name}{_rank}d.vec",
        input=f"torch.{_name}{_rank}d_backward(grad, grad.size()[2:], input.size(), {_align}{_factors})",
    )
for _name in ("bilinear", "bicubic", "lanczos"):
    derivative(
        f"_upsample_{_name}2d_aa",
        self=f"torch._upsample_{_name}2d_aa_backward(grad, output_size, self.size(), align_corners, scales_h, scales_w)",
    )
    derivative(
        f"_upsample_{_name}2d_aa.vec",
        input=f"torch._upsample_{_name}2d_aa_backward(grad, grad.size()[2:], input.size(), align_corners, "
        "scale_at(scale_factors, 0), scale_at(scale_factors, 1))",
    )
derivative(
    "im2col",
    self="torch.col2im(grad, [self.size(-2), self.size(-1)], kernel_size, dilation, padding, stride)",
)
derivative("col2im", self="torch.im2col(grad, kernel_size, dilation, padding, stride)")
derivative(
    "_embedding_bag",
    weight="torch._embedding_bag_backward(grad, indices, offsets, result1, result2, result3, weight.size(0), "
    "scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx)",
    per_sample_weights="torch._embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, result1, mode, "
    "padding_idx)",
    indices="not_differentiable",
    offsets="not_differentiable",
    result1="not_differentiable",
    result2="not_differentiable",
    result3="not_differentiable",
)
derivative(
    "_ctc_loss _ctc_loss.Tensor",
    log_probs="torch._ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, "
    "zero_infinity)",
    result1="not_differentiable",
)

# Rounding to what 8 bits hold: gradients go through where nothing was cut off.

for _kind in ("tensor", "channel"):
    derivative(
        f"fake_quantize_per_{_kind}_affine_cachemask",
        self="grad * mask",
        scale="not_differentiable",
        zero_point="not_differentiable",
        mask="not_differentiable",
    )
_LEVELS = "quant_min: int, quant_max: int"
parts(
    "fake_quantize_per_tensor_affine",
    f"self: Tensor, scale: float, zero_point: int, {_LEVELS}",
    "return torch.fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, quant_min, quant_max)[0]",
)
parts(
    "fake_quantize_per_tensor_affine.tensor_qparams",
    f"self: Tensor, scale: Tensor, zero_point: Tensor, {_LEVELS}",
    """
    enabled = torch.ones([1], dtype=torch.uint8)
    return torch._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(
        self, scale, zero_point, enabled, quant_min, quant_max)[0]
""",
)
derivative(
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
    self="grad * mask",
    scale="not_differentiable",
    zero_point="not_differentiable",
    fake_quant_enabled="not_differentiable",
    mask="not_differentiable",
)
parts(
    "fake_quantize_per_channel_affine",
    f"self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, {_LEVELS}",
    "return torch.fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, quant_min, quant_max)[0]",
)
