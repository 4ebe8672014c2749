"""Script classes, named tuples, enums and interfaces."""

from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional

from examples._torch import torch


class _Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y

    def norm(self) -> int:
        return self.x + self.y

    def scale(self, factor: int):
        self.x *= factor


class _Pair(NamedTuple):
    left: int
    right: str


class _Color(Enum):
    RED = 1
    GREEN = 2


class _Mixed(Enum):
    RED = 1
    GREEN = "green"


class _Empty:
    def __init__(self):
        pass


def constructor_too_few():
    return _Point(1)


def constructor_too_many():
    return _Point(1, 2, 3)


def constructor_wrong_type():
    return _Point(1, "two")


def constructor_unknown_keyword():
    return _Point(1, z=2)


def unknown_attribute():
    p = _Point(1, 2)
    return p.z


def near_attribute():
    p = _Point(1, 2)
    return p.nrom()


def unknown_method():
    p = _Point(1, 2)
    return p.length()


def method_wrong_type():
    p = _Point(1, 2)
    p.scale("a")


def method_too_many():
    p = _Point(1, 2)
    return p.norm(1)


def set_unknown_attribute():
    p = _Point(1, 2)
    p.z = 3
    return p.x


def set_wrong_type():
    p = _Point(1, 2)
    p.x = "one"
    return p.x


def no_operator():
    return _Point(1, 2) + _Point(3, 4)


def no_comparison():
    return _Point(1, 2) < _Point(3, 4)


def no_getitem():
    return _Point(1, 2)[0]


def no_setitem():
    p = _Point(1, 2)
    p[0] = 1


def no_length():
    return len(_Point(1, 2))


def no_iteration():
    for a in _Point(1, 2):
        pass


def no_call():
    return _Point(1, 2)(3)


def no_inplace():
    p = _Point(1, 2)
    p += 1
    return p


def no_contains():
    return 1 in _Point(1, 2)


def no_enter(x):
    with _Point(1, 2):
        return x


def object_as_tensor():
    return torch.relu(_Point(1, 2))


def object_argument(p: _Point):
    return _takes_pair(p)


def _takes_pair(p: _Pair):
    return p.left


def class_as_value():
    return _Point


def class_attribute():
    return _Point.origin


def list_of_other_class():
    xs: List[_Point] = [_Empty()]
    return xs


class _FieldInBranch:
    def __init__(self, n: int):
        if n > 0:
            self.n = n


def field_in_branch():
    return _FieldInBranch(1)


class _FieldOutsideInit:
    def __init__(self):
        self.a = 1

    def set(self):
        self.b = 2


def field_outside_init():
    return _FieldOutsideInit()


class _UnannotatedInit:
    def __init__(self, name):
        self.name: str = name


def unannotated_init():
    return _UnannotatedInit("a")


class _BrokenInit:
    def __init__(self):
        self.a = no_such_name  # noqa: F821


def broken_init():
    return _BrokenInit()


class _ReturnsFromInit:
    def __init__(self):
        self.a = 1

    def get(self) -> str:
        return self.a


def wrong_return_of_method():
    return _ReturnsFromInit().get()


class _Derived(_Point):
    def __init__(self, x: int, y: int):
        super().__init__(x, y)


def derived_class():
    return _Derived(1, 2).norm()


class _ReadOnly:
    def __init__(self):
        self.a = 1

    @property
    def size(self) -> int:
        return self.a


def set_read_only():
    r = _ReadOnly()
    r.size = 3


class _WithStatic:
    def __init__(self):
        self.a = 1

    @staticmethod
    def double(n: int) -> int:
        return n * 2


def static_wrong_argument():
    return _WithStatic.double("a")


class _NoDelItem:
    def __init__(self):
        self.a = 1


def delete_item_of_object():
    c = _NoDelItem()
    del c[0]


class _Context:
    def __init__(self):
        self.a = 1

    def __enter__(self):
        return self.a


def context_without_exit(x):
    with _Context() as c:
        return x + c


class _ContextFewArguments:
    def __init__(self):
        self.a = 1

    def __enter__(self):
        return self.a

    def __exit__(self):
        pass


def context_exit_few_arguments(x):
    with _ContextFewArguments():
        return x


class _EnterWithArgument:
    def __init__(self):
        self.a = 1

    def __enter__(self, by: int):
        self.a += by

    def __exit__(self, type: Any, value: Any, tb: Any):
        pass


def context_enter_with_argument(x):
    with _EnterWithArgument():
        return x


class _ExitOfNumbers:
    def __init__(self):
        self.a = 1

    def __enter__(self):
        self.a += 1

    def __exit__(self, type: Any, value: int, tb: int):
        pass


def context_exit_of_numbers(x):
    with _ExitOfNumbers():
        return x


def tuple_too_few():
    return _Pair(1)


def tuple_wrong_type():
    return _Pair(1, 2)


def tuple_unknown_keyword():
    return _Pair(1, middle="a")


def tuple_unknown_field(p: _Pair):
    return p.middle


def tuple_near_field(p: _Pair):
    return p.rigth


def tuple_index(p: _Pair):
    return p[2]


def tuple_assign_field(p: _Pair):
    p.left = 1
    return p


class _BadTuple(NamedTuple):
    items: "NoSuchType"  # noqa: F821


def tuple_bad_annotation(p: _BadTuple):
    return p.items


def enum_unknown_member():
    return _Color.BLUE


def enum_near_member():
    return _Color.GREN


def enum_as_int() -> int:
    return _Color.RED


def enum_operator():
    return _Color.RED + 1


def enum_attribute(c: _Color):
    return c.shade


def enum_call():
    return _Color(1)


def enum_mixed_values(c: _Mixed):
    return c.value


def enum_iterate_value(c: _Color):
    for x in c:
        pass


def enum_argument():
    return torch.relu(_Color.RED)


def enum_compare_int(c: _Color):
    return c == 1


def _size(of_three: bool):
    if of_three:

        class Size(NamedTuple):
            width: int
            height: int
            depth: int

        return Size

    class Size(NamedTuple):
        width: int
        height: int

    return Size


_Flat, _Deep = _size(False), _size(True)


def redefined_named_tuple():
    return _Flat(1, 2), _Deep(1, 2, 3)


class _Shift(NamedTuple):
    width: int
    by: torch.Tensor = torch.ones(2)


def tensor_for_a_field_by_default():
    return _Shift(3).width


SUGGESTIONS = {
    "near_attribute": "norm",
    "tuple_near_field": "right",
    "enum_near_member": "GREEN",
}
