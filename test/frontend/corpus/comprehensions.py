"""List and dict comprehensions."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(4)
@case(0)
def over_a_range(n: int):
    return [i * i for i in range(n)]


@case([1, 2, 3])
@case([])
def over_a_list(xs: List[int]):
    return [x + 0.5 for x in xs]


@case([1, -2, 3])
@case([])
def with_a_ternary(xs: List[int]):
    return [x if x > 0 else 0 for x in xs]


@case([[1, 2], [3]])
@case([])
def nested(xs: List[List[int]]):
    return [[x * 2 for x in row] for row in xs]


@case([(1, "a"), (2, "b")])
@case([])
def with_unpacking(xs: List[Tuple[int, str]]):
    return [s + str(n) for n, s in xs]


@case(["a", "b"])
@case([])
def over_enumerate(xs: List[str]):
    return [str(i) + x for i, x in enumerate(xs)]


@case([1, 2], [3, 4])
@case([1], [])
def over_zip(xs: List[int], ys: List[int]):
    return [x * y for x, y in zip(xs, ys)]


@case("abc")
@case("")
def over_a_string(s: str):
    return [c + c for c in s]


@case({"a": 1, "b": 2})
@case({})
def over_dict_items(d: Dict[str, int]):
    return [k + str(v) for k, v in d.items()], [v for v in d.values()], [k for k in d]


@case(ramp(3, 2))
@case(ramp(1, 2))
def over_a_tensor(x):
    return [row.sum() for row in x]


@case((1, 2, 3))
@case((4, 5, 6))
def over_a_tuple(t: Tuple[int, int, int]):
    return [x + 1 for x in t]


@case(3)
@case(0)
def of_tensors(n: int):
    return [torch.ones([i + 1]) for i in range(n)]


@case(3)
@case(0)
def of_tuples(n: int):
    return [(i, str(i)) for i in range(n)]


@case(3, 10)
@case(0, 1)
def with_outer_variables(n: int, k: int):
    m = k * 2
    return [i * m + k for i in range(n)]


@case(4)
@case(0)
def dict_of_a_range(n: int):
    return {i: i * i for i in range(n)}


@case(["a", "bb"])
@case([])
def dict_of_a_list(xs: List[str]):
    return {x: len(x) for x in xs}


@case([("a", 1), ("b", 2)])
@case([])
def dict_of_pairs(xs: List[Tuple[str, int]]):
    return {k: v + 1 for k, v in xs}


@case({"a": 1, "b": 2})
@case({"z": 0})
def dict_of_dict_items(d: Dict[str, int]):
    return {v: k for k, v in d.items()}


@case([1, 2, 3])
@case([4])
def in_an_expression(xs: List[int]):
    return sum([x * x for x in xs]) + max([-x for x in xs])


@case([1, 2, 3])
@case([])
def in_a_loop(xs: List[int]):
    out: List[List[int]] = []
    for x in xs:
        out.append([x * y for y in xs])
    return out


@case(5)
@case(1)
def variable_of_a_comprehension_is_its_own(n: int):
    i = 100
    xs = [i for i in range(n)]
    return xs, i


@case([None, 1, 2])
@case([])
def of_optionals(xs: List[Optional[int]]):
    return [0 if x is None else x for x in xs]


@case(["x", "y"])
@case([])
def with_calls(xs: List[str]):
    return [x.upper().replace("X", "Z") for x in xs]


@case(3)
@case(1)
def of_lists(n: int):
    return [[0] * n for i in range(n)]


@case([1, 2])
@case([])
def annotated_result(xs: List[int]):
    ys: List[float] = [float(x) for x in xs]
    ys.append(0.5)
    return ys


@case([1, 2])
@case([])
def of_none_where_a_number_may_be(xs: List[int]):
    ys: List[Optional[int]] = [None for _ in xs]
    zs: Dict[int, Optional[int]] = {x: None for x in xs}
    return ys, zs


@case([1, 2])
@case([])
def of_wider_types_than_their_elements(xs: List[int]):
    numbers: List[Optional[int]] = [x + 1 for x in xs]
    variables: List[Optional[int]] = [x for x in xs]
    by_key: Dict[int, Optional[int]] = {x: x * 2 for x in xs}
    return numbers, variables, by_key


@case(ramp(3))
@case(ramp(0))
def of_anything(x: Tensor):
    pairs: List[Any] = [i + 1 for i in range(3)]
    products: List[Optional[Tensor]] = [x * i for i in range(3)]
    several: List[Tuple[int, Optional[Tensor]]] = [(i, x) for i in range(3)]
    return pairs, products, several
