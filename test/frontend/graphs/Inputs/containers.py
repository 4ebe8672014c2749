"""Programs for test/unit/frontend/test_emitter_graphs.py: containers. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def loops_over_containers(x: List[int], y: Tuple[int, str], d: Dict[str, int]):
    for i, v in enumerate(x):
        print(i, v)
    for a, b in zip(x, x):
        print(a)
    for e in y:
        print(e)
    for k in d:
        print(d[k])
    return f"{x[0]} {y[1]}"


def starred_list(x: int):
    a = b = x
    a, (b, c) = 1, (2, 3)
    return [*[1,2]]


def list_slices(x: List[int]):
    return x[1:], x[::2], x[-1], x[:-1]


def tuple_slices(x: Tuple[int, int, float]):
    return x[1:], x[-1]


def literals(x: int):
    return {"a": x, "b": 2}, [1, 2.0], "a" + str(x), "%d" % x


def dict_methods(x: Dict[str, List[int]]):
    x["a"].append(1)
    x["b"] = [1, 2]
    for k, v in x.items():
        print(k, v)
    y = {k: len(v) for k, v in x.items()}
    return list(x.keys()), y, x.get("a"), "a" in x, x.pop("a")


def nested_comprehensions(x: List[List[int]]):
    return [[j + 1 for j in i] for i in x], [i for i in x if len(i) > 1]


def list_methods(x: List[int]):
    x.append(1); x.extend([1,2]); x.insert(0, 1); x.reverse(); x.sort()
    y = x.copy(); x.clear(); y.pop(); y.remove(3)
    return x.index(1), y.count(2), x + y, x * 2, x == y


def nested_tuples(x: Tuple[int, Tuple[float, str]]):
    a, (b, c) = x
    x0 = x[1][0]
    return (a, b) + (c,), x0


def list_of_tuples(x: List[Tuple[int, str]]):
    for a, b in x:
        print(a, b)
    for i, (a, b) in enumerate(x):
        print(i, a, b)
    return [a for a, b in x]


def zip_and_negative_range(x: List[int], y: List[float]):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    for i in range(len(x) - 1, -1, -1):
        s -= x[i]
    return s


def empty_annotated(n: int):
    a: List[int] = []
    b: Dict[str, int] = {}
    c: List[Optional[int]] = [1, None]
    d: Optional[List[int]] = None
    for i in range(n):
        a.append(i)
        b[str(i)] = i
    return a, b, c, d


def dict_of_tensors(x: Dict[str, torch.Tensor]):
    r = torch.zeros(1)
    for k in x:
        r = r + x[k]
    for v in x.values():
        r += v
    del x["a"]
    x.update({"b": r})
    return r, len(x), list(x.values())


def tuple_with_none(x: int) -> Tuple[int, Optional[str]]:
    return x, None


def destructuring(x: Tuple[Tensor, List[int]]):
    y, z = x
    (a, b), c = (y, z), 3
    a, b = y, [1]
    b, a = [2], a
    return a, b, c


def too_many_values(x: int):
    a, b = 1, 2, 3
    return a


def tuple_index_out_of_range(x: Tuple[int, int]):
    return x[2]


def tuple_index_not_constant(x: Tuple[int, str], i: int):
    return x[i]


def dict_with_int_key(x: Dict[str, int]):
    return x[0]


def list_with_str_index(x: List[int]):
    x["a"] = 1
    return x


def truth_of_containers(x: str, y: List[int], z: Dict[str, int]):
    while y:
        y.pop()
    return bool(x), not z, 1 if y else 2


def starred_targets(x: Tuple[int, float], y: bool):
    a, b = x
    s = [a, a] if y else [1]
    s += [2]
    *c, d = (1, 2, 3)
    return s, c, d, -a, not y
