"""Writes to what nodes have saved, by all names that its memory has, with PyTorch and here: the gradient, or that it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

SAVING = ("x * x", "y * y", "x * w", "x * w[1:2]", "torch.exp(y)", "x * w.data", "x * y.data", "x * w.detach()")  # fmt: skip
TARGETS = ("{}.data", "{}.detach()", "{}.data.detach()", "{}.detach().data", "{}.data.data", "{}", "{}.view(3)", "{}.data[1:]", "{}.detach()[1:]", "{}[1:]")  # fmt: skip
WRITES = ("{}.add_(1)", "{}.zero_()", "{}[0] = 4", "{}.copy_({} * 2)", "torch.neg({}, out={})")
OTHERS = (
    *("d = w.data; z = d * x; d.add_(1)", "d = w.data; z = d[0] * x; d[1].add_(1)", "d = w.data; z = d[0] * x; w[1].add_(1)"),
    *("d = w.data; e = d.detach(); z = d * x; e.add_(1)", "d = w.data; z = x * w; d.add_(1)", "y.data.t_()", "w += 1"),
    *("program(w)", "program(w.data)", "of_data(w)", "of_data(x)", "of_data(y)", "of_data(y.detach())"),
)  # fmt: skip
PROGRAMS = """
def program(w):
    w.add_(1)
    return w
def of_data(w):
    w.data.add_(1)
    return w
"""


def cases() -> Iterator[tuple[str, str]]:
    """What saves tensors, and what is written then."""
    for saving in SAVING:
        for name, target, write in product("xyw", TARGETS, WRITES):
            yield saving, write.replace("{}", target.format(name))
        for write in OTHERS:
            yield saving, write


def outcome(torch: Any, programs: Any, saving: str, write: str) -> Any:
    """The gradient of the leaf `x`, or the kind of error."""
    names: dict[str, Any] = {"torch": torch, "x": torch.tensor([1.0, 2.0, 3.0], requires_grad=True)}
    names |= {"program": programs.program, "of_data": programs.of_data}
    try:
        names |= {"w": torch.tensor([1.0, 2.0, 3.0]), "y": names["x"].clone()}
        names["z"] = eval(saving, names)
        exec(write, names)
        names["z"].sum().backward()
    except RuntimeError as error:
        words = ("modified by an inplace", "a leaf Variable", "a view of a leaf", "out=...")
        return next((one for one in words if one in str(error)), "refused")
    gradient = names["x"].grad
    return None if gradient is None else [round(one, 4) for one in gradient.tolist()]
