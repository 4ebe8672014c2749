"""Batch and instance normalization."""

from samples.arrays import array, channels_last, expanded, transposed


def _parameter(dtype="float32", size=3, seed=""):
    return array((size,), dtype, low=0.5, high=2, seed=seed)


def _given(dtype="float32", size=3):
    """weight, bias, running_mean, running_var"""
    return tuple(_parameter(dtype, size, seed) for seed in "wbmv")


def _inputs():
    shape = (2, 3, 4, 5)
    return [
        (lambda: array((2, 3, 2)), _given),
        (lambda: array((2, 3, 2), "float64"), lambda: _given("float64")),
        (lambda: array(shape), _given),
        (lambda: array(shape), lambda: (None, None, *_given()[2:])),
        (lambda: array(shape), lambda: (_given()[0], None, *_given()[2:])),
        (lambda: array(shape), lambda: (*_given()[:2], None, None)),
        (lambda: array(shape), lambda: (None, None, None, None)),
        (lambda: array((4, 3)), _given),
        (lambda: array((2, 3, 2, 3, 2)), _given),
        (lambda: array(shape, "float16"), lambda: _given("float16")),
        (lambda: array(shape, "bfloat16"), lambda: _given("bfloat16")),
        (lambda: array(shape, "bfloat16"), _given),
        (lambda: array(shape, "bfloat16"), lambda: (None, None, None, None)),
        (lambda: transposed(shape), _given),
        (lambda: expanded(shape), _given),
        (lambda: channels_last(shape), _given),
        (lambda: array((0, 3, 4)), _given),
        (lambda: array((2, 3, 0)), _given),
        (lambda: array((3,)), _given),
        (lambda: array(shape), lambda: _given(size=2)),
        (lambda: array(shape), lambda: (*_given()[:3], None)),
        (lambda: array(shape), lambda: (None, None, None, _given()[3])),
        (lambda: array(shape), lambda: (_parameter("float64"), *_given()[1:])),
        (lambda: array(shape), lambda: (*_given()[:2], *_given("float64")[2:])),
        (lambda: array(shape, "float64"), _given),
        (lambda: array(shape, "int64"), _given),
    ]


def _samples(momentum, *rest):
    return [
        lambda x=x, given=given, training=training: (
            x(),
            *given(),
            training,
            momentum,
            1e-3,
            *rest,
        )
        for x, given in _inputs()
        for training in (True, False)
    ]


def _native():
    """With running statistics; of sizes that do not fit, PyTorch reads past their end."""

    def fits(x, weight, bias, mean, variance, *rest):
        return mean is not None and variance is not None and mean.shape == x.shape[1:2]

    return [s for s in _samples(0.1) if fits(*s())]


def _untrained():
    return [lambda s=s: (*s()[:5], *s()[6:]) for s in _native()]


def _agrees(sample):
    """Running statistics have the dtype of the weights, which is not asked for there."""
    return sample[1] is None or sample[3] is None or sample[1].dtype == sample[3].dtype


SAMPLES = {
    "batch_norm": [*_samples(0.1, True), *_samples(0.7, False)[:6]],
    "native_batch_norm _native_batch_norm_legit": _native(),
    "_native_batch_norm_legit.no_stats": [
        lambda s=s: (*s()[:3], *s()[5:])
        for s in _samples(0.1)
        if s()[3] is None and s()[4] is None and s()[5]
    ],
    "_native_batch_norm_legit_no_training": _untrained(),
    "_batch_norm_with_update": _untrained(),
    "instance_norm": [s for s in [*_samples(0.1, True), *_samples(0.7, False)[:6]] if _agrees(s())],
}
