"""Returns in branches and loops, and blocks that always raise."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(3)
@case(-3)
def return_in_one_branch(x: int):
    if x > 0:
        return x
    return -x


@case(3)
@case(-3)
def return_in_both_branches(x: int):
    if x > 0:
        return x
    else:
        return -x


@case(1)
@case(0)
@case(-5)
def return_in_elif(x: int) -> str:
    if x > 0:
        return "pos"
    elif x == 0:
        return "zero"
    return "neg"


@case(5)
@case(100)
def return_in_a_for_loop(n: int):
    for i in range(n):
        if i * i > 50:
            return i
    return -1


@case(5)
@case(100)
def return_in_a_while_loop(n: int):
    i = 0
    while i < n:
        i += 3
        if i > 50:
            return i
    return n


@case(3, 4)
@case(9, 9)
def return_in_nested_loops(a: int, b: int):
    for i in range(a):
        for j in range(b):
            if i * j > 20:
                return i, j
    return a, b


@case([1, 2, 3], 2)
@case([1, 2, 3], 7)
def find_in_a_list(xs: List[int], y: int):
    for i, x in enumerate(xs):
        if x == y:
            return i
    return -1


@case(3)
@case(0)
def statements_after_a_return_are_dropped(x: int):
    return x + 1
    x = x + 100
    return x


@case(1)
@case(-1)
def raise_in_the_other_branch(x: int):
    if x > 0:
        y = x
    else:
        raise ValueError("not positive")
    return y


@case(1)
@case(-1)
def return_and_raise(x: int) -> int:
    if x > 0:
        return x
    else:
        raise RuntimeError("bad")


@case(1)
@case(11)
@case(-1)
def guards_first(x: int):
    if x < 0:
        return "negative"
    if x > 10:
        return "large"
    s = "small"
    return s + "!"


@case(4)
@case(30)
def return_before_break(n: int):
    total = 0
    while True:
        total += n
        if total > 100:
            return total
        if n < 10:
            break
    return -total


@case(3)
@case(12)
def continue_then_return(n: int):
    for i in range(n):
        if i < 5:
            continue
        return i
    return 0


@case(True)
@case(False)
def return_of_nothing(flag: bool):
    if flag:
        return
    print("")


@case(arr([1.0, 2.0]), 1)
@case(arr([1.0, 2.0]), -1)
def return_of_tensors(x, n: int):
    if n > 0:
        return x + n
    y = x * n
    return y - 1


@case(2)
@case(-2)
def returns_of_optional_type(x: int) -> Optional[int]:
    if x > 0:
        return x
    return None


@case(2)
@case(-2)
def unannotated_returns_unify(x: int):
    if x > 0:
        return x
    return None


@case(1, True)
@case(1, False)
def early_return_keeps_later_variables(x: int, flag: bool):
    if flag:
        return x
    y = x + 1
    z = y * 2
    return y + z


@case(7)
@case(2)
def both_branches_of_a_nested_if_return(x: int):
    if x > 5:
        if x > 6:
            return 1
        else:
            return 2
    y = 3
    return y


@case([1, -1, 2])
@case([1, 2])
def raise_in_a_loop(xs: List[int]):
    total = 0
    for x in xs:
        if x < 0:
            raise ValueError("negative element")
        total += x
    return total


@case(0)
@case(5)
def return_in_a_loop_with_state(n: int):
    acc: List[int] = []
    for i in range(10):
        acc.append(i)
        if i == n:
            return acc, i
    return acc, -1


@case(3)
@case(4)
def return_from_both_ends_of_a_loop_body(n: int):
    for i in range(n):
        if i % 2 == 1:
            return i
        else:
            return -i
    return 100


@case(3.0)
@case(-3.0)
def return_of_tuples(x: float):
    if x < 0:
        return x, "minus"
    return x, "plus"


@case(6)
@case(1)
def while_with_return_and_continue(n: int):
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        if i == 4:
            return i * 100
    return i


@case(arr([1.0]), None, [1])
@case(arr([[1.0]]), 3, [2])
@case(arr([[1.0]]), 3, [])
def exits_of_two_types_written_alike(x, a: Optional[int], b: List[int]):
    if x.dim() == 1:
        c = a
        d = [2]
    else:
        raise ValueError("not a vector")
    if len(b) == 1:
        e: Optional[int] = 4
        f = b
    else:
        raise ValueError("not one")
    return c, d, e, f


@case(2.0, None)
@case(None, -1.0)
@case(-2.0, 3.0)
def checks_of_what_may_be_none(low: Optional[float], high: Optional[float]):
    least = float(low) if low is not None else None
    most = float(high) if high is not None else None
    if least is not None and least < 0:
        raise ValueError("low must not be negative")
    if most is not None and most < 0:
        raise ValueError("high must not be negative")
    return least, most, least is not None or most is not None


@case(1, (1, 2))
@case(2, (3, 4))
@case(3, (5, 6))
def tuples_of_several_loops(n: int, start: Tuple[int, int]):
    pair = start
    for i in range(3):
        if n == i:
            break
        pair = (i, n)
    for i in range(3):
        if n == i + 1:
            continue
        pair = (pair[1], i)
    return pair


@case(5, [1, 2])
@case(5, [1, 2, 3])
@case(6, [0])
def tuples_returned_on_two_paths_of_a_loop(n: int, sizes: List[int]):
    total = 0
    for size in sizes:
        if n == size:
            return total + 1, [size]
        elif size > 2:
            return total + 2, sizes
        total += size
    return total, [n]


@case(2, [1, 2])
@case(2, [])
@case(0, [1])
def returns_from_a_loop_in_a_loop(n: int, sizes: List[int]):
    i = 0
    while i < n:
        for size in sizes:
            return size + i, sizes
        i += 1
    return i, [n]


@case(3)
@case(0)
def deletes_what_the_function_has(n: int):
    count = n
    for i in range(n):
        if i == n - 1:
            del count
    return n
