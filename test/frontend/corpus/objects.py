"""Script classes: construction, attributes, methods, properties, magic methods, class instances in and out."""
from typing import Any, Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case

Tensor = torch.Tensor


@torch.jit.script
class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def norm(self) -> int:
        return self.x * self.x + self.y * self.y

    def move(self, dx: int, dy: int = 1):
        self.x += dx
        self.y += dy

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)

    def __eq__(self, other: "Point") -> bool:
        return self.x == other.x and self.y == other.y

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> int:
        if i == 0:
            return self.x
        return self.y

    def __setitem__(self, i: int, v: int) -> None:
        if i == 0:
            self.x = v
        else:
            self.y = v

    def __contains__(self, v: int) -> bool:
        return v == self.x or v == self.y

    def __call__(self, k: int) -> int:
        return (self.x + self.y) * k

    def __lt__(self, other: "Point") -> bool:
        return self.x < other.x

    @staticmethod
    def origin() -> "Point":
        return Point(0, 0)


@case(1, 2)
@case(3, 4)
def object_made(a: int, b: int) -> int:
    p = Point(a, b)
    return p.x + p.y


@case(1, 2)
@case(3, 4)
def method_called(a: int, b: int) -> int:
    return Point(a, b).norm()


@case(1, 2)
@case(3, 4)
def method_changes_object(a: int, b: int) -> Tuple[int, int]:
    p = Point(a, b)
    q = p
    p.move(10)
    p.move(1, dy=5)
    return q.x, q.y


@case(1, 2)
@case(3, 4)
def attribute_set(a: int, b: int) -> int:
    p = Point(a, b)
    p.x = 7
    p.y += 2
    return p.norm()


@case(1)
@case(3)
def operator_add(a: int) -> int:
    p = Point(a, a) + Point(1, 2)
    return p.norm()


@case(1)
@case(3)
def operator_equal(a: int) -> bool:
    return Point(a, a) == Point(1, 1)


@case(1)
@case(3)
def object_length(a: int) -> int:
    return len(Point(a, 1))


@case(0)
@case(1)
def object_subscript(i: int) -> int:
    p = Point(3, 4)
    p[i] = 10
    return p[0] * 100 + p[i]


@case(3)
@case(5)
def object_contains(v: int) -> bool:
    return v in Point(3, 4)


@case(3)
@case(5)
def object_called(v: int) -> int:
    p = Point(3, 4)
    return p(v)


@case(3)
@case(5)
def static_method(v: int) -> int:
    p = Point.origin()
    p.x = v
    return p.norm()


@case(3)
@case(5)
def object_list(n: int) -> int:
    ps = [Point(i, 1) for i in range(n)]
    total = 0
    for p in ps:
        total += p.norm()
    return total


@case([3, 1, 2])
@case([5])
def objects_sorted(xs: List[int]) -> List[int]:
    ps = [Point(x, 0) for x in xs]
    ps.sort()
    return [p.x for p in ps]


@case([3, 1, 2])
@case([5, 4])
def objects_sorted_copy(xs: List[int]) -> List[int]:
    ps = sorted([Point(x, 0) for x in xs])
    return [p.x for p in ps]


@case("a")
@case("b")
def object_dict(k: str) -> int:
    d = {"a": Point(1, 2), "b": Point(3, 4)}
    d[k].x = 10
    return d["a"].x + d["b"].x


@case(True)
@case(False)
def object_optional(flag: bool) -> int:
    p: Optional[Point] = None
    if flag:
        p = Point(2, 3)
    if p is not None:
        return p.norm()
    return -1


@case(True)
@case(False)
def object_chosen(flag: bool) -> int:
    p = Point(1, 2) if flag else Point(3, 4)
    return p.norm()


@case(3)
@case(0)
def object_in_loop(n: int) -> int:
    p = Point(0, 0)
    for i in range(n):
        p = p + Point(i, 1)
    return p.norm()


@case(3, 4)
@case(0, 1)
def object_returned(a: int, b: int) -> Point:
    return Point(a, b)


@case(3, 4)
@case(0, 1)
def objects_returned(a: int, b: int) -> Tuple[Point, List[Point]]:
    return Point(a, b), [Point(b, a)]


@torch.jit.script
class Line:
    def __init__(self, a: Point, b: Point):
        self.a = a
        self.b = b
        self.name: Optional[str] = None
        self.lengths: List[int] = []

    def length(self) -> int:
        d = self.b.x - self.a.x
        self.lengths.append(d)
        return d


