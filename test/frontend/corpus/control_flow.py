"""If, while, for, ternaries, and what variables are afterwards."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(3)
@case(-2)
def if_else_assigns_one_variable(x: int):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@case(5, 2)
@case(1, 1)
@case(0, 7)
def elif_chain(a: int, b: int) -> str:
    if a > b:
        r = "greater"
    elif a == b:
        r = "equal"
    else:
        r = "less"
    return r


@case(7)
@case(0)
def if_without_else_keeps_the_old_value(x: int):
    y = 1
    if x > 5:
        y = 2
    return y


@case(True, False)
@case(True, True)
@case(False, True)
def nested_ifs(a: bool, b: bool):
    r = 0
    if a:
        if b:
            r = 1
        else:
            r = 2
    else:
        if b:
            r = 3
    return r


@case(10)
@case(0)
def while_counts_down(n: int):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@case(12, 18)
@case(7, 13)
def while_with_two_variables(a: int, b: int):
    while b != 0:
        a, b = b, a % b
    return a


@case(20)
@case(3)
def while_true_with_break(limit: int):
    i = 1
    while True:
        i = i * 2
        if i > limit:
            break
    return i


@case(10)
@case(1)
def for_with_continue(n: int):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        total += i
    return total


@case(10)
@case(3)
def break_in_nested_loop(n: int):
    found = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            found += 1
        if found > 10:
            break
    return found


@case(6)
@case(0)
def continue_and_break_together(n: int):
    seen: List[int] = []
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        if i == 5:
            break
        seen.append(i)
    return seen, i


@case(4)
@case(-4)
def ternary(x: int):
    return x if x > 0 else -x


@case(1, 2, 3)
@case(3, 2, 1)
def nested_ternary(a: int, b: int, c: int):
    return a if a > b else (b if b > c else c)


@case(arr([1.0, -2.0]))
@case(arr([3.0]))
def condition_of_a_tensor(x):
    if x.sum() > 0:
        x = x + 1
    else:
        x = x - 1
    return x


@case(arr(3, "int64"))
@case(arr(0, "int64"))
def while_over_a_tensor_condition(n):
    total = torch.zeros([])
    while n > 0:
        total = total + n
        n = n - 1
    return total


@case(0)
@case(5)
def truth_of_an_int(x: int):
    if x:
        return "nonzero"
    return "zero"


@case(0.0)
@case(0.5)
def truth_of_a_float(x: float):
    y = 0
    if x:
        y = 1
    return y


@case(True, True, False)
@case(False, True, True)
def boolean_operators(a: bool, b: bool, c: bool):
    return a and b or not c, not (a or b) and c


@case(0)
@case(3)
def short_circuit_guards_a_division(x: int):
    if x != 0 and 10 // x > 2:
        return 1
    return 0


@case(1)
@case(5)
@case(9)
def chained_comparison(x: int):
    return 2 < x < 8, 0 < x <= 5 != 4


@case(3)
@case(0)
def loop_variable_survives_the_loop(n: int):
    i = -1
    for i in range(n):
        pass
    return i


@case(4)
@case(0)
def for_with_tensor_state(n: int):
    x = torch.ones([2])
    for i in range(n):
        x = x * 2 + i
    return x


@case(5)
@case(2)
def variables_made_in_both_branches(x: int):
    if x > 3:
        a = 1
        b = 2.0
    else:
        b = 3.0
        a = 4
    return a, b


@case(5)
@case(2)
def branch_local_variables(x: int):
    y = 0
    if x > 3:
        t = x * 2
        y = t + 1
    else:
        u = x * 3
        y = u - 1
    return y


@case(3, 4)
@case(0, 0)
def loops_in_branches(a: int, b: int):
    n = 0
    if a > 2:
        for i in range(a):
            n += i
    else:
        while b > 0:
            b -= 1
            n += b
    return n


@case(arr([[1.0, 2.0], [3.0, 4.0]]), True)
@case(arr([[1.0, 2.0], [3.0, 4.0]]), False)
def ternary_of_tensors(x, flag: bool):
    y = x.t() if flag else x * 2
    return y + 1


@case(3)
@case(-1)
def pass_in_branches(x: int):
    if x > 0:
        pass
    else:
        pass
    return x


@case(10)
@case(97)
def primes_by_trial_division(n: int):
    primes: List[int] = []
    for i in range(2, n):
        is_prime = True
        for p in primes:
            if p * p > i:
                break
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(i)
    return primes


@case(27)
@case(1)
def collatz(n: int):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@case(3)
@case(8)
def while_with_compound_condition(n: int):
    i = 0
    j = n
    while i < n and not (j <= i):
        i += 1
        j -= 1
    return i, j


@case(2)
@case(0)
def three_nested_loops(n: int):
    c = 0
    for i in range(n):
        for j in range(i, n):
            k = j
            while k >= 0:
                c += k
                k -= 1
    return c
