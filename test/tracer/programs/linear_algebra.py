# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3), floats(3, 4))
def products(x, y):
    return x @ y, torch.mm(x, y), x.matmul(y), torch.matmul(x, y[:, 0])


@program(floats(2, 3, 4), floats(2, 4, 5))
def batched(x, y):
    return torch.bmm(x, y), x @ y, torch.baddbmm(torch.ones(2, 3, 5), x, y)


@program(floats(3), floats(3), floats(3, 3))
def vectors(x, y, m):
    return torch.dot(x, y), m.mv(x), torch.outer(x, y), torch.addmv(x, m, y)


@program(floats(2, 3), floats(4, 3), floats(4))
def affine(x, w, b):
    return (
        F.linear(x, w, b),
        F.linear(x, w),
        torch.addmm(b, x, w.t()),
        torch.addmm(b, x, w.t(), beta=0.5, alpha=2),
    )


@program(floats(2, 3, 4), floats(2, 4, 5))
def sums_of_products(x, y):
    return torch.einsum("bij,bjk->bik", x, y), torch.einsum("bij->bj", x)


@program(floats(2, 4, 8))
def attention(x):
    scores = x @ x.transpose(-2, -1) / x.size(-1) ** 0.5
    return scores.softmax(-1) @ x


@program(floats(1, 2, 4, 8))
def scaled_dot_product(x):
    return F.scaled_dot_product_attention(x, x, x), F.scaled_dot_product_attention(
        x, x, x, is_causal=True
    )


@program(floats(3, 3))
def kroneckers(x):
    return torch.kron(x, x), torch.trace(x)


@program(floats(3), floats(3))
def crossed(x, y):
    return torch.cross(x, y, dim=0), torch.inner(x, y)
