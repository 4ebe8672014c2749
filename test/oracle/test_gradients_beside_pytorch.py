"""Gradients of PyTorch's tensors through functions compiled here, beside PyTorch's own: Note [Two tapes]."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in

torch = pytest.importorskip("torch")

CALLS = 10
CHECKED = (1, 2, 3, 10)


def two_results(x, w):
    y = torch.tanh(x * w)
    return y.sum(), y


def of_a_loop(x, w):
    h = torch.zeros_like(x)
    for _ in range(3):
        h = torch.tanh(h + x * w)
    return h


def of_a_branch(x, w):
    if bool(x.sum() > 0):
        y = x * w
    else:
        y = x - w
    return y


def views(x, w):
    y = torch.relu(x * w)
    return y.t(), y[0], x[1:], w


def not_differentiable(x, w):
    values, places = (x * w).max(dim=1)
    return values, places, x.size(0), x.detach() * 2


def products(x, w):
    return torch.mm(x, w.unsqueeze(1)), {"sum": x.sum()}


def lists(x, w):
    return [x * w, x + w]


def complex_numbers(x, w):
    return torch.view_as_real(torch.fft.rfft(x * w)).sum()


def no_use_of_one(x, w):
    return x.exp()


PROGRAMS = (
    two_results,
    of_a_loop,
    of_a_branch,
    views,
    not_differentiable,
    products,
    lists,
    complex_numbers,
    no_use_of_one,
)


def leaves_of(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves_of(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves_of(item)]
    return [value]


class Ran(NamedTuple):
    values: list[Any]
    gradients: list[Any]


def run(
    function: Callable[..., Any],
    arguments: list[Any],
    requires: tuple[bool, ...],
    weigh: Callable[[Any], Any],
) -> Ran:
    """Results and gradients of a function of copies of the arguments, weighted so that each element counts."""
    given = [
        one.detach().clone().requires_grad_(wanted)
        for one, wanted in zip(arguments, requires, strict=True)
    ]
    results = leaves_of(function(*given))
    weighted = [
        weigh(one) for one in results if isinstance(one, torch.Tensor) and one.requires_grad
    ]
    if weighted:
        torch.stack(weighted).sum().backward()
    return Ran(results, [one.grad for one in given])


def weigh(tensor: Any) -> Any:
    return (tensor * torch.arange(1, tensor.numel() + 1).reshape(tensor.shape)).sum()


def assert_same(ours: Ran, theirs: Ran) -> None:
    for mine, right in zip(ours.values, theirs.values, strict=True):
        assert type(mine) is type(right)
        if isinstance(right, torch.Tensor):
            torch.testing.assert_close(mine, right)
            assert mine.requires_grad == right.requires_grad
    for mine, right in zip(ours.gradients, theirs.gradients, strict=True):
        assert (mine is None) == (right is None)
        if right is not None:
            torch.testing.assert_close(mine, right)


@pytest.mark.parametrize("requires", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_gradients_are_pytorchs(program: Callable[..., Any], requires: tuple[bool, ...]) -> None:
    compiled = ts.script(program)
    for number in range(1, CALLS + 1):
        arguments = [torch.randn(4, 3), torch.randn(3)]
        ours = run(compiled, arguments, requires, weigh)
        if number in CHECKED:
            assert_same(ours, run(program, arguments, requires, weigh))


def check_differences(compiled: Callable[..., Any]) -> None:
    """Gradients of both orders are those of finite differences."""
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    w = torch.randn(3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(compiled, (x, w))
    assert torch.autograd.gradgradcheck(compiled, (x, w))


def test_other_sizes_and_dtypes() -> None:
    compiled = ts.script(two_results)
    for size, dtype in [
        (2, torch.float32),
        (2, torch.float64),
        (5, torch.float32),
        (1, torch.float64),
    ] * 3:
        arguments = [torch.randn(size, 3, dtype=dtype), torch.randn(3, dtype=dtype)]
        ours = run(compiled, arguments, (True, True), weigh)
        assert_same(ours, run(two_results, arguments, (True, True), weigh))


@pytest.mark.parametrize("program", [two_results, of_a_loop], ids=lambda one: one.__name__)
def test_differences_of_both_orders(program: Callable[..., Any]) -> None:
    compiled = ts.script(program)
    check_differences(compiled)


def test_in_the_middle_of_pytorchs_graph() -> None:
    compiled = ts.script(of_a_loop)

    def around(inner: Callable[..., Any], x: Any, w: Any) -> Any:
        return inner(inner(x.exp(), w) + x, w.sin()).pow(2).mean()

    for _ in range(4):
        arguments = [torch.randn(4, 3), torch.randn(3)]
        ours = run(lambda x, w: around(compiled, x, w), arguments, (True, True), weigh)
        assert_same(ours, run(lambda x, w: around(of_a_loop, x, w), arguments, (True, True), weigh))


def test_strides_of_empty_results() -> None:
    function = ts.CompilationUnit("def f(x):\n    return x @ x, x + 1").f
    x = torch.randn(0, 4, 3, 3, requires_grad=True)
    for _ in range(CALLS):
        wanted = (x @ x, x + 1)
        assert [one.stride() for one in function(x)] == [one.stride() for one in wanted]


def test_without_gradients_wanted() -> None:
    compiled = ts.script(two_results)
    x, w = torch.randn(4, 3, requires_grad=True), torch.randn(3)
    for _ in range(4):
        with torch.no_grad():
            total, y = compiled(x, w)
        assert isinstance(y, torch.Tensor) and not y.requires_grad and not total.requires_grad
        torch.testing.assert_close(y, two_results(x, w)[1].detach())


def asked(x):
    requires = (x.requires_grad, x.is_leaf, x.retains_grad)
    return requires, (x * 2).requires_grad


def turned_on(x):
    torch.set_grad_enabled(True)
    y = x * 2
    torch.set_grad_enabled(False)
    return y


def test_programs_tell_gradients_where_none_are_wanted() -> None:
    kept = torch.ones(2, requires_grad=True) * 1
    kept.retain_grad()
    leaf = torch.ones(2, requires_grad=True)
    for x in (torch.ones(2), leaf, leaf * 1, kept):
        for wanted in (False, True):
            with torch.set_grad_enabled(wanted):
                assert ts.script(asked)(x) == torch.jit.script(asked)(x)
    with torch.no_grad():
        y = ts.script(turned_on)(leaf)
        assert not torch.is_grad_enabled()
    y.sum().backward()
    assert leaf.grad.tolist() == [2, 2]


def test_what_requires_nothing_is_as_it_was() -> None:
    compiled = ts.script(two_results)
    for _ in range(3):
        assert isinstance(compiled(torch.randn(4, 3), torch.randn(3))[1], ts.Tensor)


def test_integers_beside() -> None:
    def pick(x, places):
        return torch.index_select(x, 0, places) * 2, places + 1

    compiled = ts.script(pick)
    for _ in range(4):
        x = torch.randn(4, 3, requires_grad=True)
        places = torch.tensor([2, 0, 2])
        picked, after = compiled(x, places)
        assert isinstance(after, torch.Tensor) and after.tolist() == [3, 1, 3]
        picked.sum().backward()
        assert x.grad.sum(1).tolist() == [6, 0, 12, 0]


def test_results_that_are_arguments() -> None:
    compiled = ts.script(views)
    x, w = torch.randn(4, 3, requires_grad=True), torch.randn(3, requires_grad=True)
    for _ in range(3):
        _, first, rest, same = compiled(x, w)
        assert same is w and rest.data_ptr() == x[1:].data_ptr() and first.shape == (3,)
        assert rest._base is x


@pytest.mark.parametrize(
    "place", [lambda t: t[0].expand(4, 3), lambda t: t.flatten()[:6].unfold(0, 3, 1)]
)
def test_views_of_elements_in_one_place(place: Callable[[Any], Any]) -> None:
    x, w = place(torch.randn(4, 3)), torch.randn(3)
    weight = torch.arange(9.0).view(3, 3)
    found: list[Any] = []
    for function in (views, ts.script(views), torch.jit.script(views)):
        leaf = x.detach().requires_grad_()
        (function(leaf, w)[2] * weight).sum().backward()
        found.append(leaf.grad)
    assert torch.equal(found[1], found[0]) and torch.equal(found[2], found[0])


def test_a_second_time() -> None:
    compiled = ts.script(two_results)
    for _ in range(3):
        x, w = torch.randn(4, 3, requires_grad=True), torch.randn(3)
        total, _ = compiled(x, w)
        total.backward(retain_graph=True)
        once = x.grad.clone()
        total.backward()
        torch.testing.assert_close(x.grad, 2 * once)
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            total.backward()


def test_the_tape_is_let_go_of() -> None:
    compiled = ts.script(two_results)
    x, w = torch.randn(4, 3, requires_grad=True), torch.randn(3)
    gc.disable()
    try:
        for _ in range(4):
            total, y = compiled(x, w)
            node = weakref.ref(y)
            del y
            total.backward()
            del total
            assert node() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("which", ["argument", "other argument", "result"])
def test_what_is_saved_and_written_to(which: str) -> None:
    compiled = ts.script(two_results)
    for _ in range(4):
        x, w = torch.randn(4, 3, requires_grad=True), torch.randn(3)
        _, y = compiled(x, w)
        with torch.no_grad():
            {"argument": x, "other argument": w, "result": y}[which].mul_(2)
        if which == "argument":  # w alone is saved for its gradient
            y.sum().backward()
            continue
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()


def write(x, y):
    x.mul_(y)
    return x + 1


def write_view(x, y):
    x[0].copy_(y[0])
    return x * 2


@pytest.mark.parametrize("program", [write, write_view], ids=lambda one: one.__name__)
def test_writes_in_place(program: Callable[..., Any]) -> None:
    compiled = ts.script(program)

    def around(inner: Callable[..., Any], x: Any, w: Any) -> Any:
        mine = x * 2
        result = inner(mine, w)
        return result, mine

    def into_plain(inner: Callable[..., Any], x: Any, w: Any) -> Any:
        mine = x.detach().clone()
        result = inner(mine, w)
        assert mine.requires_grad and not mine.is_leaf
        return result, mine

    for way in (around, into_plain):
        for _ in range(4):
            arguments = [torch.randn(4, 3), torch.randn(4, 3)]
            requires = (way is around, True)
            ours = run(lambda x, w, way=way: way(compiled, x, w), arguments, requires, weigh)
            theirs = run(lambda x, w, way=way: way(program, x, w), arguments, requires, weigh)
            assert_same(ours, theirs)


def test_a_leaf_is_not_written_to() -> None:
    compiled = ts.script(write)
    for _ in range(3):
        x = torch.ones(2, requires_grad=True)
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
            compiled(x, torch.ones(2))
        assert x.tolist() == [1, 1]


def test_pytorch_hears_of_writes() -> None:
    compiled = ts.script(write)
    for _ in range(3):
        w, x = torch.ones(2, requires_grad=True), torch.ones(2)
        before = x * w  # saves x
        with torch.no_grad():
            compiled(x, torch.ones(2))
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            before.sum().backward()


CONTAINERS = {
    "List[Tensor]": ("given[0].add_(1)", lambda x: [x]),
    "Dict[str, Tensor]": ("given['x'].add_(1)", lambda x: {"x": x}),
    "Tuple[Tensor, Tensor]": ("given[1].view(-1).add_(1)", lambda x: (torch.ones(1), x)),
}


@pytest.mark.parametrize("type_", CONTAINERS)
def test_pytorch_hears_of_writes_to_what_containers_hold(type_: str) -> None:
    line, held = CONTAINERS[type_]
    f = ts.CompilationUnit(f"def f(given: {type_}):\n    {line}\n    return 1\n").f
    for _ in range(3):
        w, x = torch.ones(2, requires_grad=True), torch.ones(2)
        before = x * w  # saves x
        with torch.no_grad():
            f(held(x))
        assert x.tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            before.sum().backward()


def write_first(x, y):
    x.mul_(2)
    return x * y


def test_arguments_on_the_same_memory() -> None:
    compiled = ts.script(write_first)
    for _ in range(3):
        block = torch.randn(4, requires_grad=True) * 1
        with pytest.raises(RuntimeError, match="share memory"):
            compiled(block[:2], block[1:3])


@torch.jit.ignore
def doubled(x):
    return torch.exp(x) * 2


def calls_python(x, w):
    y: torch.Tensor = doubled(x * w)  # pyright: ignore[reportInvalidTypeForm]
    return y.sum() + (y * w).sum()


@torch.jit.ignore
def keeps_first(x):
    return x


def calls_python_that_gives_what_it_got(x, w):
    y: torch.Tensor = keeps_first(x * w)  # pyright: ignore[reportInvalidTypeForm]
    return y * w


@pytest.mark.parametrize(
    "program", [calls_python, calls_python_that_gives_what_it_got], ids=lambda one: one.__name__
)
def test_python_between(program: Callable[..., Any]) -> None:
    compiled = ts.script(program)
    for number in range(1, CALLS + 1):
        arguments = [torch.randn(4, 3), torch.randn(3)]
        ours = run(compiled, arguments, (True, True), weigh)
        if number in CHECKED:
            assert_same(ours, run(program, arguments, (True, True), weigh))
    check_differences(compiled)


def test_python_between_tensors_of_ours() -> None:
    compiled = ts.script(calls_python)
    theirs = [torch.randn(4, 3, requires_grad=True), torch.randn(3, requires_grad=True)]
    calls_python(*theirs).backward()
    for _ in range(4):
        ours = [stand_in.tensor(one.detach().numpy()).requires_grad_() for one in theirs]
        compiled(*ours).backward()
        for mine, right in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(mine.grad.numpy(), right.grad.numpy(), rtol=1e-5)


class Holder:
    def __init__(self, value: torch.Tensor) -> None:  # pyright: ignore[reportInvalidTypeForm]
        self.value = value


def test_an_object_cannot_hold_a_gradient() -> None:
    def make(x):
        return Holder(x * 2)

    compiled = ts.script(make)
    with pytest.raises(RuntimeError, match="holds a tensor that a gradient goes through"):
        compiled(torch.ones(2, requires_grad=True))


def test_a_graph_that_is_interpreted() -> None:
    graph = ts.parse_ir("""
