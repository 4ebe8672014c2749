"""Derivatives of activations."""

from torchscript_dialect.ops.derivatives.declaring import derivative

derivative("relu", self="torch.threshold_backward(grad, result, 0)")
derivative("relu6", self="torch.hardtanh_backward(grad, self, 0, 6)")
derivative("threshold", self="torch.threshold_backward(grad, self, threshold)")
derivative("hardtanh", self="torch.hardtanh_backward(grad, self, min_val, max_val)")
derivative("leaky_relu", self="torch.leaky_relu_backward(grad, self, negative_slope, False)")
derivative("elu", self="torch.elu_backward(grad, alpha, scale, input_scale, False, self)")
derivative(
    "selu",
    self="torch.elu_backward(grad, 1.6732632423543772, 1.0507009873554805, 1.0, False, self)",
)
derivative("celu", self="torch.elu_backward(grad, alpha, 1.0, inverse(alpha), False, self)")
derivative("gelu", self="torch.gelu_backward(grad, self, approximate=approximate)")
derivative("silu", self="torch.silu_backward(grad, self)")
derivative("mish", self="torch.mish_backward(grad, self)")
derivative("softplus", self="torch.softplus_backward(grad, self, beta, threshold)")
derivative(
    "log_sigmoid",
    self="torch.log_sigmoid_backward(grad, self, torch.exp(-torch.abs(self)))",
)
derivative(
    "log_sigmoid_forward",
    self="torch.log_sigmoid_backward(grad, self, result1)",
    buffer="not_differentiable",
)
derivative("hardsigmoid", self="torch.hardsigmoid_backward(grad, self)")
derivative("hardswish", self="torch.hardswish_backward(grad, self)")
derivative("hardshrink", self="torch.hardshrink_backward(grad, self, lambd)")
derivative("softshrink", self="torch.softshrink_backward(grad, self, lambd)")
derivative(
    "prelu _prelu_kernel",
    self="torch.where(self > 0, grad, grad * by_channel(weight, self))",
    weight="sum_by_channel(torch.where(self > 0, 0.0, grad * self), weight)",
)
derivative(
    "rrelu_with_noise",
    self="torch.where(self > 0, grad, grad * noise) if training"
    " else torch.where(self > 0, grad, grad * ((lower + upper) / 2))",
    noise="not_differentiable",
)
derivative("glu", self="torch.glu_backward(grad, self, dim)")
derivative(
    "_softmax softmax.int special_softmax _safe_softmax",
    self="torch._softmax_backward_data(grad, result, dim, result.dtype)",
)
derivative(
    "_log_softmax log_softmax.int special_log_softmax",
    self="torch._log_softmax_backward_data(grad, result, dim, result.dtype)",
)
