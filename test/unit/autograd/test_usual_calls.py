"""Note [Usual calls]: what generated functions record is what the long way records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from support import gradient_golden as golden
from support.amounts import IS_LONG
from torchscript_dialect import torch
from torchscript_dialect.autograd import formulas, functions, recording, usual_calls
from torchscript_dialect.autograd.history import gradient_edge, known
from torchscript_dialect.autograd.operator_node import OperatorNode
from torchscript_dialect.autograd.way_back import way_back
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import unstrided
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

SAMPLES = 2
STEP = 1 if IS_LONG else 4
"""Of so many operators one is called."""
SIDE = golden.Side(as_tensor, lambda tensor: tensor.array, lambda *_: None, functions.grad)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No formula gets a kernel between two runs, which may round otherwise; and calls are usual, whatever sparse tensors other tests made."""
    monkeypatch.setattr(formulas.Counted, "look", lambda *_: None)
    monkeypatch.setattr(unstrided._Made, "any", False)  # pyright: ignore[reportPrivateUsage]


class Call:
    """One call with operands of its own, of which some leaves require gradients."""

    def __init__(self, make: Callable[[], Any], required: Callable[[int], bool]) -> None:
        self.operands: list[Any] = [
            golden.widened(value, SIDE, memo) for memo in [{}] for value in make()
        ]
        leaves = {id(one): one for one in golden.tensors(self.operands)}
        able = [
            one for one in leaves.values() if one.dtype.is_floating_point or one.dtype.is_complex
        ]
        self.leaves = [one.requires_grad_() for place, one in enumerate(able) if required(place)]

    def without_leaves(self) -> None:
        """Put tensors that may be written to in the place of leaves."""
        if isinstance(self.operands[0], Tensor):
            self.operands[0] = self.operands[0].clone()

    def record(self, result: Any) -> Any:
        """Everything that there is to know of what came out."""
        results = [one for one in golden.tensors(result) if isinstance(one, Tensor)]
        return [self._of(one) for one in results], self._gradients(results)

    def _of(self, one: Tensor) -> Any:
        own, node = known(one), one.grad_fn
        view = None if own is None else own.view
        base = None if view is None else [view.base is each for each in self._tensors()]
        return (
            (one.dtype, one.shape, one.stride(), one.requires_grad, one.array.tobytes()),
            node and _node(node),
            (base, view and view.meta, view and [step.operator for step in view.path.steps()]),
        )

    def _tensors(self) -> Iterator[Tensor]:
        yield from golden.tensors(self.operands)

    def _gradients(self, results: Sequence[Tensor]) -> Any:
        able = [one for one in results if one.requires_grad]
        if not able or not self.leaves:
            return None
        weights = [torch.full_like(one.detach(), 0.5) for one in able]
        found = functions.grad(able, self.leaves, weights, allow_unused=True)
        return [one if one is None else (one.dtype, one.array.tolist()) for one in found]


def _node(node: Any) -> Any:
    ends = [end and end.name() for end, _ in node.next_functions]
    if not isinstance(node, OperatorNode):
        return node.name(), ends, node.results
    kept = {
        name: value.array.tolist() if isinstance(value, Tensor) else repr(value)
        for name in node.saved
        for value in [getattr(node, f"_saved_{name}")]
    }
    return node.name(), ends, node.results, node.slots, node.is_list, kept


@np.errstate(all="ignore")
def compare(operator: Operator, make: Callable[[], Any], required: Callable[[int], bool]) -> bool:
    """Whether a sample went by a generated function, which recorded the same as the long way."""
    recorded: Any = operator.recorded
    if not hasattr(recorded, "usual"):
        return False
    both: list[Any] = []
    for goes_long in (True, False):
        one = Call(make, required)
        if operator.schema.is_mutable:
            one.without_leaves()
        classes = tuple(map(type, one.operands))
        torch.manual_seed(0)
        recorded.met.add(classes)
        run = recorded.run if goes_long else lambda operands, _: recorded(*operands)
        try:
            both.append(one.record(run(tuple(one.operands), classes)))
        except Exception as error:
            both.append((type(error), str(error)))
    assert repr(both[0]) == repr(both[1]), operator.qualified_name
    return recorded.usual.get(classes) is not None


ONE_OF_ALL: tuple[Callable[[int], bool], ...] = (
    lambda _: True,
    lambda place: place == 0,
    lambda place: place > 0,
)
"""Which leaves require gradients."""


