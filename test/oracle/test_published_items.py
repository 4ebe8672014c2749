"""What published code does that no program of the corpus can show: layers with parametrizations, state of the process, archives."""

# PyTorch's own annotations are narrower than what it takes.
# pyright: reportArgumentType=false, reportInvalidTypeForm=false

import io
import linecache
import typing
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.jit import Future as Later
from torch.nn.utils import parametrizations, parametrize

import torchscript_dialect as ts
from support.canonical import canonical
from torchscript_dialect import torch as stand_in

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


def symmetric() -> nn.Module:
    layer = nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    return layer


def weight_normed() -> nn.Module:
    return nn.Sequential(parametrizations.weight_norm(nn.Linear(3, 3)), nn.ReLU())


@pytest.mark.parametrize("make", [symmetric, weight_normed])
def test_parametrized_layers_script_and_raise_when_they_are_called(make: Any) -> None:
    """As in PyTorch: what computes the weight raises in programs."""
    made = make()
    ours, theirs = ts.script(made), torch.jit.script(made)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    for program in (theirs, ours):
        with pytest.raises(Exception, match="Parametrization is not working with scripting"):
            program(torch.ones(2, 3))


class Counted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        for parameter in self.inner.parameters():
            x = x + parameter.sum()
        return x


class Buffered(Counted):
    def forward(self, x):
        for buffer in self.buffers():
            x = x + buffer
        return x


@pytest.mark.parametrize("class_", [Counted, Buffered])
def test_generators_of_modules_are_refused_as_in_pytorch(class_: Any) -> None:
    """Torch 2.13 compiles the generator function, and yield is no TorchScript."""
    for script in (torch.jit.script, ts.script):
        with pytest.raises(Exception, match="Yield aren't supported"):
            script(class_())


def pooled(x):
    y, places = F.max_pool1d(x, 2, return_indices=True)
    return F.max_unpool1d(y, places, 2), F.max_unpool1d(y, places, [2], output_size=[4])


def contracted(x):
    return torch.tensordot(x[0], x[0], 1), torch.tensordot(x[0], x[0], ([0], [0]))


@pytest.mark.parametrize("program", [pooled, contracted])
def test_functions_with_overloads_that_ours_compiles_first(program: Any) -> None:
    """The default of the implementation did not fit the second overload of tensordot, unless PyTorch had compiled it before."""
    x = torch.arange(4.0).view(1, 2, 2) if program is contracted else torch.rand(1, 1, 4)
    for one, other in zip(ts.script(program)(x), torch.jit.script(program)(x), strict=True):
        torch.testing.assert_close(torch.from_dlpack(one), other)


def losses(x, y):
    return F.mse_loss(x, y), F.smooth_l1_loss(y, x), F.huber_loss(x, y), F.soft_margin_loss(x, y)


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.float64, torch.bfloat16])
def test_targets_of_another_dtype(dtype: torch.dtype) -> None:
    """Losses of numbers against labels were refused unless both had floats."""
    x, y = torch.tensor([0.5, -2.0, 1.0]), torch.tensor([1, 0, 1]).to(dtype)
    for given, wanted in zip(ts.script(losses)(x, y), torch.jit.script(losses)(x, y), strict=True):
        torch.testing.assert_close(torch.from_dlpack(given), wanted)


def doubled(x):
    return (x * 2).requires_grad


def forked(x):
    a = torch.jit.fork(doubled, x)
    with torch.no_grad():
        b = torch.jit.fork(doubled, x)
    return a.wait(), b.wait(), doubled(x)


def test_gradient_mode_goes_into_forks() -> None:
    ours, theirs = ts.script(forked), torch.jit.script(forked)
    x, y = stand_in.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    for _ in range(3):
        assert ours(x) == theirs(y) == (True, False, True)
        with torch.no_grad():
            assert ours(x) == theirs(y) == (False, False, False)


class Stateful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.ones(2)
        self.k = 3

    @torch.jit.export
    def __getstate__(self):
        return self.a, self.k, self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[torch.Tensor, int, bool]):
        self.a = state[0] * 2
        self.k = state[1] + 1
        self.training = state[2]

    def forward(self, x):
        return x + self.a + self.k


def test_modules_with_states_of_their_own(tmp_path: Any) -> None:
    ours, theirs = io.BytesIO(), io.BytesIO()
    ts.save(ts.script(Stateful()), ours)
    torch.jit.save(torch.jit.script(Stateful()), theirs)
    for stream in (ours, theirs):
        for load in (ts.load, torch.jit.load):
            stream.seek(0)
            assert load(stream)(torch.ones(2)).tolist() == [7.0, 7.0]


