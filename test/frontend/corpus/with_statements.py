"""with statements: objects that are entered and left, no_grad."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def __enter__(self):
        self.count += 1
        return self.count

    def __exit__(self, type: Any, value: Any, tb: Any):
        self.count += 100


@torch.jit.script
class Scope:
    def __init__(self, log: List[str], name: str):
        self.log = log
        self.name = name

    def __enter__(self):
        self.log.append("enter " + self.name)
        return self

    def __exit__(self, type: Any, value: Any, tb: Any):
        self.log.append("exit " + self.name)


@case(1)
@case(5)
def without_a_name(n: int):
    c = Counter(n)
    with c:
        n += c.count
    return n, c.count


@case(1)
@case(5)
def with_a_name(n: int):
    c = Counter(n)
    with c as k:
        n += k
    return n, c.count


@case("a")
@case("b")
def two_items(s: str):
    log: List[str] = []
    with Scope(log, s) as a, Scope(log, s + s) as b:
        log.append(a.name + b.name)
    return log


@case("a")
@case("b")
def nested(s: str):
    log: List[str] = []
    with Scope(log, s):
        with Scope(log, "inner"):
            log.append("body")
        log.append("between")
    return log


@case(3)
@case(0)
def in_a_loop(n: int):
    log: List[str] = []
    for i in range(n):
        with Scope(log, str(i)):
            log.append("body")
    return log


@case(True)
@case(False)
def with_a_branch_inside(flag: bool):
    log: List[str] = []
    with Scope(log, "s"):
        if flag:
            log.append("yes")
        else:
            log.append("no")
    return log


@case(True)
@case(False)
def return_inside(flag: bool):
    log: List[str] = []
    with Scope(log, "s"):
        if flag:
            return log
        log.append("not returned")
    log.append("after")
    return log


@case(4)
@case(1)
def loop_inside(n: int):
    c = Counter(0)
    with c as k:
        for i in range(n):
            k += i
    return k, c.count


@case(4)
@case(1)
def break_around(n: int):
    log: List[str] = []
    for i in range(n):
        with Scope(log, str(i)):
            log.append("x")
        if i == 1:
            break
    return log


@case(ramp(3))
@case(ramp(2, 2))
def no_grad(x):
    with torch.no_grad():
        y = x * 2
    return y + 1


@case(1)
@case(2)
def variables_outlive_the_block(n: int):
    with Counter(n) as k:
        y = k * 2
        z = "made inside"
    return y, z


@case(ramp(4, 4))
@case(ramp(3, 3))
def in_other_dtypes(x):
    """Regions of autocast, one in the other, and what is computed after them; test_autocast.py tells of the numbers."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = torch.mm(x, x)
        z = torch.exp(y - 4.0) + y
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=False):
            w = torch.mm(y.float(), x)
    return [part.float() * 0 for part in (y, z, w, torch.mm(x, w))]


@case(ramp(4, 4), True)
@case(ramp(3, 3), False)
def cast_in_branches(x, fast: bool):
    if fast:
        with torch.autocast("cpu"):
            y = torch.matmul(x, x)
    else:
        y = torch.matmul(x, x)
    for _ in range(2):
        with torch.amp.autocast("cpu", torch.bfloat16):
            y = torch.addmm(y, x, x * 0.5)
    return y.float() * 0


class HalfLinear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)
        with torch.no_grad():
            for parameter in self.linear.parameters():
                parameter.fill_(0.5)

    @torch.autocast("cpu", enabled=False)
    def not_used(self, x):
        return self.linear(x)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
            return y, torch.nn.functional.softmax(y, dim=-1)


@case(ramp(4, 4))
@case(ramp(3, 4))
class PartInOtherDtypes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = HalfLinear()

    def forward(self, x):
        y, weights = self.part(x)
        return y.float() * 0, weights.float()
