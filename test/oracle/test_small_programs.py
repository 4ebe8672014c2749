"""Small programs about one thing each give what torch.jit gives, call after call, and are refused or fail with its words."""

# pyright: reportAttributeAccessIssue=false, reportUnknownMemberType=false, reportCallIssue=false, reportArgumentType=false

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from copy import deepcopy
from enum import Enum
from typing import Any, Union

import numpy as np
import pytest
import torch
from torch import Tensor

import torchscript_dialect as ts

NAN = float("nan")
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = {}


def called_with(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A program, and what it is called with; one without calls is compiled only."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, calls
        return function

    return enter


def _plain(value: Any) -> str:
    """The text of a value: what is equal in text is equal."""
    if isinstance(value, (torch.Tensor, ts.Tensor)):
        return f"{np.asarray(value).dtype} {np.asarray(value).tolist()}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(_plain, value))})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_plain(k)}: {_plain(v)}" for k, v in value.items()) + "}"
    return repr(value)


def _words(error: Exception) -> str:
    """What a message says of the mistake: what failed when it ran stands last, the place of what is refused behind it."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    line = lines[-1] if lines[0].startswith("The following operation failed") else lines[0]
    return re.sub(r" \(of Python compilation unit at: \w+\)|[.:\s]*$", "", line).strip()


def _outcome(compile: Callable[[Any], Any], function: Any, calls: Any) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch.jit announces its retirement
        try:
            compiled = compile(function)
        except Exception as error:
            return [_words(error)]
        found: list[str] = []
        for call in calls:
            for _ in range(3):
                arguments = deepcopy(call)
                try:
                    found.append(f"{_plain(compiled(*arguments))} of {_plain(arguments)}")
                except Exception as error:
                    found.append(_words(error))
        return found


@called_with(([NAN], [1.0]), ([1.0], [NAN]), ([1.0, 2.0], [1.0]))
def extremes_of_lists(a: list[float], b: list[float]):
    return min(a, b), max(a, b)


@called_with(([],), ([torch.tensor(2), torch.tensor(1)],))
def sorted_tensors(x: list[Tensor]):
    return sorted(x)


@called_with(
    (1, 1.5, "", True, (1, "b"), None),
    (-7, 0.0, "seventeen letters", False, (2, "a"), 3),
    (2**62, NAN, "eight888", True, (2, ""), 2),
)
def hashes(a: int, b: float, c: str, d: bool, e: tuple[int, str], f: int | None):
    return (
        hash(a),
        hash(b),
        hash(c),
        hash(d),
        hash(e),
        hash(f),
        hash(torch.device("cuda:1")),
        hash(((a, b), c)),
    )


@called_with((torch.ones(1), 2j))
def hashes_of_tensors(x: Tensor, z: complex):
    y = x + 1
    assert hash(x) == hash(x) and hash(x) != hash(y)
    return hash(z)


@called_with(([1],))
def hash_of_a_list(x: list[int]):
    return hash(x)


class Shade(Enum):
    DARK = 1
    LIGHT = 2


class Other(Enum):
    DARK = 1


class Flags(Enum):
    OFF = False


class Pairs(Enum):
    ONE = (1, 2)


class Tensors(Enum):
    ONE = torch.ones(1)


@called_with((Shade.DARK, [Shade.LIGHT], {"a": Shade.DARK}))
def texts_of_members(x: Shade, y: list[Shade], z: dict[str, Shade]):
    return str(x), f"{x}", str(y), str(z), str((x, 1))


@called_with((Shade.DARK,), (Other.DARK,), (1,))
def members_as_any(x: Any):
    return isinstance(x, Shade), torch.jit.isinstance(x, int)


@called_with()
def an_enum_of_flags(x: Flags):
    return x


@called_with()
def an_enum_of_pairs(x: Pairs):
    return x


@called_with()
def an_enum_of_tensors(x: Tensors):
    return x.name


class PairAsTruth:
    def __init__(self):
        pass

    def __bool__(self):
        return (1, 2)


@called_with()
def truth_that_is_no_bool():
    return 1 if PairAsTruth() else 2  # pyright: ignore[reportGeneralTypeIssues]


class Parent:
    def __init__(self):
        self.parent = torch.jit.annotate(Parent | None, None)


@called_with()
def a_class_in_itself():
    return Parent()


class Unordered:
    def __init__(self, x: int):
        self.x = x


class OrderedByInts:
    def __init__(self, x: int):
        self.x = x

    def __lt__(self, other: OrderedByInts) -> int:
        return self.x - other.x


@called_with(())
def sorted_by_ints():
    return len(sorted([OrderedByInts(2), OrderedByInts(1)]))


@called_with(())
def sorted_without_order():
    return len(sorted([Unordered(2), Unordered(1)]))


@called_with(([1, 2],))
def first_condition(x: list[int]):
    torch._check(len(x) > 1, "short")
    torch._check(message="shorter", cond=len(x) > 0)
    return x


@called_with()
def check_of_something_else(x: int):
    torch._check(x > 1, reason="a")


@called_with()
def check_of_two_conditions(x: int):
    torch._check(x > 1, cond=False)


@called_with()
def check_of_nothing(x: int):
    torch._check(message="a")


@called_with()
def attribute_of_a_tuple(x: tuple[str, int]):
    return getattr(x, "a", 2)


@called_with((torch.ones(2),))
def questions_of_tensors(x: Tensor):
    return x.name, x.is_maia, x.is_mtia


@called_with()
def a_future_of_nothing(x: torch.jit.Future):
    return x


@called_with()
def a_list_of_futures_of_nothing(x: Tensor):
    return torch.jit.annotate(list[torch.jit.Future], [])


@called_with()
def a_union_of_nothing(x: Union):  # pyright: ignore[reportInvalidTypeForm]
    return x


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_torch_jit(name: str) -> None:
    function, calls = PROGRAMS[name]
    assert _outcome(ts.script, function, calls) == _outcome(torch.jit.script, function, calls)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")

    @torch.jit.interface
    class Scorer:
        def score(self, x: int) -> int:  # pyright: ignore[reportReturnType]
            pass


class HasScore:
    def score(self, x: int) -> int:
        return x + 1


class HasNone:
    def __init__(self):
        self.x = 1


class Scored(torch.nn.Module):
    scorer: Scorer

    def __init__(self, scorer: Any):
        super().__init__()
        self.scorer = scorer

    def forward(self, x: int):
        return self.scorer.score(x)


@pytest.mark.parametrize("scorer", [HasScore, HasNone])
def test_attributes_have_the_methods_of_their_interface(scorer: Callable[[], Any]) -> None:
    module = Scored(scorer())
    assert _outcome(ts.script, module, [(2,)]) == _outcome(torch.jit.script, module, [(2,)])


class Inner(torch.nn.Module):
    def name_of(self, x: str) -> str:
        return x + "!"

    def forward(self, x: str):
        return self.name_of(x) + "?"


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: str):
        return self.inner(x + "a")


class OfPairs(torch.nn.Module):
    def forward(self, x: tuple[int]):
        return x[0] + 1


def longer(self: Any, input: tuple[str]) -> tuple[str]:
    return (input[0] + "+",)


def ended(self: Any, input: tuple[str], output: str):
    return output + input[0]


def name_of(self: Any, input: tuple[str]) -> tuple[str]:
    return input


def bare(self: Any, input: tuple[tuple[int]]) -> tuple[int]:
    return input[0]


def test_hooks() -> None:
    """The same hooks twice, one of a method's name, and one that gives what only Python takes."""
    module = Outer()
    for hook in (longer, longer):
        module.inner.register_forward_pre_hook(hook)
        module.inner.register_forward_hook(ended)
    collides = Outer()
    collides.inner.register_forward_pre_hook(name_of)
    gives_a_pair = OfPairs()
    gives_a_pair.register_forward_pre_hook(bare)
    for one, call in ((module, ("x",)), (collides, ("x",)), (gives_a_pair, ((1,),))):
        ours, theirs = (_outcome(script, one, [call]) for script in (ts.script, torch.jit.script))
        assert [re.sub(r"___torch_mangle_\d+\.", "", text) for text in theirs] == ours