def usual(operators: Sequence[Operator]) -> set[str]:
    """The operators of which a sample went by a generated function."""
    return {
        operator.name
        for operator in operators
        for make in golden.samples(operator)[:SAMPLES]
        for required in ONE_OF_ALL
        if compare(operator, make, required)
    }


def found(names: Sequence[str]) -> list[Operator]:
    return [one for name in names if (one := registry.find(name)) is not None]


def test_calls_are_recorded_as_on_the_long_way() -> None:
    names = golden.names()[::STEP]
    assert len(usual(found(names))) > len(names) // 3


def test_writes_are_recorded_as_on_the_long_way() -> None:
    names = [f"{name}_" if "." not in name else name.replace(".", "_.") for name in golden.names()]
    writing = [one for one in found(names) if one.schema.is_mutable][::STEP]
    assert len(usual(writing)) > 50 // STEP


LISTS = ("stack", "cat", "unbind.int", "chunk", "split.Tensor", "index.Tensor", "einsum")


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_tensors_are_usual(name: str) -> None:
    operator = registry.find(f"aten::{name}")
    assert operator is not None
    assert usual([operator])


def test_what_goes_back_is_made_once_for_the_first_that_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []

    def counted(*given: Any) -> Any:
        made.append(given)
        return way_back(*given)

    monkeypatch.setattr(usual_calls, "way_back", counted)
    (mul,) = found(["aten::mul.Tensor"])
    run, x = recording.recorded(mul), torch.ones(3, requires_grad=True)
    results = [run(x, x) for _ in range(3)]
    assert not made
    for one in (*results, run(x, x)):
        one.backward(torch.ones(3))  # of no other operator, which would be counted, too
    assert len(made) == 1
    assert x.grad is not None
    assert x.grad.tolist() == [8.0] * 3


def test_operators_without_gradients_make_no_node() -> None:
    x = torch.ones(3, requires_grad=True)
    for _ in range(3):
        for made in (x > 0.5, torch.argmax(x, 0), torch.zeros_like(x), x.new_zeros([2])):
            assert not made.requires_grad
            assert made.grad_fn is None


def test_a_list_none_of_which_requires_a_gradient_has_no_history() -> None:
    x, plain = torch.ones(2, requires_grad=True), torch.ones(2)
    for _ in range(3):
        assert torch.stack([x, plain]).requires_grad
        assert not torch.stack([plain, plain]).requires_grad


def test_numbers_are_kept_as_they_were() -> None:
    x = torch.ones(2, 3, 4, requires_grad=True)
    for _ in range(3):
        dims = [1, 2, 0]
        y = x.permute(dims)
        dims.reverse()
        y.sum().backward()
    assert x.grad is not None
    assert x.grad.shape == (2, 3, 4)


def test_a_write_to_a_view_is_a_write_to_its_base() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    for _ in range(3):
        x.grad = None
        y = x * 2
        y[0].mul_(3)
        (y * y).sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [[72.0] * 3, [8.0] * 3]


@pytest.mark.parametrize("view", ["positive", "alias", "resolve_conj", "detach"])
def test_a_view_of_all_of_a_tensor_is_a_view(view: str) -> None:
    """One that stands on the same array, or the tensor itself."""
    x = torch.ones(3, requires_grad=True)
    for _ in range(3):
        x.grad = None
        y = x * 2
        z = getattr(torch, view)(y)
        z.mul_(3)
        (y * 1).sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [2.0 if view == "detach" else 6.0] * 3


def test_a_write_to_a_view_of_a_leaf_is_an_error() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    for _ in range(3):
        (x * 2)[0].mul_(3)
        with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
            x[0].mul_(3)


def test_an_array_that_is_assigned_to_data_is_what_nodes_keep() -> None:
    """PyTorch's nodes hold the operand itself, leaf or not."""
    for _ in range(3):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        z = (y * y).sum()
        y.data = torch.full((3,), 7.0)
        z.backward()
        assert x.grad is not None
        assert x.grad.tolist() == [28.0] * 3


def test_edges_follow_writes_and_what_is_detached() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    before = gradient_edge(y)
    assert before is gradient_edge(y)
    y.mul_(3)
    after = gradient_edge(y)
    assert after is not None and before is not None and after.node is not before.node
    y.detach_()
    y.requires_grad_()
    leaf = gradient_edge(y)
    assert leaf is not None and leaf.node is not after.node
