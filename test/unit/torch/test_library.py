"""`torch.library` of the stand-in: operators that are defined, implemented and described apart from each other."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

X = np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def gone_afterwards() -> Iterator[None]:
    yield
    for name in [name for name in registry.texts() if name.startswith("tlib::")]:
        registry.unregister(name)


def test_defined_then_implemented() -> None:
    torch.library.define("tlib::twice", "(Tensor x, float by=2.0) -> Tensor")
    f = ts.CompilationUnit("def f(x):\n    return torch.ops.tlib.twice(x) + 1.0\n")["f"]
    with pytest.raises(RuntimeError, match="tlib::twice"):
        f(X)

    @torch.library.impl("tlib::twice", "CPU")
    def twice(x, by):
        return x.array * np.float32(by)

    assert twice is not None
    g = ts.CompilationUnit("def f(x):\n    return torch.ops.tlib.twice(x) + 1.0\n")["f"]
    for _ in range(3):
        assert g(X).tolist() == [1.0, 3.0, 5.0, 7.0]
    assert torch.ops.tlib.twice(as_tensor(X), 3.0).tolist() == [0.0, 3.0, 6.0, 9.0]
    with pytest.raises(ValueError, match="has a kernel already"):
        torch.library.impl("tlib::twice", "CPU", twice)
    torch.library.impl("tlib::twice", "CUDA", twice)  # never called, not kept


def test_fake_functions_are_shape_rules() -> None:
    torch.library.define("tlib::row", "(Tensor x, int n) -> Tensor")
    torch.library.impl("tlib::row", "default", lambda x, n: np.zeros((n, *x.shape), np.float32))
    torch.library.register_fake("tlib::row", lambda x, n: x.new_empty((n, *x.shape)))
    f = ts.CompilationUnit("def f(x):\n    return torch.ops.tlib.row(x, 3)\n")["f"]
    assert f(X).shape == (3, 4)
    operator = registry.find("tlib::row")
    assert operator is not None and operator.shape is not None
    assert operator.shape([tensor_type(as_tensor(X)).data, 3]).sizes == (3, 4)


def test_library_objects() -> None:
    library = torch.library.Library("tlib", "DEF")
    assert library.define("noted(Tensor x) -> Tensor", "CONSERVATIVE") == "noted"
    calls: list[int] = []

    def noted(x: Tensor) -> Tensor:
        calls.append(1)
        return x

    library.impl("noted", noted, "CPU")
    f = ts.CompilationUnit(
        "def f(x):\n    y = torch.ops.tlib.noted(x)\n    z = torch.ops.tlib.noted(x)\n    return x + 1.0\n"
    )["f"]
    f(X)
    assert len(calls) == 2, "what may do anything is neither removed nor merged"
    with pytest.raises(ValueError, match="Unsupported library kind"):
        torch.library.Library("tlib", "WHAT")


def test_a_function_as_an_operator() -> None:
    @torch.library.custom_op("tlib::clipped", mutates_args=())
    def clipped(x: Tensor, low: float, high: float = 1.0) -> Tensor:
        return as_tensor(np.clip(x.array, low, high))

    @clipped.register_fake
    def _(x: Tensor, low: float, high: float = 1.0) -> Tensor:
        return torch.empty_like(x)

    assert clipped(as_tensor(X), 0.5).tolist() == [0.5, 1.0, 1.0, 1.0]

    def program(x):
        return clipped(x, 1.5, 2.5) * 2.0

    f = ts.script(program)
    assert f(X).tolist() == [3.0, 3.0, 4.0, 5.0]
    assert "tlib::clipped" in str(f.graph)


def test_schemas_of_functions() -> None:
    def f(
        x: Tensor,
        sizes: Sequence[int],
        y: Tensor | None = None,
        *,
        scale: float | int = 2,
        name: str = "a",
    ) -> tuple[Tensor, Tensor]:
        raise NotImplementedError

    def g(x: Tensor, n: int) -> None: ...

    def h(x): ...

    assert torch.library.infer_schema(f) == (
        '(Tensor x, SymInt[] sizes, Tensor? y=None, *, Scalar scale=2, str name="a") -> (Tensor, Tensor)'
    )
    assert torch.library.infer_schema(g, mutates_args=["x"]) == "(Tensor(a!) x, SymInt n) -> ()"
    with pytest.raises(ValueError, match="Parameter x must have a type annotation"):
        torch.library.infer_schema(h)
