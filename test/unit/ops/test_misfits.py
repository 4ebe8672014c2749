"""Operands that no kernel takes are refused in PyTorch's terms: of another rank, size, dtype, out of range."""

import random
import traceback
from typing import Any

import numpy as np
import pytest

from samples import compare, samples_of
from support.amounts import IS_LONG
from support.spoiled_arguments import spoiled
from torchscript_dialect import torch as ts
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.custom import register_operator
from torchscript_dialect.ops.eager.dispatch import UNTOLD, told
from torchscript_dialect.tensor.float_errors import ignores_float_errors

STEP, CALLS = (1, 12) if IS_LONG else (16, 3)


def test_operator_and_operands_are_named() -> None:
    """NumPy's text said `could not broadcast input array`."""
    x, mask = ts.ones(2), ts.ones(3).bool()
    wanted = r"aten::native_dropout_backward: the operands do not fit: Float \[2\], Bool \[3\]"
    with pytest.raises(RuntimeError, match=wanted):
        ts.native_dropout_backward(x, mask, 1.0)
    source = "def f(x, mask):\n    return torch.native_dropout_backward(x, mask, 1.0)\n"
    with pytest.raises(RuntimeError, match=f"line 2(.|\n)*RuntimeError: {wanted}"):
        ts.jit.CompilationUnit(source.replace("mask)", "mask: Tensor)", 1)).f(x, mask)


def test_index_stays_an_index_error() -> None:
    with pytest.raises(IndexError, match="select_scatter: the operands do not fit"):
        ts.select_scatter(ts.ones(2, 3), ts.ones(3), 0, 7)


def test_errors_of_operators_from_outside_stay() -> None:
    def kernel(x: Any) -> Any:
        return x.array[np.zeros(2)]

    register_operator("misfits::mine(Tensor x) -> Tensor", kernel)
    try:
        with pytest.raises(IndexError, match="arrays used as indices"):
            ts.ops.misfits.mine(ts.ones(3))
    finally:
        registry.unregister("misfits::mine")


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@ignores_float_errors
def test_no_message_of_numpy_reaches_who_calls() -> None:
    """Whatever a kernel raises is told in words of ours, or of the kernel."""
    wrong: list[str] = []
    calls = 0
    for number, (name, _) in enumerate(registry.attached()):
        operator = registry.find(name)
        if number % STEP or operator is None or operator.kernel is None:
            continue
        if not name.startswith("aten::") or "Tensor" not in operator.text or "from_file" in name:
            continue
        samples = list(samples_of(operator))
        draw = random.Random(name)
        for make in (draw.choice(samples) for _ in range(CALLS if samples else 0)):
            arguments = list(make())
            if not any(isinstance(argument, np.ndarray) for argument in arguments):
                continue
            place = draw.randrange(len(arguments))
            arguments[place] = spoiled(arguments[place], draw)
            memo: dict[int, Any] = {}
            operands = [compare.ours(argument, memo) for argument in arguments]
            calls += 1
            try:
                operator.kernel(*operands)
            except (RuntimeError, ZeroDivisionError):
                pass
            except UNTOLD as error:
                if told(name, error) is error and "raise" not in str(
                    traceback.extract_tb(error.__traceback__)[-1].line
                ):
                    wrong.append(f"{name} {arguments}: {error!r}")
    assert calls > 200
    assert not wrong, "\n".join(wrong)


def test_dtypes_that_operators_refuse() -> None:
    """They raised NumPy's errors, or warned that imaginary parts are lost."""
    x = ts.ones(3)
    with pytest.raises(RuntimeError, match="Converting complex Scalar to non-complex"):
        x.index_fill(0, ts.tensor([0]), ts.tensor(1 + 2j))
    with pytest.raises(RuntimeError, match="0-dimensional value tensor, but got tensor with 1 dim"):
        x.index_fill(0, ts.tensor([0]), ts.ones(2))
    with pytest.raises(IndexError, match="Expected dtype int64 for index"):
        x.index_fill(0, ts.tensor([0.0]), 1.0)
    with pytest.raises(RuntimeError, match="Expected a long tensor for index, but got Float"):
        x.index_copy(0, ts.tensor([0.0]), x[:1])
    with pytest.raises(RuntimeError, match="same dtypes but gotFloat and Double"):
        x.masked_scatter(x > 0, x.double())
    with pytest.raises(NotImplementedError, match="repeat_interleave_cpu"):
        x.repeat_interleave(x, 0)
