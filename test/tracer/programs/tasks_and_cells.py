# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3))
def forked_function(x):
    task = torch.jit.fork(torch.tanh, x)
    y = x + 1
    return torch.jit.wait(task) * y


@program(floats(2, 3), floats(2, 3))
def forked_twice(x, y):
    def product(a, b):
        return a * b, a

    first = torch.jit.fork(product, x, y)
    second = torch.jit.fork(product, y, y)
    (a, b), (c, d) = torch.jit.wait(first), torch.jit.wait(second)
    return a + b, c - d


@program(floats(2, 3), floats(2, 3))
def fork_in_fork(x, y):
    def outer(a):
        inner = torch.jit.fork(lambda b: b * y, a)
        z = a - 1
        return torch.jit.wait(inner) + z

    return torch.jit.wait(torch.jit.fork(outer, x)) / 2


@program(floats(2, 3))
def fork_that_captures(x):
    y = x * 2
    task = torch.jit.fork(lambda: y.exp() + x)
    return torch.jit.wait(task) + torch.jit.wait(task)


@program(floats(2, 3))
def constants_in_and_outside_a_fork(x):
    table = torch.ones(3)
    task = torch.jit.fork(lambda a: a + table, x)
    return torch.jit.wait(task) * table


@program(floats(2, 4))
class ForkedLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(4, 3), nn.Tanh())
        self.right = nn.Linear(4, 3)

    def forward(self, x):
        left = torch.jit.fork(self.left, x)
        right = torch.jit.fork(self.right, x)
        return torch.jit.wait(left) + torch.jit.wait(right)


@program(floats(2, 4))
class ForkInALayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = ForkedLayers()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        task = torch.jit.fork(lambda a: self.inner(a) * self.scale, x)
        return torch.jit.wait(task) + self.inner(x)


@program(floats(2, 3), floats(2, 4), floats(2, 4))
class LstmCell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)

    def forward(self, x, h, c):
        for _ in range(2):
            h, c = self.cell(x, (h, c))
        return h, c


@program(floats(2, 3), (floats(2, 4), floats(2, 4)))
class LstmCellWithoutBias(nn.LSTMCell):
    def __init__(self):
        super().__init__(3, 4, bias=False)


@program(floats(2, 3), floats(2, 4))
class GruCell(nn.GRUCell):
    def __init__(self):
        super().__init__(3, 4)


@program(floats(3))
class GruCellOfOneRow(nn.GRUCell):
    def __init__(self):
        super().__init__(3, 4, bias=False)


@program(floats(2, 3), floats(2, 4))
class TanhCell(nn.RNNCell):
    def __init__(self):
        super().__init__(3, 4)


@program(floats(2, 3))
class ReluCell(nn.RNNCell):
    def __init__(self):
        super().__init__(3, 4, nonlinearity="relu")
