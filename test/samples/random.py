"""Random numbers, after the seed 0, and dropout."""

import numpy as np

from samples.arrays import array, transposed

_REST = (None, None, None)
"""Layout, device and pinning."""
_FLOATS = (6, 7, 5, 15)


def _sized(*leading, dtypes=(None, 6, 7, 5, 15, 9, 4)):
    return [
        lambda size=size, dtype=dtype: (*leading, size, dtype, *_REST)
        for size in ([3], [4, 5], [2, 3, 4], [0])
        for dtype in dtypes
    ]


def _with_generator(samples):
    return [lambda make=make: (*make()[:-4], None, *make()[-4:]) for make in samples]


def _like(*leading, generator=False, dtypes=(None, 7, 5)):
    middle = (None,) if generator else ()
    return [
        lambda make=make, dtype=dtype: (make((3, 4)), *leading, *middle, dtype, *_REST, None)
        for make in (array, transposed)
        for dtype in dtypes
    ]


def _targets(
    *rest,
    dtypes=(
        "float32",
        "float64",
        "float16",
        "bfloat16",
        "int64",
        "int32",
        "uint8",
        "bool",
        "complex64",
    ),
):
    return [
        *(lambda dtype=dtype: (array((2, 5), dtype), *rest, None) for dtype in dtypes),
        lambda: (transposed((2, 5)), *rest, None),
        lambda: (array((20,)), *rest, None),
        lambda: (array((0,)), *rest, None),
    ]


def _each(*rests):
    return [make for rest in rests for make in _targets(*rest)]


def _chances(dtype="float32", shape=(2, 4)):
    return array(shape, dtype, 0, 1)


_DROPPED = [
    *(
        lambda p=p, train=train, dtype=dtype: (array((2, 3, 4), dtype), p, train)
        for p in (0.3, 0.0, 1.0, 1.5)
        for train in (True, False)
        for dtype in ("float32", "float64", "float16", "bfloat16")
    ),
    lambda: (transposed((2, 3)), 0.5, True),
    lambda: (array((0, 3)), 0.5, True),
    lambda: (array((3,)), 0.5, True),
]
_RRELU = [
    *(
        lambda train=train, dtype=dtype: (array((2, 4), dtype), 0.1, 0.3, train, None)
        for train in (True, False)
        for dtype in ("float32", "float64", "bfloat16", "int64")
    ),
]
_NOISY = [lambda make=make: (make()[0], np.zeros_like(make()[0]), *make()[1:]) for make in _RRELU]

