"""Native recurrences give what they give in NumPy, forward and back; both refuse what does not fit together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lowering.loops.recurrence import recurrence_kernel
from lowering.pipelines import LOOPS_TO_LLVM
from lowering.stages import LEGAL_AFTER, illegal
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.backend import Recurrence
from torchscript_dialect.ops.recurrent import recurrent_layer
from torchscript_dialect.ops.recurrent.recurrent_steps import GRU, LSTM, STEPS, RecurrentSteps
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.kernels import recurrence_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

Array = NDArray[Any]
nn: Any = torch.nn
KINDS = tuple(STEPS.values())
PADDED = (9,) * 3
"""More sequences than threads take at a time, and no multiple of that."""
BATCHES = (PADDED, (1,), (4, 3, 1, 1), (40, 39, 17, 3, 0))


@contextmanager
def ways(monkeypatch: pytest.MonkeyPatch, *, native: bool) -> Iterator[list[Any]]:
    """Have all steps done by native code, or none; gives what kernels gave."""
    made: list[Any] = []

    def recurrence(*which: Any) -> Any:
        run = recurrence_kernels.recurrence(*which)
        return run and (lambda *a: made.append(run(*a)) or made[-1])

    monkeypatch.setattr(recurrent_layer.NATIVE, "module", SimpleNamespace(recurrence=recurrence))
    monkeypatch.setattr(recurrent_layer.NATIVE, "many", -1 if native else 1 << 62)
    yield made
    monkeypatch.undo()


def numbers(*shape: int, dtype: str = "float32", seed: int = 0) -> Array:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtype)


def layer(
    steps: RecurrentSteps, batch_sizes: Sequence[int], dtype: str, hidden: int
) -> dict[str, Any]:
    """The operands of a layer whose input is 3 wide."""
    rows, batch, width = sum(batch_sizes), batch_sizes[0], steps.gates * hidden
    parameters = [numbers(width, 3, dtype=dtype), numbers(width, hidden, dtype=dtype)]
    return {
        "x": numbers(rows, 3, dtype=dtype),
        "batch_sizes": batch_sizes,
        "start": tuple(
            numbers(batch, hidden, dtype=dtype, seed=state) for state in range(steps.states)
        ),
        "weights": parameters,
        "biases": [numbers(width, dtype=dtype, seed=seed) for seed in (1, 2)],
    }


def both_ways(
    steps: RecurrentSteps, operands: dict[str, Any], grads: Array, *, reverse: bool
) -> list[Array]:
    out, states, saved = recurrent_layer.forward(steps, **operands, reverse=reverse, saves=True)
    alone, *_ = recurrent_layer.forward(steps, **operands, reverse=reverse, saves=False)
    np.testing.assert_array_equal(alone, out)
    assert saved is not None
    of_x, of_h, first = recurrent_layer.backward(
        steps,
        saved,
        grads,
        operands["batch_sizes"],
        states,
        operands["weights"][1],
        reverse=reverse,
    )
    return [out, *states, saved, of_x, of_h, *first]


@needs_native_calls
@pytest.mark.parametrize("steps", KINDS, ids=lambda steps: steps.name)
@pytest.mark.parametrize("reverse", [False, True])
def test_native_steps_are_those_of_numpy(
    steps: RecurrentSteps, reverse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for batch_sizes in BATCHES:
        for dtype, hidden in (("float32", 17), ("float64", 5), ("float32", 1)):
            operands = layer(steps, batch_sizes, dtype, hidden)
            before = [np.copy(one) for one in (*operands["start"], *operands["weights"])]
            grads = numbers(sum(batch_sizes), hidden, dtype=dtype, seed=3)
            with ways(monkeypatch, native=False) as made:
                expected = both_ways(steps, operands, grads, reverse=reverse)
                assert not made
            with ways(monkeypatch, native=True) as made:
                found = both_ways(steps, operands, grads, reverse=reverse)
                assert len(made) == 3 and all(one is not None for one in made)
            tolerance = 1e-4 if dtype == "float32" else 1e-12
            for one, other in zip(found, expected, strict=True):
                assert one.dtype == other.dtype == dtype
                np.testing.assert_allclose(one, other, tolerance, tolerance)
            for one, other in zip(before, (*operands["start"], *operands["weights"]), strict=True):
                np.testing.assert_array_equal(one, other)


@needs_native_calls
@pytest.mark.parametrize("steps", KINDS, ids=lambda steps: steps.name)
def test_what_is_no_number_stays_with_its_sequence(
    steps: RecurrentSteps, monkeypatch: pytest.MonkeyPatch
) -> None:
    operands = layer(steps, PADDED, "float32", 4)
    operands["x"][PADDED[0] + 2, 1] = np.nan
    operands["x"][5, 0] = np.inf
    grads = numbers(sum(PADDED), 4)
    results: list[list[Array]] = []
    for native in (False, True):
        with ways(monkeypatch, native=native):
            results.append(both_ways(steps, operands, grads, reverse=False))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
        assert np.isnan(one).any() and not np.isnan(one[0]).any()


def test_gradients_are_those_of_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    for native in (False, HAS_NATIVE_CALLS):
        with ways(monkeypatch, native=native):
            for kind in (nn.LSTM, nn.GRU, nn.RNN):
                module = kind(1, 2, bidirectional=True).double()
                x = torch.tensor(numbers(2, 1, 1, dtype="float64"), requires_grad=True)

                def run(*operands: Any, module: Any = module) -> Any:
                    return module(operands[0])[0]

                operands = (x, *module.parameters())
                assert torch.autograd.gradcheck(run, operands)
                assert torch.autograd.gradgradcheck(run, (x,))


def test_steps_pay_after_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that take few steps compile nothing; what computes much counts for more."""
    monkeypatch.setattr(recurrent_layer.NATIVE, "done", 0)
    failing = SimpleNamespace(recurrence=lambda *_: pytest.fail("compiled"))
    monkeypatch.setattr(recurrent_layer.NATIVE, "module", failing)
    module, x = nn.GRU(2, 3), torch.zeros(4, 1, 2)
    for _ in range(recurrent_layer.NATIVE.many // 4):
        module(x)
    with pytest.raises(pytest.fail.Exception):
        module(x)


def test_a_second_way_back_reads_what_the_first_read() -> None:
    module, x = nn.LSTM(2, 3), torch.tensor(numbers(4, 2, 2), requires_grad=True)
    out = module(x)[0].sum()
    out.backward(retain_graph=True)
    first = np.array(x.grad)
    out.backward()
    np.testing.assert_allclose(np.array(x.grad), 2 * first, 1e-6)
    with pytest.raises(RuntimeError, match="second time"):
        out.backward()


def test_weights_that_were_written_to_have_no_way_back() -> None:
    module, x = nn.LSTM(2, 3), torch.zeros(4, 2, 2)
    out = module(x)[0].sum()
    with torch.no_grad():
        module.weight_hh_l0.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()


def test_empty_batches_have_empty_results_and_zeros_for_gradients() -> None:
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        module = kind(2, 3)
        out = module(torch.zeros(4, 0, 2))[0]
        assert out.shape == (4, 0, 3)
        out.sum().backward()
        assert not np.any(np.array(module.weight_hh_l0.grad))


def _operands(steps: RecurrentSteps = LSTM, **others: Any) -> list[Any]:
    width = steps.gates * 3
    operands = {
        "x": torch.zeros(4, 2, 5),
        "w": torch.zeros(width, 5),
        "u": torch.zeros(width, 3),
        "p": torch.zeros(width),
        "q": torch.zeros(width),
        "h": torch.zeros(2, 3),
        "c": torch.zeros(2, 3),
        "reverse": False,
        "sizes": [],
        "mode": steps.mode,
    }
    return [*(operands | others).values(), 3, 1, True, False, False, True]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"x": torch.zeros(4, 5)}, "expected a 3D input"),
        ({"x": torch.zeros(0, 2, 5)}, "sequence length to be larger than 0"),
        ({"x": torch.zeros(4, 5), "sizes": [3, 2]}, "batch sizes"),
        ({"x": torch.zeros(3, 5), "sizes": [-1, 4]}, "batch sizes"),
        ({"x": torch.zeros(2, 5), "sizes": [3, -1]}, "batch sizes"),
        ({"x": torch.zeros(4, 2, 6)}, "input weights have size"),
        ({"u": torch.zeros(12, 4)}, "state weights have size"),
        ({"q": torch.zeros(9)}, "a bias have size"),
        ({"h": torch.zeros(3, 3)}, "the hidden state have size"),
        ({"c": torch.zeros(2, 4)}, "the cells' state have size"),
        ({"u": torch.zeros(12, 3, dtype=torch.float64)}, "same dtype"),
        ({"x": torch.zeros(4, 2, 5, dtype=torch.int64)}, "not implemented for"),
        ({"mode": 7}, "no mode"),
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((RuntimeError, NotImplementedError), match=message):
        torch.mkldnn_rnn_layer(*_operands(**wrong))


