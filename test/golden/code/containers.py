# type: ignore
# ruff: noqa
"""Lists, dictionaries, tuples, strings, optionals and unions."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch


class Point(NamedTuple):
    x: torch.Tensor
    y: int


def list_empty():
    x: List[int] = []
    return x


def list_of_tensors():
    return torch.jit.annotate(List[torch.Tensor], [])


def list_literal(x: int):
    return [x, 2, x + 1]


def list_nested():
    return [[1, 2], [3]]


def list_of_optional(x: Optional[torch.Tensor], y: torch.Tensor):
    z: List[Optional[torch.Tensor]] = [x, y, None]
    return z


def list_methods(x: List[int], y: int):
    x.append(y)
    x.insert(0, y)
    x.extend([1, 2])
    z = x.pop()
    x.remove(z)
    x.reverse()
    x.sort()
    return x.index(y), x.count(y), x.copy()


def list_get_set(x: List[int]):
    x[0] = x[1] + x[-1]
    return x[0]


def list_item_of_expression(x: torch.Tensor):
    return x.unbind(0)[1]


def list_slice(x: List[int]):
    return x[1:], x[:-1], x[1:3], x[::2], x[:]


def list_assign_slice(x: List[int], y: List[int]):
    del x[0]
    return x + y


def list_multiply(x: List[int]):
    return x * 2


def list_in(x: List[int], y: int):
    return y in x, y not in x


def list_compare(x: List[int], y: List[int]):
    return x == y, x != y


def list_length(x: List[str]):
    if len(x) == 0:
        return 0
    return len(x)


def list_sorted(x: List[int]):
    return sorted(x)


def list_builtins(x: List[int], y: List[float], z: List[bool]):
    return min(x), max(y), sum(x), any(z), all(z)


def list_comprehension(x: List[int]):
    return [v * 2 for v in x]


def list_comprehension_of_range(n: int):
    return [i * i for i in range(n)]


def list_unpack(x: List[int]):
    a, b, c = x
    return a + b + c


def list_of_tuples(x: int):
    return [(x, "a"), (2, "b")]


def list_augmented(x: List[int], y: List[int]):
    x += y
    return x


def list_from_string(s: str):
    return list(s)


def list_to_tensor(x: List[float]):
    return torch.tensor(x)


def dict_empty():
    d: Dict[str, int] = {}
    return d


def dict_literal(x: torch.Tensor):
    return {"a": x, "b": x + 1}


def dict_int_keys():
    return {1: 2.0, 2: 4.0}


def dict_of_optional(x: Optional[int]):
    d: Dict[str, Optional[int]] = {"a": x, "b": 3}
    return d


def dict_get_set(d: Dict[str, int], k: str):
    d["a"] = 1
    d[k] = d["a"] + 2
    return d[k]


def dict_methods(d: Dict[str, int]):
    d.update({"z": 1})
    x = d.get("a")
    y = d.get("b", 3)
    z = d.pop("c")
    return d.keys(), d.values(), d.items(), x, y, z, d.copy()


def dict_in(d: Dict[str, int]):
    return "a" in d, len(d)


def dict_delete(d: Dict[str, int]):
    del d["a"]
    d.clear()
    return d


def dict_loop(d: Dict[str, int]):
    s = 0
    for k, v in d.items():
        s += v + len(k)
    for k in d:
        s -= d[k]
    return s


def dict_comprehension(x: List[int]):
    return {v: v * v for v in x}


def dict_nested():
    return {"a": {"b": [1]}}


def tuple_literal(x: int, y: str):
    return (x, y, 1.5)


def tuple_single(x: int):
    return (x,)


def tuple_empty():
    return ()


def tuple_nested(x: int):
    return ((x, 1), (2, (3, x)))


def tuple_unpack(h: Tuple[torch.Tensor, torch.Tensor]):
    a, b = h
    return a + b


def tuple_unpack_nested(h: Tuple[int, Tuple[str, float]]):
    a, (b, c) = h
    return b, c, a


def tuple_unpack_rest(h: Tuple[int, int, int, int]):
    a, *b, c = h
    return a, b, c


def tuple_index(h: Tuple[int, str, float]):
    return h[0], h[-1]


def tuple_slice(h: Tuple[int, str, float]):
    return h[1:], h[:2]


def tuple_variable_index(h: Tuple[int, int, int], i: int):
    return h[i]


def tuple_in_branch(a: Tuple[int, int], flag: bool):
    if flag:
        a = (a[1], a[0])
    return a


def named_tuple(x: torch.Tensor):
    p = Point(x, 2)
    return p.x + p.y, p


def named_tuple_argument(p: Point):
    x, y = p
    return x * y


def named_tuple_list(x: torch.Tensor):
    return [Point(x, 1), Point(x, y=2)]


def string_literals():
    return "a", 'it\'s "quoted"', "line\nbreak\ttab\\", "\x07\x1f\x7f"


def string_long(x: str):
    return x + "a long text that is longer than the forty characters that fit"


def string_long_in_branch(x: str, flag: bool):
    if flag:
        x = x + "about thirty-three characters more"
    return x


def string_concatenation(a: str, b: str):
    return a + b + "c"


def string_methods(s: str):
    t = s.strip().lower().replace("a", "b")
    return t.split(","), t.upper(), t.startswith("x"), ",".join([s, t]), t.find("q"), t.isdigit()


def string_format(x: int, s: str):
    return "{} and {}".format(x, s)


def string_percent(x: int, s: str):
    return "%d and %s" % (x, s)


def string_f(x: int, y: torch.Tensor):
    return f"x={x} y={y}"


def string_index(s: str):
    return s[0], s[1:3], s[-1], s[::-1]


def string_compare(a: str, b: str):
    return a == b, a != b, a < b, a in b


def string_conversions(a: int, b: float, c: torch.Tensor):
    return str(a) + str(b) + str(c)


def string_to_number(s: str):
    return int(s), float(s)


def string_ord_chr(s: str, n: int):
    return ord(s), chr(n), hex(n), bin(n), oct(n)


def string_length(s: str):
    return len(s)


def optional_is_none(x: Optional[int]):
    if x is None:
        return 0
    else:
        return x + 1


def optional_is_not_none(x: Optional[torch.Tensor], y: torch.Tensor):
    if x is not None:
        y = y + x
    return y


def optional_default(x: int, y: Optional[int] = None, z: Optional[str] = "a"):
    if y is None:
        y = x
    return y


def optional_assert(x: Optional[int]):
    assert x is not None
    return x


def optional_unwrap(x: Optional[int]):
    return torch.jit._unwrap_optional(x)


def optional_return(x: int) -> Optional[int]:
    if x > 3:
        return x
    return None


def optional_of_list(x: Optional[List[int]]):
    if x is None:
        x = [1]
    return x


def optional_field(x: List[Optional[int]]):
    y = x[0]
    if y is not None:
        return y
    return 0


def union_argument(x: Union[int, str]):
    if isinstance(x, int):
        return x
    return len(x)


def union_assigned(flag: bool):
    x: Union[int, str, None] = 1
    if flag:
        x = "a"
    return x


def union_of_tensors(x: Union[torch.Tensor, List[torch.Tensor]]):
    if isinstance(x, torch.Tensor):
        return x
    return x[0]


def any_argument(x: Any):
    if isinstance(x, (int, float)):
        return 1
    elif isinstance(x, str):
        return 2
    elif isinstance(x, list):
        return 3
    return 4


def any_assigned(x: int):
    y: Any = x
    return y


def isinstance_static(x: int):
    if isinstance(x, int):
        return 1
    return 2


def isinstance_torch(x: Union[torch.Tensor, Tuple[int, str]]):
    if torch.jit.isinstance(x, Tuple[int, str]):
        return x[1]
    return "t"


def set_of_flags(flags: Dict[str, Tuple[int, Optional[str]]]):
    a, b = flags["x"]
    if b is not None:
        return b
    return str(a)
