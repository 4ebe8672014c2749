"""Arguments of every kind for parameters of every type, against PyTorch."""

import contextlib
from collections import Counter, deque
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.runtime.values.arguments import to_runtime_value
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.text import parse_type

TYPES = ["int", "float", "bool", "complex", "str", "int[]", "float[]", "int?", "(int, float)", "bool[]", "str[]", "int?[]", "int[][]", "Dict(str, int)", "Dict(int, float)", "Device"]  # fmt: skip
VALUES = [
    *(
        0,
        1,
        -(2**63),
        2**63,
        2**70,
        True,
        1.5,
        float("inf"),
        1j,
        "a",
        None,
        np.int64(3),
        np.float32(2.5),
        np.bool_(True),
    ),
    *([], [1], [1.5], [True], (), (1, 2), (1, 2.5), [1, 2.5], (1, "a"), {"a": 1}),
    *(range(3), deque([1, 2]), {"a": 1}.keys(), {"a": 1}.values(), {1: 2}, Counter("ab"), {1}),
    *(np.array([1, 2]), np.array([1.5, 2.5]), np.array(["a", "b"]), memoryview(b"ab")),
    *(b"ab", bytearray(b"ab"), "ab", "", [("a", 1)], [[1, 2]], ["a", "b"], object(), int),
    *(np.float64(2.5), [np.float64(2.0)], [np.float32(2.5)], [np.int64(1)]),
    *("cpu", "cpu:0", "cuda:1", "nowhere", torch.device("cpu")),
]
TENSORS = [
    np.array(3),
    np.array(2.5),
    np.array([1]),
    np.array([[True]]),
    np.array([1, 2]),
    np.array([]),
]


def their_function(type_: str) -> Any:
    graph = torch._C.parse_ir(f"graph(%x : {type_}):\n  return (%x)\n")
    return torch._C._create_function_from_graph("f", graph)


def outcome(function: Any, value: Any) -> str:
    try:
        return repr(function(value))
    except (RuntimeError, TypeError):
        return "error"


@pytest.mark.parametrize("type_", TYPES)
def test_conversions(type_: str) -> None:
    theirs = their_function(type_)
    ours = parse_type(type_)
    pairs = [(value, value) for value in VALUES] + [
        (torch.from_numpy(a), as_tensor(a)) for a in TENSORS
    ]
    wrong: list[str] = []
    for their_value, our_value in pairs:
        want = outcome(theirs, their_value)
        got = outcome(lambda value: to_runtime_value(value, ours), our_value)
        if want != got:
            wrong.append(f"{their_value!r}: {want}, not {got}")
    assert wrong == []


def test_lists_are_made_of_generators_and_iterators() -> None:
    for type_, makers in {
        "int[]": [lambda: (i for i in (1, 2)), lambda: map(int, "12"), lambda: iter([1, 2])],
        "str[]": [lambda: (c for c in "ab"), lambda: iter("ab"), lambda: zip("a", "b")],
        "(int, float)": [lambda: iter([1, 2])],
    }.items():
        theirs, ours = their_function(type_), parse_type(type_)
        for make in makers:
            want = outcome(theirs, make())
            assert outcome(lambda value, type_=ours: to_runtime_value(value, type_), make()) == want


def is_there(x, where: torch.device = torch.device("cpu"), s: str = "cpu"):  # noqa: B008
    return x.device == where, where.type, s


def is_device(x: Any):
    return isinstance(x, torch.device), isinstance(x, int)


def test_devices_of_pytorch_equal_those_of_the_program() -> None:
    """They were others to a comparison, and texts had no type and index."""
    x = torch.ones(2)
    theirs, ours = torch.jit.script(is_there), ts.script(is_there)
    for args in ((x,), (x, torch.device("cpu")), (x, "cpu"), (x, "cpu:0"), (x, "meta")):
        assert ours(*args) == theirs(*args)
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        ours(x, "nowhere")
    theirs, ours = torch.jit.script(is_device), ts.script(is_device)
    for value in (torch.device("cpu"), torch.float32, torch.strided, "cpu"):
        assert ours(value) == theirs(value)


@pytest.mark.parametrize("type_", ["int", "float", "complex", "bool", "float?", "float[]"])
def test_arrays_without_dimensions_are_numbers(type_: str) -> None:
    theirs = their_function(type_)
    ours = parse_type(type_)
    for array in (np.array(2), np.array(2.5), np.array(True), np.array(1j)):
        value = [array] if type_ == "float[]" else array
        got = outcome(lambda value: to_runtime_value(value, ours), value)
        assert got == outcome(theirs, value), array


