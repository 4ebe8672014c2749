"""How many threads the blocks of a kernel have whose work they share already: an attribute of its function until it is a `gpu.func`."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.dialects.func import FuncOp

from lowering.shaped import i32_array

THREADS = 256
"""Of a block whose work does not ask for another number."""
KNOWN_BLOCK_SIZE = "gpu.known_block_size"
"""The attribute, by the name that it has in `gpu.func`."""


def set_block_size(function: FuncOp, threads: int) -> None:
    """Let blocks have so many threads."""
    function.attributes[KNOWN_BLOCK_SIZE] = i32_array((threads, 1, 1))


def known_block_size(function: FuncOp) -> int | None:
    """How many threads blocks have; None where it was not said."""
    found = function.attributes.get(KNOWN_BLOCK_SIZE)
    return int(found.get_values()[0]) if isinstance(found, DenseArrayBase) else None
