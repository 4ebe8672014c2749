"""Fourier transforms, their frequencies and shifts."""

from samples.arrays import array, transposed

_REAL = [
    lambda: array((2, 5)),
    lambda: transposed((2, 6)),
    lambda: array((4,), "float64"),
    lambda: array((2, 3), "int64"),
]
_COMPLEX = [lambda: array((2, 5), "complex64"), lambda: transposed((2, 3, 4), "complex64")]
_WRONG = [
    lambda: (array((2, 3), "bfloat16"), None, -1, None),
    lambda: (array((2, 3)), 0, -1, None),
    lambda: (array((2, 3)), None, 2, None),
    lambda: (array((2, 3)), None, -1, "no"),
    lambda: (array(()), None, -1, None),
]
_ONE = [
    (None, -1, None),
    (None, 0, "ortho"),
    (3, -1, "forward"),
    (7, -1, "backward"),
]
_MANY = [
    (None, [-2, -1], None),
    ([2, 4], [-2, -1], "ortho"),
    ([-1, 7], [0, -1], "forward"),
]


def _calls(operands, rest):
    return [lambda x=x, r=r: (x(), *r) for r in rest for x in operands]


def _samples(real, complex_):
    operands = [*(_REAL if real else ()), *(_COMPLEX if complex_ else ())]
    two = [x for x in operands if x().ndim > 1]
    return (
        [*_calls(operands, [_ONE[0], _ONE[2], _ONE[3]]), *_calls(two, [_ONE[1]]), *_WRONG],
        [
            *_calls(two, _MANY),
            lambda: (array((2, 3)), [2], [0, 1], None),
            lambda: (array((2, 3)), None, [1, 1], None),
        ],
    )


SAMPLES = {}
for _name, _real, _complex in (
    ("fft", True, True),
    ("ifft", True, True),
    ("rfft", True, False),
    ("irfft", True, True),
    ("hfft", True, True),
    ("ihfft", True, False),
):
    _one, _many = _samples(_real, _complex)
    SAMPLES[f"fft_{_name}"] = [*_one, lambda: (array((2, 3), "complex64"), None, -1, None)]
    SAMPLES[f"fft_{_name}2 fft_{_name}n"] = _many
    SAMPLES[f"fft_{_name}n"] = [
        lambda: (array((2, 3)), None, None, None),
        lambda: (array((2, 3)), [4], None, None),
        lambda: (array((2, 3)), [2, 2, 2], None, None),
    ]

SAMPLES |= {
    "fft_fftfreq fft_rfftfreq": [
        lambda: (5, 1.0, None, None, None, None),
        lambda: (4, 0.5, 7, None, None, None),
        lambda: (4, 0.5, 4, None, None, None),
    ],
    "fft_fftshift fft_ifftshift": [
        lambda: (array((2, 5)), None),
        lambda: (array((2, 5)), [1]),
        lambda: (array((3, 4), "int64"), [0, -1]),
        lambda: (array((3, 4)), [5]),
    ],
}