CHANGES = [
    "x.unsqueeze_(0)",
    "x.t_()",
    "x.resize_([1])",
    "x.resize_([4, 5])",
    "x.squeeze_()",
    "x.add_(1)",
    "torch.neg(y, out=x.resize_([0]))",
    "x.set_(y)",
    "x.set_(y.expand([1, 3]))",
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool])
@pytest.mark.parametrize("change", CHANGES)
def test_tensors_of_pytorch_s_follow_what_changes_in_place(change: str, dtype: torch.dtype) -> None:
    """Those that changed their shape were refused."""
    text = f"def f(x, y):\n    {change}\n    x.fill_(1)\n"
    for _ in range(3):
        theirs, ours = (torch.zeros(4, 6, dtype=dtype)[:1, ::2] for _ in range(2))
        for unit, x in ((torch.jit, theirs), (ts, ours)):
            with contextlib.suppress(RuntimeError):  # of booleans
                unit.CompilationUnit(text).f(x, torch.zeros(1, dtype=dtype))
        assert (theirs.stride(), theirs.tolist()) == (ours.stride(), ours.tolist())


@pytest.mark.parametrize(
    "change", ["x.t_()", "x.squeeze_()", "x.mul_(w)\n    x.unsqueeze_(0)", "x.resize_([1])"]
)
@pytest.mark.parametrize("is_tracked", [True, False])
def test_they_follow_with_their_gradients(change: str, is_tracked: bool) -> None:
    """The tensor kept its shape, and was resized."""
    text = f"def f(x, w):\n    {change}\n    return x * w\n"
    found: list[Any] = []
    for unit in (torch.jit, ts):
        w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        x = w.reshape(1, 3) * 2 if is_tracked else torch.ones(1, 3)
        with contextlib.suppress(RuntimeError):
            result = unit.CompilationUnit(text).f(x, w)
            (result.sum() + (x * 5).sum()).backward()
        found.append(
            (x.tolist(), x.stride(), x.requires_grad, None if w.grad is None else w.grad.tolist())
        )
    assert found[0] == found[1]


NUMBERS = {
    "float": [torch.tensor(1.5), torch.tensor([[2]]), torch.tensor(True), torch.tensor(1.5, requires_grad=True)],
    "int": [torch.tensor(3), torch.tensor([2.75]), torch.tensor(-1.5, dtype=torch.bfloat16)],
    "bool": [torch.tensor(0.0), torch.tensor([3]), torch.tensor(2j)],
    "complex": [torch.tensor(1.5), torch.tensor(1 - 2j)],
}  # fmt: skip
SEVERAL = [torch.tensor([1.0, 2.0]), torch.ones(0, 2)]


@pytest.mark.parametrize("type_", NUMBERS)
def test_pytorch_s_tensors_of_one_element_are_numbers(type_: str) -> None:
    """They were refused, where our own were taken."""
    texts = [f"def f(x: {one}): return x\n" for one in (type_, f"Optional[{type_}]")]
    for text in texts:
        theirs, ours = torch.jit.CompilationUnit(text).f, ts.CompilationUnit(text).f
        for value in NUMBERS[type_]:
            assert repr(ours(value)) == repr(theirs(value))
        for value in SEVERAL:
            with pytest.raises(RuntimeError, match=f"Expected a value of type .*{type_}"):
                theirs(value)
            with pytest.raises(RuntimeError, match=f"Expected a value of type .*{type_}"):
                ours(value)


def is_key(x, d: dict[torch.Tensor, int]):
    return x in d


def is_same(
    x, others: list[torch.Tensor], pair: tuple[torch.Tensor, int], maybe: torch.Tensor | None
):
    assert maybe is not None
    return x is others[0], others[0] is others[1], pair[0] is x, maybe is x


class Held:
    def __init__(self, x: torch.Tensor):
        self.x = x


def holds(held: Held, x):
    return held.x is x


X = torch.ones(2)
OTHER = torch.ones(2)


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (is_key, (X, {X: 1})),
        (is_key, (X, {OTHER: 1})),
        (is_same, (X, [X, X], (X, 1), X)),
        (is_same, (X, [OTHER, X], (OTHER, 1), OTHER)),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_one_tensor_of_pytorch_is_one_tensor_in_a_call(program: Any, args: Any) -> None:
    """Each argument became a tensor of its own, so that keys were not found and `is` was False."""
    ours, theirs = ts.script(program), torch.jit.script(program)
    for _ in range(4):
        assert ours(*args) == theirs(*args)


def test_a_tensor_in_an_object_is_that_of_another_argument() -> None:
    ts.script(Held)
    assert [ts.script(holds)(Held(X), each) for each in (X, OTHER)] == [True, False]
