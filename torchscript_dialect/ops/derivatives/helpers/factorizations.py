"""What derivatives of factorizations call."""

SOURCE = """
def skew(x: Tensor) -> Tensor:
    return x - x.transpose(-1, -2).conj()

def ratio(x: Tensor, y: Tensor) -> Tensor:
    return x / torch.where(x == 0, torch.ones_like(y), y)

def require_same_phase(one: Tensor, other: Tensor, what: str, term: str) -> None:
    if not torch.allclose(one, other, 1e-2, 1e-2):
        raise RuntimeError(what + " in the complex case are specified up to multiplication by e^{i phi}. "
            + "The specified loss function depends on this " + term + " ill-defined.")

def require_no_phase(around: Tensor, name: str) -> None:
    phase = torch.imag(around.diagonal(0, -2, -1))
    require_same_phase(phase, torch.zeros_like(phase), name + ": The eigenvectors", "quantity, so it is")

def of_svd(grad_u: Tensor, grad_s: Tensor, grad_vh: Tensor, u: Tensor, s: Tensor, vh: Tensor) -> Tensor:
    k = s.size(-1)
    left, right = u.narrow(-1, 0, k), vh.narrow(-2, 0, k)
    gu, gv = grad_u.narrow(-1, 0, k), grad_vh.narrow(-2, 0, k)
    around = torch.matmul(adjoint(left), gu)
    turned = skew(around)
    beside = torch.matmul(gv, adjoint(right))
    row, column = s.unsqueeze(-2), s.unsqueeze(-1)
    gaps = (row - column) * (row + column) + torch.diag_embed(torch.ones_like(s))
    inner = ratio(turned * row - column * skew(beside), gaps)
    if u.is_complex():
        phase, other = torch.imag(turned.diagonal(0, -2, -1)), torch.imag(skew(beside).diagonal(0, -2, -1))
        require_same_phase(phase, other, "svd_backward: The singular vectors", "phase term, making it")
        inner = inner + torch.diag_embed(ratio(turned.diagonal(0, -2, -1), 2 * s))
    inner = inner + torch.diag_embed(grad_s.to(inner.dtype))
    whole = torch.matmul(left, inner)
    if u.size(-2) > k:
        whole = whole + ratio(gu - torch.matmul(left, around), row)
    whole = torch.matmul(whole, right)
    if vh.size(-1) > k:
        whole = whole + torch.matmul(left, ratio(gv - torch.matmul(beside, right), column))
    return whole

def of_singular_values(grad: Tensor, x: Tensor) -> Tensor:
    u, s, vh = torch.linalg_svd(x, False)
    return torch.matmul(u * grad.to(u.dtype).unsqueeze(-2), vh)

def of_eigen(grad_values: Tensor, grad_vectors: Tensor, values: Tensor, vectors: Tensor) -> Tensor:
    turned = adjoint(vectors)
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1) + torch.diag_embed(torch.full_like(values, float("inf")))
    inner = torch.matmul(turned, grad_vectors)
    if inner.is_complex():
        require_no_phase(inner, "linalg_eigh_backward")
    inner = ratio(0.5 * (inner - adjoint(inner)), gaps)
    inner = inner + torch.diag_embed(grad_values.to(inner.dtype))
    return torch.matmul(vectors, torch.matmul(inner, turned))

def of_eigenvalues(grad: Tensor, x: Tensor) -> Tensor:
    values, vectors = torch.linalg_eig(x)
    turned = adjoint(vectors)
    return torch.linalg_solve(turned, grad.unsqueeze(-1) * turned)

def of_general_eigen(grad_values: Tensor, grad_vectors: Tensor, values: Tensor, vectors: Tensor) -> Tensor:
    turned = adjoint(vectors)
    inner = torch.matmul(turned, grad_vectors)
    require_no_phase(inner, "linalg_eig_backward")
    along = torch.real(inner.diagonal(0, -2, -1)).unsqueeze(-2)
    inner = inner - torch.matmul(turned, vectors * along)
    gaps = (values.unsqueeze(-2) - values.unsqueeze(-1)).conj()
    one = torch.diag_embed(torch.ones_like(values))
    inner = ratio(inner * (1 - one), gaps + one) + torch.diag_embed(grad_values)
    return torch.linalg_solve(turned, torch.matmul(inner, turned))

def of_square_qr(grad_q: Tensor, grad_r: Tensor, q: Tensor, r: Tensor) -> Tensor:
    inner = (torch.matmul(grad_r, adjoint(r)) - torch.matmul(adjoint(q), grad_q)).triu(0)
    whole = inner + adjoint(inner)
    whole = whole - torch.diag_embed(0.5 * whole.diagonal(0, -2, -1))
    return torch.linalg_solve_triangular(adjoint(r), grad_q + torch.matmul(q, whole), upper=False, left=False)

def of_qr(grad_q: Tensor, grad_r: Tensor, q: Tensor, r: Tensor, mode: str) -> Tensor:
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
            "Please use linalg.qr(A, mode='reduced') if you are going to require gradients.")
    rows, columns = q.size(-2), r.size(-1)
    if mode == "complete" and rows > columns:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    if rows >= columns:
        return of_square_qr(grad_q, grad_r, q, r)
    square, rest = r.narrow(-1, 0, rows), r.narrow(-1, rows, columns - rows)
    of_rest = grad_r.narrow(-1, rows, columns - rows)
    of_q = grad_q + torch.matmul(torch.matmul(q, rest), adjoint(of_rest))
    first = of_square_qr(of_q, grad_r.narrow(-1, 0, rows), q, square)
    return torch.cat([first, torch.matmul(q, of_rest)], -1)

def of_lu(grad_l: Tensor, grad_u: Tensor, l: Tensor, u: Tensor) -> Tensor:
    k, rows, columns = l.size(-1), l.size(-2), u.size(-1)
    low, high = l.narrow(-2, 0, k), u.narrow(-1, 0, k)
    of_low, of_high = grad_l.narrow(-2, 0, k), grad_u.narrow(-1, 0, k)
    if rows > k:
        below = torch.linalg_solve_triangular(adjoint(high), grad_l.narrow(-2, k, rows - k), upper=False, left=False)
        of_high = of_high - torch.matmul(adjoint(l.narrow(-2, k, rows - k)), below)
        inner = torch.matmul(adjoint(low), of_low).tril(-1) + torch.matmul(of_high, adjoint(high)).triu(0)
        inner = torch.linalg_solve_triangular(adjoint(low), inner, upper=True, unitriangular=True)
        inner = torch.linalg_solve_triangular(adjoint(high), inner, upper=False, left=False)
        return torch.cat([inner, below], -2)
    beside = grad_u.narrow(-1, k, columns - k)
    beside = torch.linalg_solve_triangular(adjoint(low), beside, upper=True, unitriangular=True)
    of_low = of_low - torch.matmul(beside, adjoint(u.narrow(-1, k, columns - k)))
    inner = torch.matmul(adjoint(low), of_low).tril(-1) + torch.matmul(of_high, adjoint(high)).triu(0)
    inner = torch.linalg_solve_triangular(adjoint(low), inner, upper=True, unitriangular=True)
    inner = torch.linalg_solve_triangular(adjoint(high), inner, upper=False, left=False)
    return torch.cat([inner, beside], -1)

def of_lu_factor(grad: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
    p, l, u = torch.lu_unpack(lu, pivots)
    k = l.size(-1)
    return torch.matmul(p, of_lu(grad.narrow(-1, 0, k).tril(-1), grad.narrow(-2, 0, k).triu(0), l, u))

def of_permuted_lu(grad_l: Tensor, grad_u: Tensor, p: Tensor, l: Tensor, u: Tensor, pivot: bool) -> Tensor:
    whole = of_lu(grad_l, grad_u, l, u)
    if pivot:
        return torch.matmul(p, whole)
    return whole

def of_unpacked_lu(grad_l: Tensor, grad_u: Tensor, lu: Tensor) -> Tensor:
    rows, columns = lu.size(-2), lu.size(-1)
    k = min(rows, columns)
    low = torch.constant_pad_nd(grad_l.tril(-1), [0, columns - k], 0)
    return low + torch.constant_pad_nd(grad_u.triu(0), [0, 0, 0, rows - k], 0)

def of_pseudoinverse(grad: Tensor, result: Tensor, x: Tensor) -> Tensor:
    turned, back = adjoint(grad), adjoint(result)
    if x.size(-2) <= x.size(-1):
        k = torch.matmul(turned, result)
        kb = torch.matmul(k, back)
        rest = turned - torch.matmul(k, x)
        inner = kb - torch.matmul(torch.matmul(x, result), kb)
        return inner - adjoint(torch.matmul(result, k)) + torch.matmul(torch.matmul(back, result), rest)
    k = torch.matmul(result, turned)
    bk = torch.matmul(back, k)
    rest = turned - torch.matmul(x, k)
    inner = bk - torch.matmul(torch.matmul(bk, result), x)
    return inner - adjoint(torch.matmul(k, result)) + torch.matmul(torch.matmul(rest, result), back)

def of_least_squares(
        grad: Tensor, grad_residuals: Tensor, x: Tensor, b: Tensor, solution: Tensor
) -> Tuple[Tensor, Tensor]:
    is_row = is_vector(x, b)
    g, right, found = grad, b, solution
    if is_row:
        g, right, found = grad.unsqueeze(-1), b.unsqueeze(-1), solution.unsqueeze(-1)
    inverse_of_x = torch.linalg_pinv(x)
    of_b = torch.matmul(adjoint(inverse_of_x), g)
    of_x = of_pseudoinverse(torch.matmul(g, adjoint(right)), inverse_of_x, x)
    if grad_residuals.numel() > 0:
        distance = torch.matmul(x, found) - right
        slope = 2 * grad_residuals.unsqueeze(-1 if is_row else -2) * distance
        of_b = of_b - slope
        of_x = of_x + torch.matmul(slope, adjoint(found))
    if is_row:
        of_b = of_b.squeeze(-1)
    return of_x, of_b

def reflected(x: Tensor, v: Tensor, tau: Tensor, place: int) -> Tensor:
    one = v.narrow(-1, place, 1)
    rows = v.size(-2)
    above, at = torch.zeros_like(one.narrow(-2, 0, place)), torch.ones_like(one.narrow(-2, place, 1))
    below = torch.cat([above, at, one.narrow(-2, place + 1, rows - place - 1)], -2)
    scale = tau.narrow(-1, place, 1).unsqueeze(-1)
    return x - scale * torch.matmul(below, torch.matmul(below.transpose(-1, -2).conj(), x))
"""