class Penalty(nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_(True)
        y = (x * x).sum()
        slope = torch.autograd.grad([y], [x], create_graph=True)[0]
        assert slope is not None
        torch.autograd.backward([(slope * slope).sum()])
        return slope.detach(), x.grad


def test_gradients_within_archives_and_text() -> None:
    ours, theirs = io.BytesIO(), io.BytesIO()
    ts.save(ts.script(Penalty()), ours)
    torch.jit.save(torch.jit.script(Penalty()), theirs)
    for stream in (ours, theirs):
        for load in (ts.load, torch.jit.load):
            stream.seek(0)
            slope, grad = load(stream)(torch.arange(3.0))
            assert slope.tolist() == [0.0, 2.0, 4.0] and grad.tolist() == [0.0, 8.0, 16.0]
    for unit in (ts.CompilationUnit, torch.jit.CompilationUnit):
        text = "def f(x):\n    return torch.autograd.grad([(x * x).sum()], [x])[0]\n"
        assert unit(text).f(torch.ones(2, requires_grad=True)).tolist() == [2.0, 2.0]
        with pytest.raises(RuntimeError, match=r"has no attribute '?relu"):
            unit("def f(x):\n    return torch.autograd.relu(x)\n")


def test_functions_of_notebooks() -> None:
    """Their source is in linecache only."""
    text = "def cell(x):\n    return torch.relu(x) + 1\n"
    name = "<ipython-input-3-abc>"
    lines: list[str] = [*text.splitlines(True)]
    linecache.cache[name] = (len(text), None, lines, name)
    names: dict[str, Any] = {"torch": torch, "__name__": "__main__"}
    try:
        exec(compile(text, name, "exec"), names)
        for script in (torch.jit.script, ts.script):
            assert script(names["cell"])(torch.ones(1)).tolist() == [2.0]
    finally:
        del linecache.cache[name]


def test_answers_of_the_machine() -> None:
    """`torch.cuda.is_available()` is False and `synchronize()` nothing without a GPU; PyTorch scripts neither."""

    def program(x):
        if torch.cuda.is_available():
            x = x.cuda()
        torch.cuda.synchronize()
        return x, torch.cuda.device_count()

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    y, count = ts.script(program)(torch.ones(2))
    assert y.tolist() == [1.0, 1.0] and count == 0


class Matcher:
    def __init__(self, most: float) -> None:
        self.most = most

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.clamp(max=self.most)


class LowMatcher(Matcher):
    """As `SSDMatcher` of torchvision: attributes are annotated with its base class, whose methods programs call."""

    def __init__(self, most: float) -> None:
        self.most = most
        self.least = 0.0

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.clamp(max=self.most) + 100


class Matched(nn.Module):
    __annotations__ = {"matcher": Matcher, "others": list[Matcher]}

    def __init__(self) -> None:
        super().__init__()
        self.matcher = LowMatcher(1.0)
        self.others = [LowMatcher(0.5), Matcher(0.2)]

    def forward(self, x):
        for other in self.others:
            x = torch.cat([x, other(x)])
        return self.matcher(x)


def matched(x, matcher: Matcher):
    return matcher(x)


def is_low(matcher: Matcher | LowMatcher) -> bool:
    return isinstance(matcher, LowMatcher)


def test_objects_of_subclasses_stand_for_those_of_the_annotated_class() -> None:
    x = torch.tensor([-1.0, 0.3, 2.0])
    for script in (ts.script, torch.jit.script):
        assert script(Matched())(x).max() == 1.0
        assert script(matched)(x, LowMatcher(1.0)).tolist() == x.clamp(max=1.0).tolist()
        assert not script(is_low)(Matcher(1.0)) and script(is_low)(LowMatcher(1.0))
    with pytest.raises(RuntimeError, match=r"is not __torch__.*Matcher"):
        ts.script(matched)(x, Stateful())  # type: ignore[arg-type]


def not_built(x: torch.Tensor, n: int) -> list[torch.Tensor]:
    if n > 0:
        raise NotImplementedError("the operators were not built")
    return [x + 1]


def test_functions_that_stand_for_operators_which_were_not_built() -> None:
    """deepmd sets functions on `torch.ops.deepmd` where its library is missing, and its models call them."""
    for root in (torch, stand_in):
        root.ops.published.tabulate = not_built

    def of_pytorch(x: torch.Tensor, n: int):
        return torch.ops.published.tabulate(x, n)[0]

    def of_ours(x: torch.Tensor, n: int):
        return stand_in.ops.published.tabulate(x, n)[0]

    wanted = torch.jit.script(of_pytorch)
    for function in (of_pytorch, of_ours):
        ours = ts.script(function)
        names = (canonical(str(one.graph)) for one in (ours, wanted))
        assert len(set(names)) == 1
        assert ours(torch.ones(2), 0).tolist() == [2.0, 2.0]
        with pytest.raises(ts.Error, match="the operators were not built"):
            ours(torch.ones(2), 1)


Many, Maybe, Pair = typing.List, typing.Optional, typing.Tuple  # noqa: UP006  # what old code imports by other names


def renamed(x: Many[int], y: Maybe[dict[str, Many[int]]], f: Later[torch.Tensor]) -> Pair[int, str]:
    z: Many[Pair[int, int]] = []
    if y is not None:
        z.append((x[0], y["a"][0]))
    return len(z) + int(torch.jit.wait(f)), "a"


class TwoResults(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x.relu(), x.sum(-1)


def test_generic_types_by_other_names() -> None:
    """`from typing import List as Many`, and what the code of torch.fx calls them, as in e3nn."""
    theirs, ours = torch.jit.script(renamed), ts.script(renamed)
    assert ours.code == theirs.code
    traced = torch.fx.symbolic_trace(TwoResults())
    theirs, ours = torch.jit.script(traced), ts.script(traced)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert ours(torch.ones(2, 3))[1].tolist() == [3.0, 3.0]
