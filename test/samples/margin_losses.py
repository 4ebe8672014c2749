"""Losses of margins and distances, of classes with margins, and of alignments; gradients of losses."""

import numpy as np

from samples.arrays import array, transposed

_REDUCTIONS = (1, 0, 2)


def _signs(shape=(2, 3), dtype="float32"):
    return np.where(array(shape, "bool", seed="sign"), 1, -1).astype(dtype)


def _i(values):
    return np.array(values, np.int64)


def _pair(dtype="float32", shape=(2, 3), seed="b"):
    return array(shape, dtype), array(shape, dtype, seed=seed)


_CLASSES = _i([0, 2])
_SEVERAL = _i([[0, 2, -1, 1], [3, -1, 0, 2]])


def _chances(steps=5, batch=2, classes=4, dtype="float32"):
    raw = array((steps, batch, classes), dtype)
    return raw - np.log(np.exp(raw).sum(-1, keepdims=True))


_DEFINED = (0, 5, 6, 7, 8, 9)
"""Cases in which all sequences are as long, or none is computed: other forward variables are memory as PyTorch finds it."""


def _ctc(as_tensors, *rests):
    cases = [
        ((5, 5), (2, 2), _i([[1, 2], [3, 3]]), 0),
        ((5, 4), (2, 2), _i([[1, 2], [3, 3]]), 0),
        ((5, 3), (2, 1), _i([1, 1, 2]), 0),
        ((5, 5), (0, 2), _i([1, 2]), 3),
        ((5, 2), (1, 2), _i([[1, 0], [2, 2]]), 3),
        ((9, 4), (2, 2), _i([[1, 2], [3, 3]]), 0),
        ((5, 4), (9, 2), _i([[1, 2], [3, 3]]), 0),
        ((5, 4), (2, 2), _i([[1, 2], [3, 3]]), 7),
        ((5,), (2, 2), _i([[1, 2], [3, 3]]), 0),
    ]
    wrap = _i if as_tensors else list
    return [
        lambda case=case, rest=rest, dtype=dtype: (
            _chances(dtype=dtype),
            case[2],
            wrap(case[0]),
            wrap(case[1]),
            case[3],
            *rest,
        )
        for rest in rests
        for dtype in ("float32", "float64")
        for case in cases
    ]


def _ctc_gradient(as_tensors):
    """grad, log_probs, targets, lengths of inputs and of targets, losses, forward variables, blank, zero_infinity"""

    def sample(make, zero):
        from torchscript_dialect.ops.losses.ctc_loss import ctc_loss
        from torchscript_dialect.tensor.conversion import as_tensor

        log_probs, targets, inputs, lengths, blank, *_ = make()
        losses, alphas = ctc_loss(
            as_tensor(log_probs), as_tensor(targets), list(inputs), list(lengths), blank, False
        )
        return (
            array((2,), str(log_probs.dtype)),
            log_probs,
            targets,
            inputs,
            lengths,
            losses.array,
            alphas.array,
            blank,
            zero,
        )

    makes = _ctc(as_tensors, (False,))
    return [
        lambda make=make, zero=zero: sample(make, zero)
        for make in [*makes[:5], *makes[9:14]]
        for zero in (False, True)
    ]


def _gradients(*rest, low: float = -3, high: float = 3, weight=False):
    """grad, input, target, reduction and the rest"""
    kinds = ("float32", "float64", "bfloat16")
    middle = (None,) if weight else ()
    return [
        lambda dtype=dtype, reduction=reduction: (
            array((2, 3) if reduction == 0 else (), dtype, seed="g"),
            array((2, 3), dtype, low, high),
            array((2, 3), dtype, low, high, seed="t"),
            *middle,
            reduction,
            *rest,
        )
        for reduction in _REDUCTIONS
        for dtype in kinds
    ]


