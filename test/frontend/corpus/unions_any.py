"""Union, Any, isinstance."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(1)
@case("a")
def union_refined_by_isinstance(x: Union[int, str]):
    if isinstance(x, int):
        return x + 1
    else:
        return len(x)


@case(1)
@case("a")
@case(1.5)
def union_of_three(x: Union[int, str, float]) -> str:
    if isinstance(x, int):
        return "int" + str(x + 1)
    elif isinstance(x, float):
        return "float" + str(x * 2)
    else:
        return "str" + x


@case(None)
@case(1)
@case("a")
def union_with_none(x: Union[int, str, None]):
    if x is None:
        return "none"
    if isinstance(x, str):
        return x
    return str(x)


@case(1)
@case([1, 2])
def union_with_a_list(x: Union[int, List[int]]):
    if isinstance(x, list):
        return x
    else:
        return [x]


@case(1)
@case("a")
def pep604_union(x: int | str):
    if isinstance(x, int):
        return x
    return 0


@case(None)
@case(4)
def pep604_optional(x: int | None):
    if x is not None:
        return x
    return 0


@case(1)
@case("s")
@case([1])
@case(1.5)
def any_refined(x: Any):
    if isinstance(x, int):
        return 1
    elif isinstance(x, str):
        return 2
    elif isinstance(x, float):
        return 3
    return 4


@case(1)
@case("s")
def any_refined_to_a_value(x: Any) -> int:
    if isinstance(x, int):
        return x + 1
    if isinstance(x, str):
        return len(x)
    return -1


@case((1, 2))
@case([1, 2])
def any_refined_to_containers(x: Any):
    if isinstance(x, List[int]):
        return x[0]
    if isinstance(x, Tuple[int, int]):
        return x[1]
    return 0


@case(arr([1.0]))
@case(3)
def any_refined_to_tensor(x: Any):
    if isinstance(x, torch.Tensor):
        return x + 1
    return torch.zeros([1])


@case(1)
@case(2)
def isinstance_is_known(x: int):
    if isinstance(x, int):
        return x
    else:
        return x + "never compiled"


@case(1)
@case("b")
def isinstance_of_several(x: Union[int, str, List[int]]):
    if isinstance(x, (int, str)):
        return True
    return False


@case(True)
@case(False)
def union_variable(flag: bool):
    x: Union[int, str] = 1
    if flag:
        x = "s"
    return isinstance(x, str)


@case(1)
@case(-1)
def union_result(x: int) -> Union[int, str]:
    if x > 0:
        return x
    return "negative"


@case([1, "a"])
@case([])
def list_of_unions(xs: List[Union[int, str]]):
    n = 0
    for x in xs:
        if isinstance(x, int):
            n += x
        else:
            n += len(x)
    return n


@case(1)
@case(1.5)
def not_isinstance(x: Union[int, float]):
    if not isinstance(x, int):
        return x * 2
    return float(x)


@case(1)
@case("abc")
def isinstance_in_and(x: Union[int, str]):
    if isinstance(x, int) and x > 0:
        return x
    return 0


@case(1)
@case("abc")
def isinstance_in_ternary(x: Union[int, str]):
    return x if isinstance(x, int) else len(x)


@case(1)
@case("abc")
def isinstance_in_assert(x: Union[int, str]):
    assert isinstance(x, int), "not an int"
    return x + 1


@case(None)
@case(3)
def isinstance_of_optional(x: Optional[int]):
    if isinstance(x, int):
        return x + 1
    return 0


@case({"a": 1})
@case([1])
def torch_jit_isinstance(x: Any):
    if torch.jit.isinstance(x, Dict[str, int]):
        return x["a"]
    if torch.jit.isinstance(x, List[int]):
        return x[0] + 10
    return 0


@case(1)
@case("s")
def any_passes_through(x: Any) -> Any:
    y = x
    return y


@case(1, 2)
@case(3, 4)
def list_of_any(a: int, b: int):
    xs: List[Any] = [a, "s", 1.5, [b]]
    return xs, len(xs)


@case(1)
@case("q")
def dict_of_any(x: Any):
    d: Dict[str, Any] = {"x": x, "n": 1}
    return d


@case(True)
@case(False)
def tuple_of_any_result(flag: bool) -> Tuple[Any, int]:
    if flag:
        return "a", 1
    return 2.5, 2


@case(arr([1.0, 2.0]), ["a"])
@case(arr([1.0, 2.0]), ["a", "b"])
@case(arr([[1.0, 2.0]]), ["a", "b"])
def containers_that_are_returned_as_unions(x, names: List[str]) -> Union[Tensor, List[Tensor], Dict[str, Tensor]]:
    if len(names) == 1:
        return x
    if x.dim() == 1:
        return {name: x[i] for i, name in enumerate(names)}
    if x.dim() == 2:
        return [x, x + 1]
    return {}


@case(arr([1.0]), True)
@case(arr([1.0]), False)
def literals_in_the_place_of_unions(x, other: bool):
    a: Optional[List[Tensor]] = []
    if a is not None:
        a.append(x)
    b: Union[int, Dict[str, int]] = {"a": 1}
    if isinstance(b, Dict[str, int]):
        b["b"] = 2
    c: Union[Tensor, List[int]] = [1, 2] if other else x
    d: Optional[List[int]] = [i for i in range(2)]
    e: Optional[Dict[str, int]] = {"c": 1} if other else None
    return a, b, c, d, e


@case(arr([1.0]))
@case(arr([1.0, 2.0]))
def dicts_made_in_the_place_of_unions(x):
    a: Union[int, Dict[str, Tensor]] = dict({"a": x})
    b: Union[int, Dict[str, Tensor]] = dict({"a": x}, b=x + 1)
    return a, b
