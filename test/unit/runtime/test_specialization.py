"""Plans know what is the same for all calls that they serve, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.prim import IfOp, LoopOp
from torchscript_dialect.runtime.specialization.specialization import argument_key, of_any_size
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.transforms.pipelines import PIPELINES

SIZES = ((3, 4), (3, 4), (3, 4), (3, 4), (5, 2), (2, 7), (1, 3), (4, 1), (1, 1), (6, 6))


def function(body: str) -> ts.ScriptFunction:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return ts.CompilationUnit(f"def f(x: Tensor):\n{lines}\n").f


def classes(f: ts.ScriptFunction, x: Tensor) -> set[type]:
    return {type(op) for op in f.graph_for(x).module_op.walk()}


def ramp(sizes: tuple[int, ...]) -> Tensor:
    array = np.linspace(-1, 1, int(np.prod(sizes)), dtype=np.float32)
    return as_tensor(array.reshape(sizes))


@pytest.mark.parametrize(
    "body",
    [
        "return x * x.size(0) + x.size(1)",
        "y = x + 1\nreturn y.expand([y.size(0), 4]) if y.size(1) == 4 else y * 2",
        "if x.size(0) == 3:\n    return x + 1\nreturn torch.tanh(x) * 2",
        "for i in range(x.size(0)):\n    x = x * 0.5 + i\nreturn x",
        "y = x[:2] * 2\nif y.size(0) == 2:\n    y = y + 1\nreturn y * y.size(0)",
        "y = (x * 2)[:, :1]\nreturn y.squeeze() + y.squeeze().dim()",
        "y = torch.cat([x[:, :4]], 0)\nreturn (y * 1 + y.numel(), x)",
        "y = x[:, 0:4].t().t() * 1\ny.add_(1)\nreturn (y, x)",
    ],
)
def test_one_plan_serves_all_sizes(body: str) -> None:
    f = function(body)
    for sizes in SIZES:
        with ts.optimized_execution(False):
            expected = function(body)(ramp(sizes))
        actual = f(ramp(sizes))
        for a, e in zip(_tensors(actual), _tensors(expected), strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(e), rtol=1e-5, atol=1e-6)


def _tensors(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


@needs_native_calls
def test_what_calls_share_decides_branches() -> None:
    body = "if x.dim() == 2 and x.is_floating_point():\n    return torch.tanh(x) + 1\nreturn x"
    f = function(body)
    assert IfOp not in classes(f, ramp((3,)))
    assert aten.DimOp not in classes(f, ramp((3, 4)))
    for _ in range(3):
        assert f(ramp((3, 4))).shape == (3, 4)
    assert f.native_calls
    np.testing.assert_array_equal(np.asarray(f(ramp((3,)))), np.asarray(ramp((3,))))


def test_the_device_that_a_type_tells_is_a_device() -> None:
    """Its constant was a text."""
    f = function("d = x.device\nreturn (d.type, torch.zeros([2], device=d))")
    for _ in range(4):
        kind, zeros = f(ramp((3,)))
        assert kind == "cpu" and zeros.tolist() == [0, 0]


def test_a_type_of_any_size_fits_all_arguments_with_the_key() -> None:
    x = ramp((3, 1, 4))
    for other in (ramp((7, 1, 2)), ramp((2, 1, 9))):
        assert argument_key([x]) == argument_key([other])
        assert of_any_size(tensor_type(x)) == of_any_size(tensor_type(other))
    assert argument_key([x]) != argument_key([ramp((3, 2, 4))])


@needs_native_calls
def test_a_small_loop_over_tensors_becomes_one_native_kernel() -> None:
    f = function("for i in range(4):\n    x = torch.tanh(x * 2 + i)\nreturn x")
    assert LoopOp not in classes(f, ramp((3, 4)))
    for _ in range(4):
        f(ramp((3, 4)))
    assert f.native_calls


def test_a_loop_that_would_become_too_much_code_stays() -> None:
    body = "y = x\nfor i in range(60):\n    y = torch.tanh(y * x + 0.5) * 2 - x\nreturn y"
    assert LoopOp in classes(function(body), ramp((3, 4)))


@pytest.mark.parametrize("trips", ["4", "x.size(0)", "2, 6, 2"])
def test_a_loop_of_constant_trips_reaches_linalg(trips: str) -> None:
    f = function(f"for i in range({trips}):\n    x = torch.tanh(x * 2 + i)\nreturn x")
    text = str(ts.to_linalg(f, ramp((3, 4))))
    expected = {"4": 4, "x.size(0)": 3, "2, 6, 2": 2}[trips]
    assert text.count("math.tanh") == expected


def test_lists_of_passes_that_are_pytorchs_are_run() -> None:
    """Peephole rules with shapes, unrolling, CSE, tuples and constants are in what a call goes through."""
    run = ",".join(
        (*PIPELINES["before-specialization"], *PIPELINES["specialization"])
        + PIPELINES["simplification"]
    )
    for name in (
        "ts-peephole,",
        "ts-loop-unrolling",
        "ts-common-subexpression-elimination",
        "ts-lower-simple-tuples",
        "ts-constant-propagation",
    ):
        assert name in run


@pytest.mark.parametrize(
    ("body", "dtype"),
    [
        ("return torch.nn.functional.glu(x, -1)", np.int64),
        ("return torch._is_all_true(x)", np.uint8),
        ("return x.to(torch.float64, memory_format=torch.channels_last) + 1", np.float32),
    ],
)
def test_what_is_refused_stays_refused(body: str, dtype: type[np.generic]) -> None:
    """The second call with such arguments compiled what the operator is made of, which took them, or ended in an internal error."""
    f, x = function(body), as_tensor(np.ones((2, 4), dtype))
    texts: set[str] = set()
    for _ in range(4):
        with pytest.raises(RuntimeError) as refused:
            f(x)
        texts.add(str(refused.value))
    assert len(texts) == 1


def test_a_branch_that_raises_and_is_not_taken_is_compiled() -> None:
    f = function(
        "if float(x.sum()) > 1e9:\n"
        "    return x.to(torch.float64, memory_format=torch.channels_last)\n"
        "return x + 1"
    )
    for _ in range(4):
        assert f(ramp((2, 3))).shape == (2, 3)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        f(as_tensor(np.full((2, 3), 1e9, np.float32)))
