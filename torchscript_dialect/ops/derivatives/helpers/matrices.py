"""What derivatives of linear algebra call."""

SOURCE = """
def adjoint(x: Tensor) -> Tensor:
    return x.transpose(-1, -2).conj()

def of_inverse(grad: Tensor, result: Tensor) -> Tensor:
    turned = adjoint(result)
    return -torch.matmul(turned, torch.matmul(grad, turned))

def of_determinant(grad: Tensor, result: Tensor, x: Tensor) -> Tensor:
    # That of a singular matrix is 0, as in PyTorch, unless it is differentiated again.
    if x.size(-1) == 1:
        return grad.unsqueeze(-1).unsqueeze(-1)
    is_singular = (result == 0).unsqueeze(-1).unsqueeze(-1)
    identity = torch.eye(x.size(-1), dtype=x.dtype, device=x.device)
    inverse = torch.linalg_inv(torch.where(is_singular, identity, x))
    gradient = (grad * result.conj()).unsqueeze(-1).unsqueeze(-1) * adjoint(inverse)
    if torch.is_grad_enabled() and bool(is_singular.any()):
        cofactors = grad.unsqueeze(-1).unsqueeze(-1) * of_singular_determinant(is_singular, x)
        return torch.where(is_singular, cofactors, gradient)
    return gradient

def of_singular_determinant(is_singular: Tensor, x: Tensor) -> Tensor:
    # The conjugate cofactors of matrices that are singular, by their singular values, and anything for others.
    distinct = torch.arange(1, x.size(-1) + 1, device=x.device).to(x.dtype).diag()
    left, values, right = torch.linalg_svd(torch.where(is_singular, x, distinct))
    own = torch.eye(x.size(-1), dtype=torch.bool, device=x.device)
    others = values.unsqueeze(-2).expand(x.size()).masked_fill(own, 1.0).prod(-1)
    turn = (torch.linalg_det(left) * torch.linalg_det(right)).conj().unsqueeze(-1).unsqueeze(-1)
    return turn * torch.matmul(left * others.unsqueeze(-2), right)

def of_log_determinant(grad: Tensor, x: Tensor) -> Tensor:
    return grad.unsqueeze(-1).unsqueeze(-1) * adjoint(torch.linalg_inv(x))

def of_sign_and_log(grad_sign: Tensor, grad_log: Tensor, sign: Tensor, x: Tensor) -> Tensor:
    if not x.is_complex():
        return of_log_determinant(grad_log, x)
    turn = grad_log - 1j * torch.imag(grad_sign.conj() * sign)
    return of_log_determinant(turn, x)

def is_vector(a: Tensor, b: Tensor) -> bool:
    if b.dim() == 1:
        return True
    return b.dim() + 1 == a.dim() and b.size() == a.size()[:-1]

def of_right_side(grad: Tensor, a: Tensor, b: Tensor, left: bool) -> Tensor:
    return torch.linalg_solve(adjoint(a), grad, left=left)

def of_left_side(grad: Tensor, a: Tensor, b: Tensor, result: Tensor, left: bool) -> Tensor:
    inner = torch.linalg_solve(adjoint(a), grad, left=left)
    if is_vector(a, b):
        return -torch.matmul(inner.unsqueeze(-1), adjoint(result.unsqueeze(-1)))
    if left:
        return -torch.matmul(inner, adjoint(result))
    return -torch.matmul(adjoint(result), inner)

def of_triangle(grad: Tensor, a: Tensor, result: Tensor, upper: bool, left: bool, unit: bool) -> Tensor:
    inner = torch.linalg_solve_triangular(adjoint(a), grad, upper=not upper, left=left, unitriangular=unit)
    if left:
        whole = -torch.matmul(inner, adjoint(result))
    else:
        whole = -torch.matmul(adjoint(result), inner)
    diagonal = 1 if unit else 0
    if upper:
        return whole.triu(diagonal)
    return whole.tril(-diagonal)

def of_cholesky(grad: Tensor, result: Tensor, upper: bool) -> Tensor:
    low, g = result, grad
    if upper:
        low, g = adjoint(result), adjoint(grad)
    inner = torch.matmul(adjoint(low), g).tril(0)
    whole = 0.5 * (inner + adjoint(inner.tril(-1)))
    turned = torch.linalg_solve_triangular(adjoint(low), whole, upper=True, left=True)
    return torch.linalg_solve_triangular(low, turned, upper=False, left=False)

def of_factor(factor: Tensor, common: Tensor, upper: bool) -> Tensor:
    if upper:
        return -torch.matmul(factor, common)
    return -torch.matmul(common, factor)

def of_both_sides(turned: Tensor, result: Tensor) -> Tensor:
    common = torch.matmul(turned, adjoint(result))
    return common + adjoint(common)

def of_exponential(grad: Tensor, x: Tensor) -> Tensor:
    n = x.size(-1)
    turned = adjoint(x)
    top = torch.cat([turned, grad], -1)
    low = torch.cat([torch.zeros_like(turned), turned], -1)
    whole = torch.linalg_matrix_exp(torch.cat([top, low], -2))
    return whole.narrow(-2, 0, n).narrow(-1, n, n)
"""
