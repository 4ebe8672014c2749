"""Copies of views."""

from samples.arrays import array, transposed

_ANY = [lambda: (array((2, 3)),), lambda: (transposed((2, 3), "int64"),)]


def _with(*rest):
    return [lambda m=m, r=r: (*m(), *r) for r in rest for m in _ANY]


SAMPLES = {
    "alias_copy detach_copy t_copy squeeze_copy": _ANY,
    "as_strided_copy": _with(([2, 2], [1, 2], 1), ([2, 2], [1, 2], None)),
    "diagonal_copy": _with((0, 0, 1), (1, 0, 1), (-1, 1, 0)),
    "expand_copy": _with(([4, 2, 3], False), ([2, 2, 2], False)),
    "narrow_copy": _with((1, 1, 2), (0, -1, 1), (1, 2, 9)),
    "permute_copy": _with(([1, 0],), ([0, 0],)),
    "select_copy.int": _with((0, 1), (1, -1), (0, 9)),
    "slice_copy.Tensor": _with((1, 1, None, 1), (1, None, None, 2)),
    "split_copy.Tensor": _with((2, 1), (1, 0)),
    "split_with_sizes_copy": _with(([1, 2], 1), ([1, 1], 1)),
    "squeeze_copy.dim": _with((0,)),
    "squeeze_copy.dims": _with(([0, 1],)),
    "transpose_copy.int": _with((0, 1), (0, 5)),
    "unbind_copy.int": _with((0,), (1,)),
    "unfold_copy": _with((1, 2, 1), (0, 2, 1)),
    "unsqueeze_copy": _with((0,), (-1,)),
    "view_copy _reshape_copy": _with(([6],), ([-1, 2],), ([5],)),
    "view_copy.dtype": _with((3,), (6,)),
}
