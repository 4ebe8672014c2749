"""Arguments of periodic functions, reduced to a quarter turn around zero.

Note [Argument reduction]
Both precisions multiply x by enough bits of 1 / 2 pi, cut into pieces such that every product is
exact, and drop whole turns from each product before adding (Payne and Hanek 1983, without branches
or table lookups). There is no bound on |x|; for an infinite x the remainder is NaN.

f32: in f64, with 106 of the bits as a sum of two numbers, chosen from four windows: one per 26
exponents, so that the whole turns of the first product fit f64 and its rounding error stays far
below half a turn. The fraction of the rounded product is exact, quarter turns leave it before error
and second product are added: the remainder keeps its relative accuracy next to multiples of pi / 2.
Vectors without a large element neither choose nor drop whole turns, of which only the number of
quarters would have to know; the remainder is the same to the last bit.

f64: pieces of 53 bits, the products as exact pairs by fma. Of 24 pieces five are relevant for an
exponent; they are moved into place by five rounds of selections, one per bit of the number of
leading pieces that yield whole turns only. Vectors without an argument for which there are such
pieces take the first five as they are.
"""

from __future__ import annotations

from lowering.math.exponential import nearest_integer
from lowering.math.expressions import Float, Int, fma, where, where_any
from lowering.math.logarithm import divide_by_power

# (lower bound of |x|, two numbers): their sum is 1 / 2 pi less leading bits that contribute whole
# turns to such an x.
WINDOWS_SINGLE = (
    (0.0, float.fromhex("0x1.45f306dc9c883p-3"), float.fromhex("-0x1.6b01ec5417056p-57")),
    (2.0**50, float.fromhex("0x1.b9391054a7f0ap-28"), float.fromhex("-0x1.505c1596447e5p-83")),
    (2.0**76, float.fromhex("0x1.529fc2757d1f5p-54"), float.fromhex("0x1.a6ee06db14acdp-109")),
    (2.0**102, float.fromhex("0x1.d5f47d4d37703p-80"), float.fromhex("0x1.b6295993c4390p-134")),
)

FAR_SINGLE = 2.0**20
"""From which size on whole turns are dropped: the quarters of smaller arguments are integers of f32."""

# 1 / 2 pi = sum of PIECES_DOUBLE[j] * 2^(-53 (j + 1))
PIECES_DOUBLE = (
    0x517CC1B727220,
    0x1529FC2757D1F5,
    0x69BB81B6C52B3,
    0x4F10E4107F945,
    0x11D5EF5DE2B0DB,
    0x1246E3A424DD2E,
    0xC925DD413A3,
    0x4873F877AC72C,
    0x94D39F74411AF,
    0x152EBB4484E99C,
    0xE04D68BEFC827,
    0x64758E60D4CE7,
    0x1A4E422FC5DEFC,
    0x1283B1FF897FFD,
    0x1C0B301FDE5E23,
    0x2D6829B47DB4D,
    0x13F6793E584DBA,
    0xF463F669E5FEA,
    0x5AEA4F758FD7C,
    0x17C5ECF41CE7DE,
    0x529497535FDAF,
    0x1B11F8D5D08560,
    0x6608DF8F6D757,
    0x1C33EF0826BD0D,
)
WINDOW_DOUBLE = 5
FAR_DOUBLE = 2.0**105
"""From which size on the product with the first piece is whole turns only."""

HALF_PI = (float.fromhex("0x1.921fb54442d18p0"), float.fromhex("0x1.1a62633145c07p-54"))


def _fraction(turns: Float) -> Float:
    return turns - turns.round_even()


