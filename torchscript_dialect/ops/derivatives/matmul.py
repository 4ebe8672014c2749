"""Derivatives of products of matrices."""

from torchscript_dialect.ops.derivatives.declaring import derivative

derivative("mm", self="grad.mm(mat2.t().conj())", mat2="self.t().conj().mm(grad)")
derivative("_sparse_mm", sparse="grad.mm(dense.t().conj())", dense="sparse.t().conj().mm(grad)")
derivative(
    "bmm",
    self="grad.bmm(mat2.transpose(1, 2).conj())",
    mat2="self.transpose(1, 2).conj().bmm(grad)",
)
_SLOPES = "(grad / result).masked_fill(result == 0, 0)"
derivative(
    "_euclidean_dist",
    x1=f"x1 * {_SLOPES}.sum([-1], True) - {_SLOPES}.matmul(x2)",
    x2=f"x2 * {_SLOPES}.sum([-2]).unsqueeze(-1) - {_SLOPES}.mT.matmul(x1)",
)
derivative("mv", self="grad.outer(vec.conj())", vec="self.t().conj().mv(grad)")
derivative("dot", self="grad * tensor.conj()", tensor="grad * self.conj()")
derivative("vdot", self="grad.conj() * other", other="grad * self")
derivative(
    "linalg_cross",
    self="torch.linalg_cross(other.conj(), grad, dim=dim)",
    other="torch.linalg_cross(grad, self.conj(), dim=dim)",
)
derivative(
    "outer ger",
    self="grad.mv(vec2.conj().to(grad.dtype))",
    vec2="grad.t().mv(self.conj().to(grad.dtype))",
)
derivative(
    "matmul linalg_matmul",
    self="matmul_left(grad, self, other)",
    other="matmul_right(grad, self, other)",
)
derivative(
    "addmm _sparse_addmm",
    self="times(grad, beta)",
    mat1="times(grad.mm(mat2.t().conj()), alpha)",
    mat2="times(mat1.t().conj().mm(grad), alpha)",
)
derivative(
    "addmv",
    self="times(grad, beta)",
    mat="times(grad.outer(vec.conj()), alpha)",
    vec="times(mat.t().conj().mv(grad), alpha)",
)
derivative(
    "addr",
    self="times(grad, beta)",
    vec1="times(grad.mv(vec2.conj()), alpha)",
    vec2="times(grad.t().mv(vec1.conj()), alpha)",
)
derivative(
    "baddbmm",
    self="times(grad, beta)",
    batch1="times(grad.bmm(batch2.transpose(1, 2).conj()), alpha)",
    batch2="times(batch1.transpose(1, 2).conj().bmm(grad), alpha)",
)
derivative(
    "addbmm",
    self="times(grad, beta)",
    batch1=(
        "times(grad.unsqueeze(0).expand([batch1.size(0), batch1.size(1), "
        "batch2.size(2)]).bmm(batch2.transpose(1, 2).conj()), alpha)"
    ),
    batch2=(
        "times(batch1.transpose(1, 2).conj().bmm(grad.unsqueeze(0).expand([batch1.size(0), "
        "batch1.size(1), batch2.size(2)])), alpha)"
    ),
)
derivative(
    "linear",
    input="matmul_left(grad, input, weight.t())",
    weight="linear_weight(grad, input, weight)",
    bias="grad",
)
derivative("einsum", tensors="einsum_of(grad, equation, tensors)")
