# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3, 4))
def sums(x):
    return x.sum(), x.sum(1), x.sum((0, 2)), x.sum(dim=1, keepdim=True), torch.sum(x, dim=-1)


@program(floats(2, 3, 4))
def means(x):
    return x.mean(), x.mean(1), x.mean((0, 2)), x.mean(-1, keepdim=True), x.mean(dim=[0, 1])


@program(floats(2, 3, 4))
def spreads(x):
    return x.var(), x.var(1), x.std(dim=2, unbiased=False), torch.var(x, dim=(1, 2), keepdim=True)


@program(floats(2, 3, 4))
def extremes_along(x):
    values, places = x.max(dim=1)
    return values, places, x.max(), x.min(dim=-1, keepdim=True)[0], x.amax(1), x.amin((0, 1))


@program(floats(2, 3, 4))
def arguments(x):
    return x.argmax(), x.argmax(1), x.argmin(dim=-1, keepdim=True)


@program(floats(2, 3, 4))
def products(x):
    return x.prod(), x.prod(1), x.cumsum(1), x.cumprod(dim=0)


@program(floats(2, 3))
def quantifiers(x):
    return (x > 0).all(), (x > 0).any(1), (x > 0).all(dim=0), (x > 0).sum()


@program(floats(2, 3, 4))
def norms(x):
    return x.norm(), x.norm(dim=1), torch.norm(x, 2, -1, True), torch.linalg.vector_norm(x, 1)


@program(floats(2, 3, 4))
def exponentials(x):
    return x.logsumexp(1), x.softmax(-1), torch.log_softmax(x, dim=1), F.softmax(x, dim=0)


@program(floats(2, 3))
def softmax_to_dtype(x):
    return F.softmax(x, dim=-1, dtype=torch.float64), x.sum(dtype=torch.float64)


@program(floats(4, 3))
def order_statistics(x):
    return x.median(), x.kthvalue(2, 0)[0], x.median(dim=0)[0], x.mode(0)[0]


@program(floats(2, 3), floats(2, 3))
def distances(x, y):
    return (
        torch.dist(x, y),
        torch.cdist(x, y),
        torch.cosine_similarity(x, y),
        torch.pairwise_distance(x, y),
    )


@program(floats(3, 4))
def normalized(x):
    return (x - x.mean(0)) / (x.std(0) + 1e-5), F.normalize(x, dim=1)


@program(ints(3, 4))
def counted(x):
    return x.bincount() if x.dim() == 1 else x.flatten().bincount()


@program(floats(2, 3))
def variance_with_mean(x):
    v, m = torch.var_mean(x, dim=1)
    return v + m
