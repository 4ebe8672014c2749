"""Products of groups of matrices."""

import numpy as np

from samples.arrays import array

_ENDS = np.array([2, 2, 8], np.int32)

SAMPLES = {
    "_grouped_mm": [
        lambda: (array((8, 4)), array((3, 4, 8), seed="b"), _ENDS, None, None),
        lambda: (array((3, 5, 4)), array((3, 4, 8), seed="b"), None, None, None),
        lambda: (array((4, 8)), array((8, 4), seed="b"), _ENDS, None, None),
        lambda: (array((3, 8, 4)), array((4, 8), seed="b"), _ENDS, None, None),
    ],
}
