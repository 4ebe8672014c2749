"""Beside PyTorch in one process: its default dtype, gradient mode and generator are ours."""

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in
from torchscript_dialect.runtime.executor import execution_plan
from torchscript_dialect.tensor.conversion import as_tensor


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before, state = torch.get_default_dtype(), torch.get_rng_state()
    yield
    torch.set_default_dtype(before)
    torch.set_rng_state(state)


def made():
    return torch.ones(2), torch.tensor(1.5), torch.full([1], 2.0)


def divided(x):
    return x / 2


def modes():
    return torch.is_grad_enabled()


def drawn():
    return (
        torch.rand(5),
        torch.randn(3),
        torch.randn(20),
        torch.randint(10, (3,)),
        torch.randperm(5),
        torch.bernoulli(torch.full((4,), 0.5)),
    )


def _tensors(values: Any) -> list[torch.Tensor]:
    return [torch.from_dlpack(value) for value in values]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_default_dtype_of_pytorch(dtype: torch.dtype) -> None:
    torch.set_default_dtype(dtype)
    assert {str(value.dtype) for value in ts.script(made)()} == {str(dtype)}
    assert str(ts.script(divided)(torch.arange(3)).dtype) == str(dtype)


def test_default_dtype_that_is_set_here_is_pytorchs_too() -> None:
    stand_in.set_default_dtype(stand_in.float64)
    assert torch.get_default_dtype() is torch.float64
    assert stand_in.get_default_dtype() is stand_in.float64


def test_gradient_mode_of_pytorch() -> None:
    f = ts.script(modes)
    assert f() is True
    with torch.no_grad():
        assert f() is False
    assert f() is True


def test_calls_here_and_in_pytorch_draw_from_one_stream() -> None:
    theirs, ours = torch.jit.script(drawn), ts.script(drawn)
    torch.manual_seed(11)
    expected = [_tensors(theirs()) for _ in range(3)] + [torch.randn(1)]
    for order in ([ours, ours, ours], [theirs, ours, theirs], [ours, theirs, ours]):
        torch.manual_seed(11)
        found = [_tensors(f()) for f in order] + [torch.randn(1)]
        torch.testing.assert_close(found, expected)


def test_seed_that_is_set_here_is_pytorchs_too() -> None:
    stand_in.manual_seed(5)
    assert torch.initial_seed() == 5
    first = torch.rand(2)
    torch.manual_seed(5)
    assert torch.from_dlpack(stand_in.rand(2)).tolist() == first.tolist()


def test_a_generator_of_its_own_is_left_alone() -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    stand_in.rand(3, generator=stand_in.Generator().manual_seed(5))
    assert torch.equal(torch.get_rng_state(), before)


def through_integers(x: torch.Tensor):
    return x * 2 + torch.ones(3)


def test_another_default_dtype_is_seen_by_a_function_that_was_called_before() -> None:
    ours, theirs = ts.script(through_integers), torch.jit.script(through_integers)
    x = torch.arange(3)
    for _ in range(4):
        ours(x)
    torch.set_default_dtype(torch.float64)
    assert torch.from_dlpack(ours(x)).dtype == theirs(x).dtype == torch.float64


def product(x: torch.Tensor):
    return torch.mm(x, x)


def test_tensors_are_compared_with_pytorchs() -> None:
    """`==` called itself for ever."""
    ours, theirs = ts.script(product)(torch.ones(2, 2)), torch.full((2, 2), 2.0)
    for equal in (ours == theirs, theirs == ours):
        assert equal.all().item()
    assert not (ours != theirs).any().item()


ARRAY = (np.arange(9, dtype=np.float32) / 7).reshape(3, 3)


def _reaches_python(function: ts.ScriptFunction, *args: Any) -> bool:
    """Whether a call comes to the executor."""
    executor = function._executor  # pyright: ignore[reportPrivateUsage]
    before = executor.calls
    function(*args)
    return executor.calls > before


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ts.ScriptFunction]:
    """Scripts a function and calls it until such calls are native."""
    gc.collect()
    monkeypatch.setattr(execution_plan, "HOT", 2)
    monkeypatch.setattr("torchscript_dialect.runtime.executor.fast_path.is_in_use", lambda: False)

    def make(function: Any, *args: Any) -> ts.ScriptFunction:
        made = ts.script(function)
        for _ in range(6):
            made(*args)
        assert not _reaches_python(made, *args)
        return made

    return make


