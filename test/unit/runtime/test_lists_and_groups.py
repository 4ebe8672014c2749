"""Lists that programs fill, and the groups of operators around them."""

from collections.abc import Iterator

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.runtime.values.arguments import to_runtime_value
from torchscript_dialect.types.text import parse_type

FILLED = """
def f(parts: List[Tensor]):
    found: List[Tensor] = []
    for part in parts:
        found.append(part + 1)
    return torch.cat(found, dim=0) * 2
"""
SCALED = """
def f(boxes, old: List[int], new: List[int]):
    ratios = [torch.tensor(s, dtype=torch.float32) / torch.tensor(o, dtype=torch.float32) for s, o in zip(new, old)]
    height, width = ratios
    a, b, c, d = boxes.unbind(1)
    return torch.stack((a * width, b * height, c * width, d * height), dim=1)
"""


@pytest.fixture(autouse=True)
def waiting() -> Iterator[None]:
    with ts.background_compilation(False):
        yield


def test_a_list_that_a_loop_fills_is_not_made_again_in_a_group() -> None:
    """A group took the list as it was made, empty: the call after types had been observed raised."""
    f = ts.CompilationUnit(FILLED)["f"]
    for rows in (2, 2, 2, 3):
        parts = [np.full((rows, 3), number, np.float32) for number in range(3)]
        expected = (np.concatenate(parts) + 1) * 2
        np.testing.assert_array_equal(f(parts), expected)


def test_parts_scaled_by_tensors_of_numbers() -> None:
    """Asking whether an operand has its dimensions in another order went past what is a view of nothing."""
    f = ts.CompilationUnit(SCALED)["f"]
    boxes = np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(4):
        scaled = f(boxes, [2, 4], [4, 4])
        np.testing.assert_array_equal(scaled, boxes * np.array([1, 2, 1, 2], np.float32))


class NoLength(tuple[int, ...]):
    """As some libraries have them."""

    def __len__(self) -> int:
        raise NotImplementedError


def test_tuples_that_have_no_length_to_ask_for() -> None:
    assert to_runtime_value(NoLength((1, 2)), parse_type("(int, int)")) == (1, 2)


CHECKED = """
def f(x):
    sizes = [x.size(0) * x.size(1) // 2, 2] + list(x.size()[2:])
    values = sizes[0]
    for i in range(len(sizes) - 2):
        values *= sizes[i + 2]
    if values == 1:
        raise ValueError("more than 1 value is expected")
    return x.view(x.shape[:-1] + [1, x.shape[-1]]), values
"""


def test_lists_of_sizes_cost_nothing() -> None:
    """`_verify_batch_size` of `group_norm`: the loop over sizes is unrolled where the rank is known, and leaves no list."""
    f = ts.CompilationUnit(CHECKED).f
    with ts.background_compilation(False):
        for shape in [(2, 4, 3, 5)] * 3 + [(2, 4, 7), (2, 4), (3, 2, 1, 1)] * 3:
            x = torch.arange(int(np.prod(shape))).float().view(shape)
            result, values = f(x)
            assert values == np.prod(shape) // 2
            np.testing.assert_array_equal(result.numpy(), x.numpy()[..., None, :])
        x = torch.ones(2, 1, 1)
        for _ in range(3):
            with pytest.raises(Exception, match="more than 1 value is expected"):
                f(x)
    kinds = {node.kind() for node in f.graph_for(torch.ones(2, 4, 3, 5)).nodes()}
    assert not kinds & {"prim::Loop", "prim::ScalarGroup", "aten::slice", "aten::list", "aten::len"}


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("List[Union[int, Tuple[int, int], Tuple[int, int, int]]]", [0, (1, 1), (1, 1, 1)]),
        ("List[Union[List[int], Tuple[int, int]]]", [[1, 2], (3, 4)]),
        ("List[Tuple[Union[int, List[int]], int]]", [(1, 2), ([3], 4)]),
        ("List[Union[Tuple[int, int], str]]", [(1, 2), "a"]),
    ],
)
def test_a_list_of_several_types_keeps_tuples(annotation: str, value: list[object]) -> None:
    unit = ts.CompilationUnit(f"def f():\n    x: {annotation} = {value}\n    return x\n")
    for _ in range(3):
        assert repr(unit.f()) == repr(value)