@case(1, 5)
@case(2, 2)
def objects_nested(a: int, b: int) -> Tuple[int, int]:
    line = Line(Point(a, 0), Point(b, 0))
    first = line.length()
    line.a.x = 0
    return first, line.length() + len(line.lengths)


class Stack:
    def __init__(self):
        self.items: List[Tensor] = []

    def push(self, x: Tensor) -> None:
        self.items.append(x)

    def pop(self) -> Tensor:
        return self.items.pop()

    @property
    def size(self) -> int:
        return len(self.items)


@case(arr([1.0, 2.0]))
@case(arr([[1.0]]))
def class_of_tensors(x: Tensor) -> Tensor:
    s = Stack()
    s.push(x)
    s.push(x * 2)
    y = s.pop()
    return y + s.size


class Temperature:
    def __init__(self, celsius: float):
        self._celsius = celsius

    @property
    def fahrenheit(self) -> float:
        return self._celsius * 9.0 / 5.0 + 32.0

    @fahrenheit.setter
    def fahrenheit(self, value: float) -> None:
        self._celsius = (value - 32.0) * 5.0 / 9.0


@case(100.0)
@case(0.0)
def property_read(c: float) -> float:
    return Temperature(c).fahrenheit


@case(212.0)
@case(32.0)
def property_set(f: float) -> float:
    t = Temperature(1.0)
    t.fahrenheit = f
    return t._celsius


class Guard:
    def __init__(self, log: List[int]):
        self.log = log

    def __enter__(self):
        self.log.append(1)
        return self

    def __exit__(self, type: Any, value: Any, tb: Any):
        self.log.append(2)


class Vector:
    def __init__(self, v: Tensor):
        self.v = v

    def __sub__(self, o: "Vector") -> "Vector":
        return Vector(self.v - o.v)

    def __mul__(self, o: "Vector") -> "Vector":
        return Vector(self.v * o.v)

    def __truediv__(self, o: "Vector") -> "Vector":
        return Vector(self.v / o.v)

    def __matmul__(self, o: "Vector") -> Tensor:
        return torch.dot(self.v, o.v)

    def __neg__(self) -> "Vector":
        return Vector(-self.v)

    def __iadd__(self, o: "Vector") -> "Vector":
        self.v += o.v
        return self

    def __str__(self) -> str:
        return "Vector"

    def __float__(self) -> float:
        return self.v.sum().item()

    def __hash__(self) -> int:
        return 1


@case(arr([1.0, 2.0]), arr([3.0, 4.0]))
@case(arr([1.0]), arr([2.0]))
def operators_of_class(a: Tensor, b: Tensor) -> Tensor:
    x, y = Vector(a), Vector(b)
    z = (x - y) * x / y
    return z.v


@case(arr([1.0, 2.0]), arr([3.0, 4.0]))
@case(arr([1.0]), arr([2.0]))
def inplace_add_of_class(a: Tensor, b: Tensor) -> Tensor:
    x = Vector(a)
    x += Vector(b)
    return x.v


@case(arr([1.0, 2.0]))
@case(arr([1.0]))
def negation_of_class(a: Tensor) -> Tensor:
    return (-Vector(a)).v


@case(arr([1.0, 2.0]))
@case(arr([1.0]))
def str_of_class(a: Tensor) -> str:
    return str(Vector(a))


@case(arr([1.0, 2.0]))
@case(arr([1.0]))
def float_of_class(a: Tensor) -> float:
    return float(Vector(a))


@case(1)
@case(2)
def isinstance_of_class(a: int) -> bool:
    p = Point(a, a)
    return isinstance(p, Point)


@case(1)
@case(2)
def hasattr_of_class(a: int) -> int:
    p = Point(a, a)
    if hasattr(p, "x"):
        return p.x
    if hasattr(p, "zz"):
        return p.zz
    return 0


@case(arr([1.0, 2.0]))
@case(arr([1.0]))
class ObjectAttribute(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.p = Point(2, 3)

    def forward(self, x):
        self.p.move(1)
        return x * self.p.x + self.p.norm()


@case([0])
@case([])
def context_manager(log: List[int]) -> List[int]:
    with Guard(log) as g:
        g.log.append(5)
    log.append(3)
    return log


@case([0], 1)
@case([], 0)
def context_manager_with_exception(log: List[int], n: int) -> int:
    with Guard(log):
        if n == 1:
            raise ValueError("inside")
    return len(log)


@case([0], 1)
@case([], 0)
def context_manager_with_return(log: List[int], n: int) -> int:
    with Guard(log):
        if n == 1:
            return 10
    return len(log)
