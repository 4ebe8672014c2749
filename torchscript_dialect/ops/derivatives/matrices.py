"""Derivatives of linear algebra."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

derivative("linalg_inv", A="of_inverse(grad, result)")
derivative("inverse", self="of_inverse(grad, result)")
derivative("linalg_inv_ex", A="of_inverse(grad, inverse)")
derivative("linalg_det", A="of_determinant(grad, result, A)")
derivative("det", self="of_determinant(grad, result, self)")
derivative("logdet", self="of_log_determinant(grad, self)")
derivative(
    "_linalg_det",
    A="of_determinant(grad, result, A)",
    LU="not_differentiable",
    pivots="not_differentiable",
)
derivative(
    "_linalg_slogdet",
    A="of_sign_and_log(grad_sign, grad_logabsdet, sign, A)",
    LU="not_differentiable",
    pivots="not_differentiable",
)
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
derivative(
    "cholesky_inverse",
    self="of_factor(self, torch.matmul(result, torch.matmul(grad + adjoint(grad), result)), upper)",
)
derivative(
    "cholesky_solve",
    self="torch.cholesky_solve(grad, input2, upper)",
    input2="of_factor(input2, of_both_sides(torch.cholesky_solve(grad, input2, upper), result), upper)",
)
derivative("linalg_matrix_exp matrix_exp", self="of_exponential(grad, self)")
for _name, _matrix in (("linalg_eigh", "self"), ("_linalg_eigh", "A")):
    derivative(
        _name,
        **{_matrix: "of_eigen(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors)"},
    )
derivative(
    "linalg_solve_ex",
    A="of_left_side(grad, A, B, result, left)",
    B="of_right_side(grad, A, B, left)",
)
derivative("linalg_svdvals", A="of_singular_values(grad, A)")
derivative(
    "_linalg_solve_ex",
    A="of_left_side(grad, A, B, result, left)",
    B="of_right_side(grad, A, B, left)",
    LU="not_differentiable",
    pivots="not_differentiable",
)
derivative("linalg_svd", A="of_svd(grad_U, grad_S, grad_Vh, U, S, Vh)")
derivative(
    "_linalg_svd",
    A="of_svd(grad_U, grad_S, grad_Vh, U, S, Vh) if compute_uv else of_singular_values(grad_S, A)",
)
parts(
    "svd",
    "self: Tensor, some: bool, compute_uv: bool",
    """
    u, s, vh = torch.linalg_svd(self, not some)
    if not compute_uv:
        u, vh = torch.zeros_like(u), torch.zeros_like(vh)
    return u, s, vh.transpose(-1, -2).conj()
""",
    "Tuple[Tensor, Tensor, Tensor]",
)
derivative(
    "linalg_eig",
    self="of_general_eigen(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors)",
)
derivative("linalg_eigvals", self="of_eigenvalues(grad, self)")
derivative("linalg_qr", A="of_qr(grad_Q, grad_R, Q, R, mode)")
derivative("qr", self="of_qr(grad_Q, grad_R, Q, R, 'reduced' if some else 'complete')")
derivative("linalg_lu", A="of_permuted_lu(grad_L, grad_U, P, L, U, pivot)", P="not_differentiable")
derivative("linalg_lu_factor linalg_lu_factor_ex", A="of_lu_factor(grad, LU, pivots)")
derivative("_lu_with_info", self="of_lu_factor(grad, LU, pivots)")
derivative("lu_unpack", LU_data="of_unpacked_lu(grad_L, grad_U, LU_data)", P="not_differentiable")
parts(
    "linalg_lu_solve",
    "LU: Tensor, pivots: Tensor, B: Tensor, left: bool, adjoint: bool",
    """
    if not left:
        turned = torch.linalg_lu_solve(LU, pivots, B.transpose(-1, -2).conj(), left=True, adjoint=not adjoint)
        return turned.transpose(-1, -2).conj()
    p, low, high = torch.lu_unpack(LU, pivots)
    if adjoint:
        inner = torch.linalg_solve_triangular(high.transpose(-1, -2).conj(), B, upper=False)
        inner = torch.linalg_solve_triangular(low.transpose(-1, -2).conj(), inner, upper=True, unitriangular=True)
        return torch.matmul(p, inner)
    inner = torch.matmul(p.transpose(-1, -2), B)
    inner = torch.linalg_solve_triangular(low, inner, upper=False, unitriangular=True)
    return torch.linalg_solve_triangular(high, inner, upper=True)
""",
)
parts(
    "lu_solve",
    "self: Tensor, LU_data: Tensor, LU_pivots: Tensor",
    "return torch.linalg_lu_solve(LU_data, LU_pivots, self)",
)
for _name in (
    "linalg_pinv",
    "linalg_pinv.atol_rtol_float",
    "linalg_pinv.atol_rtol_tensor",
    "linalg_pinv.rcond_tensor",
    "pinverse",
):
    derivative(_name, self="of_pseudoinverse(grad, result, self)")
derivative(
    "linalg_lstsq",
    self__b="of_least_squares(grad_solution, grad_residuals, self, b, solution)",
    singular_values="not_differentiable",
)
parts(
    "triangular_solve",
    "self: Tensor, A: Tensor, upper: bool, transpose: bool, unitriangular: bool",
    """
    side = A.transpose(-1, -2) if transpose else A
    result = torch.linalg_solve_triangular(side, self, upper=upper != transpose, unitriangular=unitriangular)
    given = A.expand(result.size()[:-2] + A.size()[-2:])
    by_columns = torch.empty_like(given.mT, memory_format=torch.contiguous_format).mT.stride()
    return result, torch.empty_strided(given.size(), by_columns, dtype=A.dtype, device=A.device).copy_(given)
""",
    "Tuple[Tensor, Tensor]",
)
parts(
    "linalg_householder_product",
    "input: Tensor, tau: Tensor",
    """
    result = torch.eye(input.size(-2), input.size(-1), dtype=input.dtype, device=input.device).expand(input.size())
    count = tau.size(-1)
    if count == 0:
        return input.clone().copy_(result)
    for place in range(count):
        result = reflected(result, input, tau, count - 1 - place)
    by_columns = torch.empty_like(input.mT, memory_format=torch.contiguous_format).mT.stride()
    return torch.empty_strided(input.size(), by_columns, dtype=input.dtype, device=input.device).copy_(result)
""",
)
parts(
    "orgqr",
    "self: Tensor, input2: Tensor",
    "return torch.linalg_householder_product(self, input2)",
)
parts(
    "ormqr",
    "self: Tensor, input2: Tensor, input3: Tensor, left: bool, transpose: bool",
    """
    if not left:
        turned = torch.ormqr(self, input2, input3.transpose(-1, -2).conj(), True, not transpose)
        return turned.transpose(-1, -2).conj()
    result = input3
    count = input2.size(-1)
    for place in range(count):
        if transpose:
            result = reflected(result, self, input2.conj(), place)
        else:
            result = reflected(result, self, input2, count - 1 - place)
    return result
""",
)
