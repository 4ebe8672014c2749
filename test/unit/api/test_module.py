"""ScriptModule: what modules of PyTorch have and do besides being called."""

import copy
import pickle
from types import MethodType
from typing import Any, Final

import numpy as np
import pytest

import torchscript_dialect as ts
from support import archives
from torchscript_dialect import torch
from torchscript_dialect.frontend.python.module_methods import property_names


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)
        self.register_buffer("steps", torch.zeros(1))
        self.seen = [1]

    def forward(self, x):
        self.seen.append(2)
        self.steps += 1
        return self.fc(x) if self.training else x


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Inner()
        self.two = Inner()
        self.two.fc = self.one.fc
        self.act = torch.nn.ReLU()

    def forward(self, x):
        return self.act(self.two(self.one(x)))


@pytest.fixture(params=["scripted", "loaded"])
def module(request):
    made = ts.script(Outer())
    return made if request.param == "scripted" else ts.load(made.save_to_buffer())


X = np.array([[1.0, -2.0]], np.float32)


def test_tensors_are_named_once_and_saved_wherever_they_are(module):
    assert [name for name, _ in module.named_parameters()] == ["one.fc.weight", "one.fc.bias"]
    assert [name for name, _ in module.named_buffers()] == ["one.steps", "two.steps"]
    assert sorted(module.state_dict()) == sorted(
        f"{part}.{name}" for part in ("one", "two") for name in ("fc.weight", "fc.bias", "steps")
    )
    assert list(module.one.named_parameters(recurse=False)) == []


def test_modules_are_named_by_their_paths(module):
    assert [name for name, _ in module.named_modules()] == [
        "",
        "one",
        "one.fc",
        "two",
        "two.fc",
        "act",
    ]
    assert [name for name, _ in module.named_children()] == ["one", "two", "act"]


def test_a_state_is_written_into_the_tensors_that_are_there(module):
    weight = module.one.fc.weight
    state = {name: np.full(t.shape, 3.0) for name, t in module.state_dict().items()}
    assert str(module.load_state_dict(state)) == "<All keys matched successfully>"
    assert (weight.detach().numpy() == 3).all()


def test_a_state_that_does_not_fit_is_told_as_pytorch_does(module):
    state = dict(module.state_dict())
    del state["one.steps"]
    state["three"] = state["two.steps"]
    state["one.fc.bias"] = np.zeros(5)
    with pytest.raises(RuntimeError) as error:
        module.load_state_dict(state)
    assert str(error.value) == (
        "Error(s) in loading state_dict for Outer:\n"
        '\tMissing key(s) in state_dict: "one.steps". \n'
        '\tUnexpected key(s) in state_dict: "three". \n'
        "\tsize mismatch for one.fc.bias: copying a param with shape torch.Size([5]) from checkpoint,"
        " the shape in current model is torch.Size([2])."
    )
    del state["one.fc.bias"]
    assert module.load_state_dict(state, strict=False) == (["one.steps", "one.fc.bias"], ["three"])


def test_train_and_eval_reach_all_modules(module):
    assert module.eval() is module
    assert module(X).tolist() == [[1.0, 0.0]]
    module.train()
    assert all(inner.training for inner in module.modules())


def test_dtypes_change_and_tied_weights_stay_tied(module):
    module.double()
    assert module.one.fc.weight is module.two.fc.weight
    assert {str(p.dtype) for p in module.parameters()} == {"torch.float64"}
    assert str(module(X.astype(np.float64)).dtype) == "torch.float64"
    with pytest.raises(RuntimeError, match="not on device 'mps'"):
        module.to("mps")
    with pytest.raises(TypeError, match="only accepts floating point"):
        module.to(torch.int64)


def test_a_copy_shares_and_a_deep_copy_does_not(module):
    shallow, deep = copy.copy(module), copy.deepcopy(module)
    before = deep(X).tolist()
    module.one.fc.weight.data.numpy()[:] = 0
    assert shallow.one is module.one
    assert deep(X).tolist() == before
    assert deep.one.fc.weight is deep.two.fc.weight
    assert deep.one is not module.one
    assert module.one.seen == [1]


def test_pickling_takes_a_module_along(module):
    again = pickle.loads(pickle.dumps(module))
    assert again(X).tolist() == module(X).tolist()


