"""Arguments of every kind for parameters of every type, against PyTorch."""

from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.runtime.arguments import to_runtime_value
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.text import parse_type

TYPES = ["int", "float", "bool", "complex", "str", "int[]", "float[]", "int?", "(int, float)"]
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
]
TENSORS = [
    np.array(3),
    np.array(2.5),
    np.array([1]),
    np.array([[True]]),
    np.array([1, 2]),
    np.array([]),
]

# PyTorch makes a tuple of a tensor's elements; we ask for a tuple.
DIFFERENT = {("(int, float)", "tensor([1, 2])")}


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
        if want != got and (type_, repr(their_value)) not in DIFFERENT:
            wrong.append(f"{their_value!r}: {want}, not {got}")
    assert wrong == []


@pytest.mark.parametrize("type_", ["int", "float", "complex", "bool", "float?", "float[]"])
def test_arrays_without_dimensions_are_numbers(type_: str) -> None:
    theirs = their_function(type_)
    ours = parse_type(type_)
    for array in (np.array(2), np.array(2.5), np.array(True), np.array(1j)):
        value = [array] if type_ == "float[]" else array
        got = outcome(lambda value: to_runtime_value(value, ours), value)
        assert got == outcome(theirs, value), array


@pytest.mark.parametrize("change", ["x.unsqueeze_(0)", "x.t_()", "x.resize_([1])", "x.squeeze_()", "x.add_(1)"])  # fmt: skip
def test_what_pytorch_s_tensor_cannot_follow_is_refused(change: str) -> None:
    """A shape that changes in place; all else is seen by the caller."""
    text = f"def f(x):\n    {change}\n    return x\n"
    theirs, ours = torch.zeros(2, 3), torch.zeros(2, 3)
    torch.jit.CompilationUnit(text).f(theirs)
    try:
        ts.CompilationUnit(text).f(ours)
    except RuntimeError as error:
        assert "torch.Tensor cannot change its shape in place" in str(error)
        assert theirs.shape != ours.shape
    else:
        assert torch.equal(theirs, ours)


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
