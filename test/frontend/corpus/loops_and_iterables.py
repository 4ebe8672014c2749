"""What a for loop goes over."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(5)
@case(0)
def range_of_one(n: int):
    r: List[int] = []
    for i in range(n):
        r.append(i)
    return r


@case(2, 6)
@case(6, 2)
def range_of_two(a: int, b: int):
    r: List[int] = []
    for i in range(a, b):
        r.append(i)
    return r


@case(2, 11, 3)
@case(11, 2, -3)
@case(0, 5, -1)
def range_of_three(a: int, b: int, c: int):
    r: List[int] = []
    for i in range(a, b, c):
        r.append(i)
    return r


@case([1.5, 2.5])
@case([])
def over_a_list(xs: List[float]):
    s = 0.0
    for x in xs:
        s += x
    return s


@case("hello")
@case("")
def over_a_string(s: str):
    out = ""
    for c in s:
        out = c + out
    return out


@case({"a": 1, "b": 2})
@case({"z": 5})
def over_a_dict(d: Dict[str, int]):
    keys = ""
    total = 0
    for k in d:
        keys += k
        total += d[k]
    return keys, total


@case({"a": 1, "b": 2})
@case({"z": 5})
def over_dict_items(d: Dict[str, int]):
    out: List[str] = []
    for k, v in d.items():
        out.append(k + str(v))
    return out


@case({1: 1.5, 2: 2.5})
@case({3: 0.5})
def over_dict_keys_and_values(d: Dict[int, float]):
    a = 0
    b = 0.0
    for k in d.keys():
        a += k
    for v in d.values():
        b += v
    return a, b


@case((1, 2.5, "x"))
@case((0, 0.0, ""))
def over_a_tuple_is_unrolled(t: Tuple[int, float, str]):
    out: List[str] = []
    for x in t:
        out.append(str(x))
    return out


@case(arr([[1.0, 2.0], [3.0, 4.0]]))
@case(arr([[5.0, 6.0]]))
def over_a_tensor(x):
    s = torch.zeros([2])
    for row in x:
        s = s + row * row
    return s


@case(["a", "b"])
@case([])
def enumerate_a_list(xs: List[str]):
    out: List[str] = []
    for i, x in enumerate(xs):
        out.append(str(i) + x)
    return out


@case(["a", "b"], 10)
@case(["c"], -1)
def enumerate_with_a_start(xs: List[str], start: int):
    out: List[str] = []
    for i, x in enumerate(xs, start):
        out.append(str(i) + x)
    return out


@case([1, 2, 3], [4.0, 5.0])
@case([], [1.0])
def zip_of_lists(a: List[int], b: List[float]):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return s


@case([1, 2, 3], "abc", 5)
@case([1], "xyz", 2)
def zip_of_three(a: List[int], b: str, n: int):
    out: List[str] = []
    for x, c, i in zip(a, b, range(n)):
        out.append(str(x) + c + str(i))
    return out


@case([1, 2], ["a", "b"])
@case([], [])
def enumerate_of_zip(a: List[int], b: List[str]):
    out: List[Tuple[int, int, str]] = []
    for i, (x, y) in enumerate(zip(a, b)):
        out.append((i, x, y))
    return out


@case([(1, "a"), (2, "b")])
@case([(3, "c")])
def pairs_are_unpacked(xs: List[Tuple[int, str]]):
    n = 0
    s = ""
    for i, c in xs:
        n += i
        s += c
    return n, s


@case([[1, 2], [3, 4]])
@case([[5, 6]])
def lists_are_unpacked(xs: List[List[int]]):
    n = 0
    for a, b in xs:
        n += a * b
    return n


@case([1, 2, 3])
@case([])
def list_changed_while_looping_is_read_by_index(xs: List[int]):
    out: List[int] = []
    for x in xs[:]:
        xs.append(x)
        out.append(x * 10)
    return out


@case(3)
@case(0)
def range_expression_as_bound(n: int):
    s = 0
    for i in range(n * 2 + 1):
        s += i
    return s


@case((1, 2, 3), (4.0, 5.0, 6.0))
@case((0, 0, 0), (1.0, 1.0, 1.0))
def zip_of_tuples_is_unrolled(a: Tuple[int, int, int], b: Tuple[float, float, float]):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return s


@case((1, 2))
@case((5, 7))
def enumerate_of_a_tuple_is_unrolled(a: Tuple[int, int]):
    s = 0
    for i, x in enumerate(a):
        s += i * x
    return s


@case(["b", "a", "c"])
@case([])
def over_sorted(xs: List[str]):
    out = ""
    for x in sorted(xs):
        out += x
    return out


@case(ramp(3, 2), 2)
@case(ramp(2, 2), 1)
def enumerate_of_a_tensor(x, k: int):
    s = torch.zeros([2])
    for i, row in enumerate(x):
        if i == k:
            s = s + row
    return s


@case("ab cd")
@case("")
def over_a_split_string(s: str):
    n = 0
    for w in s.split(" "):
        n += len(w)
    return n


@case({"a": [1, 2], "b": [3]})
@case({})
def nested_loops_over_containers(d: Dict[str, List[int]]):
    out: List[str] = []
    for k, xs in d.items():
        for x in xs:
            out.append(k + str(x))
    return out
