"""Annotations and type comments."""

import typing
from typing import Callable, Dict, Generic, List, Optional, Set, Tuple, TypeVar, Union

from examples._torch import torch

_T = TypeVar("_T")
_number = 3


class _Unsupported(Generic[_T]):
    pass


def unknown_name(x: "NoSuchType"):  # noqa: F821
    return x


def unknown_near(x: "Tensr"):  # noqa: F821
    return x


def unknown_generic(x: "Lst[int]"):  # noqa: F821
    return x


def unknown_attribute(x: "torch.Tensr"):
    return x


def set_annotation(x: Set[int]):
    return x


def callable_annotation(f: Callable[[int], int]):
    return f(1)


def type_variable(x: _T):
    return x


def list_without_element(xs: List):
    return xs


def dict_without_elements(d: Dict):
    return d


def optional_without_element(x: Optional):
    return x


def tuple_without_elements(t: Tuple):
    return t[0]


def list_two_elements(xs: "List[int, int]"):
    return xs


def dict_one_element(d: "Dict[int]"):
    return d


def optional_two_elements(d: "Optional[int, str]"):
    return d


def dict_list_key(d: "Dict[List[int], int]"):
    return d


def number_as_annotation(x: 3):
    return x


def value_as_annotation(x: _number):
    return x


def string_syntax_error(x: "List[int"):  # noqa
    return x


def call_as_annotation(x: list()):
    return x


def object_annotation(x: object):
    return x


def iterable_annotation(x: typing.Iterable[int]):
    return x


def sequence_annotation(x: typing.Sequence[int]):
    return x


def bytes_annotation(x: bytes):
    return x


def local_final(n: int):
    y: typing.Final[int] = n
    return y


def final_of_a_module(n: int):
    y: torch.jit.Final[int] = n
    return y


def final_parameter(n: typing.Final[int]):
    return n


def local_unknown(n: int):
    y: NoSuchType = n  # noqa: F821
    return y


def local_unknown_generic(n: int):
    y: Lst[int] = [n]  # noqa: F821
    return y


def local_set(n: int):
    y: Set[int] = n
    return y


def return_unknown(x) -> "NoSuchType":  # noqa: F821
    return x


def union_of_dicts_mixed(x: torch.Tensor):
    d: Union[Dict[str, torch.Tensor], Dict[str, int]] = {"a": x, "b": 1}
    return d


def union_of_dicts_constructed(x: torch.Tensor):
    d: Union[Dict[str, torch.Tensor], Dict[str, int]] = dict(a=x)
    return d


def union_without_dict(x: torch.Tensor):
    d: Union[int, torch.Tensor] = dict(a=x)
    return d


def union_unknown(x: "Union[int, NoSuchType]"):  # noqa: F821
    return x


def pipe_unknown(x: "int | NoSuchType"):  # noqa: F821
    return x


def type_comment_unknown(x):
    # type: (NoSuchType) -> int
    return 1


def type_comment_too_few(x, y):
    # type: (int) -> int
    return x


def type_comment_too_many(x):
    # type: (int, int) -> int
    return x


def type_comment_syntax(x):
    # type: (int -> int
    return x


def type_comment_wrong_return(x):
    # type: (int) -> str
    return x


def type_comment_local(x):
    y = x  # type: int
    return y


def type_comment_per_argument_missing(
    x,  # type: int
    y,
):
    # type: (...) -> str
    return x


def type_comment_no_return(
    x,  # type: int
    y,  # type: int
):
    return x + y + nothing  # noqa: F821


def type_comment_twice(x):
    # type: (int) -> int
    # type: (str) -> int
    return x


def default_wrong_type(x: int = "a"):
    return x


def default_mutable(xs: List[int] = []):  # noqa: B006
    return xs


def default_mutable_dict(d: Dict[str, int] = {}):  # noqa: B006
    return d


def default_none_not_optional(n: int = None):
    return n + 1


def default_object(x=object()):  # noqa: B008
    return x


def default_function(x: int = len):
    return x
