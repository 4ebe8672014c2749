"""Methods that change a tensor's shape in place: who passed a ts.Tensor sees it, and other arguments, which cannot follow, are refused.

Point 6 of docs/testing.md.
"""

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

CHANGES = {
    "x.unsqueeze_(0)": (1, 2, 3),
    "x.t_()": (3, 2),
    "x.transpose_(0, 1)": (3, 2),
    "x.resize_([1])": (1,),
    "x.as_strided_([2], [1])": (2,),
    "x.resize_as_(torch.zeros(5, 5))": (5, 5),
    "torch.neg(torch.zeros(4), out=x)": (4,),
}
KEEPS = ("x.squeeze_()", "x.resize_([2, 3])", "x.zero_()", "torch.neg(torch.zeros(2, 3), out=x)")


def function(change: str, type_: str = "Tensor") -> Any:
    given = "x" if type_ == "Tensor" else "xs"
    first = "" if given == "x" else "    x = xs[0]\n"
    return ts.CompilationUnit(f"def f({given}: {type_}):\n{first}    {change}\n    return x\n").f


def array() -> Any:
    return np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("change", CHANGES)
def test_a_tensor_of_ours_changes_for_the_caller(change: str) -> None:
    for _ in range(4):
        x = as_tensor(array())
        assert function(change)(x) is x
        assert tuple(x.shape) == CHANGES[change]


@pytest.mark.parametrize("type_", ["Tensor", "List[Tensor]"])
@pytest.mark.parametrize("change", CHANGES)
def test_an_array_is_refused_and_stays(change: str, type_: str) -> None:
    made = function(change, type_)
    for _ in range(4):
        x = array()
        with pytest.raises(RuntimeError, match=r"numpy.ndarray cannot change its shape in place"):
            made(x if type_ == "Tensor" else [x])
        np.testing.assert_array_equal(x, array())


@pytest.mark.parametrize("change", KEEPS)
def test_what_keeps_the_shape_is_taken(change: str) -> None:
    assert tuple(function(change)(array()).shape) == (2, 3)


def test_a_copy_changes_as_it_likes() -> None:
    text = "def f(x: Tensor):\n    y = x.clone()\n    y.t_()\n    return y\n"
    for _ in range(4):
        assert tuple(ts.CompilationUnit(text).f(array()).shape) == (3, 2)


@pytest.mark.parametrize("rows", [0, 2])
def test_what_is_turned_in_place_may_be_read_as_it_lies(rows: int) -> None:
    """Fusion asked whether a tensor of unknown sizes is dense, and stumbled over their number."""
    text = """def f(x: Tensor):
    y = torch.all(x, 0, True)
    z = y.t_()
    return y.contiguous() * 2
"""
    function = ts.CompilationUnit(text).f
    for _ in range(4):
        found = function(as_tensor(np.ones((rows, 4))))
        np.testing.assert_array_equal(found.array, np.full((4, 1), 2))


@pytest.mark.parametrize("change", [*CHANGES, "torch.ops.prims.resize(x, [1])"])
def test_what_was_asked_before_is_asked_again(change: str) -> None:
    """No pass takes the shape from before a change for the one after it, elements written or not."""
    source = f"""
def f(y):
    x = torch.relu_(y * 2)
    before = x.dim() * 100 + x.size(0)
    {change}
    if x.dim() == 2 and x.size(0) == 2:
        return before, -1, 0
    return before, x.dim(), x.size(0)
"""
    program = ts.CompilationUnit(source).f
    shape = CHANGES.get(change, (1,))
    wanted = (202, len(shape), shape[0]) if (len(shape), shape[0]) != (2, 2) else (202, -1, 0)
    for _ in range(5):
        assert program(np.ones((2, 3), np.float32)) == wanted
