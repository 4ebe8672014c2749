"""Live functions and modules of PyTorch's, taken over."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)
        self.tied = torch.nn.Linear(3, 2)
        self.tied.weight = self.fc.weight
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        self.steps += 1
        return self.fc(x) + self.tied(x)


def _kinds():
    x = torch.ones(1, 3)
    yield torch.jit.script(Net())
    yield torch.jit.trace(Net(), x)
    yield torch.jit.freeze(torch.jit.script(Net().eval()), preserved_attrs=["steps"])


@pytest.mark.filterwarnings("ignore")
def test_modules_give_what_pytorchs_give():
    x = torch.tensor([[1.0, -2.0, 3.0]])
    for theirs in _kinds():
        ours = ts.from_torch(theirs)
        expected = theirs(x).detach().numpy()
        assert np.allclose(ours(x).detach().numpy(), expected, rtol=1e-5)


@pytest.mark.filterwarnings("ignore")
def test_parameters_are_the_same_memory():
    theirs = torch.jit.script(Net())
    ours = ts.from_torch(theirs)
    assert isinstance(ours, ts.ScriptModule)
    assert ours.fc.weight is ours.tied.weight
    with torch.no_grad():
        theirs.fc.weight.fill_(7.0)
    assert (ours.fc.weight.detach().numpy() == 7).all()
    ours(np.ones((1, 3), np.float32))
    assert theirs.steps.item() == 1


def _power(x, n: int = 2):
    y = torch.ones_like(x)
    for _ in range(n):
        y = y * x
    return y + torch.tensor([1.0, 2.0])


@pytest.mark.filterwarnings("ignore")
def test_functions_keep_their_schema_and_graph():
    theirs = torch.jit.script(_power)
    ours = ts.from_torch(theirs)
    x = np.array([2.0, 3.0], np.float32)
    assert isinstance(ours, ts.ScriptFunction)
    assert str(ours.schema) == str(theirs.schema)
    assert ours(x, n=3).tolist() == theirs(torch.from_numpy(x), n=3).tolist()
    assert ours.code == theirs.code


def test_other_objects_are_refused():
    with pytest.raises(TypeError, match="from_torch takes a ScriptModule or ScriptFunction"):
        ts.from_torch(Net())


def test_a_parameter_that_a_module_is_given_later_gets_gradients():
    module = ts.script(Net())
    x = torch.tensor([[1.0, -2.0, 3.0]])
    for _ in range(3):
        module(x)
    given = torch.nn.Parameter(torch.full((2,), 5.0))
    module.fc.bias = given
    module(x).sum().backward()
    assert module.fc.bias.requires_grad
    assert module.fc.bias.grad.tolist() == [1.0, 1.0]
    with torch.no_grad():
        given.fill_(7.0)
    assert module.fc.bias.tolist() == [7.0, 7.0]


class Chosen(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = 0
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        for _ in range(self.depth):
            x = x * self.weight
        return x


@pytest.mark.parametrize("enabled", [True, False])
def test_an_argument_that_is_returned_is_that_tensor(enabled):
    module = ts.script(Chosen())
    for _ in range(4):
        x = torch.ones(3, requires_grad=True)
        with torch.set_grad_enabled(enabled):
            assert module(x) is x


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", ["x / 255.0", "x * 2.5 + 1", "(x - 3).exp()", "2.5 * x", "x**0.5"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "float32"])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_numbers_of_a_trace_are_no_tensors(text, dtype, shape):
    x = torch.full(shape, 4, dtype=getattr(torch, dtype))
    theirs = torch.jit.trace(_program(text), x)
    ours = ts.from_torch(theirs)
    for _ in range(4):  # the first is interpreted, the last is a kernel
        given, expected = ours(x), theirs(x)
        assert given.dtype.name == str(expected.dtype).removeprefix("torch.")
        assert np.allclose(given.numpy(), expected.numpy(), rtol=1e-3)


@pytest.mark.filterwarnings("ignore")
def test_numbers_of_a_submodule_of_a_trace_are_no_tensors():
    class Inner(torch.nn.Module):
        def forward(self, x):
            return x / 255.0

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x).exp()

    x = torch.ones(2, dtype=torch.uint8)
    ours = ts.from_torch(torch.jit.trace(Outer(), x))
    assert [ours(x).dtype.name for _ in range(4)] == ["float32"] * 4


class Around(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_subclasses_of_script_module_are_taken_over():
    """PyTorch takes their methods off the class, alone or within another module."""

    class Declared(torch.jit.ScriptModule):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(2, 2)

        @torch.jit.script_method
        def forward(self, x):
            return self.linear(x)

    declared, x = Declared(), torch.ones(1, 2)
    ours = ts.script(declared)
    assert ours.code == declared.code
    assert np.allclose(ours(x).detach(), declared(x).detach())
    around = ts.script(Around(declared))
    assert np.allclose(around(x).detach(), declared(x).detach() + 1)
    with torch.no_grad():
        declared.linear.bias += 1
    assert np.allclose(around(x).detach(), declared(x).detach() + 1)


def _program(text):
    return eval(f"lambda x: {text}")
