# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3))
def filled(x):
    return (
        x + torch.zeros(2, 3),
        x + torch.ones(3),
        x + torch.full((2, 3), 1.5),
        x + torch.eye(3)[0],
    )


@program(floats(2, 3))
def like(x):
    return (
        torch.zeros_like(x),
        torch.ones_like(x),
        torch.full_like(x, 2),
        torch.zeros_like(x, dtype=torch.float64),
    )


@program(floats(2, 3))
def new(x):
    return (
        x.new_zeros(2, 3),
        x.new_ones((3,)),
        x.new_full((2,), 7.0),
        x.new_zeros(3, dtype=torch.int64),
    )


@program(floats(2, 3))
def dtypes_of_new(x):
    return (
        torch.zeros(2, dtype=torch.int64),
        torch.ones(2, 2, dtype=torch.float64),
        torch.arange(4, dtype=torch.float32),
    )


@program(floats(3))
def constants(x):
    return x + torch.tensor([1.0, 2.0, 3.0]), x * torch.tensor(2.0)


@program(floats(2, 3))
def casts(x):
    return x.to(torch.float64), x.long(), x.double().float(), x.to(dtype=torch.int32), x.bool()


@program(floats(2, 3), ints(2, 3))
def casts_to_other(x, n):
    return n.to(x.dtype), n.type_as(x), n.float() + x, n.to(x)


@program(floats(2, 3))
def same_dtype(x):
    y = x.float()
    return y + x.to(torch.float32)


@program(floats(2, 3))
def to_device(x):
    return x.to("cpu") + 1, x.to(x.device) * 2


@program(floats(2, 3))
def devices_of_new(x):
    return torch.zeros(2, 3, device=x.device, dtype=x.dtype) + x


@program(floats(3))
def spaced(x):
    return x + torch.linspace(0, 1, 3), torch.logspace(0, 1, 3)


@program(floats(3), floats(2))
def grids(x, y):
    a, b = torch.meshgrid(x, y, indexing="ij")
    return a * b


@program(floats(2, 3))
def positions(x):
    return x + torch.arange(x.size(1), device=x.device).unsqueeze(0)


@program(floats(2, 4))
def causal_mask(x):
    n = x.size(1)
    mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
    return torch.zeros(n, n).masked_fill(mask, float("-inf"))


@program(floats(2, 3))
def complex_numbers(x):
    z = torch.complex(x, x)
    return torch.view_as_real(z * z), z.abs(), z.real
