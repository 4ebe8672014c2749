"""Return values."""

from typing import Any, Dict, List, Optional, Tuple, Union

from examples._torch import torch


def annotated_int_returns_str(n: int) -> int:
    return str(n)


def annotated_tensor_returns_int(n: int) -> torch.Tensor:
    return n


def annotated_none_returns_int(n: int) -> None:
    return n


def annotated_int_returns_nothing(n: int) -> int:
    n += 1


def annotated_int_returns_bare(n: int) -> int:
    return


def annotated_str_returns_none(n: int) -> str:
    return None


def annotated_list_returns_tuple(n: int) -> List[str]:
    return (n, n)


def annotated_list_element(n: int) -> List[str]:
    return [n]


def annotated_tuple_length(n: int) -> Tuple[int, int]:
    return n, n, n


def annotated_tuple_element(n: int) -> Tuple[int, str]:
    return n, n


def annotated_dict(n: int) -> Dict[str, str]:
    return {"a": n}


def annotated_int_returns_optional(n: Optional[int]) -> int:
    return n


def annotated_int_returns_any(n: Any) -> int:
    return n


def annotated_int_returns_union(n: Union[int, str]) -> int:
    return n


def annotated_float_returns_int(n: int) -> float:
    return n


def branches_return_differently(n: int):
    if n > 0:
        return 1
    else:
        return "one"


def early_return_differs(n: int, x):
    if n > 0:
        return x
    return n


def returns_only_in_loop(n: int) -> int:
    for i in range(n):
        return i


def returns_only_in_while(n: int) -> int:
    while n > 3:
        return n


def missing_else_annotated(n: int) -> int:
    if n > 0:
        return n
    elif n > -5:
        return 0


def return_undefined(n: int):
    return n + undefined_here  # noqa: F821


def return_function(n: int):
    return returns_nothing_on_one_path


def return_module(n: int):
    return torch


def return_type_string(n: int) -> "List[str]":
    return n


def return_unknown_annotation(n: int) -> "NoSuchType":  # noqa: F821
    return n
