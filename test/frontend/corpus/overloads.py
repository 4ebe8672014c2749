"""Functions and methods with declared overloads, as layers that take a tensor or a list of them have them."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import case, ramp

# pyright: basic, reportRedeclaration=false, reportIncompatibleMethodOverride=false, reportReturnType=false
# ruff: noqa: F811  # overloads define one name several times

Tensor = torch.Tensor
nn = torch.nn


@torch.jit._overload
def joined(x: Tensor, dim: int = 0) -> Tensor:
    pass


@torch.jit._overload
def joined(x: List[Tensor], dim: int = 0) -> Tensor:
    pass


def joined(x, dim: int = 0):
    if isinstance(x, Tensor):
        return x.sum(dim)
    return torch.cat(x, dim)


@torch.jit._overload
def sizes(x: Tensor, scale: Optional[List[float]]) -> List[int]: ...


@torch.jit._overload
def sizes(x: Tensor, scale: Optional[float]) -> List[int]: ...


def sizes(x, scale=None):
    if scale is None:
        return x.size()
    if isinstance(scale, list):
        scales = scale
    else:
        scales = [scale for _ in range(x.dim())]
    return [int(size * by) for size, by in zip(x.shape, scales)]


@case(ramp(2, 3))
@case(ramp(3))
def function_of_tensor_or_list(x):
    return joined(x), joined([x, x]), joined([x, x + 1], dim=x.dim() - 1)


@case(ramp(2, 3))
@case(ramp(4))
def overloads_with_optional_numbers(x):
    return sizes(x, 2.0), sizes(x, [0.5] * x.dim())


class Layer(nn.Module):
    @torch.jit._overload_method
    def forward(self, features: List[Tensor]) -> Tensor:
        pass

    @torch.jit._overload_method
    def forward(self, features: Tensor) -> Tensor:
        pass

    def forward(self, features):
        if isinstance(features, Tensor):
            previous = [features]
        else:
            previous = features
        return torch.cat(previous, 0) * 2


@case(ramp(2, 3))
@case(ramp(3))
class MethodOfTensorOrList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"first": Layer(), "second": Layer()})
        self.last = Layer()

    def forward(self, x):
        features = [x]
        for name, layer in self.layers.items():
            features.append(layer(features))
        return self.last(torch.cat(features, 0))


@case(ramp(2, 3))
@case(ramp(3))
class HelperWithOverloads(nn.Module):
    """Like the recurrent layers: what is given beside the input may be one tensor or two."""

    @torch.jit._overload_method
    def permute_hidden(self, hx: Tensor, by: int) -> Tensor:
        pass

    @torch.jit._overload_method
    def permute_hidden(self, hx: Tuple[Tensor, Tensor], by: int) -> Tuple[Tensor, Tensor]:
        pass

    def permute_hidden(self, hx, by: int):
        if isinstance(hx, Tensor):
            return hx + by
        return hx[0] + by, hx[1] - by

    def forward(self, x) -> Dict[str, Tensor]:
        one = self.permute_hidden(x, 1)
        first, second = self.permute_hidden((x, one), 2)
        return {"one": one, "first": first, "second": second}
