"""Arithmetic and functions of numbers."""

from itertools import product

_INF, _NAN = float("inf"), float("nan")
_INTS = [0, 1, -1, 2, -3, 7, 2**62, -(2**63)]
_FLOATS = [0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e300, _INF, -_INF, _NAN]
_COMPLEX = [0j, 1 + 2j, -0.5 + 0j]
_VALUES = {
    "int": _INTS,
    "float": _FLOATS,
    "complex": _COMPLEX,
    "bool": [True, False],
    "Scalar": [2, -3, 2.5, -0.5],
}


def one(kind):
    return [lambda v=v: (v,) for v in _VALUES[kind]]


def two(a, b, skip=lambda a, b: False):
    return [lambda v=v: v for v in product(_VALUES[a], _VALUES[b]) if not skip(*v)]


def _pairs(name, kinds, skip=lambda a, b: False, scalar=None):
    found = {
        f"{name}.{kind if a != b or '_' in kind else a}": two(a, b, skip)
        for kind, (a, b) in kinds.items()
    }
    if scalar is not None:
        found[scalar] = two("Scalar", "Scalar", skip)
    return found


_REAL = {
    "int": ("int", "int"),
    "float": ("float", "float"),
    "int_float": ("int", "float"),
    "float_int": ("float", "int"),
}
_ALL = {
    **_REAL,
    "complex": ("complex", "complex"),
    "int_complex": ("int", "complex"),
    "complex_int": ("complex", "int"),
    "float_complex": ("float", "complex"),
    "complex_float": ("complex", "float"),
}
_COMPARED = {**_REAL, "bool": ("bool", "bool")}
# PyTorch's process dies of integer division by zero and of the smallest int divided by -1.
_crashes = lambda a, b: isinstance(a, int) and isinstance(b, int) and (b == 0 or b == -1)


