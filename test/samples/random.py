"""Operators whose results do not depend on the generator, and dropout outside of training."""

from samples.arrays import array

SAMPLES = {
    "dropout feature_dropout dropout_": [
        lambda: (array((2, 3)), 0.5, False),
        lambda: (array((2, 3)), 0.0, True),
        lambda: (array((2, 3)), 1.5, False),
    ],
}