def test_packed_data_whose_sizes_grow_is_refused() -> None:
    for sizes in ([2, 3], [3, -1, 3], [5, -1, 1]):
        with pytest.raises(RuntimeError, match="must not grow"):
            torch.gru(
                torch.zeros(5, 3), torch.tensor(sizes), torch.zeros(1, max(sizes), 2),
                [torch.zeros(6, 3), torch.zeros(6, 2)], False, 1, 0.0, False, False,
            )  # fmt: skip


def test_a_foreign_workspace_is_refused() -> None:
    operands = _operands(GRU)
    out, h, c, workspace = torch.mkldnn_rnn_layer(*operands)
    with pytest.raises(RuntimeError, match="workspace"):
        torch.mkldnn_rnn_layer_backward(
            *operands[:7], out, h, c, out, None, None, False, 3, 3, 1, True, True, False, [], False,
            workspace[1:],
        )  # fmt: skip


def test_gradients_of_other_sizes_are_refused() -> None:
    """More rows than there are were left out without a word."""
    operands = _operands(GRU)
    out, h, c, workspace = torch.mkldnn_rnn_layer(*operands)
    for grads in ((torch.cat([out, out]), None), (None, h[:1])):
        with pytest.raises(RuntimeError, match="a gradient has size"):
            torch.mkldnn_rnn_layer_backward(
                *operands[:7], out, h, c, *grads, None, False, 3, 3, 1, True, True, False, [], False,
                workspace,
            )  # fmt: skip


@pytest.mark.parametrize("steps", KINDS, ids=lambda steps: steps.name)
def test_every_stage_of_a_recurrence_is_legal(steps: RecurrentSteps) -> None:
    for goes_back, few in ((False, False), (False, True), (True, False)):
        which = Recurrence(steps.mode, "float32", goes_back, not goes_back, few)
        module = recurrence_kernel(which).module
        module.verify()
        stages: list[str] = []

        def after(one: ModulePass, module: ModuleOp, stages: list[str] = stages) -> None:
            stages.append(one.name)
            assert illegal(module, one.name, LEGAL_AFTER) == []

        PassPipeline(LOOPS_TO_LLVM).run(module, verify_each=True, after=after)
        assert tuple(stages) == LOOPS_TO_LLVM
