"""Subscripts, slices, tuples and container literals."""

from typing import Any, Dict, List, Optional, Tuple, Union

from examples._torch import torch


def tuple_out_of_range(t: Tuple[int, int]):
    return t[2]


def tuple_negative_out_of_range(t: Tuple[int, int]):
    return t[-3]


def tuple_variable_index(t: Tuple[int, str], n: int):
    return t[n]


def tuple_str_index(t: Tuple[int, int]):
    return t["a"]


def tuple_float_index(t: Tuple[int, int]):
    return t[1.0]


def tuple_variable_slice(t: Tuple[int, int], n: int):
    return t[:n]


def tuple_two_indices(t: Tuple[int, int]):
    return t[0, 1]


def empty_tuple_index(t: Tuple[()]):
    return t[0]


def list_str_index(xs: List[int]):
    return xs["a"]


def list_two_indices(xs: List[int]):
    return xs[0, 1]


def list_float_slice(xs: List[int]):
    return xs[0.5:]


def list_tensor_index(xs: List[str], x):
    return xs[x, x]


def dict_wrong_key(d: Dict[str, int]):
    return d[1]


def dict_slice(d: Dict[str, int]):
    return d[1:2]


def int_index(n: int):
    return n[0]


def float_index(f: float):
    return f[0]


def none_index(n: Optional[List[int]]):
    return n[0]


def any_index(a: Any):
    return a[0]


def function_index(n: int):
    return int_index[n]


def str_str_index(s: str):
    return s["a"]


def tensor_str_index(x):
    return x["a"]


def tensor_float_index(x):
    return x[1.5]


def tensor_dict_index(x, d: Dict[str, int]):
    return x[d]


def tensor_two_ellipses(x):
    return x[..., 0, ...]


def tensor_index_after_ellipsis(x, i):
    return x[..., i]


def tensor_slice_str(x):
    return x["a":]


def tensor_assign_str(x):
    x[0] = "a"
    return x


def tensor_assign_list(x):
    x[0] = [1, 2]
    return x


def heterogeneous_list_index(n: int):
    xs = [n, "a"]
    return xs[0] + 1


def heterogeneous_list_annotated(n: int):
    xs: List[int] = [n, "a"]
    return xs


def list_wrong_annotation(n: int):
    xs: List[str] = [n]
    return xs


def list_to_dict_annotation(n: int):
    xs: Dict[str, int] = [n]
    return xs


def dict_heterogeneous_keys(n: int):
    d: Dict[str, int] = {"a": n, 1: n}
    return d


def dict_unhashable_key(xs: List[int]):
    return {xs: 1}


def dict_tuple_key(n: int):
    return {(n, n): 1}


def dict_wrong_annotation(n: int):
    d: Dict[int, int] = {"a": n}
    return d


def dict_to_list_annotation(n: int):
    d: List[int] = {"a": n}
    return d


def dict_value_mismatch(n: int):
    d = {"a": n}
    d["b"] = "text"
    return d


def dict_comprehension_key(xs: List[List[int]]):
    return {x: 1 for x in xs}


def list_comprehension_over_int(n: int):
    return [i for i in n]


def list_comprehension_of_several_types(n: int):
    return [x for x in (n, 2.0)]


def list_comprehension_of_an_optional(n: int):
    return [x for x in (None, n)]


def list_comprehension_for_a_union(n: int):
    xs: Union[List[int], List[str]] = [x for x in (n, "a")]
    return xs


def list_comprehension_annotated(xs: List[int]):
    ys: List[str] = [x for x in xs]
    return ys


def list_of_functions():
    return [int_index, float_index]


def list_of_modules():
    return [torch]


def tuple_of_types():
    return (int, float)


def dict_of_functions():
    return {"a": int_index}


def tolist_without_hint(x):
    y = x.tolist()
    return y


def tolist_wrong_hint(x):
    y: List[str] = x.tolist()
    return y


def tensor_of_none():
    return torch.tensor(None)


def percent_format_list(xs: List[int]):
    return 3 % xs


def percent_format_none():
    return "%d" - 3


def in_of_dict_value(d: Dict[str, int]):
    return 3 in d


def delete_from_tuple(t: Tuple[int, int]):
    del t[0]
    return t


def unpack_list_unknown_length(xs: List[int]):
    return [*xs]


def slice_step_str(xs: List[int]):
    return xs[:: "a"]


def reversed_int(n: int):
    for i in reversed(n):
        pass


def list_multiply_str(xs: List[int]):
    return xs * "a"


def element_of_range(n: int):
    return range(n)[-1]


def element_of_named_range(n: int):
    r = range(2, n, 3)
    return r[1]


def element_of_zip(xs: List[int]):
    return zip(xs, xs)[0]


def element_of_enumerate(xs: List[int]):
    return enumerate(xs)[0]
