"""What is not compiled, or compiled without being called: ignore, unused, export, script_if_tracing, is_scripting; hooks; scripted callees."""
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn


@torch.jit.ignore
def python_double(x):
    return x * 2


@torch.jit.ignore
def python_add(x: int, y: List[int]) -> List[int]:
    return [x + each for each in y]


@torch.jit.ignore
def python_note(x: int) -> None:
    pass


@torch.jit.unused
def not_supported(x: Tensor) -> Tensor:
    import numpy
    return numpy.array([1])


@case(arr([1.0, 2.0]))
@case(arr([3.0]))
def ignored_function(x):
    return python_double(x) + 1


@case(2, [1, 2])
@case(0, [])
def ignored_function_with_types(n: int, xs: List[int]) -> List[int]:
    ys = python_add(n, xs)
    python_note(n)
    ys.append(9)
    return ys


@case(arr([1.0]), False)
@case(arr([2.0]), True)
def unused_function(x, flag: bool):
    if flag:
        return not_supported(x)
    return x


@case(arr([1.0]))
@case(arr([2.0]))
def is_scripting_chooses(x):
    if torch.jit.is_scripting():
        return x + 1
    else:
        return x.no_such_method()


@case(arr([1.0]))
@case(arr([2.0]))
def not_scripting_is_not_compiled(x):
    if not torch.jit.is_scripting():
        y = x.no_such_method()
        return y
    return x - 1


@case(arr([1.0]))
@case(arr([2.0]))
class IgnoredMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    @torch.jit.ignore
    def python(self, x: Tensor) -> Tensor:
        return x * 5

    def forward(self, x):
        return self.python(x) + self.k


@case(arr([1.0]))
@case(arr([2.0]), method="also")
class ExportedMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    @torch.jit.export
    def also(self, x: Tensor) -> Tensor:
        return self.helper(x) * self.k

    def helper(self, x):
        return x + 1

    def forward(self, x):
        return x + self.k


@case(arr([1.0]))
@case(arr([2.0]))
class UnusedMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.training = False

    @torch.jit.unused
    def bad(self, x: Tensor) -> Tensor:
        return x.nothing()

    def forward(self, x):
        if self.training:
            return self.bad(x)
        return x + 1


@torch.jit.script
def scripted_inner(x: Tensor, k: int = 2) -> Tensor:
    return x * k


@torch.jit.script
def scripted_outer(x: Tensor) -> Tensor:
    return scripted_inner(x) + scripted_inner(x, 3)


@case(arr([1.0]))
@case(arr([2.0]))
def calls_scripted(x):
    return scripted_inner(x, k=5)


@case(arr([1.0]))
@case(arr([2.0]))
def calls_scripted_that_calls(x):
    return scripted_outer(x) - 1


@case(arr([1.0]))
@case(arr([2.0]))
class ModuleThatCallsScripted(nn.Module):
    def forward(self, x):
        return scripted_outer(x)


class Inner(nn.Module):
    def __init__(self, k: int):
        super().__init__()
        self.k = k
        self.w = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return x * self.k + self.w

    @torch.jit.export
    def extra(self, x: Tensor) -> Tensor:
        return x - self.k


@case(arr([1.0, 2.0]))
@case(arr([3.0, 5.0]))
class ScriptedSubmodule(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.jit.script(Inner(4))

    def forward(self, x):
        return self.inner(x) + self.inner.extra(x)


@case(arr([1.0, 2.0]))
@case(arr([3.0, 5.0]))
class TwoScriptedSubmodules(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.jit.script(Inner(4))
        self.b = torch.jit.script(Inner(5))
        self.c = Inner(6)

    def forward(self, x):
        return self.a(x) + self.b(x) - self.c(x)


@case(arr([1.0, 2.0]))
@case(arr([3.0, 5.0]))
class FunctionAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = scripted_inner
        self.g = torch.relu

    def forward(self, x):
        return self.g(self.f(x))


class Hooked(nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.name = name

    def forward(self, x: Tensor) -> Tensor:
        return x - 1


def own_hook(self, inputs: Tuple[Tensor], result: Tensor) -> Tensor:
    return result * 10


@case(arr([1.0, 2.0]))
@case(arr([3.0, 5.0]))
class ForwardHook(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Hooked("a")
        self.inner.register_forward_hook(own_hook)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


@torch.jit.script_if_tracing
def only_if_tracing(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x + i
    return x


@case(arr([1.0]), 2)
@case(arr([2.0]), 3)
def script_if_tracing_called(x, n: int):
    return only_if_tracing(x, n)
