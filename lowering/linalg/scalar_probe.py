"""Whether kernels can compute a scalar body: a run of it on stand-ins, which asks for no dialect of upstream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torchscript_dialect.tensor.dtype import dtype, from_name

ANY_KIND = frozenset(
    "kind bits constant cast add sub mul neg abs minimum maximum where eq ne lt le gt ge bit_and bit_or"
    " bit_xor bit_not isnan isinf isfinite".split()
)
"""What `ScalarBuilder` records for elements of any kind."""
FLOATS_ONLY = frozenset(
    "div pow pow_number copysign exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh"
    " cosh tanh asinh acosh atanh atan2 erf erfc sigmoid floor ceil trunc round".split()
)
"""What it records for floats; for integers it could raise, or is another function."""
FUNCTION = 24
"""About how many instructions an elementary function takes, expanded."""
_SINGLE_INSTRUCTIONS = frozenset("div copysign sqrt floor ceil trunc round".split())
_PREDICATES = frozenset("eq ne lt le gt ge isnan isinf isfinite".split())


class NotComputable(Exception):
    """A body asks for what kernels do not compute."""


class Token(NamedTuple):
    """Stands for an element of a dtype."""

    dtype: dtype


class ScalarProbe:
    """A ScalarMath that computes dtypes, and counts instructions."""

    def __init__(self) -> None:
        self.instructions = 0

    def kind(self, x: Token, /) -> str:
        if x.dtype.name == "bool":
            return "b"
        return "f" if x.dtype.is_floating_point else "i"

    def bits(self, x: Token, /) -> int:
        return 8 * x.dtype.itemsize

    def constant(self, number: complex, like: Token, /) -> Token:
        return like

    def cast(self, x: Token, name: str, /) -> Token:
        return Token(from_name(name))

    def where(self, condition: Token, x: Any, y: Any, /) -> Token:
        self.instructions += 1
        return x if isinstance(x, Token) else y

    def __getattr__(self, name: str) -> Callable[..., Token]:
        def method(*operands: Any, **_options: bool) -> Token:
            if name not in ANY_KIND | FLOATS_ONLY:
                raise NotComputable(name)
            first = next(x for x in operands if isinstance(x, Token))
            if name in FLOATS_ONLY and not first.dtype.is_floating_point:
                raise NotComputable(name)
            is_function = name in FLOATS_ONLY and name not in _SINGLE_INSTRUCTIONS
            self.instructions += FUNCTION if is_function else 1
            return Token(from_name("bool")) if name in _PREDICATES else first

        return method


class DeviceProbe(ScalarProbe):
    """Takes what `DeviceScalarBuilder` records, too: see lowering/linalg/device_scalars.py."""

    def __init__(self) -> None:
        super().__init__()
        self.has_remainder = False

    def fmod(self, x: Any, y: Any, /) -> Token:
        self.has_remainder = True
        first = x if isinstance(x, Token) else y
        self.instructions += 8 * FUNCTION if first.dtype.is_floating_point else FUNCTION
        return first

    def trunc_div(self, x: Any, y: Any, /) -> Token:
        self.instructions += FUNCTION
        return x if isinstance(x, Token) else y

    floor_div = shift_left = shift_right = pow = gcd = lcm = trunc_div

    def loop(
        self,
        first: Sequence[Token],
        goes_on: Callable[..., Token],
        step: Callable[..., Sequence[Token]],
        /,
    ) -> Sequence[Token]:
        goes_on(*first)
        self.instructions += FUNCTION
        return step(*first)