def reduce_single(x: Float) -> tuple[Float, Int]:
    """(r, n) with x = r + n pi/2 modulo 2 pi, |r| <= pi/4; n in the low bits.

    x is f32, r f64, n an integer of 32 bits.
    """
    wide, size = x.widen(), abs(x)

    def far() -> list[Float]:
        (_, *first), *windows = WINDOWS_SINGLE
        high, low = (wide.e.const(number) for number in first)
        for bound, first, second in windows:
            beyond = size >= bound
            high, low = where(beyond, first, high), where(beyond, second, low)
        product = wide * high
        error = fma(wide, high, -product)
        quarters = _fraction(product) * 4.0
        near, _ = nearest_integer(quarters)
        return [near, fma(fma(wide, low, error), 4.0, quarters - near)]

    def usual() -> list[Float]:
        _, high, low = WINDOWS_SINGLE[0]
        quarters = wide * (4.0 * high)
        error = fma(wide, 4.0 * high, -quarters)
        near = quarters.round_even()
        return [near, fma(wide, 4.0 * low, error) + (quarters - near)]

    near, rest = where_any(size >= FAR_SINGLE, far, usual)
    # The small part may cross a boundary once more.
    more, _ = nearest_integer(rest)
    _, n = nearest_integer((near + more).narrow())
    return (rest - more) * HALF_PI[0], n


def _two_sum(a: Float, b: Float) -> tuple[Float, Float]:
    """a + b and its rounding error."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def _select_pieces(x: Float) -> tuple[list[Float], Float]:
    """The five pieces relevant for x, as numbers below 1, and x with its exponent lowered."""

    def usual() -> list[Float]:
        return [*(x.e.const(piece * 2.0**-53) for piece in PIECES_DOUBLE[:WINDOW_DOUBLE]), x]

    *pieces, scaled = where_any(abs(x) >= FAR_DOUBLE, lambda: _selected_pieces(x), usual)
    # The added difference is zero, but NaN for infinities and NaN, whose exponent was lowered too.
    return pieces, scaled + (x - x)


def _selected_pieces(x: Float) -> list[Float]:
    e = x.e
    # Leading pieces whose products are whole turns: floor((exponent - 52) / 53), at least 0.
    exponent = ((abs(x).bits().shift_right_logical(52)) + 0x4338000000000000).float_bits()
    exponent = exponent - (float.fromhex("0x1.8p52") + 1023.0 + 52.0)
    skipped = fma(exponent, 1.0 / 53.0, -0.5 + 0.25 / 53.0).at_least(0.0).at_most(18.0)
    skipped, bits = nearest_integer(skipped)
    _, lowered = nearest_integer(skipped * 53.0)
    pieces = [e.const(number * 2.0**-53) for number in PIECES_DOUBLE]
    for bit in (16, 8, 4, 2, 1):
        moved = (bits & bit).differs(0)
        # Later rounds move by at most bit - 1.
        count = min(WINDOW_DOUBLE + bit - 1, len(pieces))
        pieces = [
            where(moved, pieces[j + bit], pieces[j]) if j + bit < len(pieces) else pieces[j]
            for j in range(count)
        ]
    return [*pieces, divide_by_power(x, lowered)]


def reduce_double(x: Float) -> tuple[Float, Float, Int]:
    """(r, rest, n) with x = r + rest + n pi/2 modulo 2 pi, |r| <= pi/4; n in the low bits. f64."""
    pieces, scaled = _select_pieces(x)
    high: list[Float] = []
    low: list[Float] = []
    for j, piece in enumerate(pieces):
        moved = scaled * 2.0 ** (-53 * j) if j else scaled
        high.append(moved * piece)
        if j < 3:
            low.append(fma(moved, piece, -high[j]))
    total = _fraction(high[0])
    near, _ = nearest_integer(total, 4.0)
    total = total - near * 0.25
    errors: list[Float] = []
    for part in (_fraction(low[0]), _fraction(high[1]), high[2], low[1]):
        total, error = _two_sum(total, part)
        errors.append(error)
    more, _ = nearest_integer(total, 4.0)
    total = total - more * 0.25
    # total may be as small as the errors: their sum is kept exact where it counts.
    last, lost = _two_sum(errors[2], errors[3])
    total, error = _two_sum(total, errors[0] + errors[1] + last)
    error = error + lost + ((low[2] + high[3]) + high[4])
    # Quarter turns to radians.
    quarters = total * 4.0
    r = quarters * HALF_PI[0]
    rest = fma(quarters, HALF_PI[0], -r) + quarters * HALF_PI[1] + error * (4.0 * HALF_PI[0])
    _, n = nearest_integer(near + more)
    return r, rest, n
