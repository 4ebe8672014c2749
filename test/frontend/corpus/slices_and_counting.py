"""`slice(...)`, `enumerate` that starts elsewhere, and loops over several things at once."""

from typing import Dict, List, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor


@case(ramp(3, 4))
@case(ramp(2, 2))
def slice_of_rows(x):
    return x[slice(0, 1)], x[slice(1)]


@case(ramp(3, 4), 1)
@case(ramp(2, 5), 2)
def slice_kept(x, n: int):
    head = slice(0, n)
    tail = slice(n, None)
    return x[:, head], x[:, tail]


@case(ramp(3, 4))
@case(ramp(2, 5))
def slice_of_everything(x):
    return x[slice(None)], x[..., slice(None, None, 2)]


@case(ramp(3, 4))
@case(ramp(2, 5))
def slice_with_a_number(x):
    return x[slice(0, 2), 0], x[1, slice(1, 3, 1)]


@case([1, 2, 3, 4])
@case([5])
def slice_of_a_list(items: List[int]):
    return items[slice(1, 3)], items[slice(2)], items[slice(None, None, 2)]


@case(2)
@case(7)
def slice_of_a_tuple(n: int):
    parts = (n, n + 1, n + 2)
    return parts[slice(0, 2)], parts[slice(1, None)]


@case("abcdef", 2)
@case("xyz", 0)
def slice_of_a_string(text: str, n: int):
    return text[slice(n, None)], text[slice(n)]


@case(ramp(3, 4))
@case(ramp(2, 5))
def slice_written_to(x):
    x[slice(0, 1)] = 3.0
    rest = slice(1, 2)
    x[:, rest] += 1.0
    return x


@case([5, 6, 7])
@case([1])
def enumerate_from_a_keyword(items: List[int]):
    total = 0
    for index, item in enumerate(items, start=1):
        total += index * item
    return total


@case([5, 6, 7], 10)
@case([1], -1)
def enumerate_from_a_variable(items: List[int], first: int):
    found: List[Tuple[int, int]] = []
    for index, item in enumerate(items, start=first):
        found.append((index, item))
    return found


@case([5, 6, 7])
@case([1])
def enumerate_from_a_position(items: List[int]):
    return [index * 10 for index, item in enumerate(items, 3)]


@case(ramp(3, 2))
@case(ramp(1, 2))
def enumerate_rows(x):
    total = torch.zeros(2)
    for index, row in enumerate(x, start=2):
        total = total + row * index
    return total


@case(["a", "b"], [1, 2])
@case(["x"], [7])
def enumerate_a_zip(names: List[str], numbers: List[int]):
    found: Dict[str, int] = {}
    for index, (name, number) in enumerate(zip(names, numbers), start=100):
        found[name] = index + number
    return found


@case(4)
@case(0)
def enumerate_a_range(n: int):
    total = 0
    for index, value in enumerate(range(n, 2 * n), start=1):
        total += index * value
    return total


@case(2.0)
@case(-1.0)
def enumerate_a_tuple(a: float):
    total = 0.0
    for index, value in enumerate((a, a + 1, a + 2), start=1):
        total += index * value
    return total


@case(3)
@case(6)
def break_in_with(n: int):
    total = 0
    for i in range(n):
        with torch.no_grad():
            if i == 4:
                total += 100
        total += i
    return total


@case([1, 2, 3], 2)
@case([4, 5], 9)
def dictionary_added_to(items: List[int], by: int):
    counts = {"a": by}
    for item in items:
        counts["a"] += item
        counts["a"] -= 1
        counts["a"] *= 2
    return counts


@case(ramp(3))
@case(ramp(1))
def dictionary_of_tensors_added_to(x):
    sums = {"x": x}
    sums["x"] += 1
    sums["x"] *= 2.0
    return sums["x"], x


@case(ramp(3))
@case(ramp(1))
def list_of_tensors_added_to(x):
    parts = [x, x + 1]
    parts[0] += 1
    parts[1] *= 2
    return parts, x
