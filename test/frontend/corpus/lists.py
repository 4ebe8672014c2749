"""List and its methods."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(1)
@case(5)
def literals(x: int):
    return [1, 2, x], [1.5], ["a"], [True], [[x], [x, x]]


@case(3)
@case(0)
def empty_list_of_tensors(n: int):
    xs = []
    for i in range(n):
        xs.append(torch.ones([2]) * i)
    return xs


@case(3)
@case(0)
def annotated_empty_list(n: int):
    xs: List[int] = []
    for i in range(n):
        xs.append(i)
    return xs


@case([1, 2])
@case([])
def append_extend_insert(xs: List[int]):
    xs.append(3)
    xs.extend([4, 5])
    xs.insert(0, 9)
    xs.insert(-1, 8)
    return xs


@case([1, 2, 3, 4])
@case([7])
@case([])
def pop(xs: List[int]):
    a = xs.pop()
    return a, xs


@case([1, 2, 3, 4], 1)
@case([1, 2], -2)
@case([1, 2], 5)
def pop_at(xs: List[int], i: int):
    a = xs.pop(i)
    return a, xs


@case([1, 2, 3, 2])
@case([2])
@case([1])
def remove(xs: List[int]):
    xs.remove(2)
    return xs


@case([1, 2, 3])
@case([])
def clear_and_copy(xs: List[int]):
    ys = xs.copy()
    xs.clear()
    return xs, ys


@case([3, 1, 2])
@case([])
def sort_in_place(xs: List[int]):
    xs.sort()
    ys = xs[:]
    ys.sort(reverse=True)
    return xs, ys


@case([3, 1, 2], ["b", "a"])
@case([], [])
def sorted_lists(xs: List[int], ys: List[str]):
    return sorted(xs), sorted(ys), xs


@case([1, 2, 3])
@case([])
def reverse_in_place(xs: List[int]):
    xs.reverse()
    return xs


@case([1, 2, 3, 2], 2)
@case([1], 5)
def index_and_count(xs: List[int], x: int):
    return xs.count(x), xs.index(x)


@case([1, 2, 3], 2)
@case(["a"] and [1], 5)
def containment(xs: List[int], x: int):
    return x in xs, x not in xs


@case([1, 2, 3, 4, 5])
@case([])
def slices(xs: List[int]):
    return xs[1:3], xs[:2], xs[2:], xs[::2], xs[-2:], xs[:-1], xs[:]


@case([1, 2, 3, 4, 5], 1, 4)
@case([1, 2, 3], -2, 10)
def slices_by_variables(xs: List[int], a: int, b: int):
    return xs[a:b], xs[a:], xs[:b], xs[a:b:2]


@case([1, 2, 3])
@case([4, 5, 6])
def negative_indices(xs: List[int]):
    return xs[-1], xs[-2], xs[0]


@case([1, 2, 3], 3)
@case([1, 2, 3], -4)
@case([1, 2, 3], 1)
def index_out_of_range(xs: List[int], i: int):
    return xs[i]


@case([1, 2, 3])
@case([0, 0])
def item_assignment(xs: List[int]):
    xs[0] = 10
    xs[-1] += 5
    return xs


@case([1, 2, 3, 4])
@case([5, 6])
def deletion(xs: List[int]):
    del xs[0]
    return xs


@case([1, 2], [3])
@case([], [])
def concatenation_and_repetition(a: List[int], b: List[int]):
    return a + b, a * 2, 2 * b


@case([1], [2, 3])
@case([], [])
def augmented_concatenation(a: List[int], b: List[int]):
    c = a
    a += b
    return a, c


@case([1, 2], [1, 2])
@case([1, 2], [2, 1])
@case([1], [1, 2])
def equality(a: List[int], b: List[int]):
    return a == b, a != b


@case([[1, 2], [3]])
@case([[], [5]])
def nested_lists(xs: List[List[int]]):
    xs[0].append(9)
    ys = xs[1]
    ys[0] = -1
    return xs, ys


@case([1.0, 2.5])
@case([])
def sum_min_max(xs: List[float]):
    s = sum(xs)
    if len(xs) > 0:
        s += min(xs) * max(xs)
    return s


@case([True, False])
@case([True])
@case([])
def any_and_all(xs: List[bool]):
    return any(xs), all(xs)


@case([1, 2, 3])
@case([4, 5, 6])
def unpacking(xs: List[int]):
    a, b, c = xs
    return a * 100 + b * 10 + c


@case([1, 2])
@case([1, 2, 3])
def unpacking_of_the_wrong_length(xs: List[int]):
    a, b, c = xs
    return a + b + c


@case([1, 2, 3])
@case([])
def list_of_a_list_is_a_copy(xs: List[int]):
    ys = list(xs)
    ys.append(0)
    return xs, ys


@case(3)
@case(0)
def list_of_a_range(n: int):
    return list(range(n)), [i for i in range(n)]


@case([1, 2])
@case([])
def aliases_see_changes(xs: List[int]):
    ys = xs
    ys.append(5)
    return xs, len(xs)


@case([arr([1.0]), arr([2.0])])
@case([arr([3.0])])
def lists_of_tensors(xs: List[Tensor]):
    xs.append(xs[0] + 1)
    return torch.cat(xs), torch.stack(xs), len(xs)


@case([1, 2])
@case([])
def truth_by_length(xs: List[int]):
    if len(xs) > 0:
        return "full"
    return "empty"


@case([(1, "a"), (0, "b")])
@case([])
def lists_of_tuples(xs: List[Tuple[int, str]]):
    xs.append((5, "z"))
    return xs[0], xs


@case(["a", "b"])
@case([])
def lists_of_strings(xs: List[str]):
    xs.append("c")
    return ",".join(xs), xs.index("c"), "a" in xs