SAMPLES = {
    "rand randn": _sized(),
    "rand.generator randn.generator": _with_generator(_sized()),
    "rand_like randn_like": _like(),
    "rand_like.generator randn_like.generator": _like(generator=True),
    "randint": _sized(10, dtypes=(None, 4, 6, 0)),
    "randint.low": [*_sized(-5, 1 << 40, dtypes=(None, 4)), *_sized(5, 5, dtypes=(None,))],
    "randint.generator": _with_generator(_sized(10, dtypes=(None, 6))),
    "randint.low_generator": _with_generator(_sized(-5, 7, dtypes=(None, 6))),
    "randint_like": _like(9),
    "randint_like.low_dtype": _like(-3, 9),
    "randint_like.generator": _like(9, generator=True),
    "randint_like.low_generator_dtype": _like(-3, 9, generator=True),
    "randint_like.Tensor": _like(np.array(7)),
    "randint_like.Tensor_generator": _like(np.array(7), generator=True),
    "randperm": [lambda n=n, d=d: (n, d, *_REST) for n in (7, 0, 30, -1) for d in (None, 3, 6)],
    "randperm.generator": [lambda n=n: (n, None, None, *_REST) for n in (7, 0)],
    "normal.float_float": [
        lambda size=size, d=d: (1.0, 2.0, size, None, d, *_REST)
        for size in ([3], [20])
        for d in (None, 7)
    ],
    "uniform_": _each((0.0, 1.0), (-2.0, 5.0), (1.0, 0.0)),
    "normal_": _each((0.0, 1.0), (-2.0, 5.0), (1.0, -1.0)),
    "normal_functional": _targets(1.0, 2.0, dtypes=("float32", "float64")),
    "_no_grad_uniform_": _targets(-1.0, 2.0, dtypes=("float32", "float64")),
    "_no_grad_normal_": _targets(-1.0, 2.0, dtypes=("float32", "float64")),
    "_no_grad_fill_": [lambda: (array((2, 3)), 1.5)],
    "_no_grad_zero_": [lambda: (array((2, 3)),)],
    "random_": _targets(),
    "random_.from": _each((-3, 9), (2, 1 << 20), (5, 5)),
    "random_.to": _each((9,), (100,)),
    "bernoulli_.float": _each((0.3,), (0.0,), (1.0,), (1.5,)),
    "bernoulli.p": _each((0.3,)),
    "bernoulli": [
        *(lambda d=d: (_chances(d), None) for d in ("float32", "float64", "float16", "bfloat16")),
        lambda: (array((2, 3), "int64", 0, 1), None),
        lambda: (transposed((2, 3), low=0, high=1), None),
    ],
    "bernoulli_.Tensor bernoulli.Tensor": [
        *(
            lambda d=d, p=p: (array((2, 4), d), _chances(p), None)
            for d in ("float32", "float64", "int64")
            for p in ("float32", "float64")
        ),
        lambda: (array((2, 4)), _chances(shape=(4,)), None),
        lambda: (array((2, 4)), _chances("int64"), None),
    ],
    "exponential_": _each((1.5,), (0.0,)),
    "cauchy_": _each((0.0, 1.0), (1.0, 3.0), (0.0, -1.0)),
    "geometric_": _each((0.3,), (0.0,)),
    "log_normal_": _each((0.5, 0.25), (0.0, -1.0)),
    "normal.Tensor_float": [
        lambda: (array((3, 4)), 2.0, None),
        lambda: (transposed((5, 4)), 2.0, None),
        lambda: (array((3,), "float64"), -1.0, None),
        lambda: (array((3,), "int64"), 1.0, None),
    ],
    "normal.float_Tensor": [
        lambda: (2.0, array((3, 4), low=0), None),
        lambda: (2.0, array((3, 4)), None),
    ],
    "normal.Tensor_Tensor": [
        lambda: (array((3, 4)), array((3, 4), low=0), None),
        lambda: (array((3, 1), "float64"), array((4,), "float64", low=0), None),
    ],
    "poisson": [
        *(
            lambda d=d, high=high: (array((3, 4), d, 0, high), None)
            for d in ("float32", "float64")
            for high in (5, 50, 1000)
        ),
        lambda: (array((3,)), None),
        lambda: (array((3,), "int64", 0, 5), None),
    ],
    "binomial": [
        *(
            lambda d=d, n=n: (np.floor(array((2, 5), d, 1, n)), _chances(d, (2, 5)), None)
            for d in ("float32", "float64")
            for n in (9, 200)
        ),
        lambda: (np.full((3,), 50.0, np.float32), np.array([0.0, 1.0, 2.0], np.float32), None),
        lambda: (np.full((3,), 50.0, np.float32), _chances("float64", (3,)), None),
    ],
    "_standard_gamma": [
        lambda d=d, high=high: (array((3, 4), d, 0.1, high), None)
        for d in ("float32", "float64", "float16")
        for high in (1, 5, 90)
    ],
    "_sample_dirichlet": [
        lambda d=d: (array((3, 4), d, 0.1, 5), None) for d in ("float32", "float64")
    ],
    "multinomial": [
        *(
            lambda shape=shape, n=n, r=r, d=d: (array(shape, d, 0, 1), n, r, None)
            for shape in ((6,), (2, 6))
            for n, r in ((1, False), (4, False), (4, True), (9, True), (9, False), (0, True))
            for d in ("float32", "float64")
        ),
        lambda: (array((3,), "float16", 0, 1), 2, True, None),
        lambda: (array((6,)), 2, False, None),
        lambda: (np.zeros(3, np.float32), 2, True, None),
        lambda: (array((3,), "int64", 0, 9), 2, True, None),
        lambda: (array((2, 2, 3), low=0), 2, True, None),
    ],
    "rrelu rrelu_": _RRELU,
    "rrelu_with_noise rrelu_with_noise_": _NOISY,
    "dropout dropout_ feature_dropout feature_dropout_ alpha_dropout alpha_dropout_": _DROPPED,
    "feature_alpha_dropout feature_alpha_dropout_": _DROPPED,
    "native_dropout": [*_DROPPED[:12], *_DROPPED[-3:], lambda: (array((2, 3)), 0.5, None)],
    "native_dropout_backward": [
        lambda dtype=dtype: (array((2, 3), dtype), array((2, 3), "bool"), 1.5)
        for dtype in ("float32", "float64", "bfloat16")
    ],
}
