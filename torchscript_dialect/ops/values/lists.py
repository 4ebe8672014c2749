"""Operators of lists: Python lists at run time (torch/csrc/jit/runtime/register_prim_ops.cpp)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.sorting import check_order, key_of
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor

_NOT_GIVEN = 2**63 - 1
_ELEMENTS = "int float bool str Tensor complex"


def _attach(name: str, function: registry.AnyKernel, overloads: str) -> None:
    namespace = "" if "::" in name else "aten::"
    for overload in overloads.split():
        full = f"{namespace}{name}" if overload == "-" else f"{namespace}{name}.{overload}"
        if registry.find(full) is not None:
            registry.attach(full, kernel=function)


def _place(items: Sequence[Any], index: int) -> int:
    """The index counted from the front; IndexError where there is no such element."""
    place = index + len(items) if index < 0 else index
    if not 0 <= place < len(items):
        raise IndexError("list index out of range")
    return place


def same(a: Any, b: Any) -> bool:
    """Equality of list elements; RuntimeError for tensors of more than one element."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        equal = registry.find("aten::eq.Tensor")
        assert equal is not None
        assert equal.kernel is not None
        return bool(equal.kernel(a, b))
    return a == b


@registry.kernel(
    "__getitem__.t",
    inline=registry.Inline("{0}[{1}]", {}),
    lower="lowering.linalg.sizes:ItemOfSizes",
)
def get_item(items: list[Any], index: int) -> Any:
    return items[_place(items, index)]


@registry.kernel("_set_item.t")
def set_item(items: list[Any], index: int, value: Any) -> list[Any]:
    items[_place(items, index)] = value
    return items


@registry.kernel("Delete.t")
def delete(items: list[Any], index: int) -> None:
    del items[_place(items, index)]


@registry.kernel("append.t", inline=registry.Inline("{0}.append({1}) or {0}", {}))
def append(items: list[Any], value: Any) -> list[Any]:
    items.append(value)
    return items


@registry.kernel("extend.t")
def extend(items: list[Any], other: list[Any]) -> None:
    items.extend(list(other))


@registry.kernel("insert.t")
def insert(items: list[Any], index: int, value: Any) -> None:
    items.insert(index, value)


@registry.kernel("pop.t")
def pop(items: list[Any], index: int) -> Any:
    if not items:
        raise RuntimeError("pop from empty list")
    return items.pop(_place(items, index))


@registry.kernel("clear.t")
def clear(items: list[Any]) -> None:
    items.clear()


@registry.kernel("reverse.t")
def reverse(items: list[Any]) -> None:
    items.reverse()


def _find(items: list[Any], value: Any) -> int:
    return next((i for i, item in enumerate(items) if same(item, value)), -1)


def remove(items: list[Any], value: Any) -> None:
    place = _find(items, value)
    if place < 0:
        raise RuntimeError("list.remove(x): x not in list")
    del items[place]


def index(items: list[Any], value: Any) -> int:
    place = _find(items, value)
    if place < 0:
        raise RuntimeError(f"'{value}' is not in list")
    return place


def count(items: list[Any], value: Any) -> int:
    return sum(same(item, value) for item in items)


_attach("remove", remove, _ELEMENTS)
_attach("index", index, "list_int list_float list_bool list_str list_Tensor")
_attach("count", count, _ELEMENTS)
_attach(
    "__contains__", lambda items, value: _find(items, value) >= 0, "int_list float_list str_list"
)


def sort(items: list[Any], descending: bool) -> None:
    items.sort(key=key_of(items), reverse=descending)


def sort_any(items: list[Any], descending: bool) -> None:
    """Elements are tuples or objects."""
    check_order(items)
    sort(items, descending)


def sorted_any(items: list[Any]) -> list[Any]:
    """Elements are tuples or objects."""
    check_order(items)
    return sorted(items, key=key_of(items))


_attach("sort", sort, "int float Tensor bool str")
_attach("sorted", lambda items: sorted(items, key=key_of(items)), "int float Tensor bool str")
_attach("sort", sort_any, "any")
_attach("sorted", sorted_any, "any")
registry.implement("list.t copy.t", lambda items: list(cast("list[Any]", items)))
registry.implement("add.t", lambda a, b: [*a, *b])


@registry.kernel("add_.t")
def add_(items: list[Any], other: list[Any]) -> list[Any]:
    items.extend(list(other))
    return items


@registry.kernel("mul_.t")
def mul_(items: list[Any], times: int) -> list[Any]:
    items[:] = items * times
    return items


registry.implement("mul.left_t", lambda items, times: items * times)
registry.implement("mul.right_", lambda times, items: items * times)
registry.implement("len.t len.any", len)


def slice_of(start: int | None, end: int | None, step: int) -> slice:
    """The slice; the largest int stands for a bound that is not given.

    Raises:
        RuntimeError: a step that no slice has.
    """
    if step == 0:
        raise RuntimeError("List slice should have step > 0")
    if step == -(2**63):
        raise RuntimeError("List slice step is out of bounds")
    return slice(None if start == _NOT_GIVEN else start, None if end == _NOT_GIVEN else end, step)


@registry.kernel("slice.t")
def slice_(items: list[Any], start: int | None, end: int | None, step: int) -> list[Any]:
    return items[slice_of(start, end, step)]


@registry.kernel("select.t")
def select(items: list[Any], place: int) -> Any:
    return items[_place(items, place)]


def _equal(a: list[Tensor], b: list[Tensor]) -> bool:
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))


registry.implement("eq.Tensor_list", _equal)
registry.implement("ne.Tensor_list", lambda a, b: not _equal(a, b))


def _extreme(
    name: str, choose: Callable[..., Any], precedes: Callable[[list[Any], list[Any]], bool]
) -> None:
    def of_list(items: list[Any]) -> Any:
        if not items:
            raise RuntimeError(f"{name}() arg is an empty sequence")
        return choose(items)

    _attach(f"prim::{name}", of_list, "self_int self_float self_bool")

    def of_two(a: list[Any], b: list[Any]) -> list[Any]:
        return list(a if precedes(a, b) else b)  # where a NaN decides, the second list

    _attach(f"prim::{name}", of_two, "int_list float_list bool_list")


_extreme("max", max, operator.gt)
_extreme("min", min, operator.lt)
_attach("sum", sum, "int bool")
_attach("sum", lambda items: sum(items, 0.0), "float")
_attach("sum", lambda items: sum(items, 0j), "complex")
_attach("all", all, "int float bool")
_attach("any", any, "int float bool str")
registry.implement("prim::rangelist", lambda n: list(range(n)))
registry.implement("_infer_size", lambda a, b: list(broadcast_shapes(a, b)))


@registry.kernel("_size_if_not_equal", lower="lowering.linalg.sum_to_size:SizeIfNotEqual")
def size_if_not_equal(size: list[int], other: list[int]) -> list[int] | None:
    """The size to sum a gradient to; None where broadcasting changed nothing."""
    return None if size == other else size


@registry.kernel("prim::ReductionSizes")
def reduction_sizes(size: list[int], axes: list[int], keepdim: bool) -> list[int]:
    """The sizes after a reduction over `axes`."""
    reduced = {axis % len(size) for axis in axes}
    if keepdim:
        return [1 if i in reduced else n for i, n in enumerate(size)]
    return [n for i, n in enumerate(size) if i not in reduced]


@registry.kernel("prim::BroadcastSizes")
def broadcast_sizes(*sizes: list[int]) -> list[int]:
    return list(broadcast_shapes(*sizes))
