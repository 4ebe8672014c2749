"""Optional, Union and Any where something smaller is needed."""

from typing import Any, Dict, List, Optional, Tuple, Union

from examples._torch import torch


def optional_method(x: Optional[torch.Tensor]):
    return x.relu()


def optional_operator(x: Optional[torch.Tensor]):
    return x + 1


def optional_argument(x: Optional[torch.Tensor]):
    return torch.relu(x)


def optional_in_else(n: Optional[int]) -> int:
    if n is not None:
        return n
    return n + 1


def optional_after_or(a: Optional[int], b: Optional[int]) -> int:
    if a is not None or b is not None:
        return a + b
    return 0


def optional_after_reassignment(a: Optional[int], b: Optional[int]) -> int:
    if a is not None:
        a = b
        return a + 1
    return 0


def optional_in_loop(a: Optional[int], n: int) -> int:
    total = 0
    for i in range(n):
        total += a
    return total


def optional_attribute(d: Dict[str, Optional[int]]) -> int:
    if d["a"] is not None:
        return d["a"]
    return 0


def optional_iteration(xs: Optional[List[int]]):
    for x in xs:
        pass


def optional_unpack(t: Optional[Tuple[int, int]]):
    a, b = t
    return a


def optional_condition(n: Optional[int]):
    if n:
        return 1
    return 0


def optional_element(xs: List[Optional[int]]) -> int:
    return xs[0]


def optional_list_invariance(xs: List[int]):
    ys: List[Optional[int]] = xs
    return ys


def dict_value_invariance(d: Dict[str, int]):
    e: Dict[str, Optional[int]] = d
    return e


def none_plus_int():
    x = None
    return x + 1


def none_or_int_inferred(n: int):
    x = None
    if n > 0:
        x = n
    return x + 1


def any_operator(a: Any):
    return a + 1


def any_method(a: Any):
    return a.relu()


def any_call(a: Any):
    return a(1)


def any_iteration(a: Any):
    for x in a:
        pass


def any_condition(a: Any):
    if a:
        return 1
    return 0


def any_wrong_branch(a: Any):
    if isinstance(a, int):
        return a + 1
    return a + 2


def any_list(xs: List[Any]) -> int:
    return xs[0]


def any_return(a: Any) -> str:
    return a


def union_operator(u: Union[int, str]):
    return u + 1


def union_method(u: Union[List[int], str]):
    return u.append(1)


def union_wrong_value():
    u: Union[int, str] = 1.5
    return u


def union_rest(u: Union[int, str, List[int]]):
    if isinstance(u, int):
        return 1
    return u.upper()


def union_not_in(u: Union[int, str]) -> int:
    if not isinstance(u, str):
        return u
    return u


def union_of_lists(n: int):
    u: Union[List[int], List[str]] = [1.5]
    return u


def union_iteration(u: Union[int, List[int]]):
    for x in u:
        pass


def isinstance_narrow_wrong(x: Optional[int]) -> int:
    if isinstance(x, int):
        pass
    return x


def assert_wrong(n: Optional[int]) -> int:
    assert n is None
    return n


def unchecked_none_return(n: Optional[int]) -> Optional[str]:
    return n


def future_as_value(n: int):
    f = torch.jit.fork(_add, n)
    return f + 1


def _add(n: int):
    return n + 1


def number_of_str(s: str):
    return torch.full([2], s)


def device_as_int(d: torch.device) -> int:
    return d + 1


def device_attribute(d: torch.device):
    return d.name_of_it
