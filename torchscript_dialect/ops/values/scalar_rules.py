"""How operators of numbers are declared: their overloads, and what the interpreter writes in place of a call."""

from __future__ import annotations

from torchscript_dialect.ops import registry

Scalar = complex
NAN = float("nan")
INF = float("inf")
WIDTH = 1 << 64
HALF = 1 << 63
HALF_32 = 1 << 31


def wrap_int(value: int) -> int:
    """The int that 64 bits hold of `value`, in two's complement."""
    return value if -HALF <= value < HALF else (value + HALF) % WIDTH - HALF


def attach(
    name: str, function: registry.AnyKernel, overloads: str, lower: str | None = None
) -> None:
    """Attach to the overloads that the table has; `-` stands for the one without an overload name."""
    for full in overloads_of(name, overloads):
        registry.attach(full, kernel=function, lower=lower)


def never_raise(names: str, overloads: str) -> None:
    """Whatever their operands are, these operators give a result: they may be run ahead of a loop or branch."""
    for name in names.split():
        for full in overloads_of(name, overloads):
            registry.attach(full, is_total=True)


def overloads_of(name: str, overloads: str) -> list[str]:
    """Qualified names of the overloads that the table has."""
    namespace = "" if "::" in name else "aten::"
    full = [f"{namespace}{name}.{overload}".removesuffix(".-") for overload in overloads.split()]
    return [one for one in full if registry.find(one) is not None]


REAL_PAIRS = "int float int_float float_int"
MIXED_PAIRS = "int_complex complex_int float_complex complex_float"
PAIRS = f"{REAL_PAIRS} complex {MIXED_PAIRS} -"


def inline(
    name: str, overloads: str, text: str, by_constant: str | None = None, *, wraps: bool = False
) -> None:
    """Python that the interpreter writes in place of a call.

    It may name the operator's `kernel`, for the cases that Python's operators do not tell.
    """
    for full in overloads_of(name, overloads):
        rules = registry.attach(full)
        uses = {"kernel": rules.kernel, "float": float}
        rules.inline = registry.Inline(text, uses, wraps, by_constant)