def test_the_repr_shows_the_tree(module):
    assert repr(module) == (
        "ScriptModule(\n"
        "  original_name=Outer\n"
        "  (one): ScriptModule(\n"
        "    original_name=Inner\n"
        "    (fc): ScriptModule(original_name=Linear)\n"
        "  )\n"
        "  (two): ScriptModule(\n"
        "    original_name=Inner\n"
        "    (fc): ScriptModule(original_name=Linear)\n"
        "  )\n"
        "  (act): ScriptModule(original_name=ReLU)\n"
        ")"
    )


def test_an_attribute_takes_what_has_its_type(module):
    module.one.seen = [4, 5]
    assert module.one.seen == [4, 5]
    with pytest.raises(RuntimeError, match="Could not cast attribute 'seen' to type List"):
        module.one.seen = "text"
    module.one.notes = "Python's own"
    assert module.one.notes == "Python's own"


def test_whether_gradients_are_asked_for_is_saved():
    module = ts.script(Outer())
    module.requires_grad_(False)
    again = ts.load(module.save_to_buffer())
    assert not any(one.requires_grad for one in again.parameters())
    again.requires_grad_()
    assert all(one.requires_grad for one in ts.load(again.save_to_buffer()).parameters())


def test_constants_come_with_the_code():
    module = ts.load(archives.FOLDER / "mixed.pt")
    code, constants = module.code_with_constants
    assert "CONSTANTS.c0" in code
    assert constants.c0.tolist() == [[1.0, 2.0, 3.0, 4.0]]


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x) + x


def test_equal_layers_are_one_type_that_is_compiled_once(monkeypatch):
    seen = []

    def counted(class_):
        seen.append(class_.__name__)
        return property_names(class_)

    monkeypatch.setattr("torchscript_dialect.frontend.compile.property_names", counted)
    module = ts.script(torch.nn.Sequential(*(Block() for _ in range(50))))
    assert sorted(seen) == ["Block", "Linear", "Sequential"]
    assert len({id(layer.forward._function.op) for layer in module}) == 1
    loaded = ts.load(module.save_to_buffer())
    assert len({id(layer.forward._function.op) for layer in loaded}) == 1


@torch.jit.script
def twice(x):
    return x * 2


def test_methods_are_defined_from_text_and_see_the_names_of_the_caller():
    module = ts.script(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()))
    module.define("def f(self, x, n: int = 3):\n    return twice(self.forward(x)) * n\n")
    assert torch.allclose(module.f(X), module(X) * 6)
    loaded = ts.load(module.save_to_buffer())
    loaded.define("def g(self, x):\n    return self.f(x, 1) + 1\n")
    assert torch.allclose(loaded.g(X), module(X) * 2 + 1)


def test_a_text_that_is_no_method_leaves_the_module_as_it_was():
    module = ts.script(torch.nn.ReLU())
    with pytest.raises(ts.TorchScriptError, match="undefined value nothing"):
        module.define("def f(self, x):\n    return x\n\ndef g(self, x):\n    return nothing(x)\n")
    assert not hasattr(module, "f")
    with pytest.raises(ts.TorchScriptError, match="method 'forward' already defined"):
        module.define("def forward(self, x):\n    return x\n")
    module.define("def f(self, x):\n    return self.forward(x) + 1\n")
    assert module.f(torch.zeros(1)).tolist() == [1]


def test_containers_are_containers_when_compiled_and_loaded():
    layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh(), torch.nn.ReLU()])
    named = torch.nn.ModuleDict({"a": torch.nn.ReLU(), "b": torch.nn.Tanh()})

    class Holder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = layers
            self.named = named

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    made = ts.script(Holder())
    for module in (made, ts.load(made.save_to_buffer())):
        assert len(module.layers) == 3 and bool(module.layers)
        assert [layer.original_name for layer in module.layers] == ["ReLU", "Tanh", "ReLU"]
        assert module.layers[1] is module.layers[-2]
        assert len(module.layers[1:]) == 2
        assert list(module.named) == ["a", "b"] and "a" in module.named
        assert module.named["b"].original_name == "Tanh"
        assert [name for name, _ in module.named.items()] == ["a", "b"]
        with pytest.raises(TypeError, match="'Holder' is no container of modules"):
            len(module)
        with pytest.raises(IndexError):
            module.layers[3]


