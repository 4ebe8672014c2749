"""format, percent and f-strings."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn



@case(1, 2.5, "s")
@case(0, -0.5, "")
def format_method(a: int, b: float, c: str):
    return "{} and {} and {}".format(a, b, c)


@case(1)
@case(-1)
def format_without_placeholders(a: int):
    return "nothing".format()


@case([1, 2], (1, "a"))
@case([], (0, ""))
def format_of_containers(xs: List[int], t: Tuple[int, str]):
    return "{} {}".format(xs, t)


@case(1, 2.5)
@case(0, -0.5)
def f_string(a: int, b: float):
    return f"a={a}, b={b}"


@case(1, 2)
@case(5, 7)
def f_string_with_expressions(a: int, b: int):
    return f"{a + b} {a * b}{a}"


@case("x")
@case("")
def f_string_of_strings(s: str):
    return f"<{s}>" + f"{s}{s}"


@case("x")
@case("y")
def f_string_without_values(s: str):
    return f"plain" + s


@case(3)
@case(-3)
def f_string_with_braces(x: int):
    return f"{{{x}}}"


@case(3, "a")
@case(0, "b")
def percent(x: int, s: str):
    return "%d %s" % (x, s)


@case(3)
@case(-10)
def percent_of_one(x: int):
    return "x=%d" % x


@case(3.14159)
@case(-2.0)
def percent_of_floats(x: float):
    return "%f %e %g" % (x, x, x)


@case(255)
@case(8)
def percent_of_bases(x: int):
    return "%x %o %i %%" % (x, x, x)


@case([1, 2])
@case([])
def percent_of_a_list(xs: List[int]):
    return "%s" % xs


@case(1, 1.5, True, "s")
@case(0, -1e10, False, "")
def str_of_values(a: int, b: float, c: bool, d: str):
    return str(a) + " " + str(b) + " " + str(c) + " " + str(d)


@case([1, 2], [1.5], ["a"])
@case([], [], [])
def str_of_lists(a: List[int], b: List[float], c: List[str]):
    return str(a), str(b), str(c)


@case((1, 2.5, "x"))
@case((0, 0.0, ""))
def str_of_tuples(t: Tuple[int, float, str]):
    return str(t)


@case({"a": 1})
@case({})
def str_of_dicts(d: Dict[str, int]):
    return str(d)


@case(None)
@case(3)
def str_of_optionals(x: Optional[int]):
    return str(x)


@case(1.0)
@case(1e20)
@case(1e-7)
@case(float("inf"))
@case(0.1)
def str_of_floats(x: float):
    return str(x), f"{x}"


@case(1 + 2j)
@case(-0.5j)
def str_of_complex(x: complex):
    return str(x)


@case(ramp(3))
@case(ramp(2, 2))
def str_of_tensor_shapes(x):
    return f"{x.shape} {x.dim()}", "{}".format(x.size())


@case(True)
@case(False)
def f_string_of_bools(x: bool):
    return f"{x} {not x}"


@case(5)
@case(0)
def formatting_in_a_loop(n: int):
    s = ""
    for i in range(n):
        s += f"[{i}]"
    return s
