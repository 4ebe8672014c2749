"""Convolutions."""

from typing import Any

from samples.arrays import array, channels_last, expanded, transposed


def small(shape, dtype="float32"):
    """Numbers of which sums keep their digits."""
    low, high = (-3, 3) if dtype.startswith("int") else (-1, 1)
    return array(shape, dtype, low=low, high=high)


def _little(rank, dtype="float32", groups=1):
    """Input, weight and bias of the samples of which the results are stored."""
    return (
        small((1, 2, *[3] * rank), dtype),
        small((2, 2 // groups, *[2] * rank), dtype),
        small((2,), dtype),
    )


def _dtypes(shape, weight, rest):
    return [
        lambda dtype=dtype, biased=biased: (
            small(shape, dtype),
            small(weight, dtype),
            small(weight[:1], dtype) if biased else None,
            *rest,
        )
        for dtype in ("float32", "float64", "float16", "bfloat16", "complex64", "int64", "bool")
        for biased in (True, False)
    ]


def _plain(rank):
    """input, weight, bias, stride, padding, dilation, groups"""
    sizes, kernel = (7, 6, 5)[:rank], (3, 2, 3)[:rank]
    one, zero = [1] * rank, [0] * rank
    x, w = (2, 4, *sizes), (6, 4, *kernel)
    return [
        lambda: (*_little(rank), one, zero, one, 1),
        lambda: (*_little(rank, "float64", 2), [2] * rank, one, one, 2),
        *_dtypes(x, w, (one, zero, one, 1)),
        lambda: (small(x), small(w), small((6,)), [2] * rank, [1, 2, 1][:rank], one, 1),
        lambda: (small(x), small(w), small((6,)), [2, 1, 3][:rank], one, [2, 1, 2][:rank], 1),
        lambda: (small(x), small((6, 2, *kernel)), small((6,)), one, one, one, 2),
        lambda: (small(x), small((8, 1, *kernel)), small((8,)), one, one, one, 4),
        lambda: (small(x), small((6, 4, *one)), None, one, zero, one, 1),
        lambda: (small(x), small((6, 4, *one)), None, [2] * rank, zero, one, 1),
        lambda: (small(x[1:]), small(w), small((6,)), one, one, one, 1),
        lambda: (
            transposed(x, "float64"),
            transposed(w, "float64"),
            small((6,), "float64"),
            *(one, one, one, 1),
        ),
        lambda: (expanded(x), small(w), None, one, one, one, 1),
        lambda: (small((0, *x[1:])), small(w), None, one, zero, one, 1),
        lambda: (small((2, 0, *sizes)), small((6, 0, *kernel)), small((6,)), one, zero, one, 1),
        lambda: (small((2, 4, 0, *sizes[1:])), small(w), None, one, [3] * rank, one, 1),
        lambda: (small((2, 4, *one)), small(w), None, one, zero, one, 1),
        lambda: (small((2, 3, *sizes)), small(w), None, one, zero, one, 1),
        lambda: (small((2, 4)), small(w), None, one, zero, one, 1),
        lambda: (small(x), small((0, 4, *kernel)), None, one, zero, one, 1),
        lambda: (small(x), small(w), small((5,)), one, zero, one, 1),
        lambda: (small(x), small(w), small((6, 1)), one, zero, one, 1),
        lambda: (small(x), small((5, 2, *kernel)), None, one, zero, one, 2),
        lambda: (small(x), small(w, "float64"), None, one, zero, one, 1),
        lambda: (small(x), small(w), small((6,), "float64"), one, zero, one, 1),
        lambda: (small(x), small(w), None, zero, zero, one, 1),
        lambda: (small(x), small(w), None, one, [-1] * rank, one, 1),
        lambda: (small(x), small(w), None, one, zero, zero, 1),
        lambda: (small(x), small(w), None, one, zero, one, 0),
        lambda: (small(x), small(w), None, [1] * (rank + 1), zero, one, 1),
        lambda: (small(x), small(w), None, [2], [1], [1], 1),
        lambda: (small(x, "int32"), small(w, "int32"), None, one, zero, one, 1),
    ]


def _named(rank):
    """Padding by name."""
    sizes, kernel = (7, 6, 5)[:rank], (3, 2, 4)[:rank]
    one = [1] * rank
    x, w = (2, 4, *sizes), (6, 4, *kernel)
    return [
        lambda: (*_little(rank), one, "same", one, 1),
        lambda: (*_little(rank, "float64", 2), one, "valid", one, 2),
        lambda: (small(x), small(w), small((6,)), one, "same", one, 1),
        lambda: (small(x, "float64"), small(w, "float64"), None, [2] * rank, "valid", one, 1),
        lambda: (small(x), small((6, 2, *kernel)), None, one, "same", [2, 1, 3][:rank], 2),
        lambda: (small(x), small(w), small((6,)), [2] * rank, "same", one, 1),
        lambda: (small(x), small(w), small((6,)), one, "full", one, 1),
    ]


def _unbatched_named(rank):
    return [lambda: (*(a[0] if i == 0 else a for i, a in enumerate(_named(rank)[0]())),)]


def _transposing(rank):
    """input, weight, bias, stride, padding, output_padding, groups, dilation"""
    sizes, kernel = (4, 3, 5)[:rank], (3, 2, 3)[:rank]
    one, zero, two = [1] * rank, [0] * rank, [2] * rank
    x, w = (2, 4, *sizes), (4, 6, *kernel)

    def of(dtype):
        return lambda: (
            small(x, dtype),
            small(w, dtype),
            small((6,), dtype),
            two,
            one,
            one,
            1,
            one,
        )

    return [
        lambda: (*_little(rank), one, zero, zero, 1, one),
        lambda: (*_little(rank, "float64"), [2] * rank, one, one, 1, one),
        of("float32"),
        of("float64"),
        lambda: (small(x), small(w), None, one, zero, zero, 1, one),
        of("float16"),
        of("bfloat16"),
        of("bool"),
        lambda: (
            small(x),
            small((4, 3, *kernel)),
            small((6,)),
            [3, 2, 1][:rank],
            one,
            zero,
            2,
            two,
        ),
        lambda: (small(x[1:]), small(w), small((6,)), two, one, one, 1, one),
        lambda: (transposed(x), transposed(w), None, two, zero, zero, 1, one),
        lambda: (small((0, *x[1:])), small(w), None, one, zero, zero, 1, one),
        lambda: (small(x), small(w), None, one, zero, one, 1, one),
        lambda: (small(x), small(w), None, one, [5] * rank, zero, 1, one),
        lambda: (small(x), small((5, 6, *kernel)), None, one, zero, zero, 1, one),
        lambda: (small(x), small(w), small((5,)), one, zero, zero, 1, one),
        lambda: (small(x), small(w), None, one, zero, zero, 3, one),
        lambda: (small(x), small(w), None, one, zero, [-1] * rank, 1, one),
        lambda: (small(x), small(w, "float64"), None, one, zero, zero, 1, one),
    ]


_LAST = [
    lambda: (channels_last((2, 4, 5, 6)), small((6, 4, 3, 3)), None, [1, 1], [0, 0], [1, 1], 1),
    lambda: (small((2, 4, 5, 6)), channels_last((6, 4, 3, 3)), None, [1, 1], [0, 0], [1, 1], 1),
    lambda: (channels_last((2, 4, 5, 6)), small((6, 4, 1, 1)), None, [1, 1], [0, 0], [1, 1], 1),
]


def _is_general(sample, rank):
    """These take no input without a batch, and leave some dtypes to the operators that call them."""
    x, _, bias, *_ = sample
    return x.ndim == rank + 2 and x.dtype.kind != "c" and (bias is None or bias.dtype == x.dtype)


def _general(flags):
    """input, weight, bias, stride, padding, dilation, transposed, output_padding, groups"""
    found: list[Any] = [
        lambda s=s: (*s()[:6], False, [0] * len(s()[3]), s()[6], *flags)
        for rank in (1, 2)
        for s in _plain(rank)
        if _is_general(s(), rank)
    ]
    for rank in (1, 2, 3):
        for sample in _transposing(rank)[:5]:
            x, w, b, stride, padding, output_padding, groups, dilation = sample()
            found.append(
                lambda a=(x, w, b, stride, padding, dilation, True, output_padding, groups): (
                    *a,
                    *flags,
                )
            )
    return found


def _turned(shape, kind):
    return array((shape[0], shape[2], shape[1]), kind).swapaxes(1, 2)


_ROWS = [  # channels that come last count in weights alone
    lambda x=x, w=w, k=k, o=o: (x((2, 2, 5), k), w((o, 2, 3), k), None, [1], [1], [1], 1)
    for x in (array, _turned)
    for w in (array, _turned)
    for k in ("float32", "complex64")
    for o in (1, 3)
]

SAMPLES = {
    "conv1d": [*_plain(1), *_ROWS],
    "conv2d": [*_plain(2), *_LAST],
    "conv3d": _plain(3),
    "conv1d.padding": [*_named(1), *_unbatched_named(1)],
    "conv2d.padding": [*_named(2), *_unbatched_named(2)],
    "conv3d.padding": [*_named(3), *_unbatched_named(3)],
    "_convolution_mode": [*_named(1), *_named(2), *_named(3)],
    "conv_transpose1d": _transposing(1),
    "conv_transpose2d.input": _transposing(2),
    "conv_transpose3d.input": _transposing(3),
    "convolution": _general(()),
    "_convolution.deprecated": _general((False, False, True)),
    "_convolution": _general((False, False, True, True)),
}
