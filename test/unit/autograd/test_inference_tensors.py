"""Tensors that are made in inference mode: Note [Inference tensors]. What is expected is what PyTorch gives."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Thread
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

WRITTEN = "Inplace update to inference tensor outside InferenceMode is not allowed."
SAVED = "Inference tensors cannot be saved for backward."
FLAGGED = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
VIEWED = "A view was created in inference mode and is being modified inplace in normal mode."
CALLS = 8
"""After fewer of them a function is compiled."""


def normal() -> torch.Tensor:
    return torch.tensor([2.0, 3.0])


def leaf() -> torch.Tensor:
    return torch.tensor([2.0, 3.0], requires_grad=True)


def inferred() -> torch.Tensor:
    with torch.inference_mode():
        return torch.tensor([2.0, 3.0])


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x + x,
        lambda x: x.clone(),
        lambda x: x.to(torch.float64),
        lambda x: x[[0]],
        lambda x: torch.ones(2),
        lambda x: torch.ones(2, requires_grad=True),
        lambda x: torch.tensor([1.0]),
        lambda x: torch.tensor([1.0], requires_grad=True),
        lambda x: torch.from_numpy(np.ones(2)),
        lambda x: torch.arange(3),
        lambda x: torch.topk(x, 1)[1],
        lambda x: torch.max(x, 0).values,
        lambda x: torch.nn.Linear(2, 2).weight,
        lambda x: torch.nn.functional.relu(x, inplace=False),
        lambda x: torch.add(x, x, alpha=2),
    ],
)  # fmt: skip
def test_what_is_made_in_the_mode(make: Callable[[Any], Any]) -> None:
    assert not make(normal()).is_inference()
    with torch.inference_mode():
        for _ in range(CALLS):
            assert make(normal()).is_inference() and make(inferred()).is_inference()
        with torch.inference_mode(False):
            assert not make(normal()).is_inference()
    assert not make(inferred()).is_inference()


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x,
        lambda x: x.view(2),
        lambda x: x[1:],
        lambda x: x[0],
        lambda x: x.reshape(2, 1),
        lambda x: x.expand(2, 2),
        lambda x: x.detach(),
        lambda x: x.data,
        lambda x: x.contiguous(),
        lambda x: x.to(torch.float32),
        lambda x: torch.split(x, 1)[-1],
        lambda x: x.unbind()[0],
        lambda x: x.t().t(),
    ],
)
def test_views_are_what_their_bases_are(view: Callable[[Any], Any]) -> None:
    for mode in (nullcontext, torch.inference_mode, torch.no_grad):
        x, i = normal(), inferred()
        with mode():
            for _ in range(CALLS):
                assert not view(x).is_inference() and view(i).is_inference()
                assert view(view(i)).is_inference() if view(i).ndim else True


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.add_(1),
        lambda x: x.view(2).add_(1),
        lambda x: x[0].zero_(),
        lambda x: x.__setitem__(0, 1.0),
        lambda x: x.copy_(torch.zeros(2)),
        lambda x: x.copy_(leaf()),
        lambda x: x.t_(),
        lambda x: x.unsqueeze_(0),
        lambda x: torch.neg(torch.ones(2), out=x),
        lambda x: x.uniform_(),
        lambda x: x.requires_grad_(False).mul_(2),
    ],
)
def test_writes_are_refused_outside(write: Callable[[Any], Any]) -> None:
    for mode in (nullcontext, torch.no_grad, lambda: torch.inference_mode(False)):
        x = inferred()
        with mode(), pytest.raises(RuntimeError, match=WRITTEN):
            write(x)
    with torch.inference_mode():
        write(inferred())
        write(normal())


@pytest.mark.parametrize(
    ("compute", "is_saved"),
    [
        (lambda p, i: p * i, True),
        (lambda p, i: i * p, True),
        (lambda p, i: p * i.view(2), True),
        (lambda p, i: p / i, True),
        (lambda p, i: torch.dot(p, i), True),
        (lambda p, i: p + i, False),
        (lambda p, i: torch.relu(p - i), False),
        (lambda p, i: torch.where(i > 1, p, p), False),
        (lambda p, i: p * i.clone(), False),
        (lambda p, i: p * (i + 0), False),
        (lambda p, i: torch.cat([p, i]), False),
        (lambda p, i: i.clone().requires_grad_() * p, False),
    ],
)
def test_what_may_be_kept_for_a_gradient(compute: Callable[..., Any], is_saved: bool) -> None:
    for _ in range(3):  # usual calls are recorded in another way than the first
        if is_saved:
            with pytest.raises(RuntimeError, match=SAVED):
                compute(leaf(), inferred())
        else:
            assert compute(leaf(), inferred()).requires_grad
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            compute(leaf(), inferred())


def test_writes_are_not_counted() -> None:
    i = inferred()
    for one in (i, i.view(2), i[0]):
        with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
            print(one._version)
    assert i.clone()._version == 0


def test_requiring_gradients() -> None:
    i: Any = inferred()
    with pytest.raises(RuntimeError, match=FLAGGED):
        i.requires_grad_()
    with pytest.raises(RuntimeError, match=FLAGGED):
        i.requires_grad = True
    assert not i.requires_grad_(False).requires_grad
    with torch.inference_mode():
        assert i.requires_grad_().requires_grad and i.is_inference() and i.is_leaf
    assert (i * 2).requires_grad
    assert i.clone().requires_grad
    layer = inferring(torch.nn.Linear, 2, 2)
    assert layer(normal()).requires_grad


def inferring(call: Callable[..., Any], *args: Any) -> Any:
    with torch.inference_mode():
        return call(*args)


def test_views_of_others_are_not_written_to_outside() -> None:
    base, plain = leaf() * 1, normal()
    view, of_plain = inferring(base.view, 2), inferring(plain.view, 2)
    with pytest.raises(RuntimeError, match=VIEWED):
        view.add_(1)
    of_plain.add_(1)
    assert plain.tolist() == [3.0, 4.0]
    with pytest.raises(RuntimeError, match=VIEWED):
        of_plain.mul_(leaf())
    with torch.no_grad():
        view.add_(1)
    inferring(view.add_, 1)
    assert base.tolist() == [4.0, 5.0]


def test_an_inference_gradient_is_not_added_to() -> None:
    p: Any = leaf()
    p.grad = inferred()
    with pytest.raises(RuntimeError, match=WRITTEN):
        (p * 2).sum().backward()


def test_modes_in_one_another() -> None:
    def seen() -> tuple[bool, bool, bool]:
        return torch.is_inference_mode_enabled(), torch.is_grad_enabled(), (normal() + 1).is_inference()  # fmt: skip

    def within(mode: AbstractContextManager[Any]) -> tuple[bool, bool, bool]:
        with mode:
            return seen()

    with torch.inference_mode():
        assert seen() == (True, False, True)
        assert within(torch.enable_grad()) == (True, False, True)
        assert within(torch.no_grad()) == (True, False, True)
        assert within(torch.inference_mode(False)) == (False, True, False)
        assert within(torch.inference_mode()) == (True, False, True)
        assert seen() == (True, False, True)
    with torch.no_grad():
        assert within(torch.inference_mode(False)) == (False, True, False)
        assert within(torch.inference_mode()) == (True, False, True)
        assert seen() == (False, False, False)
    assert torch.inference_mode(False).clone().mode is False


def test_one_object_is_entered_again() -> None:
    mode = torch.inference_mode()
    with mode, mode:
        assert torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled() and torch.is_grad_enabled()


def test_decorated_functions_and_generators() -> None:
    @torch.inference_mode()
    def steps(x: torch.Tensor) -> Any:
        yield x * 2
        yield torch.is_inference_mode_enabled()

    generator = steps(normal())
    assert next(generator).is_inference() and not torch.is_inference_mode_enabled()
    assert next(generator) and not torch.is_inference_mode_enabled()
    assert torch.inference_mode(lambda x: x + 1)(normal()).is_inference()
    assert not torch.inference_mode(mode=False)(lambda x: x + 1)(normal()).is_inference()


def test_the_mode_is_one_of_a_thread() -> None:
    def look() -> None:
        found.extend(((x + x).is_inference(), doubled(x).is_inference(), torch.ones(1)._version))

    x, found, doubled = normal(), list[Any](), ts.script(twice)
    doubled(x)
    with torch.inference_mode():
        thread = Thread(target=look)
        thread.start()
        thread.join()
        assert doubled(x).is_inference()
    assert found == [False, False, 0]


# Compiled functions


def twice(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * 2) + x


def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * y) + x


def same(x: torch.Tensor) -> torch.Tensor:
    return x


def flat(x: torch.Tensor) -> torch.Tensor:
    return x.view(-1)


def several(x: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor], torch.Tensor]:
    y = x + 1
    return y, [x[1:], y[1:], x], x * x


def incremented(x: torch.Tensor) -> torch.Tensor:
    return x.add_(1)


def accumulated(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    z = x + y
    z.mul_(2)
    x.copy_(z)
    return z


def repeated(x: torch.Tensor) -> torch.Tensor:
    y = x
    for _ in range(3):
        y = torch.relu(y) * 2 + x
    return y


def constant() -> torch.Tensor:
    return torch.ones(3)


def asked(x: torch.Tensor) -> tuple[bool, bool]:
    return x.is_inference(), (x + 1).is_inference()


def marks(result: Any) -> Any:
    """Which tensors of a result are inference tensors."""
    if isinstance(result, torch.Tensor):
        return result.is_inference()
    return [marks(one) for one in result] if isinstance(result, (list, tuple)) else result


PROGRAMS = [
    (twice, [normal], True, False),
    (twice, [inferred], True, False),
    (twice, [leaf], True, False),
    (product, [normal, inferred], True, False),
    (same, [normal], False, False),
    (same, [inferred], True, True),
    (flat, [normal], False, False),
    (flat, [inferred], True, True),
    (flat, [leaf], False, False),
    (several, [normal], [True, [False, True, False], True], [False, [False, False, False], False]),
    (several, [inferred], [True, [True, True, True], True], [False, [True, False, True], False]),
    (several, [leaf], [True, [False, True, False], True], [False, [False, False, False], False]),
    (incremented, [normal], False, False),
    (incremented, [inferred], True, WRITTEN),
    (accumulated, [normal, inferred], True, False),
    (accumulated, [inferred, normal], True, WRITTEN),
    (repeated, [normal], True, False),
    (repeated, [inferred], True, False),
    (constant, [], False, False),
]  # fmt: skip


@pytest.mark.parametrize(("function", "makers", "inside", "outside"), PROGRAMS)
@pytest.mark.parametrize("is_inside_first", [True, False])
def test_compiled_functions(
    function: Callable[..., Any],
    makers: list[Callable[[], Any]],
    inside: Any,
    outside: Any,
    is_inside_first: bool,
) -> None:
    """Interpreted, compiled, and compiled before for the other mode."""
    compiled = ts.script(function)
    if function is constant:
        compiled()  # its result is computed ahead, and is no inference tensor
    with ts.background_compilation(False):
        for order in (is_inside_first, not is_inside_first, is_inside_first):
            for _ in range(CALLS):
                arguments = [make() for make in makers]
                if order:
                    assert marks(inferring(compiled, *arguments)) == inside
                elif outside is WRITTEN:
                    with pytest.raises(RuntimeError, match=WRITTEN):
                        compiled(*arguments)
                else:
                    assert marks(compiled(*arguments)) == outside


def test_compiled_functions_keep_no_inference_tensor() -> None:
    compiled = ts.script(product)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            compiled(leaf(), normal()).sum().backward()
            for arguments in ((leaf(), inferred()), (inferred(), leaf())):
                with pytest.raises(RuntimeError, match=SAVED):
                    compiled(*arguments)


def test_programs_ask() -> None:
    compiled = ts.script(asked)
    for _ in range(CALLS):
        assert compiled(normal()) == (False, False)
        assert compiled(inferred()) == (True, False)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)
        self.register_buffer("shift", torch.ones(2))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return torch.relu(self.fc(x)) + self.shift, self.shift, self.fc.weight[0]


def test_parameters_and_buffers_stay_normal() -> None:
    model = ts.script(Model())
    x = torch.ones(1, 2)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            assert marks(inferring(model, x)) == [True, False, False]
            result = model(x)[0]
            assert not result.is_inference()
            result.sum().backward()
            assert model.fc.weight.grad is not None and not model.fc.weight.grad.is_inference()
