"""Windows, and short-time Fourier transforms."""

from samples.arrays import array

_OPTIONS = (None, None, None, None)
_LENGTHS = (0, 1, 7)

SAMPLES = {
    "hann_window hamming_window blackman_window bartlett_window kaiser_window": [
        *(lambda n=n: (n, *_OPTIONS) for n in _LENGTHS),
        lambda: (5, 7, None, None, None),
        lambda: (5, 4, None, None, None),
        lambda: (-1, *_OPTIONS),
    ],
    "hann_window.periodic hamming_window.periodic blackman_window.periodic bartlett_window.periodic kaiser_window.periodic": [
        lambda n=n, p=p: (n, p, *_OPTIONS) for n in (1, 6) for p in (True, False)
    ],
    "hamming_window.periodic_alpha kaiser_window.beta": [lambda: (6, False, 0.7, *_OPTIONS)],
    "hamming_window.periodic_alpha_beta": [lambda: (6, True, 0.7, 0.2, *_OPTIONS)],
    "stft": [
        *(
            lambda n=n, o=o: (array((2, 20)), 8, 4, None, None, n, o, True, None)
            for n in (True, False)
            for o in (None, False)
        ),
        lambda: (array((20,)), 8, None, 6, array((6,)), False, None, False, None),
        lambda: (array((20,), "complex64"), 8, 2, None, None, False, None, None, None),
        lambda: (array((20,)), 8, 2, None, None, False, None, None, None),
        lambda: (array((4,)), 8, 2, None, None, False, None, True, None),
    ],
    "stft.center": [
        lambda: (array((2, 20)), 8, 4, None, None, True, "reflect", False, None, True, None),
        lambda: (array((20,)), 8, 3, None, None, True, "constant", False, None, True, None),
        lambda: (array((20,)), 8, 3, None, None, False, "reflect", False, None, True, None),
    ],
    "istft": [
        lambda: (array((2, 5, 6), "complex64"), 8, 2, None, None, True, False, None, None, False),
        lambda: (array((5, 6), "complex64"), 8, 4, None, None, False, True, None, 20, False),
        lambda: (array((8, 6), "complex64"), 8, 4, None, None, True, False, False, None, True),
        lambda: (array((5, 6)), 8, 4, None, None, True, False, None, None, False),
        lambda: (array((3, 6), "complex64"), 8, 4, None, None, True, False, True, None, False),
    ],
    "linspace.Tensor_Tensor": [lambda: (array((), seed="a"), array((), seed="b"), 5, *_OPTIONS)],
    "linspace.Tensor_Scalar": [lambda: (array(()), 2, 5, *_OPTIONS)],
    "linspace.Scalar_Tensor": [lambda: (2, array(()), 5, *_OPTIONS)],
    "logspace.Tensor_Tensor": [
        lambda: (array((), seed="a"), array((), seed="b"), 5, 2.0, *_OPTIONS)
    ],
    "logspace.Tensor_Scalar": [lambda: (array(()), 2, 5, 2.0, *_OPTIONS)],
    "logspace.Scalar_Tensor": [lambda: (2, array(()), 5, 2.0, *_OPTIONS)],
}