Often = Callable[..., ts.ScriptFunction]


def test_another_default_dtype_is_seen_by_native_calls_on_arrays(often: Often) -> None:
    """The first call after the change gave what was compiled for the dtype before."""
    numbers = np.arange(3)
    for function in (divided, shifted):
        ours = often(function, numbers)
        for dtype in (torch.float64, torch.float32):
            torch.set_default_dtype(dtype)
            for _ in range(6):
                assert ours(numbers).dtype.name == str(dtype).removeprefix("torch.")
            assert not _reaches_python(ours, numbers)


def shifted(x: torch.Tensor):
    return x / 2 + 1


def exponential(x: torch.Tensor):
    return torch.exp(torch.mm(x, x)) * 2


def test_native_calls_on_arrays_are_cast_in_regions_of_autocast(often: Often) -> None:
    """They gave float32, as if there were no region."""
    for function, given, cast in (
        (product, as_tensor(ARRAY), "bfloat16"),
        (exponential, ARRAY, "float32"),
    ):
        ours = often(function, given)
        usual = ours(given).numpy()
        for _ in range(3):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                assert ours(given).dtype.name == cast
                assert (ours(given).float().numpy() != usual).any()
            assert (ours(given).numpy() == usual).all()
            assert not _reaches_python(ours, given)


_IMPORTED_LATER = """
import importlib.util
import sys
import numpy as np
import torchscript_dialect as ts

unit = ts.CompilationUnit("def f(x):\\n return x / 2 + 1\\ndef g(x):\\n return torch.mm(x, x).exp()\\n")
numbers, matrix = np.arange(3), np.full((2, 2), 1.0078125, np.float32)
for _ in range(4):
    unit.f(numbers), unit.g(matrix)
native = unit.f.native_calls, unit.g.native_calls
assert importlib.util.find_spec("torch") and "torch" not in sys.modules
unit.f(numbers)
assert all(native) and unit.f.native_calls == native[0] + 1
import torch
torch.set_default_dtype(torch.float64)
print(unit.f(numbers).dtype)
torch.set_default_dtype(torch.float32)
usual = unit.g(matrix).numpy()
with torch.autocast("cpu", dtype=torch.bfloat16):
    print((unit.g(matrix).numpy() == usual).all())
print((unit.g(matrix).numpy() == usual).all())
for _ in range(4):
    unit.f(numbers), unit.g(matrix)
print(unit.f.native_calls > native[0], unit.g.native_calls > native[1])
"""


def test_pytorch_may_be_imported_after_kernels_were_compiled() -> None:
    command = [sys.executable, "-c", _IMPORTED_LATER]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["torch.float64", "False", "True", "True", "True"], done.stderr


def drawn_from(x: torch.Tensor, generator: torch.Generator | None):
    normal = torch.randn(3, generator=generator) + x
    whole = torch.randint(0, 9, (4,), generator=generator)
    order = torch.randperm(6, generator=generator)
    return normal, whole, order, torch.empty(20).normal_(generator=generator)


@pytest.mark.parametrize("which", ["own", "default", "none"])
def test_programs_draw_from_generators_that_they_are_given(which: str) -> None:
    own = torch.Generator()
    given = {"own": own, "default": torch.default_generator, "none": None}[which]
    found: list[Any] = []
    for script in (torch.jit.script, ts.script):
        program = script(drawn_from)
        torch.manual_seed(5)
        own.manual_seed(3)
        results = [one for _ in range(3) for one in program(torch.zeros(3), given)]
        after = torch.rand(2), torch.rand(2, generator=given)
        found.append([torch.asarray(one) for one in (*results, *after)])
    torch.testing.assert_close(found[1], found[0])


def test_an_argument_that_is_no_generator_is_refused() -> None:
    with pytest.raises(RuntimeError, match="generator"):
        ts.script(drawn_from)(torch.zeros(3), 5)  # type: ignore[arg-type]