SAMPLES = {
    **_pairs("add", _ALL, scalar="add"),
    **_pairs("sub", _ALL, scalar="sub"),
    **_pairs(
        "mul", _ALL, lambda a, b: isinstance(a, complex) != isinstance(b, complex), scalar="mul"
    ),
    **_pairs("div", {"int": ("int", "int"), "float": ("float", "float")}, scalar="div"),
    "div.complex": two("complex", "complex", lambda a, b: b == 0),
    **_pairs("floordiv", _REAL, _crashes, scalar="floordiv"),
    "floordiv.int": [*two("int", "int", _crashes), lambda: (7, 0)],
    **_pairs("remainder", _REAL, lambda a, b: _crashes(a, b) or b == -(2**63), scalar="remainder"),
    **_pairs("fmod", _REAL, scalar="fmod"),
    **_pairs("mathremainder", _REAL, scalar="mathremainder"),
    "__round_to_zero_floordiv.int": two("int", "int", _crashes),
    "divmod.int": [*two("int", "int", lambda a, b: b == -1 and a < -100), lambda: (7, 0)],
    "divmod.float": [lambda v=v: v for v in ((7.5, 2.0), (-7.5, 2.0), (1.0, 0.0))],
    "divmod.int_float": [lambda: (7, 2.0)],
    "divmod.float_int": [lambda: (-7.5, 2)],
    **_pairs("pow", _REAL, scalar="pow.Scalar_Scalar"),
    "pow.complex": [lambda: (1 + 2j, 0.5 + 0j), lambda: (1 + 2j, 2 + 1j)],
    "pow.float_complex": [lambda: (2.0, 1 + 1j)],
    "pow.complex_float": [lambda: (1 + 2j, 2.0)],
    "pow.int_to_int": [lambda v=v: v for v in ((2, 3), (-3, 3), (7, 0), (2, 62))],
    **{
        k: v
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
        for k, v in _pairs(name, _REAL, scalar=name).items()
    },
    "eq.bool ne.bool __and__.bool __or__.bool __xor__.bool": two("bool", "bool"),
    "eq.complex ne.complex": two("complex", "complex"),
    "eq.float_complex ne.float_complex": two("float", "complex"),
    "eq.complex_float ne.complex_float": two("complex", "float"),
    "eq.str ne.str lt.str le.str gt.str ge.str": [
        lambda v=v: v for v in product(("a", "ab", "", "b"), repeat=2)
    ],
    "eq.int_list ne.int_list": [
        lambda: ([1, 2], [1, 2]),
        lambda: ([1], [1, 2]),
        lambda: ([1, 3], [1, 2]),
    ],
    "eq.float_list ne.float_list": [lambda: ([1.0], [1.0]), lambda: ([1.0], [2.0])],
    "eq.bool_list ne.bool_list": [lambda: ([True], [True]), lambda: ([True], [False])],
    "eq.str_list ne.str_list": [lambda: (["a"], ["a"]), lambda: (["a"], ["b"])],
    "__and__.int __or__.int __xor__.int": two("int", "int"),
    "__lshift__.int __rshift__.int": [
        lambda v=v: v for v in ((1, 3), (-8, 1), (5, 0), (1, 62), (1, 63))
    ],
    "__not__": one("bool"),
    "Int.bool": one("bool"),
    "Int.float": [lambda v=v: (v,) for v in (0.0, 2.7, -2.7, 1e10)],
    "Int.Scalar": one("Scalar"),
    "Int.str": [lambda v=v: (v,) for v in ("12", "-3", "x", "1a")],
    "Float.int": one("int"),
    "Float.bool": one("bool"),
    "Float.Scalar": one("Scalar"),
    "Float.str": [lambda v=v: (v,) for v in ("1.5", "-2", "inf", "x")],
    "Bool.int": one("int"),
    "Bool.float": one("float"),
    "Complex.Scalar": one("Scalar"),
    **{
        f"Complex.{a}_{b}": two(a, b, lambda a, b: abs(a) > 100 or abs(b) > 100)
        for a, b in product(("int", "float", "bool"), repeat=2)
    },
    **{
        f"{name}.{kind}": one(kind)
        for name in "sqrt exp log log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc degrees radians fabs".split()
        for kind in ("int", "float")
    },
    "gamma.float": [lambda v=v: (v,) for v in (0.5, 1.0, 5.0, -1.5, 0.0, 200.0)],
    "gamma.int lgamma.int": [lambda v=v: (v,) for v in (1, 5)],
    "lgamma.float": [lambda v=v: (v,) for v in (0.5, 1.0, 5.0, -1.5, 0.0, 1e10)],
    **{
        f"{name}.complex": [lambda v=v: (v,) for v in (1 + 2j, 0.5 - 0.25j)]
        for name in "sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split()
    },
    "floor.int ceil.int round.int neg.int prim::abs.int angle.int": one("int"),
    "floor.float ceil.float": [lambda v=v: (v,) for v in (0.0, 2.7, -2.7, -0.5, 1e15, _INF)],
    "round.float": [lambda v=v: (v,) for v in (0.5, 1.5, 2.5, -0.5, 2.7, _INF)],
    "neg.float prim::abs.float angle.float isnan.float isinf.float isfinite.float": one("float"),
    "neg.complex prim::abs.complex angle.complex isnan.complex isinf.complex isfinite.complex": one(
        "complex"
    ),
    "floor.Scalar ceil.Scalar": [lambda v=v: (v,) for v in (2.5, 3)],
    "neg.Scalar prim::abs.Scalar": [lambda v=v: (v,) for v in (2.5, -3)],
    **{
        f"{name}.Scalar": [lambda v=v: (v,) for v in (2.5, 3)]
        for name in "sqrt exp log log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc gamma lgamma degrees radians fabs round angle".split()
    },
    "frexp modf": [lambda v=v: (v,) for v in (0.0, 3.0, -3.5, 1e10)],
    "ldexp": [lambda v=v: v for v in ((1.5, 3), (1.0, -2), (1.0, 5000))],
    "factorial.int": [lambda v=v: (v,) for v in (0, 1, 5, 20, 25, -1)],
    "gcd.int": [lambda v=v: v for v in ((4, 6), (-4, 6), (0, 5), (0, 0))],
    **_pairs("atan2", _REAL, scalar="atan2.Scalar_Scalar"),
    **_pairs("copysign", _REAL, scalar="copysign"),
    **_pairs(
        "polar",
        _REAL,
        lambda a, b: not (abs(a) < 100 and abs(b) < 100),
        scalar="polar.Scalar_Scalar",
    ),
    "log.int_int": [lambda v=v: v for v in ((8, 2), (8, 1), (0, 2))],
    "log.float_float": [lambda v=v: v for v in ((8.0, 2.0), (8.0, 1.0), (-1.0, 2.0))],
    "log.int_float": [lambda: (8, 2.0)],
    "log.float_int": [lambda: (8.0, 2)],
    "log.complex_complex": [lambda: (1 + 2j, 2 + 1j)],
    "log.int_complex": [lambda: (8, 2 + 1j)],
    "log.complex_int": [lambda: (1 + 2j, 2)],
    "log.float_complex": [lambda: (8.0, 2 + 1j)],
    "log.complex_float": [lambda: (1 + 2j, 2.0)],
    "log.Scalar_Scalar": [lambda: (8, 2), lambda: (8.0, 2)],
    **_pairs("prim::max", _REAL, scalar="prim::max"),
    **_pairs("prim::min", _REAL, scalar="prim::min"),
    "__range_length": [
        lambda v=v: v for v in ((0, 10, 3), (0, 10, 0), (10, 0, -1), (5, 0, 1), (0, 1, 5))
    ],
    "__derive_index": [lambda: (2, 1, 3)],
    "__is__ __isnot__": [lambda: (None, None), lambda: (1, None)],
    "mul.int_complex": two("int", "complex", lambda a, b: abs(a) > 100),
    "mul.complex_int": two("complex", "int", lambda a, b: abs(b) > 100),
    "mul.float_complex": [lambda: (2.5, 1 + 2j)],
    "mul.complex_float": [lambda: (1 + 2j, 2.5)],
    "is_scripting _get_tracing_state is_autocast_enabled is_autocast_cpu_enabled": [lambda: ()],
    "device": [lambda: ("cpu",), lambda: ("cuda:1",)],
}
