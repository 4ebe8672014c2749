"""How much is tested of what takes long: a sample in the suite, all where the environment asks for it."""

import os

IS_LONG = os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS") == "1"
"""Whether all is wanted that the suite takes samples of; hours."""


def program_count(usual: int) -> int:
    """How many random programs are made: `usual`, or as many as TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS says."""
    return int(os.environ.get("TORCHSCRIPT_DIALECT_RANDOM_PROGRAMS", usual))
