# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3, 4))
def flatten_all_but_first(x):
    return x.view(x.size(0), -1)


@program(floats(2, 3, 4))
def shape_unpacked(x):
    b, c, t = x.shape
    return x.reshape(b * c, t)


@program(floats(2, 3, 4))
def shape_indexed(x):
    return x.reshape(x.shape[0], x.shape[1] * x.shape[2])


@program(floats(2, 3, 4))
def shape_method(x):
    size = x.size()
    return x.view(size[0], size[1] * size[2])


@program(floats(2, 3, 4))
def size_arithmetic(x):
    n = x.size(1)
    return x.reshape(-1, n // 3, n * 4 - 8), n + 1, n / 2


@program(floats(2, 3, 4))
def slice_of_shape(x):
    return x.view(x.shape[:-1] + (2, 2))  # noqa: RUF005, as models do


@program(floats(2, 3, 4))
def concatenated_shape(x):
    return x.view(*x.shape[:2], 2, -1)


@program(floats(2, 3))
def size_in_arithmetic(x):
    return x / x.size(1), x * x.shape[0], x.sum() / x.numel()


@program(floats(2, 3))
def as_dimension(x):
    return x.expand(x.size(0), x.size(1)), x.unsqueeze(0).expand(4, -1, -1), x.repeat(2, x.size(0))


@program(floats(2, 6))
def size_as_bound(x):
    n = x.size(1) // 2
    return x[:, :n], x[:, n:], x.narrow(1, 0, n)


@program(floats(2, 3))
def new_of_size(x):
    return torch.zeros(x.size(0), 4), torch.ones(x.shape), torch.full((x.size(1),), 2.0)


@program(floats(2, 3))
def ranges(x):
    return (
        torch.arange(x.size(1)),
        torch.arange(0, x.size(0)),
        torch.arange(1, 10, 2),
        torch.arange(3.0),
    )


@program(floats(2, 3, 4))
def transposes(x):
    return x.transpose(1, 2), x.permute(2, 0, 1), x[0].t(), x.swapaxes(0, 1), x.mT


@program(floats(2, 1, 3))
def squeezes(x):
    return x.squeeze(1), x.unsqueeze(-1), x.squeeze(), x[:, 0].unsqueeze(0)


@program(floats(2, 3, 4))
def flattenings(x):
    return x.flatten(), x.flatten(1), torch.flatten(x, 0, 1), x.unflatten(2, (2, 2))


@program(floats(4, 6))
def chunks(x):
    a, b, c = x.chunk(3, dim=1)
    d, e = torch.chunk(x, 2)
    return a * b + c, d - e


@program(floats(4, 6))
def splits(x):
    a, b = x.split(3, dim=1)
    c, d, e = torch.split(x, [1, 2, 3], dim=1)
    return a + b, c, d, e


@program(floats(3, 2))
def unbound(x):
    a, b, c = x.unbind(0)
    return a + b * c


@program(floats(3, 2))
def iterated(x):
    total = torch.zeros(2)
    for row in x:
        total = total + row
    return total


@program(floats(2, 3), floats(2, 3))
def joined(x, y):
    return (
        torch.cat([x, y], dim=0),
        torch.cat((x, y, x), 1),
        torch.stack([x, y]),
        torch.hstack((x, y)),
    )


@program(floats(2, 3), floats(2, 3))
def stacked(x, y):
    return torch.vstack([x, y]), torch.dstack([x, y]), torch.stack((x, y), dim=-1)


@program(floats(2, 3, 4))
def rolled(x):
    return x.roll(1, 0), torch.flip(x, [1, 2]), x.rot90(1, [1, 2])


@program(floats(2, 3))
def length(x):
    return x * len(x)


@program(floats(2, 3))
def rank(x):
    return x.sum(dim=x.dim() - 1), x.mean(x.ndim - 1)


@program(floats(3, 4))
def triangles(x):
    return x.tril(), x.triu(1), torch.tril(x, -1), torch.diagonal(x)


@program(floats(2, 3, 4))
def view_as_other(x):
    return x.view_as(x), x.reshape_as(x), x.expand_as(x)


@program(floats(2, 3))
def loop_over_size(x):
    total = x.sum()
    for i in range(x.size(0)):
        total = total + x[i, 0]
    return total


@program(floats(2, 8))
def heads(x):
    b, d = x.shape
    q = x.view(b, 4, d // 4)
    return q.transpose(0, 1).reshape(b, d)


@program(floats(2, 3))
def size_of_result(x):
    y = x @ x.t()
    return y.view(y.size(0) * y.size(1)), y.new_zeros(y.size(-1))


@program(floats(2, 3))
def negative_dimensions(x):
    return x.size(-1), x.shape[-2], x.transpose(-1, -2).size(0)


@program(floats(4, 4))
def unfolded(x):
    return x.unfold(1, 2, 1), x.as_strided((2, 2), (4, 1)), x.diag()


@program(floats(2, 3))
def movedim_alias(x):
    return x.movedim(0, 1), torch.moveaxis(x, 0, 1), torch.swapdims(x, 0, 1)


@program(floats(2, 3))
def number_of_elements(x):
    return x.reshape(x.numel()), x.view(-1)[: x.numel() - 2], x.nelement() + x
