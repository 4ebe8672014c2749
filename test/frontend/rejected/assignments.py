"""Assignments whose types or targets do not fit."""

from typing import Any, Dict, List, Optional, Tuple, Union

from examples._torch import torch


def list_of_empty_then_ints(n: int):
    xs = []
    xs.append(n)
    return xs


def annotated_wrong_value(x):
    y: int = "text"
    return y


def annotated_wrong_tensor(x):
    y: List[int] = x
    return y


def annotated_none(x):
    y: int = None
    return y


def if_branches_differ(n: int):
    if n > 0:
        y = 1
    else:
        y = "one"
    return y


def if_branch_changes_outer(n: int):
    y = 0
    if n > 0:
        y = "one"
    return y


def if_branches_tensor_int(x, n: int):
    if n > 0:
        y = x
    else:
        y = n
    return y


def nested_if_branches_differ(n: int):
    if n > 0:
        if n > 1:
            y = [1]
        else:
            y = [1.0]
    else:
        y = [1]
    return y


def loop_changes_type(n: int):
    y = 0
    for i in range(n):
        y = "text"
    return y


def loop_changes_to_float(n: int):
    y = 0
    for i in range(n):
        y = y + 0.5
    return y


def loop_changes_to_none(x, n: int):
    y = x
    for i in range(n):
        y = None
    return y


def ternary_branches_differ(n: int, x):
    y: int = n if n > 0 else "zero"
    return y


def unpack_too_few(t: Tuple[int, int]):
    a, b, c = t
    return a + b + c


def unpack_too_many(t: Tuple[int, int, int]):
    a, b = t
    return a + b


def unpack_int(n: int):
    a, b = n
    return a


def unpack_tensor(x):
    a, b = x
    return a


def unpack_str(s: str):
    a, b = s
    return a


def unpack_starred_alone(t: Tuple[int, int]):
    (*a,) = t
    return a


def unpack_starred_list(xs: List[int]):
    a, *b = xs
    return a


def unpack_nested(t: Tuple[int, Tuple[int, int]]):
    a, (b, c, d) = t
    return a


def unpack_dict(d: Dict[str, int]):
    a, b = d
    return a


def assign_to_call(x):
    x.add(1)[0] = 2
    return x.sum() + nothing_here  # noqa: F821


def assign_attribute_of_tensor(x):
    x.foo = 1
    return x


def assign_attribute_of_int(n: int):
    n.real = 1
    return n


def assign_tuple_element(t: Tuple[int, int]):
    t[0] = 1
    return t


def assign_str_element(s: str):
    s[0] = "a"
    return s


def assign_list_wrong_type(xs: List[int]):
    xs[0] = "a"
    return xs


def assign_list_slice(xs: List[int]):
    xs[0:2] = [1, 2]
    return xs


def assign_dict_wrong_key(d: Dict[str, int]):
    d[1] = 1
    return d


def assign_dict_wrong_value(d: Dict[str, int]):
    d["a"] = "b"
    return d


def assign_int_element(n: int):
    n[0] = 1
    return n


def augmented_str_int(s: str):
    s += 1
    return s


def augmented_undefined(n: int):
    total += n  # noqa: F821
    return n


def augmented_list(xs: List[int]):
    xs += 1
    return xs


def augmented_floor_div(n: int):
    n //= 2
    return n


def augmented_matmul(x, y):
    x @= y
    return x


def augmented_tuple_element(t: Tuple[int, int]):
    t[0] += 1
    return t


def augmented_list_slice(xs: List[int]):
    xs[0:1] += [1]
    return xs


def append_wrong_type(xs: List[int]):
    xs.append("a")
    return xs


def append_to_inferred_tensors(n: int):
    xs = []
    xs.append("a")
    return xs


def append_none(xs: List[int]):
    xs.append(None)
    return xs


def optional_to_int(n: Optional[int]):
    y: int = n
    return y


def any_to_int(n: Any):
    y: int = n
    return y


def union_to_int(n: Union[int, str]):
    y: int = n
    return y


def annotation_without_value(x):
    y: int
    return x
