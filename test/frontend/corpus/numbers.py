"""int, float, complex, bool and math."""
import cmath
import math
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(7, 3)
@case(-7, 3)
@case(7, -3)
@case(7, 0)
def int_arithmetic(a: int, b: int):
    return a + b, a - b, a * b, a // b, a % b, a / b


@case(7.5, 2.0)
@case(-7.5, 2.0)
@case(1.0, 0.0)
def float_arithmetic(a: float, b: float):
    return a + b, a - b, a * b, a / b, a // b, a % b


@case(7, 2.5)
@case(-3, 0.5)
def mixed_arithmetic(a: int, b: float):
    return a + b, b - a, a * b, a / b, b // a, a % b


@case(2, 10)
@case(3, 0)
def int_power(a: int, b: int):
    return a ** b


@case(2.0, 0.5)
@case(3.0, -1.0)
def float_power(a: float, b: float):
    return a ** b, a ** 2, 2 ** b


@case(12, 10)
@case(-1, 3)
def int_bits(a: int, b: int):
    return a & b, a | b, a ^ b, a << b, a >> b


@case(5)
@case(-5)
def unary_operators(x: int):
    return -x, not x, abs(x), - -x


@case(3)
@case(0)
def augmented_ints(x: int):
    x += 2
    x -= 1
    x *= 3
    x = x // 2
    x %= 7
    return x


@case(3.0)
@case(-1.5)
def augmented_floats(x: float):
    x += 2
    x -= 0.5
    x *= 3
    x /= 2
    return x


@case(3, 4.7)
@case(-3, -4.7)
def conversions(i: int, f: float):
    return int(f), float(i), bool(i), bool(f), str(i), str(f), int(True), float(False)


@case("12", "2.5")
@case("-7", "1e3")
def numbers_from_strings(a: str, b: str):
    return int(a), float(b)


@case(3.7)
@case(-3.2)
def rounding(x: float):
    return math.floor(x), math.ceil(x), round(x)


@case(2.5)
@case(0.5)
def math_functions(x: float):
    return math.sqrt(x), math.exp(x), math.log(x), math.sin(x), math.cos(x), math.tan(x)


@case(2.5)
@case(0.5)
def more_math_functions(x: float):
    return math.log10(x), math.log1p(x), math.expm1(x), math.atan(x), math.sinh(x), math.tanh(x)


@case(3.0, 4.0)
@case(-1.0, 2.0)
def math_of_two(a: float, b: float):
    return math.atan2(a, b), math.fmod(a, b), math.copysign(a, b), math.pow(a, b)


@case(12, 18)
@case(0, 5)
def math_gcd(a: int, b: int):
    return math.gcd(a, b)


@case(5)
@case(0)
def math_factorial(a: int):
    return math.factorial(a)


@case(1.0)
@case(float("inf"))
def math_predicates(x: float):
    return math.isnan(x), math.isinf(x), math.isfinite(x)


@case(2.0)
@case(-1.0)
def math_constants(x: float):
    return math.pi * x, math.e + x, math.inf > x, x * math.tau


@case(180.0)
@case(1.0)
def degrees_and_radians(x: float):
    return math.degrees(x), math.radians(x)


@case(3, 5)
@case(5, 3)
def min_and_max_of_ints(a: int, b: int):
    return min(a, b), max(a, b)


@case(3.0, 5)
@case(5.5, 3)
def min_and_max_of_mixed(a: float, b: int):
    return min(a, b), max(a, b)


@case([3, 1, 2])
@case([5])
def min_max_sum_of_a_list(xs: List[int]):
    return min(xs), max(xs), sum(xs)


@case(7, 3)
@case(-7, 3)
def divmod_of_ints(a: int, b: int):
    q, r = divmod(a, b)
    return q, r


@case(3, 4)
@case(4, 3)
@case(4, 4)
def comparisons_of_ints(a: int, b: int):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


@case(3.0, 3)
@case(2.5, 3)
def comparisons_of_mixed(a: float, b: int):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


@case(1 + 2j, 3 - 1j)
@case(0j, 1j)
def complex_arithmetic(a: complex, b: complex):
    return a + b, a - b, a * b, a / b


@case(3 + 4j)
@case(-1j)
def complex_parts(z: complex):
    return abs(z), z == 3 + 4j


@case(1.0, 2.0)
@case(0.0, -1.0)
def complex_construction(a: float, b: float):
    return complex(a, b), complex(1, 2), 3j, a + 2j


@case(1 + 1j)
@case(2 - 1j)
def cmath_functions(z: complex):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z)


@case(3)
@case(10)
def large_literals(x: int):
    return x + 4611686018427387904, 1e300 * x, 0x10 + x, 1_000


@case(True, False)
@case(True, True)
def bools_as_numbers(a: bool, b: bool):
    return int(a) + int(b), a == b, a != b


@case(2, 0.5)
@case(3, 2.0)
def int_to_float_by_argument(n: int, x: float):
    y: float = float(n)
    return math.sqrt(n) + y * x


@case(255)
@case(-1)
def bases(x: int):
    return hex(x), oct(x), bin(x)


@case(97)
@case(65)
def chr_and_ord(x: int):
    return chr(x), ord("b") + x


@case(3)
@case(0)
def constants_fold(x: int):
    a = 2 * 3 + 4
    b = a - 10
    return x + a * b, -3 + x
