"""Operators that Python code calls often.

Note [Operators that are called often]
NumPy takes a microsecond to begin, for every step of an operator. One that has a lowering, and that was called `OFTEN` times with
arguments of the same classes, gets a kernel that was compiled from its declaration, as compiled functions have: to call that takes as
long for many steps as for one. A pointwise operator in place has the kernel of its functional form, whose result is written over the
operand (`native/table.py`); the native entry sees that no other operand shares memory with it. What gives views has a native program,
which is made of its kernel without a compiler (Note [Traced views] in runtime/kernels/traced_views.py); a few operators of rows, and
those that read at places which a tensor names, have handwritten kernels (`OF_ROWS`). A call for many elements counts as several, one
more for each `ELEMENTS` of them, and one of a pointwise operator that is recorded only for these: few elements of many kinds go ways
that remember the last kind. The number of calls alone decides, whether the disk has the kernel or not, so that what a program computes
does not depend on what ran before. Whoever calls nothing often does not import the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from math import inf
from typing import Any, NamedTuple

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.large import suits
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.tensor import Tensor

OFTEN = 1 << 13
"""Calls that take about as much longer than those of a kernel as its compilation takes."""

ELEMENTS = 1 << 10
"""Elements that NumPy computes in the time that it takes to begin."""

OFTEN_IN_PROGRAMS = 1 << 8
"""Calls, from one place of a compiled function, of what nothing is compiled for: what runs it was loaded for the function itself."""

OF_ROWS = frozenset(
    f"aten::{name}"
    for name in (
        "max.dim min.dim argmax argmin topk sort cumsum cumprod cummax cummin any all copy_ bmm nll_loss_nd"
        " index.Tensor index_select gather embedding"
    ).split()
)
"""Operators with handwritten kernels for few elements or places (`FORMS` in kernels/handwritten/row_kernels.py, place_kernels.py)."""

COMPILED = "torchscript_dialect.runtime.kernels.small_kernels"
VIEWS = "torchscript_dialect.runtime.kernels.native_views"
"""Where kernels are compiled, and programs of views made: several layers below."""

FACTORIES = frozenset(f"aten::{name}" for name in "zeros ones full".split())
"""Operators without tensors that have kernels: each is for the numbers that a call gives."""

CONVERSION = "aten::to.dtype"
"""It has kernels where the dtype is another one; elsewhere it gives the tensor itself."""

OTHERS = OF_ROWS | FACTORIES | {CONVERSION}
"""Operators with kernels for few elements that have none for many."""

Use = Callable[[Callable[..., Any], bool], None]
"""Takes what runs later calls, and whether it is given the operands that are defaults."""


class CompiledForm(NamedTuple):
    """The operator that kernels are compiled of, and whether they write over the first operand."""

    operator: Operator
    in_place: bool


class OfLength(NamedTuple):
    """What runs an operator of a list: `run` takes the items of one that has so many, for these constants behind it."""

    length: int
    constants: tuple[Any, ...]
    run: Callable[..., Any]

    def suits(self, length: int, constants: Sequence[Any]) -> bool:
        """Whether it takes the items of a list that is so long, with such constants."""
        return self.length == length and self.constants == tuple(constants)


def compiled_form(operator: Operator) -> CompiledForm | None:
    """What is compiled for an operator; None for one that gets no kernels. A pointwise operator in place is its functional form, whose
    kernel reads every element once, before it writes it.
    """
    if suits(operator) or operator.qualified_name in OTHERS:
        return CompiledForm(operator, operator.schema.is_mutable)
    functional = registry.functional_form(operator)
    if functional is None or functional.rules.pointwise is None or not suits(functional):
        return None
    return CompiledForm(functional, True)


def counted_view(
    kernel: Callable[..., Any], often: int, use: Callable[[Callable[..., Any]], None]
) -> Callable[..., Any]:
    """A kernel of views that counts its calls; `use` is told what to call after so many."""
    left = often

    def run(*operands: Any) -> Any:
        nonlocal left
        left -= 1
        if not left:
            left = often
            native = import_module(VIEWS).native_views(kernel, operands)
            if native is not None:
                use(native)
        return kernel(*operands)

    return run


def _compiled(
    form: CompiledForm,
    kernel: Callable[..., Any],
    operands: tuple[Any, ...],
    often: int,
    defaults: int = 0,
) -> tuple[Callable[..., Any], bool]:
    """What runs later calls with operands like these, of which so many are defaults, and whether it takes the defaults, too: kernels,
    or `kernel` where there are none.
    """
    compiler = import_module(COMPILED)
    small = compiler.small_kernels(form.operator, kernel, operands, often, form.in_place)
    if small is None:
        return kernel, True
    if small.inputs != len(operands) - defaults:
        return small, True
    return small.native_for(operands[small.inputs :]), False


class Counted:
    """What runs an operator that is called from one place: `run`. Who calls it takes from `left` what a call counts for, and has it
    `look` for a kernel for operands like these once that is below 0.
    """

    __slots__ = ("form", "left", "run")

    def __init__(self, form: CompiledForm, kernel: Callable[..., Any]) -> None:
        self.form = form
        self.run = kernel
        self.left: float = OFTEN

    def look(self, *operands: Any) -> None:
        """Let a kernel run later calls, if there is one."""
        self.left = OFTEN
        if import_module(COMPILED).may_compile():
            self.left = inf
            self.run, _ = _compiled(self.form, self.run, operands, OFTEN)


def counted_kernel(
    form: CompiledForm,
    kernel: Callable[..., Any],
    defaults: int,
    use: Use,
    often: int | None = None,
    counts: Callable[[], bool] | None = None,
) -> Callable[..., Any]:
    """A kernel that counts its calls, of whose operands so many are defaults; `use` is told what to call after so many, or `OFTEN`.
    Where not all calls are for what is made, `counts` says which.
    """
    often = often or OFTEN
    left = often

    def run(*operands: Any) -> Any:
        nonlocal left
        if counts is not None and not counts():
            return kernel(*operands)
        first = operands[0]
        left -= 1 + (first.array.size // ELEMENTS if first.__class__ is Tensor else 0)
        if left > 0:
            return kernel(*operands)
        if not import_module(COMPILED).may_compile():
            left = often
            return kernel(*operands)
        use(*_compiled(form, kernel, operands, often, defaults))
        return kernel(*operands)

    return run
