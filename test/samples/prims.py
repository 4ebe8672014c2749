"""Operators of `prims`: operands of one dtype and shape, views, and reductions over dimensions that are named."""

from samples.arrays import array, expanded, transposed

_FLOATS = ("float32", "float64", "bfloat16")
_ALL = (*_FLOATS, "int64", "bool", "complex64")


def _operands(dtypes, count, low=-3.0, high=3.0):
    """Operands of each dtype, dense, transposed and without dimensions."""
    return [
        lambda dtype=dtype, make=make, shape=shape: tuple(
            make(shape, dtype, low=low, high=high, seed=str(place)) for place in range(count)
        )
        for dtype in dtypes
        for make, shape in ((array, (2, 3)), (transposed, (3, 2)), (array, ()))
    ]


_X = lambda: array((2, 3))

SAMPLES = {
    "prims::abs prims::acos prims::asin prims::asinh prims::atan prims::cos prims::cosh prims::exp prims::isfinite prims::log prims::log10"
    " prims::log1p prims::log2 prims::neg prims::reciprocal prims::rsqrt prims::sign prims::sin prims::sinh prims::sqrt prims::tan"
    " prims::tanh prims::acosh prims::atanh prims::conj prims::conj_physical prims::real prims::imag prims::frexp prims::expm1"
    " prims::exp2 prims::bitwise_not prims::signbit prims::ceil prims::floor prims::round prims::trunc prims::cbrt": _operands(
        _ALL, 1
    ),
    "prims::digamma prims::erf prims::erfc prims::erf_inv prims::erfcx prims::lgamma prims::ndtri prims::spherical_bessel_j0"
    " prims::bessel_i0 prims::bessel_i0e prims::bessel_i1 prims::bessel_i1e prims::bessel_j0 prims::bessel_j1": _operands(
        ("float32", "float64"), 1, low=0.1, high=0.9
    ),
    "prims::clone": [lambda: (transposed((2, 3)), None), lambda: (transposed((2, 3)), 0)],
    "prims::add prims::sub prims::mul prims::div prims::eq prims::ne prims::lt prims::le prims::gt prims::ge prims::maximum prims::minimum"
    " prims::fmax prims::fmin prims::atan2 prims::hypot prims::nextafter": [
        *_operands(_ALL, 2),
        lambda: (array((2, 3)), array((2, 3), "int64")),
        lambda: (array((2, 3)), array((3,))),
        lambda: (array((2, 3)), array(())),
    ],
    "prims::bitwise_and prims::bitwise_or prims::bitwise_xor prims::gcd": _operands(
        ("int64", "bool"), 2
    ),
    "prims::fmod prims::remainder prims::pow": _operands((*_FLOATS, "int64"), 2, low=1.0, high=5.0),
    "prims::shift_left prims::shift_right_arithmetic": _operands(("int64",), 2, low=0.0, high=5.0),
    "prims::igamma prims::igammac prims::zeta": _operands(
        ("float32", "float64"), 2, low=1.5, high=4.0
    ),
    "prims::where": [lambda: (array((2, 3), "bool"), _X(), transposed((2, 3)))],
    "prims::fill": [lambda: (_X(), 2), lambda: (array((2,), "int64"), 1.5)],
    "prims::broadcast_in_dim": [
        lambda: (array((3,)), [2, 3], [1]),
        lambda: (array((3,)), [3, 2], [0]),
        lambda: (array((3, 1)), [3, 2, 4], [0, 2]),
        lambda: (array((3,)), [2, 4], [1]),
    ],
    "prims::collapse": [lambda: (array((2, 3, 4)), 0, 1), lambda: (transposed((2, 3, 4)), 1, 2)],
    "prims::collapse_view": [
        lambda: (array((2, 3, 4)), 1, 2),
        lambda: (array((2, 3, 4)), 0, 2),
        lambda: (transposed((2, 3)), 0, 1),
    ],
    "prims::split_dim": [lambda: (array((6, 2)), 0, 3), lambda: (array((6, 2)), 0, 4)],
    "prims::squeeze": [lambda: (array((2, 1, 3)), [1]), lambda: (array((1, 1)), [0, 1])],
    "prims::transpose": [lambda: (array((2, 3, 4)), [2, 0, 1])],
    "prims::view_of": [lambda: (transposed((2, 3)),)],
    "prims::item": [lambda: (array(()),), lambda: (array((), "bool"),), lambda: (array((2,)),)],
    "prims::_make_token": [tuple],
    "prims::view_of_dtype": [lambda: (_X(), 3), lambda: (array((2, 2), "float64"), 4)],
    "prims::as_strided": [lambda: (_X(), [2], [1], 1)],
    "prims::as_strided_scatter": [lambda: (_X(), array((2,)), [2], [1], 1)],
    "prims::cat": [lambda: ([_X(), array((1, 3))], 0), lambda: ([_X(), _X()], 1)],
    "prims::rev": [lambda: (_X(), [0]), lambda: (transposed((2, 3)), [0, 1])],
    "prims::reshape": [lambda: (_X(), [3, 2]), lambda: (transposed((2, 3)), [6])],
    "prims::convert_element_type": [
        lambda: (transposed((2, 3)), 4),
        lambda: (_X(), 6),
        lambda: (_X(), 15),
    ],
    "prims::copy_strided": [lambda: (_X(), [1, 2]), lambda: (transposed((2, 3)), [3, 1])],
    "prims::copy_to": [lambda: (_X(), array((2, 3), "float64"))],
    "prims::resize": [lambda: (array((4,)), [2])],
    "prims::sum prims::prod": [
        lambda: (_X(), [0], None),
        lambda: (array((2, 3), "int64"), [1], None),
        lambda: (expanded((2, 3)), [0, 1], None),
    ],
    "prims::amax prims::amin": [
        lambda: (_X(), [0], None),
        lambda: (transposed((2, 3)), [0, 1], None),
    ],
    "prims::var": [lambda: (_X(), [0], 1.0, None), lambda: (_X(), [0, 1], 0.0, None)],
    "prims::maximum_value prims::minimum_value": [
        lambda n=n: (n,) for n in (0, 3, 4, 6, 7, 11, 15)
    ],
    "prims::fft_c2c": [
        lambda: (array((2, 4), "complex64"), [1], True),
        lambda: (array((2, 4), "complex64"), [0, 1], False),
    ],
    "prims::fft_c2r": [lambda: (array((2, 4), "complex64"), [1], 6)],
    "prims::fft_r2c": [lambda: (array((2, 4)), [1], True), lambda: (array((2, 4)), [1], False)],
    "prims::_sink_tokens": [lambda: ([array((0,))],)],
}
