"""Errors in functions that others call: the message tells who called them."""

from typing import List

from examples._torch import torch


def _broken(x):
    return x + missing_name  # noqa: F821


def _middle(x):
    y = x * 2
    return _broken(y)


def _upper(x):
    return _middle(x) + 1


def one_call(x):
    return _broken(x)


def two_calls(x):
    y = x + 1
    return _middle(y)


def three_calls(x):
    return [_upper(x)]


def in_branch(x, n: int):
    if n > 0:
        y = _middle(x)
    else:
        y = x
    return y


def in_loop(x, n: int):
    for i in range(n):
        x = _broken(x)
    return x


def in_argument(x):
    return torch.relu(
        _broken(x) + 1,
    )


def in_comprehension(xs: List[torch.Tensor]):
    return [_broken(x) for x in xs]


def in_condition(x):
    if _broken(x) > 0:
        return 1
    return 0


def in_fork(x):
    return torch.jit.wait(torch.jit.fork(_broken, x))


def in_keyword(x):
    return _upper(x=x)


def _unsupported(x):
    f = lambda y: y  # noqa: E731
    return f(x)


def calls_unsupported(x):
    return _unsupported(x)


def calls_unsupported_twice_removed(x):
    return _calls_unsupported(x)


def _calls_unsupported(x):
    return _unsupported(x)


def _wrong_return(n: int) -> str:
    return n


def calls_wrong_return(n: int):
    return _wrong_return(n)


def _annotated_wrong(n: "NoSuchType") -> int:  # noqa: F821
    return 1


def calls_annotated_wrong(n: int):
    return _annotated_wrong(n)


def _varargs(*xs):
    return xs


def calls_varargs(x):
    return _varargs(x)


def _mutable_default(xs: List[int] = []):  # noqa: B006
    return xs


def calls_mutable_default():
    return _mutable_default()


def _good(n: int) -> int:
    return n + 1


def wrong_argument_of_good(x, s: str):
    y = _good(3)
    return _good(s) + y


def recursive(n: int) -> int:
    if n == 0:
        return 1
    return n * recursive(n - 1)


def recursive_unannotated(n: int):
    return recursive_unannotated(n - 1)


def _even(n: int) -> bool:
    return True if n == 0 else _odd(n - 1)


def _odd(n: int) -> bool:
    return False if n == 0 else _even(n - 1)


def mutually_recursive(n: int):
    return _even(n)


class _Counter:
    def __init__(self, start: int):
        self.count = start

    def add(self, n: int):
        self.count += missing_step  # noqa: F821


def uses_broken_class():
    c = _Counter(1)
    c.add(2)
    return c.count


class BrokenForward(torch.nn.Module):
    def forward(self, x):
        return _middle(x)


class BrokenMethod(torch.nn.Module):
    def helper(self, x):
        return x + missing_name  # noqa: F821

    def forward(self, x):
        y = x + 1
        return self.helper(y)


def _inner(name):
    """A module class of its own for each program: PyTorch does not forget that a class has failed."""
    return globals()[name]()


class _Inner1(torch.nn.Module):
    def forward(self, x):
        return x.no_such_method()


class _Inner2(torch.nn.Module):
    def forward(self, x):
        return x.no_such_method()


class _Inner3(torch.nn.Module):
    def forward(self, x):
        return x.no_such_method()


class _Inner4(torch.nn.Module):
    def forward(self, x):
        return x

    def helper(self, x):
        return _middle(x)


class BrokenSubmodule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = _inner("_Inner1")

    def forward(self, x):
        return self.inner(x)


class BrokenInSequential(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(_inner("_Inner2"))

    def forward(self, x):
        return self.layers(x)


class BrokenUnusedSubmodule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([_inner("_Inner3")])

    def forward(self, x):
        return x


class BrokenMethodOfSubmodule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = _inner("_Inner4")

    def forward(self, x):
        y = x + 1
        return self.inner.helper(y)
