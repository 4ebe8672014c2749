"""Channels to pixels and back."""

from samples.arrays import array, channels_last, expanded, transposed

SAMPLES = {
    "pixel_shuffle": [
        lambda: (array((1, 4, 2, 3)), 2),
        lambda: (array((4, 2, 1), "int64"), 2),
        *(
            lambda dtype=dtype: (array((2, 8, 2, 3), dtype), 2)
            for dtype in ("float64", "bfloat16", "bool", "complex64")
        ),
        lambda: (array((2, 3, 9, 2, 3)), 3),
        lambda: (array((2, 3, 2)), 1),
        lambda: (transposed((2, 8, 2, 3)), 2),
        lambda: (expanded((2, 8, 2, 3)), 2),
        lambda: (channels_last((2, 8, 2, 3)), 2),
        lambda: (array((0, 8, 2, 3)), 2),
        lambda: (array((2, 0, 2, 3)), 2),
        lambda: (array((2, 7, 2, 3)), 2),
        lambda: (array((2, 8, 2, 3)), 0),
        lambda: (array((2, 8, 2, 3)), -1),
        lambda: (array((2, 8)), 2),
    ],
    "pixel_unshuffle": [
        lambda: (array((1, 1, 2, 4)), 2),
        lambda: (array((1, 2, 2), "int64"), 2),
        *(
            lambda dtype=dtype: (array((2, 3, 4, 6), dtype), 2)
            for dtype in ("float64", "bfloat16", "bool", "complex64")
        ),
        lambda: (array((2, 3, 2, 6, 9)), 3),
        lambda: (array((2, 3, 2)), 1),
        lambda: (transposed((2, 3, 4, 6)), 2),
        lambda: (expanded((2, 3, 4, 6)), 2),
        lambda: (channels_last((2, 3, 4, 6)), 2),
        lambda: (array((0, 3, 4, 6)), 2),
        lambda: (array((2, 3, 5, 6)), 2),
        lambda: (array((2, 3, 4, 5)), 2),
        lambda: (array((2, 3, 4, 6)), 0),
        lambda: (array((2, 8)), 2),
    ],
}
