"""Names of fields within containers, defaults of fields, names beyond ASCII, dtypes without tensors, classes of tuples."""

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import case, ramp

nn = torch.nn
Tensor = torch.Tensor


@case(ramp(2, 3))
@case(ramp(4, 2))
def best_by_name(x):
    best = {"rows": torch.max(x, 1), "columns": torch.max(x, 0)}
    return best["rows"].values, best["columns"].indices


@case(ramp(2, 3))
@case(ramp(3, 3))
def nested_results(x):
    found = [{"by": {"size": torch.topk(x, 1)}}]
    return found[0]["by"]["size"].values


@case(ramp(2, 3))
@case(ramp(3, 3))
def best_by_dimension(x):
    found = {d: torch.sort(x, d) for d in range(2)}
    return found[1].values, found[0].indices


class Box(NamedTuple):
    corner: Tensor
    size: int


@case(ramp(2), 3)
@case(ramp(3), 1)
def boxes_by_name(x, n: int):
    boxes = {"first": Box(x, n), "second": Box(x + 1, n + 1)}
    total = x
    for box in boxes.values():
        total = total + box.corner * box.size
    return total


@case(ramp(2), True)
@case(ramp(3), False)
def box_or_number(x, boxed: bool):
    kept: Dict[str, Union[Box, int]] = {"size": 2}
    if boxed:
        kept["size"] = Box(x, 5)
    size = kept["size"]
    if isinstance(size, int):
        return size
    else:
        return size.size + size.corner.numel()


@case([ramp(2), ramp(3)])
@case([])
def boxes_by_number(parts: List[Tensor]):
    boxes: Dict[int, Box] = {}
    for i, part in enumerate(parts):
        boxes[i] = Box(part, part.numel())
    sizes: List[int] = []
    for k in boxes:
        sizes.append(boxes[k].size)
    return sizes


class Plan(NamedTuple):
    steps: int = 2
    rates: List[float] = [0.5, 0.25]
    name: str = "it's"
    window: Tuple[int, float] = (1, 2.0)
    limit: Optional[List[int]] = None
    kind: int = torch.float32


@case(ramp(3))
@case(ramp(2))
def defaults_that_are_lists(x):
    plan, shorter = Plan(), Plan(1)
    for rate in plan.rates:
        x = x * rate
    return x, shorter.rates, shorter.steps + len(plan.name), plan.kind == x.dtype


class Step(NamedTuple):
    size: int
    name: str = "it's"
    window: Tuple[int, float] = (1, 2.0)


@case(ramp(3))
@case(ramp(2))
def a_step_by_default(x, step: Step = Step(3)):
    return x * step.size + step.window[1], step.name


@case(ramp(2, 3))
@case(ramp(4))
def greek_names(x):
    μ = x.mean()
    σ = x.std()
    for _ in range(2):
        σ = σ + μ
    μ_σ = μ / σ
    return (x - μ) / σ + μ_σ


@case(ramp(2, 3))
@case(ramp(4))
def numbered_beyond_ascii(x):
    β1, β2 = x * 2, x + 1
    naïve = β1 if x.dim() > 1 else β2
    return naïve


@case(ramp(2))
@case(ramp(3))
def half_a_complex(x, kind: int = torch.complex32):
    return x.dtype == kind, x.dtype == torch.complex32, kind == torch.chalf


@case(ramp(2))
@case(ramp(3))
class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = torch.complex32

    def forward(self, x):
        if x.dtype == torch.chalf or x.dtype == self.kind:
            return x * 0
        return x * 2


class Degree(tuple):
    """A tuple that is not made of its items."""

    def __new__(cls, degree, parity):
        if parity not in (-1, 1):
            raise ValueError("the parity of a degree is 1 or -1")
        return tuple.__new__(cls, (degree, parity))


@case(ramp(2))
@case(ramp(3))
class Degrees(nn.Module):
    def __init__(self):
        super().__init__()
        self.degrees = {"in": Degree(1, -1), "out": Degree(2, 1)}  # of no type of programs
        self.first = Degree(2, 1)

    def forward(self, x):
        degree, parity = self.first
        return x * parity + degree
