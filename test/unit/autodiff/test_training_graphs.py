"""What layers do in training is in differentiable graphs: norms, whose running statistics are written to there, masks, and writes."""

from collections.abc import Iterator
from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


@pytest.fixture(autouse=True)
def compiled_at_once() -> Iterator[None]:
    with ts.background_compilation(False):
        yield


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(2, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.act = torch.nn.ReLU(inplace=True)
        self.second = torch.nn.Conv2d(4, 2, 3)

    def forward(self, x):
        y = self.act(self.norm(self.first(x)))
        return torch.tanh(self.second(y)) * 2


def made() -> Any:
    torch.manual_seed(1)
    return torch.jit.script(Block())


def steps(module: Any, count: int) -> list[Any]:
    """What training steps leave behind: gradients, and statistics."""
    generator = torch.Generator()
    generator.manual_seed(2)
    for _ in range(count):
        for parameter in module.parameters():
            parameter.grad = None
        x = torch.randn(3, 2, 6, 6, generator=generator)
        module(x).square().sum().backward()
    grads = [parameter.grad.tolist() for parameter in module.parameters()]
    return [*grads, *(buffer.tolist() for buffer in module.buffers())]


def flat(value: Any) -> list[float]:
    if isinstance(value, list):
        return [number for one in value for number in flat(one)]  # pyright: ignore[reportUnknownVariableType]
    return [value]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_gradients_and_statistics_are_those_of_the_tape(count: int) -> None:
    with ts.optimized_execution(False):
        expected = steps(made(), count)
    assert flat(steps(made(), count)) == pytest.approx(flat(expected), rel=1e-4, abs=1e-5)


def test_a_norm_a_write_and_what_follows_are_one_graph() -> None:
    module = made()
    steps(module, 5)
    (plan,) = module.forward._executor.gradient_plans.values()  # pyright: ignore[reportPrivateUsage]
    assert len(plan.graphs) == 1
    names = [op.name for op in plan.function.body.block.ops]
    assert "aten._batch_norm_impl_index" not in names
    assert not any(name.startswith("aten.relu_") for name in names)


class Reads(torch.nn.Module):
    """Gives the running mean of a norm before and after it ran."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)

    def forward(self, x, w):
        before = self.norm.running_mean.clone()
        y = torch.exp(self.norm(x * w)) * w
        after = self.norm.running_mean.clone()
        return torch.relu(y) * 2, before, after


class ReadsNumbers(Reads):
    """What reads it stands among the nodes of a graph, and is none of them."""

    def forward(self, x, w):
        before = self.norm.running_mean * 2
        y = torch.exp(self.norm(x * w)) * w
        after = self.norm.running_mean * 2
        return torch.relu(y) * 2, float(before.sum()), float(after.sum())


@pytest.mark.parametrize(
    ("reads", "of"), [(Reads, lambda m: [m] * 3), (ReadsNumbers, lambda m: 6 * m)]
)
def test_statistics_are_read_after_they_were_written(reads: Any, of: Any) -> None:
    module: Any = torch.jit.script(reads())
    x, w = torch.ones(4, 3), torch.ones(3, requires_grad=True)
    mean = 0.0
    for _ in range(6):
        result, *read = module(x, w)
        result.sum().backward()
        before, after = (one if isinstance(one, float) else one.tolist() for one in read)
        assert before == pytest.approx(of(mean))
        mean = 0.9 * mean + 0.1
        assert after == pytest.approx(of(mean))


def test_a_norm_whose_result_nobody_asks_for_still_moves_its_statistics() -> None:
    class Unused(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(3)

        def forward(self, x, w):
            torch.relu(self.norm(x * w) * 2)
            return x * w * w

    module: Any = torch.jit.script(Unused())
    x, w = torch.ones(4, 3), torch.ones(3, requires_grad=True)
    for count in range(1, 7):
        module(x, w).sum().backward()
        assert module.norm.num_batches_tracked.item() == count
        assert module.norm.running_mean.tolist() == pytest.approx([1 - 0.9**count] * 3)


def test_an_empty_batch_has_no_statistics() -> None:
    module = made()
    steps(module, 4)
    before = [buffer.tolist() for buffer in module.buffers()]
    x = torch.zeros(0, 2, 6, 6, requires_grad=True)
    result = module(x)
    result.sum().backward()
    assert result.shape == (0, 2, 2, 2) and x.grad.shape == x.shape
    assert [buffer.tolist() for buffer in module.buffers()][:2] == before[:2]


def test_what_is_written_to_what_a_gradient_reads_is_still_an_error() -> None:
    def f(x):
        y = torch.sigmoid(x * 2)
        torch.relu_(y)
        return y * x

    compiled = ts.script(f)
    for _ in range(6):
        x = torch.ones(3, requires_grad=True)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            compiled(x).sum().backward()


def test_a_mask_is_drawn_once() -> None:
    def f(x, w):
        y = torch.dropout(x * w, 0.5, True)
        return torch.tanh(y) + y * 2, y

    compiled = ts.script(f)
    x, w = torch.ones(64), torch.ones(64, requires_grad=True)
    for call in range(6):
        w.grad = None
        torch.manual_seed(call)
        result, masked = compiled(x, w)
        result.sum().backward()
        torch.manual_seed(call)
        assert masked.tolist() == torch.dropout(x, 0.5, True).tolist()
        slopes = [(3 - torch.tanh(one).item() ** 2) * one.item() for one in masked]
        assert w.grad is not None and w.grad.tolist() == pytest.approx(slopes)


def test_a_norm_in_training_is_a_kernel_that_updates() -> None:
    module = made()
    steps(module, 5)
    (plan,) = module.forward._executor.gradient_plans.values()  # pyright: ignore[reportPrivateUsage]
    (graph,) = plan.graphs.values()
    names = [op.name for op in graph.function.body.block.ops]
    assert "aten._batch_norm_impl_index" not in names
    assert names.count("prim.Update") == 2


class Twice(torch.nn.Module):
    """One norm, whose statistics are read between, in two places; and one without parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(2, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.other = torch.nn.BatchNorm2d(4, momentum=None, affine=False)

    def forward(self, x):
        y = torch.relu(self.norm(self.first(x)))
        z = self.norm(y * 2) + self.norm.running_mean.view([1, -1, 1, 1]) + y
        return torch.tanh(self.other(z)) * 2


def test_a_norm_in_two_places_in_training_and_evaluation() -> None:
    """What it writes is seen where it is next, and in evaluation."""

    def run() -> list[Any]:
        torch.manual_seed(1)
        module = torch.jit.script(Twice())
        found: list[Any] = []
        for trains in (True, True, False, True, True, True, False, True):
            module.train(trains)
            found.append(steps(module, 2))
            with torch.no_grad():
                found.append(module(torch.ones(2, 2, 5, 5)).tolist())
        return found

    with ts.optimized_execution(False):
        expected = run()
    assert flat(run()) == pytest.approx(flat(expected), rel=1e-3, abs=1e-4)
