"""Traces of the programs in test/tracer/programs, saved and loaded by PyTorch, give there what they give here."""

import io
import warnings
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from support import traces
from torchscript_dialect import torch as ours


def assert_same(mine: Any, theirs: Any) -> None:
    if isinstance(theirs, (tuple, list)):
        assert len(mine) == len(theirs)
        for one, other in zip(mine, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for key in theirs:
            assert_same(mine[key], theirs[key])
    else:
        theirs = theirs.detach()
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(mine.detach().numpy(), theirs.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("path", traces.files(), ids=lambda path: path.stem)
def test_saved_traces(path: Any) -> None:
    for program in traces.load(path, ours):
        traced = traces.trace(program, ours)
        buffer = io.BytesIO()
        ts.save(traced, buffer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = torch.jit.load(io.BytesIO(buffer.getvalue()))
            theirs = loaded(*traces.to_inputs(program.inputs, torch))
        mine = traced(*traces.to_inputs(program.inputs, ours))
        assert_same(mine, theirs)
        again = ts.load(io.BytesIO(buffer.getvalue()))
        assert_same(again(*traces.to_inputs(program.inputs, ours)), theirs)


MADE = [
    "k * torch.tensor(k, device='cpu')",
    "k * torch.tensor([1.0, 2], device=k.device, dtype=torch.float16)",
    "torch.tensor(k.shape[0]) * k",
    "k * torch.as_tensor(k, dtype=torch.float64)",
    "k * torch.as_tensor([1, 2], dtype=torch.float64, device='cpu')",
    "k * k.new_tensor(k, dtype=torch.int64)",
    "k * k.new_tensor([1, 2])",
    "k.new(k) * torch.Tensor(k)",
    "torch.FloatTensor(k).split(k.shape[0] // 2)[0]",
]


@pytest.mark.parametrize("text", MADE)
def test_tensors_made_of_what_is_traced(text: str) -> None:
    """Some were constants of the trace, and most were recorded otherwise."""
    traced: list[Any] = []
    for library in (torch, ours):
        names: dict[str, Any] = {"torch": library, "__name__": "__main__"}
        exec(f"def f(k):\n    return {text}\n", names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            example = library.ones(4, 2)
            traced.append(library.jit.trace(names["f"], example, check_trace=False))
    assert traced[0].code == traced[1].code
    assert_same(traced[1](ours.ones(4, 2) * 3), traced[0](torch.ones(4, 2) * 3))


def test_compiled_functions_are_traced() -> None:
    """The function itself was given back, with its other parameters."""
    source = "def f(x, scale: int = 3):\n    if bool(x.sum() > 0):\n        x = x * scale\n    return x - 1\n"
    traced: list[Any] = []
    for library in (torch, ours):
        function = library.jit.CompilationUnit(source).f
        traced.append(library.jit.trace(function, library.ones(2)))
    assert traced[0].code == traced[1].code.replace("__torch__.", "")
    assert_same(traced[1](-ours.ones(3)), traced[0](-torch.ones(3)))


def test_a_module_that_is_compiled_is_given_back_with_a_warning() -> None:
    compiled = ours.jit.script(ours.nn.ReLU())
    with pytest.warns(UserWarning, match="The input to trace is already a ScriptModule"):
        assert ours.jit.trace(compiled, ours.ones(2)) is compiled


@pytest.mark.parametrize("text", ["torch.Tensor(x)", "torch.FloatTensor(x)", "x.new(x)"])
def test_gradients_go_through_other_tensors_of_a_tensor(text: str) -> None:
    """They had no history."""
    found: list[Any] = []
    for library in (torch, ours):
        x = library.ones(2, requires_grad=True)
        made = eval(text, {"torch": library, "x": x})
        (made * 3).sum().backward()
        found.append(
            (x.grad.tolist(), made.data_ptr() == x.data_ptr(), isinstance(made, library.Tensor))
        )
    assert found[0] == found[1]
