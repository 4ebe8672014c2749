# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(4, 5))
def rows_and_columns(x):
    return x[0], x[-1], x[:, 1], x[2, 3]


@program(floats(4, 5))
def slices(x):
    return x[1:], x[:2], x[1:3], x[::2], x[:, 1:-1]


@program(floats(2, 3, 4))
def ellipses(x):
    return x[..., 0], x[0, ...], x[..., 1:], x[:, ..., 1]


@program(floats(2, 3))
def new_axes(x):
    return x[None], x[:, None], x[..., None], x[None, :, None]


@program(floats(4, 5), np.array([0, 2]))
def by_tensor(x, i):
    return x[i], x[:, i], x[i, i], x[1, i]


@program(floats(4, 5), np.array([0, 2]))
def by_tensor_and_slice(x, i):
    return x[i, 1:3], x[1:, i], x[i][:, None]


@program(floats(4, 5))
def by_list(x):
    return x[[0, 2]], x[:, [1, 3]]


@program(floats(4, 5))
def by_mask(x):
    return x[x > 0].sum(), torch.masked_select(x, x > 0.2)


@program(floats(4, 5), np.array([2]))
def by_number_tensor(x, i):
    return x[i[0]], x[:, i[0]]


@program(floats(4, 5), np.array([0, 2]))
def selections(x, i):
    return x.index_select(1, i), torch.index_select(x, 0, i), x.select(0, 1), x.take(i)


@program(floats(3, 4), np.array([[0, 1, 2, 3], [1, 0, 3, 2], [3, 3, 0, 0]]))
def gathered(x, i):
    return x.gather(1, i), torch.take_along_dim(x, i, 1)


@program(floats(3, 4), np.array([[0, 1, 2, 0]]))
def scattered(x, i):
    return x.scatter(0, i, 1.0), x.scatter_add(0, i, x), torch.scatter(x, 0, i, x)


@program(floats(4, 5), np.array([0, 2]), floats(2, 5))
def index_writes(x, i, y):
    return x.index_add(0, i, y), x.index_copy(0, i, y), x.index_fill(0, i, 2.0)


@program(floats(3, 4))
def largest(x):
    values, places = x.topk(2)
    return values, places, x.sort(dim=1)[0], x.argsort(1)


@program(floats(3, 4))
def nonzero_places(x):
    return (x > 0).nonzero(), torch.nonzero(x > 0.3)


@program(floats(4, 5))
def assigned_row(x):
    y = x.clone()
    y[0] = 1
    y[1] = x[2]
    return y


@program(floats(4, 5))
def assigned_slice(x):
    y = x.clone()
    y[:, 1] += 2.5
    y[1:3, :2] = 0
    return y


@program(floats(4, 5), np.array([0, 2]))
def assigned_by_tensor(x, i):
    y = x.clone()
    y[i] = 3.0
    y[:, i] = x[:, i] * 2
    return y


@program(floats(4, 5), np.array([0, 2]), floats(1, 1, 2, 5))
def assigned_by_tensor_with_leading_ones(x, i, values):
    y = x.clone()
    y[i] = values
    y[i, :1] = values[0, :, :, :1]
    y[i, 0] = values[..., 0]
    return y


@program(floats(4, 5))
def nothing_chosen(x):
    return x[x > 100], x[:0] * 2, torch.masked_select(x, x > 100)


@program(floats(4, 5))
def assigned_by_mask(x):
    y = x.clone()
    y[y < 0] = 0.0
    return y


@program(floats(4, 5))
def whole(x):
    return x[:], x[...]


@program(ints(2, 3), floats(7, 4))
def embedded(i, table):
    return F.embedding(i, table), table[i]


@program(ints(2, 3))
def one_hot(i):
    return F.one_hot(i, 7), F.one_hot(i)
