"""Dict and its methods."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(1)
@case(2)
def literals(x: int):
    return {"a": 1, "b": x}, {1: "x", x + 5: "y"}, {1.5: True}


@case("k")
@case("q")
def empty_dicts(k: str):
    a: Dict[str, int] = {}
    b: Dict[int, str] = dict()
    a[k] = 1
    b[1] = k
    return a, b


@case("k")
@case("q")
def unannotated_empty_dict_holds_tensors(k: str):
    d = {}
    d[k] = torch.ones([1])
    return d


@case({"a": 1}, "a")
@case({"a": 1}, "b")
def lookup(d: Dict[str, int], k: str):
    return d[k]


@case({"a": 1}, "a")
@case({"a": 1}, "b")
def containment(d: Dict[str, int], k: str):
    return k in d, k not in d, len(d)


@case({"a": 1}, "a")
@case({"a": 1}, "b")
def get(d: Dict[str, int], k: str):
    return d.get(k), d.get(k, -1)


@case({1: "a", 2: "b"})
@case({})
def keys_values_items(d: Dict[int, str]):
    return d.keys(), d.values(), d.items()


@case({1: "a", 2: "b"}, 1)
@case({1: "a"}, 7)
def pop(d: Dict[int, str], k: int):
    x = d.pop(k)
    return x, d


@case({1: "a", 2: "b"}, 1)
@case({1: "a"}, 7)
def pop_with_a_default(d: Dict[int, str], k: int):
    x = d.pop(k, "none")
    return x, d


@case({1: "a", 2: "b"})
@case({})
def popitem(d: Dict[int, str]):
    return d.popitem(), d


@case({1: "a"}, {1: "b", 2: "c"})
@case({}, {})
def update(a: Dict[int, str], b: Dict[int, str]):
    a.update(b)
    return a


@case({1: 5}, 1)
@case({1: 5}, 2)
def setdefault(d: Dict[int, int], k: int):
    x = d.setdefault(k, 9)
    return x, d


@case({1: 5, 2: 6})
@case({})
def clear_and_copy(d: Dict[int, int]):
    e = d.copy()
    d.clear()
    return d, e


@case({"a": 1, "b": 2})
@case({"a": 0})
def deletion(d: Dict[str, int]):
    del d["a"]
    return d


@case({"a": 1})
@case({"b": 2})
def augmented_items(d: Dict[str, int]):
    d["a"] = d.get("a", 0) + 1
    d["a"] += 10
    d["a"] *= 2
    return d


@case({"x": [1, 2]})
@case({"x": []})
def dicts_of_lists(d: Dict[str, List[int]]):
    d["x"].append(3)
    d["y"] = [4]
    return d


@case({"a": {"b": 1}})
@case({"a": {}})
def nested_dicts(d: Dict[str, Dict[str, int]]):
    d["a"]["c"] = 5
    return d["a"], len(d["a"])


@case({"w": arr([1.0, 2.0])})
@case({"w": arr([[3.0]])})
def dicts_of_tensors(d: Dict[str, Tensor]):
    d["v"] = d["w"] * 2
    return d


@case({3: 1, 1: 2, 2: 3})
@case({0: 0})
def order_is_of_insertion(d: Dict[int, int]):
    out: List[int] = []
    for k in d:
        out.append(k)
    return out


@case([("a", 1), ("b", 2)])
@case([])
def from_pairs(xs: List[Tuple[str, int]]):
    return dict(xs)


@case(1)
@case(2)
def from_keywords(x: int):
    return dict(a=x, b=x + 1)


@case({"a": 1})
@case({})
def from_a_dict_is_a_copy(d: Dict[str, int]):
    e = dict(d)
    e["z"] = 0
    return d, e


@case({1.5: "a"}, {True: 1})
@case({}, {})
def key_types(a: Dict[float, str], b: Dict[bool, int]):
    a[0.5] = "b"
    b[False] = 3
    return a, b


@case({"a": 1, "b": 2})
@case({})
def inverted(d: Dict[str, int]):
    out: Dict[int, str] = {}
    for k, v in d.items():
        out[v] = k
    return out


@case({"b": 1, "a": 2})
@case({})
def sorted_keys(d: Dict[str, int]):
    return sorted(d.keys()), list(d.values()), list(d.keys())


@case({"a": 1})
@case({})
def aliases_see_changes(d: Dict[str, int]):
    e = d
    e["q"] = 1
    return d


@case({"a": 1})
@case({"b": 0})
def truth_by_length(d: Dict[str, int]):
    if len(d) > 0 and "a" in d:
        return d["a"]
    return -1