def _nll_gradients(shape, images):
    weights = array((shape[1],), low=0.5, high=2)
    target = _i(np.arange(np.prod((shape[0], *shape[2:]))).reshape(shape[0], *shape[2:]) % shape[1])
    return [
        lambda reduction=reduction, weight=weight, ignored=ignored: (
            array(target.shape if reduction == 0 else (), seed="g"),
            array(shape),
            target,
            weight,
            reduction,
            ignored,
            np.array(2.5, np.float32),
        )
        for reduction in _REDUCTIONS
        for weight in (None, weights)
        for ignored in (-100, 1)
    ]


SAMPLES = {
    "soft_margin_loss": [
        *(lambda n=n: (array((2, 3)), _signs(), n) for n in _REDUCTIONS),
        lambda: (array((2, 3), "bfloat16"), _signs(), 1),
        lambda: (transposed((2, 3)), _signs(), 0),
    ],
    "hinge_embedding_loss": [
        lambda n=n, margin=margin: (array((2, 3)), _signs(), margin, n)
        for n in _REDUCTIONS
        for margin in (1.0, 0.3)
    ],
    "margin_ranking_loss": [
        lambda n=n, margin=margin: (*_pair(), _signs(), margin, n)
        for n in _REDUCTIONS
        for margin in (0.0, 0.5)
    ],
    "cosine_embedding_loss": [
        *(lambda n=n: (*_pair(), _signs((2,)), 0.2, n) for n in _REDUCTIONS),
        lambda: (*_pair(shape=(3,)), _signs(()), 0.0, 0),
        lambda: (*_pair(), _signs((2, 3)), 0.0, 0),
        lambda: (*_pair("float64"), _signs((2,)), 0.0, 1),
    ],
    "triplet_margin_loss": [
        *(
            lambda n=n, swap=swap: (*_pair(), array((2, 3), seed="n"), 1.0, 2.0, 1e-6, swap, n)
            for n in _REDUCTIONS
            for swap in (False, True)
        ),
        lambda: (*_pair("float64"), array((2, 3), "float64", seed="n"), 0.5, 1.0, 1e-6, False, 0),
        lambda: (*_pair(), array((3,), seed="n"), 1.0, 2.0, 1e-6, False, 1),
    ],
    "poisson_nll_loss": [
        lambda n=n, log=log, full=full: (
            array((2, 3), low=0.1),
            array((2, 3), low=0, high=4, seed="t"),
            log,
            full,
            1e-8,
            n,
        )
        for n in _REDUCTIONS
        for log in (False, True)
        for full in (False, True)
    ],
    "pairwise_distance": [
        *(
            lambda p=p, keep=keep: (*_pair(), p, 1e-6, keep)
            for p in (2.0, 1.0, 3.0)
            for keep in (False, True)
        ),
        lambda: (array((2, 3)), array((3,)), 2.0, 1e-6, False),
        lambda: (*_pair("float64"), float("inf"), 1e-6, False),
    ],
    "cosine_similarity": [
        *(lambda dim=dim: (*_pair(), dim, 1e-8) for dim in (0, 1, -1)),
        lambda: (np.zeros((2, 3), np.float32), array((2, 3)), 1, 1e-8),
        lambda: (*_pair("int64"), 1, 1e-8),
    ],
    "multi_margin_loss": [
        *(
            lambda n=n, p=p, w=w, d=d: (
                array((2, 3), d),
                _CLASSES,
                p,
                0.5,
                array((3,), d, 0.5, 2) if w else None,
                n,
            )
            for n in _REDUCTIONS
            for p in (1, 2)
            for w in (False, True)
            for d in ("float32", "float64")
        ),
        lambda: (array((3,)), _i(1), 1, 1, None, 0),
        lambda: (array((3,)), _i([1]), 1, 1, None, 0),
        lambda: (array((2, 3)), _CLASSES, 3, 1, None, 1),
        lambda: (array((2, 3)), _i([0, 5]), 1, 1, None, 1),
        lambda: (array((2, 3)), _i([0]), 1, 1, None, 1),
        lambda: (array((2, 3), "int64"), _CLASSES, 1, 1, None, 1),
    ],
    "multi_margin_loss_backward": [
        lambda n=n, p=p, w=w: (
            array((2,) if n == 0 else (), seed="g"),
            array((2, 3)),
            _CLASSES,
            p,
            0.5,
            array((3,), low=0.5, high=2) if w else None,
            n,
        )
        for n in _REDUCTIONS
        for p in (1, 2)
        for w in (False, True)
    ],
    "multilabel_margin_loss multilabel_margin_loss_forward": [
        *(
            lambda n=n, d=d: (array((2, 4), d), _SEVERAL, n)
            for n in _REDUCTIONS
            for d in ("float32", "float64", "int64")
        ),
        lambda: (array((4,)), _i([3, 0, -1, 1]), 1),
        lambda: (array((4,)), _i([3, 0, -1, 1]), 0),
        lambda: (array((2, 4)), _i([3, 0, -1, 1]), 1),
        lambda: (array((4,)), _i([3, 9, -1, 1]), 1),
    ],
    "multilabel_margin_loss_backward": [
        lambda n=n: (
            array((2,) if n == 0 else (), seed="g"),
            array((2, 4)),
            _SEVERAL,
            n,
            np.array([[1, 0, 1, 0], [0, 0, 0, 1]], np.float32),
        )
        for n in _REDUCTIONS
    ],
    "_ctc_loss": [_ctc(False, (zero,))[place] for zero in (False, True) for place in _DEFINED],
    "_ctc_loss.Tensor": [_ctc(True, (False,))[place] for place in _DEFINED],
    "ctc_loss.IntList": _ctc(False, (1, False), (0, True), (2, True)),
    "ctc_loss.Tensor": _ctc(True, (1, False), (0, True)),
    "_ctc_loss_backward": _ctc_gradient(False),
    "_ctc_loss_backward.Tensor": _ctc_gradient(True),
    "mse_loss_backward soft_margin_loss_backward": _gradients(),
    "smooth_l1_loss_backward": [*_gradients(1.0), *_gradients(0.5)],
    "huber_loss_backward": _gradients(0.7),
    "binary_cross_entropy_backward": _gradients(low=0.1, high=0.9, weight=True),
    "nll_loss_backward": _nll_gradients((2, 3), False),
    "nll_loss2d_backward": _nll_gradients((2, 3, 2, 2), True),
    "glu": [
        *(lambda d=d: (array((4, 6)), d) for d in (0, 1, -1, 3)),
        lambda: (array((4, 6), "bfloat16"), -1),
        lambda: (array((3, 5)), 1),
        lambda: (array(()), 0),
        lambda: (transposed((4, 6), "float64"), 1),
    ],
    "glu_backward": [
        *(lambda d=d: (array((4, 3), d), array((4, 6), d), 1) for d in ("float32", "float64")),
        lambda: (array((2, 6)), array((4, 6)), 0),
    ],
    "glu_jvp": [lambda: (array((4, 3)), array((4, 6)), array((4, 6), seed="d"), 1)],
    "prelu": [
        *(lambda d=d: (array((2, 3, 4), d), array((3,), d)) for d in ("float32", "bfloat16")),
        lambda: (array((2, 3)), array((1,))),
        lambda: (array((3,)), array((1,))),
        lambda: (array(()), array(())),
        lambda: (transposed((2, 3)), array((3,))),
        lambda: (array((2, 3)), array((2,))),
        lambda: (array((2, 3)), array((3,), "float64")),
    ],
    "_prelu_kernel_backward": [
        lambda d=d: (array((2, 3), d, seed="g"), array((2, 3), d), array((1, 3), d))
        for d in ("float32", "float64", "bfloat16")
    ],
    "log_sigmoid_forward": [lambda d=d: (array((2, 3), d),) for d in ("float64",)],
    "rrelu_with_noise_backward": [
        lambda train=train: (*_pair(), array((2, 3), low=0.1, seed="n"), 0.1, 0.3, train, False)
        for train in (False, True)
    ],
    "infinitely_differentiable_gelu_backward": [lambda: _pair(), lambda: _pair("float64")],
}
