"""Functions of the stand-in that programs call, and mistakes in the head of a function. Results are PyTorch 2.13.0's."""

# Declarations and annotations are as programs write them.
# pyright: reportRedeclaration=false, reportReturnType=false, reportUndefinedVariable=false, reportIndexIssue=false

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035  # as programs write them

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.torch.nn.common_types import _size_2_t
from torchscript_dialect.torch.nn.modules.utils import _pair, _quadruple, _single, _triple

F, init = torch.nn.functional, torch.nn.init


@ts.script
def repeated():
    return _single(1), _pair(2), _triple([3, 4, 5]), _quadruple(2.5)


@ts.script
def norms(x):
    return F.lp_pool1d(x, 2, 3), F.lp_pool1d(x, 2.0, 3), F.lp_pool2d(x, 2, 2)


@ts.script
def begun(x):
    init.uniform_(x, 1.0, 1.0)
    init.normal_(x, 0.5, 0.0)
    init.ones_(init.zeros_(x))
    return init.constant_(x, 2.0)


@ts.script
def dotted(a, b, dims: torch.Tensor):
    return torch.tensordot(a, b, dims)


def test_numbers_as_often_as_there_are_dimensions() -> None:
    assert repeated() == ([1], [2, 2], [3, 4, 5], [2.5] * 4)


def test_whole_numbers_are_norms() -> None:
    first, second, third = norms(torch.ones(1, 2, 4))
    assert first.equal(second)
    assert third.tolist() == [[[2, 2]]]


def test_parameters_begin_without_a_history() -> None:
    x = torch.ones(2, requires_grad=True)
    assert begun(x).tolist() == [2, 2]
    assert x.is_leaf


def test_dimensions_in_a_tensor() -> None:
    a, b = torch.arange(6.0).view(2, 3), torch.arange(6.0).view(3, 2)
    assert dotted(a, b, torch.tensor([[1], [0]])).equal(a @ b)
    assert dotted(a, b, torch.tensor(1)).equal(a @ b)


def test_saving_is_an_operator() -> None:
    @ts.script
    def f(x):
        torch.save(x, "x.pt")
        return x

    assert f.graph.findNode("aten::save") is not None


def test_defaults_hold_nothing_that_a_function_could_change() -> None:
    def f(x=(1, [2])):
        return x[0]

    with pytest.raises(ts.TorchScriptError, match="Mutable default parameters are not"):
        ts.script(f)


def test_comments_that_are_nearly_types() -> None:
    def f(a):
        return a + 2

    source = "def f(a):\n    #type: (int) -> int\n    return a + 2\n"
    with pytest.raises(ts.TorchScriptError, match="The annotation prefix in line 1 is probably"):
        ts.script(f, source=source)


@torch.jit._overload
def shifted(x):
    # type: (int) -> int
    pass


@torch.jit._overload
def shifted(x):  # noqa: F811
    # type: (Tensor) -> Tensor
    pass


def shifted(x):  # noqa: F811
    return x + 1


def test_overloads_with_types_in_comments() -> None:
    """Only annotations counted."""

    @ts.script
    def f(x):
        return shifted(x), shifted(3)

    first, second = f(torch.ones(1))
    assert [first.item(), second] == [2, 4]


def test_sizes_that_are_one_number() -> None:
    def f(x: _size_2_t) -> int:
        return x[0] * 10 + x[1]

    assert [ts.script(f)(4), ts.script(f)([1, 2])] == [44, 12]


def test_a_union_leaves_out_what_another_member_takes() -> None:
    def f(x: Union[Tuple[int, int], str, Tuple[int | None, int]]) -> str:  # noqa: UP006, UP007
        return "a"

    assert str(ts.script(f).schema) == "f(Union((int?, int), str) x) -> str"


def test_a_method_without_self() -> None:
    class Forgetful(torch.nn.Module):
        @torch.jit.ignore
        def ignored():  # type: ignore[misc]
            return 1

        def forward(self, x):
            return self.ignored()

    with pytest.raises(ts.TorchScriptError, match="does not have a self argument"):
        ts.script(Forgetful())


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (List, r"use List without a contained type. Please add a contained type, e.g. List\[int\]"),  # noqa: UP006
        (list, "use list without a contained type"),
        (Dict, r"use Dict without contained types. .* e.g. Dict\[int, int\]"),  # noqa: UP006
        (Tuple, "use Tuple without a contained type"),  # noqa: UP006
        (Optional, "use Optional without a contained type"),
        ([int], "must be a type or a tuple of types"),
    ],
)
def test_questions_about_types_say_what_containers_hold(target: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch.jit.isinstance([1], target)
    assert torch.jit.isinstance((), Tuple[()])  # noqa: UP006


def by_older_names():
    return torch.BoolTensor([2]), torch.LongTensor(3).shape, torch.HalfTensor([[1.5]])


def of_its_own_generator():
    generator = torch.Generator()
    generator.manual_seed(3)
    return torch.rand(2, generator=generator)


def test_classes_of_torch_make_objects_in_programs() -> None:
    """They were classes that cannot be instantiated."""
    flags, shape, halves = ts.script(by_older_names)()
    assert (flags.tolist(), list(shape), halves.tolist()) == ([True], [3], [[1.5]])
    assert (flags.dtype, halves.dtype) == (torch.bool, torch.float16)
    drawn, again = ts.script(of_its_own_generator)(), torch.Generator().manual_seed(3)
    assert drawn.tolist() == torch.rand(2, generator=again).tolist()


@pytest.mark.parametrize("name", ["xavier_uniform_", "xavier_normal_"])
def test_weights_begin_in_programs_as_they_do_in_python(name: str) -> None:
    """An argument without a type was the reason for a refusal."""
    unit = ts.CompilationUnit(
        f"def f(x, g: Generator):\n    return torch.nn.init.{name}(x, generator=g)\n"
    )
    drawn = unit.f(torch.ones(3, 2, 4), torch.Generator().manual_seed(5))
    expected = getattr(torch.nn.init, name)(
        torch.ones(3, 2, 4), generator=torch.Generator().manual_seed(5)
    )
    assert drawn.tolist() == expected.tolist()