def test_a_constant_cannot_be_set() -> None:
    """It was set on the Python object, and the program went on with the one that it was compiled with."""

    class Scaled(torch.nn.Module):
        __constants__ = ("factor",)

        def __init__(self) -> None:
            super().__init__()
            self.factor = 4

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.factor

    module = ts.script(Scaled())
    with pytest.raises(RuntimeError, match="Can't set constant 'factor' which has value:4"):
        module.factor = 5
    assert module(np.ones(1, np.float32)).tolist() == [4]


class Counted(torch.nn.Module):
    weight: torch.Tensor
    count: int

    def __init__(self):
        super().__init__()
        self.weight = torch.ones(2)
        self.count = 3

    def forward(self, x):
        return x * self.weight + self.count

    @torch.jit.export
    def __getstate__(self) -> tuple[torch.Tensor, int, bool]:
        return self.weight + 1, self.count + 1, self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[torch.Tensor, int, bool]) -> None:
        self.weight = state[0] * 10
        self.count = state[1] * 2
        self.training = state[2]


class Around(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Counted()

    def forward(self, x):
        return self.inner(x)


class Shown(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 1

    def forward(self, x):
        return x + self.count

    @torch.jit.export
    def __getstate__(self) -> int:
        return self.count


@pytest.mark.parametrize("make", [Counted, Around])
def test_deep_copies_are_made_of_states(make: type[torch.nn.Module]) -> None:
    module = ts.script(make())
    x = np.ones(2, np.float32)
    assert module(x).tolist() == [4, 4]
    assert copy.copy(module)(x).tolist() == [4, 4]
    assert copy.deepcopy(module)(x).tolist() == [28, 28]
    assert module(x).tolist() == [4, 4]
    assert pickle.loads(pickle.dumps(module))(x).tolist() == [28, 28]


def test_a_state_that_is_not_taken_up_is_none() -> None:
    module = ts.script(Shown())
    x = np.ones(2, np.float32)
    assert module.__getstate__() == 1
    assert copy.deepcopy(module)(x).tolist() == [2, 2]
    assert pickle.loads(pickle.dumps(module))(x).tolist() == [2, 2]


def test_constants_are_attributes() -> None:
    class Fixed(torch.nn.Module):
        factor: Final[int]

        def __init__(self) -> None:
            super().__init__()
            self.factor = 3

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.factor

    module = ts.script(Fixed())
    assert module.factor == 3
    with pytest.raises(RuntimeError, match="Can't set constant 'factor'"):
        module.factor = 4


def test_a_property_that_is_unused_is_not_compiled() -> None:
    class Partly(torch.nn.Module):
        @torch.jit.unused
        @property
        def told(self) -> str:  # pyright: ignore[reportRedeclaration]
            return str(sum(len(name) for name in vars(self)))

        @told.setter
        def told(self, value: str) -> None:
            raise NotImplementedError

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

    assert ts.script(Partly())(torch.zeros(1)).item() == 1


def test_an_ignored_method_of_the_object_itself() -> None:
    class Asks(torch.nn.Module):
        @torch.jit.ignore
        def name(self) -> str:
            return "class"

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x

    @torch.jit.ignore
    def own(self: torch.nn.Module) -> str:
        return "object"

    module = Asks()
    module.name = MethodType(own, module)
    assert ts.script(module).name() == "object"
    assert ts.script(Asks()).name() == "class"


def test_an_object_says_what_is_compiled_in_its_place() -> None:
    def add(a: int, b: int) -> int:
        return a + b

    class Adder:
        def __call__(self, *numbers: int) -> int:
            return sum(numbers)

        def __prepare_scriptable__(self):
            return add

    assert ts.script(Adder())(1, 2) == 3


class Custom(torch.nn.Module):
    saved: bool
    loaded: int

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.saved, self.loaded = False, 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)

    @torch.jit.export
    def _save_to_state_dict(
        self, destination: dict[str, torch.Tensor], prefix: str, keep_vars: bool
    ):
        self.saved = True

    @torch.jit.export
    def _load_from_state_dict(
        self,
        state_dict: dict[str, torch.Tensor],
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ):
        self.loaded += len(state_dict)


@pytest.mark.parametrize("path", ["", "0."])
def test_exported_methods_save_and_load_what_a_module_has_itself(path: str) -> None:
    module = ts.script(torch.nn.Sequential(Custom()) if path else Custom())
    custom = getattr(module, "0") if path else module
    state = module.state_dict()
    assert custom.saved and list(state) == [f"{path}inner.weight", f"{path}inner.bias"]
    assert module.load_state_dict(state) == ([], [])
    assert custom.loaded == 2
