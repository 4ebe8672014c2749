"""Kernels of a whole function for sizes that its first kernel does not take.

Note [Kernels for other sizes]
The kernel that is a whole function takes calls of other sizes than those it was made for, but not all for which its plan is: a
depthwise convolution has its channels for constants, and what the disk has for a function was made for the sizes of another process.
A call that the kernel refuses is interpreted. As many of them as a plan has runs before it compiles are let pass; the next that ends
without an error is compiled for its sizes, and the native callable has one kernel more. Where the new kernel is an old one, the
arguments are refused for something else, and the plan has all the kernels that it will have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakMethod

MOST_KERNELS = 4
"""Kernels of one plan. Each call that none takes asks all of them."""


class OtherSizes:
    """Runs the calls that the last kernel of a plan refused: see Note [Kernels for other sizes]."""

    def __init__(
        self,
        interpreted: Callable[..., Any],
        runs_before: int,
        add_kernel_for: Callable[[Sequence[Any]], bool],
    ) -> None:
        self.interpreted = interpreted
        self.left = runs_before
        self.add_kernel_for = WeakMethod(add_kernel_for)
        """A method of the plan, whether it could add one; the plan has this object."""
        self.may_compile = True

    def __call__(self, *args: Any) -> Any:
        result = self.interpreted(*args)
        if self.left > 0:
            self.left -= 1
        elif self.may_compile:
            add = self.add_kernel_for()
            self.may_compile = add is not None and add(args)
        return result
