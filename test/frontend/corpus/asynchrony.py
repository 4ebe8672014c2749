"""fork, wait and futures."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn

Future = torch.jit.Future


def square(x: int) -> int:
    return x * x


def add(x, y):
    return x + y


def slow_sum(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total


def fails(x: int) -> int:
    if x < 0:
        raise ValueError("negative in a task")
    return x


@case(3)
@case(-2)
def one_task(x: int):
    f = torch.jit.fork(square, x)
    return torch.jit.wait(f)


@case(ramp(2), ramp(2))
@case(ramp(3), ramp(1))
def task_on_tensors(x, y):
    f = torch.jit.fork(add, x, y)
    z = x * 2
    return torch.jit.wait(f) + z


@case(2, 3)
@case(0, 1)
def two_tasks(a: int, b: int):
    f = torch.jit.fork(square, a)
    g = torch.jit.fork(slow_sum, b)
    return torch.jit.wait(f) + torch.jit.wait(g)


@case(5)
@case(0)
def list_of_tasks(n: int):
    futures: List[Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(square, i))
    out: List[int] = []
    for f in futures:
        out.append(torch.jit.wait(f))
    return out


def nested_task(n: int) -> int:
    if n <= 1:
        return 1
    f = torch.jit.fork(square, n - 1)
    return n + torch.jit.wait(f)


@case(4)
@case(1)
def task_in_a_task(n: int):
    f = torch.jit.fork(nested_task, n)
    g = torch.jit.fork(nested_task, n + 1)
    return torch.jit.wait(f), torch.jit.wait(g)


@case(1)
@case(-1)
def exception_in_a_task(x: int):
    f = torch.jit.fork(fails, x)
    return torch.jit.wait(f) + 1


@case(ramp(2), ramp(2))
@case(ramp(3), ramp(3))
def keywords(x, y):
    f = torch.jit.fork(add, y=y, x=x)
    return torch.jit.wait(f)


@case(2)
@case(3)
def task_waited_twice(x: int):
    f = torch.jit.fork(square, x)
    return torch.jit.wait(f), torch.jit.wait(f)


def pair(x: int) -> Tuple[int, str]:
    return x, str(x)


@case(2)
@case(3)
def task_with_a_tuple_result(x: int):
    f = torch.jit.fork(pair, x)
    n, s = torch.jit.wait(f)
    return s, n


@case(True)
@case(False)
def task_in_a_branch(flag: bool):
    if flag:
        f = torch.jit.fork(square, 2)
    else:
        f = torch.jit.fork(slow_sum, 5)
    return torch.jit.wait(f)


def waits(f: Future[int]) -> int:
    return torch.jit.wait(f) * 10


@case(2)
@case(3)
def future_as_an_argument(x: int):
    return waits(torch.jit.fork(square, x))


@case(ramp(2))
@case(ramp(3))
class TaskOfAMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    def helper(self, x):
        return x * self.k

    def forward(self, x):
        f = torch.jit.fork(self.helper, x)
        return torch.jit.wait(f) + x


class Inner(nn.Module):
    def forward(self, x):
        return x + 5


@case(ramp(2))
@case(ramp(3))
class TaskOfASubmodule(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        f = torch.jit.fork(self.inner, x)
        return torch.jit.wait(f) * 2


@case(ramp(2))
@case(ramp(3))
def task_of_a_builtin(x):
    f = torch.jit.fork(torch.relu, x)
    return torch.jit.wait(f)


def mutates(xs: List[int]) -> int:
    xs.append(5)
    return len(xs)


@case([1])
@case([])
def task_changes_a_list(xs: List[int]):
    f = torch.jit.fork(mutates, xs)
    n = torch.jit.wait(f)
    return n, xs


@case(2)
@case(3)
def method_wait(x: int):
    f = torch.jit.fork(square, x)
    return f.wait()


@case(1)
@case(2)
def tasks_in_containers(n: int):
    several: Dict[int, torch.jit.Future[int]] = {n: torch.jit.fork(square, n)}
    pair = (torch.jit.fork(square, 2), n)
    waiting: Optional[torch.jit.Future[int]] = pair[0]
    if waiting is not None:
        n += waiting.wait()
    return several[pair[1]].wait() + n
