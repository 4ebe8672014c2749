"""Derivatives of reductions and scans."""

from torchscript_dialect.ops.derivatives.declaring import derivative, not_differentiable

derivative("sum", self="grad.expand(self.size())")
derivative("sum.dim_IntList", self="restored(grad, dim, keepdim, self.dim()).expand(self.size())")
derivative(
    "nansum",
    self="restored(grad, dim, keepdim, self.dim()).expand(self.size()) * self.isnan().logical_not()",
)
derivative("mean", self="grad.expand(self.size()) / self.numel()")
derivative(
    "mean.dim",
    self="restored(grad, dim, keepdim, self.dim()).expand(self.size()) / count_of(self, dim)",
)
derivative("prod", self="whole_product(grad, self.reshape([-1]), result).reshape(self.size())")
derivative(
    "prod.dim_int",
    self="product_of(restored(grad, [dim], keepdim, self.dim()), self, restored(result, [dim], keepdim, self.dim()), dim)",
)
derivative("var.correction", self="variance_of(grad, self, dim, correction, keepdim)")
derivative(
    "std.correction", self="variance_of(deviation(grad, result), self, dim, correction, keepdim)"
)
derivative(
    "amax amin",
    self="evenly(restored(grad, dim, keepdim, self.dim()), self == restored(result, dim, keepdim, self.dim()), dim)",
)
derivative("max min", self="shared(grad, result, self, [])")
derivative("median nanmedian", self="first_of(grad, result, self)")
derivative(
    "max.dim min.dim median.dim nanmedian.dim mode",
    self="selected(grad, indices, self, dim, keepdim)",
    indices="not_differentiable",
)
derivative(
    "kthvalue", self="selected(grad, indices, self, dim, keepdim)", indices="not_differentiable"
)
derivative("topk", self="selected(grad, indices, self, dim, True)", indices="not_differentiable")
derivative("sort", self="selected(grad, indices, self, dim, True)", indices="not_differentiable")
derivative(
    "sort.stable", self="selected(grad, indices, self, dim, True)", indices="not_differentiable"
)
derivative("cumsum", self="reversed_sum(grad, dim)")
derivative("cumprod", self="cumulative_product(grad, self, result, dim)")
derivative("logcumsumexp", self="log_sums(grad, self, result, dim)")
derivative(
    "cummax cummin", self="selected_many(grad, indices, self, dim)", indices="not_differentiable"
)
derivative(
    "logsumexp",
    self="restored(grad, dim, keepdim, self.dim()) * torch.exp(self - restored(result, dim, keepdim, self.dim())).conj()",
)
derivative("linalg_vector_norm", self="norm_of(grad, self, ord, dim, keepdim, result)")
derivative("norm.Scalar", self="norm_of(grad, self, p, None, False, result)")
derivative(
    "norm.ScalarOpt_dim", self="norm_of(grad, self, 2 if p is None else p, dim, keepdim, result)"
)
derivative(
    "norm.ScalarOpt_dtype", self="norm_of(grad, self, 2 if p is None else p, None, False, result)"
)
derivative(
    "norm.ScalarOpt_dim_dtype",
    self="norm_of(grad, self, 2 if p is None else p, dim, keepdim, result)",
)
derivative("renorm", self="renormed(grad, self, p, dim, maxnorm)")
derivative("trace", self="traced(grad, self)")
not_differentiable(
    "all any argmax argmin argsort count_nonzero nonzero histc searchsorted bucketize"
)