graph(%a : Tensor, %b : Tensor):
  %c : Tensor = aten::mul(%a, %b)
  return (%c)
""")
    x, w = torch.ones(2, requires_grad=True), torch.tensor([3.0, 4.0])
    ts.run_graph(graph, x, w).sum().backward()
    assert x.grad.tolist() == [3, 4]
    mine = stand_in.ones(2, requires_grad=True)
    ts.run_graph(graph, mine, w.numpy()).sum().backward()
    assert mine.grad.tolist() == [3, 4]


@pytest.mark.parametrize(
    "operator",
    [
        lambda x: stand_in.tanh(x),
        lambda x: stand_in.ones(2, requires_grad=True) + x,
        lambda x: stand_in.ones(2).mul(x),
        lambda x: stand_in.ones(2).__setitem__(0, x[0]),
    ],
)
def test_eager_operators_lose_no_gradient(operator: Callable[[Any], Any]) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="whose gradient would be lost"):
        operator(x)
    with torch.no_grad():
        operator(x)


class Positions(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(6.0).reshape(3, 2))

    def forward(self, n: int):
        return self.weight[:n].exp(), n


def test_a_module_of_pytorchs_that_is_given_no_tensor() -> None:
    """It gave tensors of ours, so that its parameters in PyTorch got no gradient, without a word."""
    grads: list[Any] = []
    for script in (torch.jit.script, ts.script):
        module = Positions()
        compiled = script(module)
        for _ in range(3):
            result, _ = compiled(2)
            assert isinstance(result, torch.Tensor)
            result.sum().backward()
        grads.append(module.weight.grad)
    torch.testing.assert_close(*grads)


def test_our_tape_brings_parameters_of_pytorchs_their_gradients() -> None:
    """Where arrays are given, results are tensors of ours; optimizers of PyTorch's look at its parameters."""
    x = np.ones((4, 3), np.float32)
    modules = [torch.nn.Linear(3, 2) for _ in range(2)]
    modules[1].load_state_dict(modules[0].state_dict())
    compiled = ts.script(modules[1])
    optimizers = [torch.optim.SGD(module.parameters(), lr=0.1) for module in modules]
    for step in range(4):
        for module, given, optimizer in zip(
            modules, (torch.from_numpy(x), x), optimizers, strict=True
        ):
            run = compiled if given is x else module
            for _ in range(2):  # gradients add up
                result = run(given)
                (result * result).mean().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=step % 2 == 0)
    for ours, theirs in zip(modules[1].parameters(), modules[0].parameters(), strict=True):
        torch.testing.assert_close(ours, theirs)


def numbers_of_pairs(x):
    return torch.view_as_complex(x)[:, ::2]


def pairs_of_numbers(x):
    y = torch.view_as_complex(x) * 1j
    return y.real[1], y.imag, torch.view_as_real(y)[..., 1:]


@pytest.mark.parametrize("program", [numbers_of_pairs, pairs_of_numbers])
@pytest.mark.parametrize("is_wanted", [True, False])
def test_complex_numbers_and_their_parts_are_views(
    program: Callable[..., Any], is_wanted: bool
) -> None:
    """They were refused."""
    found: list[Any] = []
    for script in (torch.jit.script, ts.script):
        x = torch.arange(24.0).reshape(3, 4, 2).requires_grad_()
        with torch.set_grad_enabled(is_wanted):
            given = x * 1.0
            results = script(program)(given)
        results = results if isinstance(results, tuple) else (results,)
        results = [torch.from_dlpack(r) if isinstance(r, ts.Tensor) else r for r in results]
        if is_wanted:
            torch.stack([r.abs().pow(3).sum() for r in results]).sum().backward()
        shown = [(r.stride(), r.detach().clone()) for r in results]
        found.append((shown, x.grad, results[0].data_ptr() == given.data_ptr()))
    torch.testing.assert_close(*found)
