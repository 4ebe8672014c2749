# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@torch.jit.script
def scaled(x, n: int):
    if n > 2:
        x = x * n
    else:
        x = x + n
    return x


@torch.jit.script
def halves(x):
    return x / 2, x * 2


@torch.jit.script
def looped(x, n: int):
    for _ in range(n):
        x = x + 1
    return x


@torch.jit.script
def calls(x):
    return looped(x, 2) * 2


@torch.jit.script
def rows(x):
    return [x[0], x[1]]


@program(floats(2, 3))
def function(x):
    return scaled(x, 3) + scaled(x, 1)


@program(floats(2, 3))
def tuple_of_results(x):
    a, b = halves(x)
    return a + b


@program(floats(2, 3))
def that_calls(x):
    return calls(x + 1)


@program(floats(2, 3))
def list_of_results(x):
    a, b = rows(x)
    return a * b


@program(floats(2, 3))
class FunctionInModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return looped(self.fc(x), 3)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        if bool(x.sum() > 0):
            return self.fc(x)
        return x


@program(floats(2, 3))
class ScriptedChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.jit.script(Gate())

    def forward(self, x):
        return self.gate(x) + 1


@program(floats(2, 3))
class ScriptedGrandchild(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), torch.jit.script(Gate()))

    def forward(self, x):
        return self.body(x) * 2
