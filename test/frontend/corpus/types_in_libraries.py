"""How published code writes types: aliases of the module, unions in both spellings, comments over lines, subclasses of Tensor."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

nn = torch.nn
Tensor = torch.Tensor

OptTensor = Optional[Tensor]
PairTensor = Tuple[Tensor, Tensor]
Adj = Tensor
Size = Optional[Tuple[int, int]]
Hypothesis = Tuple[List[int], Tensor, float]
StateDict = Dict[str, Dict[str, Optional[Tensor]]]
Number = Union[int, float]


class Index(Tensor):
    """Whole numbers that name rows."""


class Point(NamedTuple):
    x: Tensor
    label: int = 3
    name: str = "none"


@case(ramp(3), None)
@case(ramp(3), ramp(3))
def optional_alias(x: Tensor, bias: OptTensor = None) -> Tensor:
    return x if bias is None else x + bias


@case((ramp(2), ramp(3)), None)
@case((ramp(2), ramp(3)), (2, 3))
def pair_alias(x: PairTensor, size: Size) -> int:
    n = x[1].size(0)
    if size is not None:
        n = max(size[0], size[1]) + n
    return n


@case(ramp(3))
@case(ramp(4))
def list_of_an_alias(x: Tensor) -> List[Hypothesis]:
    found: List[Hypothesis] = []
    for i in range(x.size(0)):
        found.append(([i, i + 1], x[i], float(i)))
    return found


@case(ramp(2))
@case(ramp(3))
def dictionary_of_an_alias(x: Tensor) -> int:
    state: StateDict = {}
    state["a"] = {"k": x, "v": None}
    count = 0
    for inner in state.values():
        for value in inner.values():
            if value is not None:
                count += value.numel()
    return count


@case(ramp(3, 2), arr([0, 2], "int64"))
@case(ramp(3, 2), arr([1], "int64"))
def subclass_of_tensor(x: Tensor, index: Index) -> Tensor:
    return x[index]


@case(ramp(3, 2), arr([0, 2], "int64"))
@case(ramp(3, 2), None)
def subclass_in_an_optional(x: Adj, index: Optional[Index]) -> Tensor:
    if index is None:
        return x
    return x.index_select(0, index)


@case(ramp(3, 2), [arr([0, 2], "int64")])
@case(ramp(3, 2), [])
def subclass_in_a_list(x: Tensor, indices: List[Index]) -> List[Tensor]:
    return [x[index] for index in indices]


@case(ramp(3))
@case(ramp(2))
def subclass_in_isinstance(x: Union[Tensor, int]) -> Tensor:
    if isinstance(x, Tensor):
        return x * 2
    return torch.zeros(x)


@case(ramp(3), 2)
@case(ramp(3), 2.5)
def numbers_in_a_union(x: Tensor, by: Union[int, float]) -> Tensor:
    if isinstance(by, int):
        return x + by
    return x * by


@case(ramp(3), [1, 2])
@case(ramp(3), 2)
def a_list_or_one(x: Tensor, sizes: Union[int, List[int]]) -> List[int]:
    if isinstance(sizes, int):
        sizes = [sizes, sizes]
    return sizes + [x.size(0)]


@case(ramp(3), None)
@case(ramp(3), 2)
def union_with_a_bar(x: Tensor, n: int | None = None) -> Tensor | None:
    if n is None:
        return None
    return x.repeat(n)


@case(ramp(3), [ramp(2)], {"a": 1})
@case(ramp(3), [], {})
def builtin_generics(x: Tensor, parts: list[Tensor], named: dict[str, int]) -> tuple[int, list[int]]:
    sizes: list[int] = [part.numel() for part in parts]
    return x.numel() + sum(named.values()), sizes


@case(ramp(2, 2), ramp(2, 2))
@case(ramp(1, 2), ramp(1, 2), None)
def comment_over_lines(
    query,  # type: Tensor
    key,  # type: Tensor
    mask=None,  # type: Optional[Tensor]
):
    # type: (...) -> Tuple[Tensor, Optional[Tensor]]
    return query + key, mask


@case(ramp(2), 3)
@case(ramp(3), 1)
def comment_in_one_line(x, n):
    # type: (Tensor, int) -> List[Tensor]
    found = torch.jit.annotate(List[Tensor], [])
    for i in range(n):
        found.append(x * i)
    return found


@case(ramp(2))
@case(ramp(3))
def named_tuple_with_defaults(x: Tensor) -> Tuple[Point, Point]:
    return Point(x), Point(x + 1, name="other")


@case(ramp(2))
@case(ramp(3))
def fields_of_a_named_tuple(x: Tensor) -> Tuple[Tensor, int]:
    point = Point(x, 4)
    first, label, name = point
    return point.x + first, label + len(name) + len(point)


@case([1, 2])
@case(["a", "b"])
@case(3)
def containers_in_any(value: Any) -> int:
    if torch.jit.isinstance(value, List[int]):
        return sum(value)
    if torch.jit.isinstance(value, List[str]):
        return len("".join(value))
    return -1


@case({"a": ramp(2)})
@case({"a": [ramp(2), ramp(3)]})
def union_of_containers(value: Dict[str, Union[Tensor, List[Tensor]]]) -> int:
    found = value["a"]
    if isinstance(found, Tensor):
        return found.numel()
    total = 0
    for each in found:
        total += each.numel()
    return total


@case(ramp(2))
@case(ramp(3))
class AnnotatedInTheClass(nn.Module):
    cache: Dict[str, Tensor]
    history: List[Tuple[int, float]]
    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.cache = {}
        self.history = []
        self.last = None

    def forward(self, x: Tensor) -> int:
        self.cache["x"] = x
        self.history.append((x.numel(), 0.5))
        self.last = x
        return len(self.cache) + len(self.history)
