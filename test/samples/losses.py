"""Losses."""

from samples.arrays import array, special, transposed


def _pairs(low=-3, high=3, **dtypes):
    def pair(shape=(2, 3), dtype="float32", make=array):
        return lambda: (
            make(shape, dtype, low=low, high=high),
            array(shape, dtype, low=low, high=high, seed="target"),
        )

    return [
        pair(),
        pair((3,), "float64"),
        pair((2, 3, 4), "float64"),
        pair(dtype="float16"),
        pair(dtype="bfloat16"),
        pair(dtype="int64"),
        pair(dtype="bool"),
        pair(make=transposed),
        pair(()),
        pair((0, 3)),
    ]


def _mixed(low=-3, high=3):
    """Sizes that differ; dtypes that do."""
    return [
        lambda: (array((2, 3), low=low, high=high), array((3,), low=low, high=high)),
        lambda: (array((2, 3), low=low, high=high), array((2, 4), low=low, high=high)),
        lambda: (array((2, 3), low=low, high=high), array((2, 3), "float64", low=low, high=high)),
    ]


def _of(makes, *rest):
    return [lambda make=make, n=n: (*make(), *rest, n) for n in (1, 0, 2) for make in makes]


def _with(makes, *parameters):
    """Parameters behind the reduction."""
    return [
        lambda make=make, p=p, n=n: (*make(), n, p)
        for n in (1, 0, 2)
        for p in parameters
        for make in makes
    ]


_ALL = [*_pairs(), *_mixed()]
_FINITE = [lambda: (special(), special()[::-1].copy())]
_CHANCES = [*_pairs(0, 1), *_mixed(0, 1)]
_FLOATS = _CHANCES[:5]


def _weighted(makes, *others):
    return [
        lambda make=make, n=n: (*make(), array((3,), low=0.5, high=2), *others, n)
        for n in (1, 0, 2)
        for make in (makes[0],)
    ]


SAMPLES = {
    "mse_loss": _of([*_ALL, *_FINITE]),
    "l1_loss": _of([*_ALL, *_FINITE]),
    "smooth_l1_loss": [*_with(_ALL, 1.0), *_with(_ALL[:3], 0.5, 0.0, -1.0)],
    "huber_loss": [*_with(_ALL, 1.0), *_with(_ALL[:3], 0.5, 0.0)],
    "kl_div": [*_with([*_FLOATS, *_mixed(0, 1)], False, True)],
    "binary_cross_entropy": [
        *_of(_CHANCES, None),
        *_of([lambda: (array((2, 3)), array((2, 3)))], None),
        *_weighted(_CHANCES),
    ],
    "binary_cross_entropy_with_logits": [
        *_of(_ALL[:-1], None, None),
        *_weighted(_ALL, None),
        lambda: (*_ALL[0](), None, array((3,), low=0.5, high=2), 1),
        lambda: (*_ALL[0](), array((3,), low=0.5, high=2), array((3,), low=0.5, high=2), 0),
    ],
}
