"""Derivatives of activations."""

from torchscript_dialect.ops.derivatives.declaring import derivative

derivative("relu", self="torch.where(result <= 0, 0.0, grad)")
derivative("relu6", self="torch.where(torch.logical_and(self > 0, self < 6), grad, 0.0)")
derivative("threshold", self="torch.where(self <= threshold, 0.0, grad)")
derivative(
    "hardtanh", self="torch.where(torch.logical_and(self > min_val, self < max_val), grad, 0.0)"
)
derivative("leaky_relu", self="torch.where(self > 0, grad, grad * negative_slope)")
derivative("elu", self="elu_of(grad, self, alpha, scale, input_scale)")
derivative("selu", self="elu_of(grad, self, 1.6732632423543772, 1.0507009873554805, 1.0)")
derivative("celu", self="elu_of(grad, self, alpha, 1.0, inverse(alpha))")
derivative("gelu", self="gelu_of(grad, self, approximate)")
derivative(
    "silu", self="grad * (torch.sigmoid(self) * (1 + self * (1 - torch.sigmoid(self)))).conj()"
)
derivative("mish", self="mish_of(grad, self)")
derivative("softplus", self="softplus_of(grad, self, beta, threshold)")
derivative("log_sigmoid", self="grad * torch.sigmoid(-self)")
derivative("log_sigmoid_forward", self="grad * torch.sigmoid(-self)", buffer="not_differentiable")
derivative("hardsigmoid", self="torch.where(torch.logical_and(self > -3, self < 3), grad / 6, 0.0)")
derivative("hardswish", self="hardswish_of(grad, self)")
derivative(
    "hardshrink softshrink",
    self="torch.where(torch.logical_or(self < -1.0 * lambd, self > lambd), grad, 0.0)",
)
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
derivative("glu", self="glu_of(grad, self, dim)")
derivative("_softmax", self="softmax_of(grad, result, dim)")
derivative("softmax.int special_softmax", self="softmax_of(grad, result, dim)")
derivative(
    "_log_softmax log_softmax.int special_log_softmax", self="log_softmax_of(grad, result, dim)"
)
