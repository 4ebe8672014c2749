"""Derivatives of linear algebra."""

from torchscript_dialect.ops.derivatives.declaring import derivative

derivative("linalg_inv", A="of_inverse(grad, result)")
derivative("inverse", self="of_inverse(grad, result)")
derivative("linalg_inv_ex", A="of_inverse(grad, inverse)")
derivative("linalg_det", A="of_determinant(grad, result, A)")
derivative("det", self="of_determinant(grad, result, self)")
derivative("logdet", self="of_log_determinant(grad, self)")
derivative("linalg_slogdet", A="of_sign_and_log(grad_sign, grad_logabsdet, sign, A)")
derivative("slogdet", self="of_sign_and_log(grad_sign, grad_logabsdet, sign, self)")
derivative(
    "linalg_solve",
    A="of_left_side(grad, A, B, result, left)",
    B="of_right_side(grad, A, B, left)",
)
derivative(
    "linalg_solve_triangular",
    self="of_triangle(grad, self, result, upper, left, unitriangular)",
    B="torch.linalg_solve_triangular(adjoint(self), grad, upper=not upper, left=left, unitriangular=unitriangular)",
)
derivative("linalg_cholesky", self="of_cholesky(grad, result, upper)")
derivative("cholesky", self="of_cholesky(grad, result, upper)")
derivative("linalg_cholesky_ex", self="of_cholesky(grad, L, upper)")
derivative("linalg_matrix_exp matrix_exp", self="of_exponential(grad, self)")
derivative(
    "linalg_eigh", self="of_eigen(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors)"
)
