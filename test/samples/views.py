"""Views: transpositions, reshapes, slices, windows, copies that keep or change the layout."""

import numpy as np

from samples.arrays import array, channels_last, expanded, sliced, transposed

_LAYOUTS = [
    lambda: array((2, 3)),
    lambda: transposed((2, 3)),
    lambda: sliced((2, 3)),
    lambda: expanded((2, 3)),
    lambda: array((2, 3, 4), "int64"),
    lambda: transposed((2, 3, 4)),
    lambda: array((0, 3)),
    lambda: array(()),
    lambda: array((1, 3, 1)),
    lambda: array((5,)),
    lambda: channels_last((2, 3, 2, 2)),
]


def each(*arguments, layouts=_LAYOUTS):
    """Every layout with every tuple of further arguments."""
    return [lambda make=make, rest=rest: (make(), *rest) for make in layouts for rest in arguments]


SAMPLES = {
    "t": each(()),
    "transpose.int swapaxes swapdims": each((0, 1), (-1, 0), (0, 0), (5, 0)),
    "permute": each(([1, 0],), ([0, 2, 1],), ([-1, 0, 1],), ([0, 0],), ([],)),
    "movedim.intlist moveaxis.intlist": each(
        ([0], [1]), ([0, 1], [1, 0]), ([2, 0], [0, 1]), ([0], [0, 1])
    ),
    "movedim.int moveaxis.int": each((0, 1), (0, -1), (2, 0)),
    "numpy_T numpy_T.a mT mT.a": each(()),
    "view _unsafe_view reshape": each(
        ([6],),
        ([3, 2],),
        ([-1],),
        ([2, -1],),
        ([1, 2, 3],),
        ([24],),
        ([-1, -1],),
        ([4, 6],),
        ([0, 3],),
        ([],),
        ([5, 1],),
    ),
    "view.dtype": [
        lambda: (array((2, 3)), 3),
        lambda: (array((2, 4)), 4),
        lambda: (array((2, 4), "int64"), 6),
        lambda: (array((), "float32"), 4),
        lambda: (array((2, 3)), 6),
    ],
    "view_as reshape_as": [
        lambda: (array((2, 3)), array((3, 2))),
        lambda: (transposed((2, 3)), array((6,))),
        lambda: (array((2, 3)), array((4,))),
    ],
    "_reshape_alias": [lambda: (array((2, 3)), [3, 2], [2, 1])],
    "flatten.using_ints": each((0, -1), (0, 1), (1, 2), (1, 1), (2, 0)),
    "ravel": each(()),
    "unflatten.int": [
        lambda: (array((2, 6)), 1, [2, 3]),
        lambda: (array((6,)), 0, [-1, 2]),
        lambda: (array((6,)), 0, [4, 2]),
    ],
    "expand": each(
        ([2, 3], False),
        ([4, 2, 3], False),
        ([-1, 3], False),
        ([4, 3, 5], False),
        ([3], False),
        ([-1, 2, 3], False),
    ),
    "broadcast_to": each(([2, 3],), ([4, 2, 3],), ([5],), ([2, 5],)),
    "expand_as": [
        lambda: (array((2, 1)), array((2, 3))),
        lambda: (array(()), array((2, 3))),
        lambda: (array(()), array((1, 2, 1))),
    ],
    "unsqueeze": each((0,), (1,), (-1,), (-2,), (7,)),
    "squeeze": each(()),
    "squeeze.dim": each((0,), (-1,), (2,)),
    "squeeze.dims": each(([0],), ([0, 2],), ([-1, 1],)),
    "select.int": each((0, 0), (1, -1), (-1, 1), (0, 7), (9, 0)),
    "slice.Tensor": each(
        (0, None, None, 1),
        (0, 1, None, 1),
        (1, 0, 9, 2),
        (-1, -2, -1, 1),
        (0, 3, 1, 1),
        (0, None, None, 0),
    ),
    "narrow": each((0, 0, 1), (1, 1, 2), (0, -1, 1), (0, 1, 9), (0, 9, 1), (0, 0, -1)),
    "narrow.Tensor": [lambda: (array((4, 3)), 0, np.array(1), 2)],
    "chunk unsafe_chunk": each((2, 0), (4, 1), (3, -1), (0, 0), (2, 5)),
    "split.Tensor unsafe_split.Tensor": each((1, 0), (2, 1), (2, -1), (0, 0), (-1, 0)),
    "split split_with_sizes split.sizes unsafe_split_with_sizes": each(
        ([1, 1], 0), ([1, 2], 1), ([3], 1), ([1, -1], 0)
    ),
    "tensor_split.sections": each((2, 0), (3, 1), (0, 0)),
    "tensor_split.indices": each(([1], 0), ([1, 2], 1), ([], 0)),
    "unbind.int": each((0,), (1,), (-1,)),
    "unfold": each((0, 1, 1), (1, 2, 1), (-1, 2, 2), (0, 9, 1), (0, 1, 0)),
    "diagonal": each((0, 0, 1), (1, 0, 1), (-1, 1, 0), (0, 0, 0), (5, 0, 1)),
    "as_strided": [
        lambda: (array((2, 3)), [3, 2], [1, 3], None),
        lambda: (array((2, 3)), [2, 2], [1, 1], 1),
        lambda: (array((2, 3)), [9], [1], None),
        lambda: (array((6,)), [2], [3], 2),
        lambda: (array((6,)), [2], [3, 1], 2),
    ],
    "as_strided_": [lambda: (array((2, 3)), [3, 2], [1, 3], None)],
    "alias detach resolve_conj resolve_neg positive prim::data detach_": each(()),
    "lift_fresh cpu": each((), layouts=_LAYOUTS[:2]),
    "requires_grad_": each((False,), layouts=_LAYOUTS[:2]),
    "cuda": each((), layouts=_LAYOUTS[:1]),
    "contiguous": each((0,), (2,)),
    "clone": each((None,), (0,), (1,), (2,)),
    "t_": each(()),
    "transpose_ swapaxes_ swapdims_": each((0, 1), (-1, 0)),
    "squeeze_": each(()),
    "squeeze_.dim unsqueeze_": each((0,), (-1,)),
    "squeeze_.dims": each(([0, 2],)),
    "real": each((), layouts=[lambda: array((2, 3)), lambda: array((2, 3), "complex64")]),
    "imag view_as_real": each(
        (),
        layouts=[
            lambda: array((2, 3)),
            lambda: array((2, 3), "complex64"),
            lambda: transposed((2, 3), "complex128"),
        ],
    ),
}
