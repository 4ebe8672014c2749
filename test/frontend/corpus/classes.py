"""Script classes: attributes, methods, magic methods."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



class Point:
    def __init__(self, x: int, y: int = 0):
        self.x = x
        self.y = y

    def norm(self) -> int:
        return self.x * self.x + self.y * self.y

    def moved(self, dx: int, dy: int = 0):
        return Point(self.x + dx, self.y + dy)

    def move(self, dx: int):
        self.x += dx


class Vector:
    def __init__(self, data: List[float]):
        self.data = data

    def __add__(self, other: "Vector") -> "Vector":
        return Vector([a + b for a, b in zip(self.data, other.data)])

    def __mul__(self, k: float) -> "Vector":
        return Vector([a * k for a in self.data])

    def __neg__(self) -> "Vector":
        return self * -1.0

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, i: int) -> float:
        return self.data[i]

    def __setitem__(self, i: int, v: float):
        self.data[i] = v

    def __contains__(self, v: float) -> bool:
        return v in self.data

    def __eq__(self, other: "Vector") -> bool:
        return self.data == other.data

    def __lt__(self, other: "Vector") -> bool:
        return sum(self.data) < sum(other.data)

    def __call__(self, k: int) -> float:
        return self.data[k] * 10

    def __str__(self) -> str:
        return "Vector" + str(self.data)


class Stack:
    def __init__(self):
        self.items: List[int] = []
        self.limit = torch.jit.annotate(Optional[int], None)
        self.label: Optional[str] = None

    def push(self, x: int) -> bool:
        limit = self.limit
        if limit is not None:
            if len(self.items) >= limit:
                return False
        self.items.append(x)
        return True

    def pop(self) -> int:
        if len(self.items) == 0:
            raise IndexError("empty stack")
        return self.items.pop()


class Node:
    def __init__(self, value: Tensor):
        self.value = value
        self.scale = 2.0
        self.names = {"a": 1}

    def run(self, x):
        return x * self.scale + self.value


class Holder:
    def __init__(self, p: Point):
        self.p = p

    def total(self):
        return self.p.x + self.p.norm()


@case(1, 2)
@case(-3, 0)
def construction_and_attributes(x: int, y: int):
    p = Point(x, y)
    return p.x, p.y, Point(x).y


@case(3, 4)
@case(0, 1)
def method_calls(x: int, y: int):
    p = Point(x, y)
    return p.norm(), p.moved(1).norm(), p.moved(dy=2, dx=1).y


@case(3)
@case(0)
def mutation(x: int):
    p = Point(x)
    q = p
    p.move(5)
    q.y = 7
    q.x += 1
    return p.x, p.y, q.x


@case([1.0, 2.0], [3.0, 4.0])
@case([], [])
def operators(a: List[float], b: List[float]):
    v = Vector(a) + Vector(b)
    w = -(v * 2.0)
    return v.data, w.data, len(v)


@case([1.0, 2.0])
@case([5.0, 0.5])
def item_access(a: List[float]):
    v = Vector(a)
    v[0] = 9.0
    return v[0], v[1], 2.0 in v, v.data


@case([1.0, 2.0], [1.0, 2.0])
@case([1.0], [3.0])
def comparison(a: List[float], b: List[float]):
    return Vector(a) == Vector(b), Vector(a) < Vector(b)


@case([1.0, 2.0])
@case([4.0, 5.0])
def call_of_an_object(a: List[float]):
    v = Vector(a)
    return v(0) + v(1)


@case([1.0, 2.0])
@case([])
def conversion_to_str(a: List[float]):
    return str(Vector(a))


@case(3)
@case(0)
def stack(n: int):
    s = Stack()
    s.limit = 2
    pushed = [s.push(i) for i in range(n)]
    return pushed, s.items, s.label is None


@case(2)
@case(0)
def exception_from_a_method(n: int):
    s = Stack()
    for i in range(n):
        s.push(i)
    return s.pop()


@case(ramp(2))
@case(ramp(2, 2))
def tensor_attribute(x):
    n = Node(x)
    n.scale = 0.5
    n.names["b"] = 2
    return n.run(x), len(n.names)


@case(1)
@case(2)
def object_in_an_object(x: int):
    p = Point(x, 1)
    h = Holder(p)
    p.move(10)
    h.p.y = 5
    return h.total(), h.p.moved(1).x


@case(3)
@case(0)
def list_of_objects(n: int):
    ps = [Point(i, i + 1) for i in range(n)]
    total = 0
    for p in ps:
        p.move(1)
        total += p.norm()
    return total


@case(3)
@case(0)
def dict_of_objects(n: int):
    d: Dict[str, Point] = {}
    for i in range(n):
        d[str(i)] = Point(i)
    if "1" in d:
        d["1"].x = 50
        return d["1"].norm()
    return 0


@case(True)
@case(False)
def optional_object(flag: bool):
    p: Optional[Point] = None
    if flag:
        p = Point(1, 2)
    if p is not None:
        return p.norm()
    return -1


def takes_a_point(p: Point) -> int:
    return p.x - p.y


@case(1)
@case(2)
def object_as_an_argument(x: int):
    return takes_a_point(Point(x, 5))


def makes_a_point(x: int) -> Point:
    return Point(x, x)


@case(1)
@case(2)
def object_as_a_result(x: int):
    return makes_a_point(x).norm()


@case(1)
@case(2)
def object_identity(x: int):
    p = Point(x)
    q = Point(x)
    return p is p, p is q, p is not q


@case(5)
@case(0)
def object_carried_by_a_loop(n: int):
    p = Point(0, 1)
    for i in range(n):
        p = Point(p.y, p.x + p.y)
    return p.x


@case(1)
@case(-1)
def object_made_in_branches(x: int):
    if x > 0:
        p = Point(x, 1)
    else:
        p = Point(0)
    return p.norm()
