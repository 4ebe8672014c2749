# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3))
def methods(x):
    y = x.clone()
    y.add_(1)
    y.mul_(2.0)
    y.relu_()
    return y


@program(floats(2, 3), floats(2, 3))
def operators(x, y):
    z = x * 1
    z += y
    z -= 0.5
    z *= y
    z /= 2
    return z


@program(floats(2, 3))
def through_view(x):
    y = x * 2
    y[0].zero_()
    y.t()[1].fill_(5.0)
    return y


@program(floats(2, 3))
def dead_writes(x):
    y = x * 2
    y.zero_()
    return x + 1


@program(floats(2, 3))
def result_used(x):
    y = x.clone()
    z = y.add_(1)
    return z * y


@program(floats(2, 3), floats(2, 3))
def copies(x, y):
    z = torch.empty_like(x)
    z.copy_(y)
    return z + x


@program(floats(2, 3))
def functional_in_place(x):
    y = x + 0
    F.relu(y, inplace=True)
    return y


@program(floats(2, 3))
def masked(x):
    y = x.clone()
    y.masked_fill_(y > 0, 1.0)
    y.clamp_(min=-0.5)
    return y


@program(floats(2, 3), np.array([1]))
def indexed(x, i):
    y = x.clone()
    y.index_fill_(1, i, 0.0)
    y.scatter_(1, i.unsqueeze(0), 4.0)
    return y


@program(floats(2, 3))
def into_out(x):
    y = torch.empty(2, 3)
    torch.add(x, x, out=y)
    return y


@program(floats(2, 3))
def list_of_rows(x):
    rows = []
    for i in range(2):
        rows.append(x[i] * i)
    return torch.stack(rows)


@program(floats(2, 3), floats(3, 2))
def detached_in_place(x, w):
    y = x @ w
    y.detach_()
    return y * 2
