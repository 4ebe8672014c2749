# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program(floats(2, 3))
class OneLinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x)


@program(floats(2, 3))
class TwoLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2, bias=False)

    def forward(self, x):
        return self.second(F.relu(self.first(x)))


@program(floats(2, 3))
class InSequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        return self.body(x) + 1


@program(floats(2, 3))
class Repeated(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(self.fc(self.fc(x)))


@program(floats(2, 3))
class InList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3), nn.ReLU()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x) + x
        return x


@program(floats(2, 3))
class InDict(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 2)})

    def forward(self, x):
        return self.parts["b"](self.parts["a"](x))


@program(floats(2, 3))
class OwnParameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("shift", torch.zeros(3))

    def forward(self, x):
        return x * self.scale + self.shift


@program(floats(2, 3))
class WeightOfChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) @ self.fc.weight + self.fc.bias.sum()


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        return y, x + y


@program(floats(2, 3))
class SeveralResults(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        a, b = self.inner(x)
        return a * b


@program(floats(2, 3))
class OneResultUnused(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x)[1] * 2


class Remembers(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        self.seen = self.fc(x)
        return self.seen + 1


@program(floats(2, 3))
class UsesWhatWasInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Remembers()

    def forward(self, x):
        y = self.inner(x)
        return y * self.inner.seen


class TakesSize(nn.Module):
    def forward(self, x, n):
        return x.view(n, -1)


@program(floats(2, 3, 2))
class GivesSize(nn.Module):
    def __init__(self):
        super().__init__()
        self.shaped = TakesSize()

    def forward(self, x):
        return self.shaped(x, x.size(0))


class UsesOther(nn.Module):
    def forward(self, x, other):
        return x @ other.weight


@program(floats(2, 3))
class GivesModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.user = UsesOther()

    def forward(self, x):
        return self.user(x, self.fc)


class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.next = Deep(depth - 1) if depth else nn.Identity()

    def forward(self, x):
        return self.next(self.fc(x)) + x


@program(floats(2, 3))
class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.deep = Deep(3)

    def forward(self, x):
        return self.deep(x)


@program(floats(2, 3))
class SharedModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = self.a

    def forward(self, x):
        return self.a(x) + self.b(x)


@program(floats(2, 3))
class SharedParameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3, bias=False)
        self.b = nn.Linear(3, 3, bias=False)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.a(x) + self.b(x)


@program(floats(2, 3), floats(2, 3))
class TwoInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = WeighsBoth()

    def forward(self, x, y):
        return self.pair(x, other=y)


class WeighsBoth(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.second = nn.Linear(3, 2, bias=False)

    def forward(self, x, other):
        return self.first(x) * self.second(other)


@program(floats(2, 3))
class TupleToChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.child = FirstOfPair()

    def forward(self, x):
        return self.child((x, x + 1))


class FirstOfPair(nn.Module):
    def forward(self, pair):
        return pair[0] * pair[1]


@program(floats(2, 3))
class UnusedChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(3, 3)
        self.unused = nn.Linear(3, 3)

    def forward(self, x):
        return self.used(x)


@program(floats(2, 3))
class WithoutGradient(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        with torch.no_grad():
            y = self.fc(x)
        return y + self.fc.weight.detach().sum()


@program(floats(2, 3))
class ListResult(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        outs = []
        for _ in range(2):
            x = self.fc(x)
            outs.append(x)
        return torch.stack(outs)


@program(floats(2, 3), strict=False)
class DictResult(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return {"out": self.fc(x), "in": x * 2}


@program(floats(2, 3))
class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.fc.register_forward_hook(lambda module, inputs, result: result * 2)

    def forward(self, x):
        return self.fc(x)


@program(floats(2, 3))
class HelperMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def helper(self, x):
        return self.fc(x) + 1

    def forward(self, x):
        return self.helper(x) * self.helper(x)


@program(floats(2, 3))
class PythonAttributes(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale, self.name = 2.5, "net"
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) * self.scale if self.name else x


@program(floats(2, 3))
class ParametersInList(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))])

    def forward(self, x):
        return x * self.weights[0] + self.weights[1]
