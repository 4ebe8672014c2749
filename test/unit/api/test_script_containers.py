"""`ts.script` of a list or dictionary gives one that programs and Python share, as PyTorch's `ScriptList` and `ScriptDict`."""

from typing import Any, Dict, List  # noqa: UP035

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def grow(items: List[int], table: Dict[str, int]):  # noqa: UP006
    items.append(len(items))
    table["z"] = len(items)
    return items


def lengths(parts: List[torch.Tensor]):  # noqa: UP006
    return len(parts)


def first_row(rows: List[List[int]]):  # noqa: UP006
    return rows[0]


def test_a_program_writes_to_what_python_sees() -> None:
    items, table, f = ts.script([5, 6]), ts.script({"a": 1}), ts.script(grow)
    assert f(items, table) == [5, 6, 2]
    for _ in range(4):  # also through kernels and native ways
        f(items, table)
    assert list(items) == [5, 6, 2, 3, 4, 5, 6] and dict(table.items()) == {"a": 1, "z": 7}


def test_a_list_of_pythons_is_copied() -> None:
    items = [5, 6]
    assert ts.script(grow)(items, {}) == [5, 6, 2]
    assert items == [5, 6]


def test_lists_are_lists() -> None:
    items = ts.script([1, 2])
    items.insert(0, 5)
    items.extend([7, 8])
    assert items.pop() == 8
    items.remove(7)
    del items[0]
    items[1] = 9
    assert list(items) == [1, 9] and len(items) == 2 and items[-1] == 9 and 9 in items
    assert items[0:1] == ts.script([1]) and type(items[0:1]) is type(items)
    assert items.count(1) == 1 and repr(items) == "[1, 9]" and items != [1, 9]
    items[0:2] = [3]
    items.clear()
    assert not items


def test_dictionaries_are_dictionaries() -> None:
    table = ts.script({"a": 1})
    table["b"] = 2
    del table["a"]
    assert [*table] == ["b"] and table["b"] == 2 and "a" not in table and len(table) == 1
    assert table == ts.script({"b": 2}) and list(table.keys()) == ["b"]
    with pytest.raises(KeyError):
        table["a"]


@pytest.mark.parametrize(
    "write",
    [
        lambda items, table: items.append("a"),
        lambda items, table: items.extend([1, "a"]),
        lambda items, table: items.__setitem__(0, 1.5),
        lambda items, table: table.__setitem__("b", "c"),
        lambda items, table: table.__setitem__(1, 1),
    ],
)
def test_other_types_are_refused(write: Any) -> None:
    items, table = ts.script([1]), ts.script({"a": 1})
    with pytest.raises(TypeError):
        write(items, table)
    assert list(items) == [1] and dict(table.items()) == {"a": 1}


def test_an_empty_list_is_of_tensors() -> None:
    parts = ts.script([])
    parts.append(torch.ones(2))
    assert ts.script(lengths)(parts) == 1
    with pytest.raises(TypeError):
        parts.append(1)


def test_a_list_in_a_list() -> None:
    assert ts.script(first_row)(ts.script([[1, 2], [3]])) == [1, 2]


def test_a_parameter_of_another_type() -> None:
    with pytest.raises(RuntimeError, match="Expected a value of type 'List\\[Tensor\\]'"):
        ts.script(lengths)(ts.script([1]))


@pytest.mark.parametrize("items", [[1, "a"], [object()], {None: 1}])
def test_what_has_no_type_is_refused(items: Any) -> None:
    with pytest.raises(ts.TorchScriptError):
        ts.script(items)


class Tally:
    def __init__(self, count: int) -> None:
        self.count = count
        self.seen = torch.zeros(2)

    def more(self, by: int) -> int:
        self.count += by
        return self.count


def tallied(tally: Tally):
    tally.more(3)
    tally.seen = tally.seen + 1


def test_an_object_of_a_class_is_shared_with_programs() -> None:
    """It was refused as an object of a built-in class."""
    tally = ts.script(Tally(1))
    ts.script(tallied)(tally)
    assert (tally.count, tally.seen.tolist(), tally.more(2)) == (4, [1.0, 1.0], 6)
    tally.count = 9
    assert tally.more(1) == 10


class Unwritable:
    def __init__(self) -> None:
        self.names = {1, 2}


def test_the_class_of_a_refused_object_is_told_why() -> None:
    with pytest.raises(ts.TorchScriptError, match="Set aren't supported"):
        ts.script(Unwritable())
