"""Losses of classification."""

import numpy as np

from samples.arrays import array, transposed


def _target(shape=(4,), classes=3, dtype="int64", ignored=None):
    places = np.asarray(array(shape, "float64", low=0, high=classes).astype(dtype))
    if ignored is not None and places.size:
        places.reshape(-1)[0] = ignored
    return places


def _weight(dtype="float32", classes=3):
    return array((classes,), dtype, low=0.5, high=2)


def _flat():
    """input, target, weight, ignore_index"""
    return [
        lambda: (array((4, 3)), _target(), None, -100),
        lambda: (array((4, 3), "float64"), _target(), _weight("float64"), 2),
        lambda: (array((4, 3)), _target(ignored=-100), _weight(), -100),
        lambda: (array((4, 3), "bfloat16"), _target(), _weight("bfloat16"), -100),
        lambda: (array((4, 3), "float16"), _target(), None, -100),
        lambda: (transposed((4, 3)), _target(), _weight(), 1),
        lambda: (array((3,)), _target(()), _weight(), -100),
        lambda: (array((3,)), _target((), ignored=-100), None, -100),
        lambda: (array((0, 3)), _target((0,)), None, -100),
        lambda: (array((4, 3)), _target(classes=9) + 3, None, -100),
        lambda: (array((4, 3)), _target(ignored=-1), None, -100),
        lambda: (array((4, 3)), _target((2,)), None, -100),
        lambda: (array((4, 3)), _target(dtype="int32"), None, -100),
        lambda: (array((4, 3)), _target(), _weight(classes=2), -100),
        lambda: (array((4, 3)), _target(), _weight("float64"), -100),
        lambda: (array((4, 3), "int64"), _target(), None, -100),
        lambda: (array((3,)), _target((2,)), None, -100),
        lambda: (np.full((4, 3), -np.inf, np.float32), _target(ignored=-100), None, -100),
    ]


def _images():
    return [
        lambda: (array((1, 3, 2, 2)), _target((1, 2, 2)), None, -100),
        lambda: (array((1, 3, 2, 1), "float64"), _target((1, 2, 1)), _weight("float64"), 1),
        lambda: (array((2, 3, 4, 5)), _target((2, 4, 5), ignored=-100), _weight(), -100),
        lambda: (array((2, 3, 4, 5)), _target((2, 4, 6)), None, -100),
    ]


def _more():
    return [
        lambda: (array((2, 3, 4)), _target((2, 4)), _weight(), -100),
        lambda: (array((2, 3, 4, 2, 2)), _target((2, 4, 2, 2)), None, 1),
        lambda: (array(()), _target(()), None, -100),
    ]


_ONLY_FLAT = [
    lambda: (array((2, 3, 4)), _target((2, 4)), None, -100),
    lambda: (array((4, 3)), _target(dtype="uint8"), None, -100),
]
_ONLY_IMAGES = [lambda: (array((3, 4, 5)), _target((4, 5)), None, -100)]


def _of(makes, *rest):
    def sample(make, reduction):
        x, target, weight, ignored = make()
        return (x, target, weight, reduction, ignored, *rest)

    return [lambda make=make, n=n: sample(make, n) for n in (1, 0, 2) for make in makes]


def _probabilities():
    return [
        lambda make=make, weight=weight, n=n, smoothing=smoothing: (
            *make(),
            weight,
            n,
            -100,
            smoothing,
        )
        for make in (
            lambda: (array((4, 3)), array((4, 3), low=0, high=1)),
            lambda: (array((3,)), array((3,), low=0, high=1)),
            lambda: (array((2, 3, 4)), array((2, 3, 4), low=0, high=1)),
        )
        for weight in (None, _weight())
        for n in (0, 1, 2)
        for smoothing in (0.0, 0.1)
    ]


SAMPLES = {
    "nll_loss nll_loss_forward": _of([*_flat(), *_ONLY_FLAT]),
    "nll_loss2d nll_loss2d_forward": _of([*_images(), *_ONLY_IMAGES]),
    "nll_loss_nd": _of([*_flat(), *_images(), *_more()]),
    "cross_entropy_loss": [
        *_of([*_flat(), *_images(), *_more()], 0.0),
        *_of([*_flat(), *_images(), *_more()[:2]], 0.2),
        *_probabilities(),
        lambda: (array((4, 3)), _target(), None, 1, -100, 2.0),
        lambda: (array((4, 3)), array((4, 3)), None, 1, 1, 0.0),
        lambda: (array((3,)), _target((3,)), None, 1, -100, 0.0),
    ],
}
