"""Questions with fixed answers, assertions of exported graphs, and what PyTorch's eager machinery calls by other names."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from samples.arrays import array

_X = lambda: array((3, 4))
_TOKEN = lambda: array((2, 3)).T

SAMPLES = {
    "is_pinned": [lambda: (_X(), None)],
    "cudnn_is_acceptable _is_zerotensor": [lambda: (_X(),)],
    "is_vulkan_available _use_cudnn_rnn_flatten_weight _nnpack_available": [lambda: ()],
    "_has_compatible_shallow_copy_type": [lambda: (_X(), array((2,), "int64"))],
    "_has_same_storage_numel": [
        lambda: (_X(), array((4, 3), "float64")),
        lambda: (_X(), array((4, 4))),
    ],
    "_debug_has_internal_overlap": [
        lambda: (_X(),),
        lambda: (_X().T,),
        lambda: (as_strided(_X(), (3, 4), (0, 4)),),
        lambda: (_X()[:, :2],),
    ],
    "sym_is_contiguous": [lambda: (_X(), 0), lambda: (_X().T, 0)],
    "sym_constrain_range": [
        lambda: (5, 1, 7),
        lambda: (5, 6, 7),
        lambda: (5, None, None),
        lambda: (5, 6, 3),
        lambda: (5, None, 4),
    ],
    "sym_constrain_range_for_size": [
        lambda: (5, 3, 7),
        lambda: (5, None, 1),
        lambda: (-1, None, None),
        lambda: (-1, -2, None),
    ],
    "_functional_sym_constrain_range _functional_sym_constrain_range_for_size": [
        lambda: (5, 2, 9, _TOKEN()),
        lambda: (5, 6, 9, _TOKEN()),
        lambda: (5, None, None, _TOKEN()),
    ],
    "_functional_assert_scalar": [
        lambda: (1, "no", _TOKEN()),
        lambda: (0, "no", _TOKEN()),
        lambda: (0.0, "", _TOKEN()),
    ],
    "_functional_assert_async.msg": [
        lambda: (np.array([True]), "no", _TOKEN()),
        lambda: (np.array(0), "no", _TOKEN()),
    ],
    "_lazy_clone": [lambda: (_X(),)],
    "_neg_view_copy": [
        lambda: (_X(),),
        lambda: (array((2, 3), "int64").T,),
        lambda: (array((2, 3), "complex64"),),
    ],
    "_new_zeros_with_same_feature_meta": [
        lambda: (_X(), array((2,), "float64"), 0),
        lambda: (_X(), array((2,)), 1),
    ],
    "_rowwise_prune": [
        lambda: (_X(), np.array([True, False, True]), 3),
        lambda: (_X(), np.array([False, True, True]), 4),
        lambda: (_X(), np.array([True, True]), 3),
        lambda: (_X(), np.array([True, False, True]), 6),
    ],
}