class Counted(torch.nn.ModuleList):
    def __init__(self, modules: Any, count: int) -> None:
        self.__dict__["count"] = count  # torch.nn asks for the length while it begins
        super().__init__(modules)

    def __len__(self) -> int:
        return self.count  # pyright: ignore[reportReturnType]


class Named(torch.nn.ModuleDict):
    def __len__(self) -> int:
        return 9

    def __contains__(self, key: str) -> bool:
        return key == "b"


class Containers(torch.nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.layers = Counted([torch.nn.ReLU(), torch.nn.Tanh()], count)
        self.named = Named({"a": torch.nn.ReLU()})

    def forward(self):
        return len(self.layers), len(self.named), "a" in self.named, "b" in self.named


def test_the_class_of_a_container_says_how_long_it_is() -> None:
    for count in (7, 1):
        module = Containers(count)
        assert _outcome(ts.script, module, [()]) == _outcome(torch.jit.script, module, [()])


@pytest.mark.parametrize("name", ["smooth_l1_loss", "huber_loss"])
def test_slopes_of_losses_far_away(name: str) -> None:
    """An infinite gap had the slope NaN where a loss is made of its parts."""
    text = f"def f(x, y):\n    return torch.nn.functional.{name}(x, y, reduction='none')\n"
    far = [float("inf"), -float("inf"), NAN, 0.5, 3.0]
    found: list[list[list[float]]] = []
    for unit in (torch.jit.CompilationUnit(text), ts.CompilationUnit(text)):
        found.append([])
        for _ in range(4):
            x = torch.tensor(far, requires_grad=True)
            unit.f(x, torch.zeros(5)).sum().backward()
            found[-1].append(np.asarray(x.grad).tolist())
    np.testing.assert_array_equal(found[1], found[0])


with warnings.catch_warnings():
    warnings.simplefilter("ignore")

    @torch.jit.interface
    class Going(torch.nn.Module):
        def go(self, x: int) -> int:  # pyright: ignore[reportReturnType]
            pass


class Goes(torch.nn.Module):
    @torch.jit.export
    def go(self, x: int) -> int:
        return x + 1


class CallsAll(torch.nn.Module):
    part: Going

    def __init__(self) -> None:
        super().__init__()
        self.part = Goes()

    def forward(self, x: int):
        for module in self.children():
            x = module(x)
        return x


class GoesAll(CallsAll):
    def forward(self, x: int):
        for module in self.children():
            x = module.go(x)
        return x


@pytest.mark.parametrize("make", [CallsAll, GoesAll])
def test_children_that_are_known_by_their_interface(make: Callable[[], Any]) -> None:
    """That one has no forward was an internal error."""
    assert _outcome(ts.script, make(), [(1,)]) == _outcome(torch.jit.script, make(), [(1,)])


class CallsOperators(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())

    def forward(self, x: Tensor, n: int):
        if bool(x.sum() > 0):
            x = x.relu()
        numbers = [1, 2]
        numbers.append(n)
        return self.part(x) + x.sum(1, keepdim=True), f"{n}", len(numbers), x[0]

    @torch.jit.export
    def other(self, x: Tensor):
        return x.cos()


def test_names_of_the_operators_that_modules_call() -> None:
    from torchscript_dialect import torch as ours

    found = ours.jit.export_opnames(ts.script(CallsOperators()))
    assert found == torch.jit.export_opnames(torch.jit.script(CallsOperators()))
