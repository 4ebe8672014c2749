"""Annotations of parameters, results, variables: objects, strings, torch.jit.annotate."""
import typing
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn

IntList = List[int]
Pair = Tuple[int, str]


@case(1, 2.0, "s", True)
@case(0, 0.5, "", False)
def simple(a: int, b: float, c: str, d: bool) -> str:
    return str(a) + str(b) + c + str(d)


@case(1, [2])
@case(0, [])
def strings(a: "int", b: "List[int]") -> "List[int]":
    return b + [a]


@case(1, [2])
@case(0, [])
def builtin_generics(a: int, b: list[int]) -> tuple[int, list[int]]:
    c: dict[str, int] = {}
    c["a"] = a
    return len(c), b


@case([1], (1, "a"))
@case([], (2, "b"))
def aliases(xs: IntList, p: Pair) -> IntList:
    xs.append(p[0])
    return xs


@case([1])
@case([])
def typing_module(xs: typing.List[int]) -> typing.Optional[int]:
    if len(xs) > 0:
        return xs[0]
    return None


@case(1)
@case(2)
def variables(x: int):
    a: int = x
    b: float = float(x)
    c: Optional[int] = x
    d: List[Optional[int]] = [None, x]
    return a, b, c, d


@case(1)
@case(2)
def annotate_empty_containers(x: int):
    a = torch.jit.annotate(List[int], [])
    b = torch.jit.annotate(Dict[str, float], {})
    c = torch.jit.annotate(Optional[int], None)
    a.append(x)
    b["x"] = 0.5
    return a, b, c


@case(1)
@case(2)
def annotate_a_tuple(x: int):
    t = torch.jit.annotate(Tuple[int, Optional[str]], (x, None))
    return t


@case(ramp(2), 1)
@case(ramp(3), 2)
def unannotated_parameters_are_tensors(x, n: int):
    return x + n


@case(ramp(2))
@case(ramp(3))
def torch_names(x: torch.Tensor) -> Tuple[torch.Tensor, torch.dtype]:
    return x, x.dtype


@case("cpu")
@case("cpu")
def device_annotation(s: str) -> torch.device:
    d: torch.device = torch.device(s)
    return d


@case(1)
@case(2)
def none_result(x: int) -> None:
    y = x + 1


@case(1)
@case(2)
def nested_containers(x: int) -> Dict[str, List[Tuple[int, Optional[float]]]]:
    d: Dict[str, List[Tuple[int, Optional[float]]]] = {}
    d["a"] = [(x, None), (x, 0.5)]
    return d


@case(1)
@case(2)
def lists_take_their_type_from_the_annotation(x: int):
    xs: List[float] = [1.0, float(x)]
    ys: List[Optional[int]] = [1, None]
    zs: List[Union[int, str]] = [x, "a"]
    return xs, ys, len(zs)


@case(1)
@case(2)
def result_annotation_widens(x: int) -> Optional[int]:
    return x


@case(1)
@case(2)
def optional_of_a_tuple(x: int) -> Optional[Tuple[int, int]]:
    if x > 1:
        return (x, x)
    return None


@case((1, 2))
@case((3, 4))
def tuple_annotations(t: Tuple[int, int]) -> Tuple[Tuple[int, int], Tuple[()]]:
    return t, ()


@case(1)
@case(2)
def any_annotation(x: Any) -> Any:
    return x


@case([[1.0]])
@case([])
def list_of_lists(xs: List[List[float]]) -> int:
    return len(xs)


@case(ramp(2))
@case(ramp(3))
def annotated_tensor_variable(x):
    y: Tensor = x + 1
    z: Optional[Tensor] = None
    z = y
    return z
