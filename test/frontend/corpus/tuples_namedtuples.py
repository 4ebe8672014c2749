"""Tuple and NamedTuple."""
from collections import namedtuple
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



class Point(NamedTuple):
    x: int
    y: int


class Shape(NamedTuple):
    name: str
    corners: List[Point]
    weight: float = 1.0


class Pair(NamedTuple):
    first: Tensor
    second: Tensor


Plain = namedtuple("Plain", ["a", "b"])


@case(1, 2.5)
@case(0, 0.0)
def construction_and_unpacking(a: int, b: float):
    t = (a, b, "s")
    x, y, z = t
    return z, y, x


@case((1, 2.5))
@case((3, 4.5))
def indexing(t: Tuple[int, float]):
    return t[0] + 1, t[1], t[-1], t[-2]


@case((1, 2, 3, 4))
@case((5, 6, 7, 8))
def slicing(t: Tuple[int, int, int, int]):
    return t[1:], t[:2], t[1:3], t[:-1], t[:]


@case((1, 2, 3, 4))
@case((5, 6, 7, 8))
def slicing_with_a_step(t: Tuple[int, int, int, int]):
    return t[::2], t[::-1], t[3:0:-1]


@case((1, 2))
@case((0, 0))
def nested(t: Tuple[int, int]):
    u = (t, (t[0], (t[1],)))
    (a, b), (c, (d,)) = u
    return u, a + b + c + d


@case(1, 2)
@case(3, 3)
def swapping(a: int, b: int):
    a, b = b, a
    return a, b


@case((1, 2), (3, 4))
@case((0, 0), (0, 0))
def concatenation(a: Tuple[int, int], b: Tuple[int, int]):
    return a + b, a + (5,)


@case((1, 2, 3))
@case((1, 1, 1))
def length(t: Tuple[int, int, int]):
    return len(t)


@case((1, 2, 3), 2)
@case((4, 5, 6), 7)
def containment(t: Tuple[int, int, int], x: int):
    return x in t


@case((1, 2, 3))
@case((4, 5, 6))
def star_unpacking(t: Tuple[int, int, int]):
    a, *b = t
    *c, d = t
    return a, b, c, d


@case((1, 2, 3, 4))
@case((4, 5, 6, 7))
def star_in_the_middle(t: Tuple[int, int, int, int]):
    a, *b, c = t
    return a, b, c


@case([1, 2])
@case([3, 4])
def tuple_of_a_list_literal(xs: List[int]):
    a, b = xs
    return (a, b), tuple((b, a))


@case(1)
@case(2)
def single_and_empty(x: int):
    return (x,), ()


@case(1, 2)
@case(-1, 5)
def named_tuple_construction(x: int, y: int):
    p = Point(x, y)
    q = Point(y=x, x=y)
    return p, q


@case(Point(1, 2))
@case(Point(3, 4))
def named_tuple_fields(p: Point):
    return p.x * 10 + p.y, p[0], p[1]


@case(Point(1, 2))
@case(Point(3, 4))
def named_tuple_unpacking(p: Point):
    a, b = p
    return a - b


@case("s", 2)
@case("t", 0)
def named_tuple_default(name: str, n: int):
    s = Shape(name, [Point(i, i) for i in range(n)])
    return s, Shape(name, [], 2.0).weight


@case(Shape("q", [Point(1, 2), Point(3, 4)], 0.5))
@case(Shape("e", [], 1.5))
def nested_named_tuples(s: Shape):
    total = 0
    for p in s.corners:
        total += p.x + p.y
    return s.name, total * s.weight


@case(arr([1.0]), arr([2.0]))
@case(arr([3.0, 4.0]), arr([5.0, 6.0]))
def named_tuple_of_tensors(a, b):
    p = Pair(a, b)
    return Pair(p.second, p.first + p.second)


@case(arr([1.0]), arr([2.0]))
@case(arr([3.0]), arr([5.0]))
def collections_namedtuple_holds_tensors(a, b):
    p = Plain(a, b)
    return p.a + p.b, p


def _pair(x: int) -> Tuple[int, str]:
    return x, str(x)


@case(1)
@case(7)
def returned_by_a_call(x: int):
    n, s = _pair(x)
    t = _pair(n + 1)
    return s, t[1], t


@case(True)
@case(False)
def assigned_in_branches(flag: bool):
    if flag:
        t = (1, "a")
    else:
        t = (2, "b")
    return t[0], t[1]


@case(3)
@case(0)
def carried_by_a_loop(n: int):
    t = (0, 1)
    for i in range(n):
        t = (t[1], t[0] + t[1])
    return t


@case((1, (2.0, "x")))
@case((5, (0.5, "y")))
def nested_unpacking_of_an_argument(t: Tuple[int, Tuple[float, str]]):
    a, (b, c) = t
    return c, b, a


@case([Point(1, 2), Point(0, 5)])
@case([])
def lists_of_named_tuples(ps: List[Point]):
    best = Point(0, 0)
    for p in ps:
        if p.y > best.y:
            best = p
    return best


@case(Point(1, 2), (1, 2))
@case(Point(1, 2), (1, 3))
def named_and_plain_tuples(p: Point, t: Tuple[int, int]):
    return p.x == t[0] and p.y == t[1]
