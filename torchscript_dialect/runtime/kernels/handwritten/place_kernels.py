"""Kernels for operators that read at places which a tensor names: Note [Operators that are called often] in ops/eager/often.py.

Their code is the runtime's own (`place_ir.py`), so that nothing is compiled for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from torchscript_dialect.backend import (
    Dim,
    KernelSpec,
    MachineCode,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels.handwritten import place_ir
from torchscript_dialect.runtime.kernels.kernels import add_kernel, plain
from torchscript_dialect.runtime.native.entry import (
    HAS_NATIVE_CALLS,
    NativeCallable,
    NativeUnavailable,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel, load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.memo import Memo

BYTE_NS = 0.05
PLACE_NS = 2.0


def _index(x: Tensor, places: Tensor) -> RuntimeKernel:
    return _of_rows("index", x, places, 0)


def _embedding(x: Tensor, places: Tensor, *_: object) -> RuntimeKernel | None:
    return _of_rows("embedding", x, places, 0) if x.array.ndim == 2 else None


def _index_select(x: Tensor, dim: int, places: Tensor) -> RuntimeKernel | None:
    return _of_rows("index_select", x, places, dim) if places.array.ndim == 1 else None


def _of_rows(operator: str, x: Tensor, places: Tensor, dim: int) -> RuntimeKernel:
    """Whole rows behind a dimension; `index_select` has an operand for that."""
    sizes, chosen = _sizes(x, places)
    before, after = sizes[:dim], sizes[dim + 1 :]
    is_given = operator == "index_select"
    rank = len(sizes)
    check = {
        "index": f"index_{rank}_{len(chosen)}",
        "embedding": f"embedding_{len(chosen)}",
        "index_select": f"index_select_{rank}_{dim}",
    }[operator]
    result = (*before, *chosen, *after)
    dims = (ScalarInput("int", Sym(place_ir.DIM)),) if is_given else ()
    spec = KernelSpec(
        inputs=(TensorInput(x.dtype.name, sizes), *dims, TensorInput("int64", chosen)),
        outputs=(TensorOutput(x.dtype.name, result),),
        num_syms=place_ir.FIRST_SIZE + rank + len(chosen),
        total=(*before, *chosen),
        work=result,
        cost_ns=x.array.itemsize * BYTE_NS,
    )
    return _kernel(spec, f"rows_{x.array.itemsize}", check)


def _gather(x: Tensor, dim: int, places: Tensor, *_: object) -> RuntimeKernel | None:
    if x.array.ndim != places.array.ndim:
        return None
    sizes, chosen = _sizes(x, places)
    spec = KernelSpec(
        inputs=(
            TensorInput(x.dtype.name, sizes),
            ScalarInput("int", Sym(place_ir.DIM)),
            TensorInput("int64", chosen),
        ),
        outputs=(TensorOutput(x.dtype.name, chosen),),
        num_syms=place_ir.FIRST_SIZE + 2 * len(sizes),
        total=chosen,
        cost_ns=PLACE_NS,
    )
    return _kernel(spec, f"gather_{x.array.itemsize}", f"gather_{len(sizes)}_{dim}")


FORMS: dict[str, Callable[..., RuntimeKernel | None]] = {
    "aten::index.Tensor": _index,
    "aten::index_select": _index_select,
    "aten::gather": _gather,
    "aten::embedding": _embedding,
}
"""By operator: what there is for operands like these, of which one may say which dimension; that of `index` is given its only index."""


def place_kernel(operator: str, operands: Sequence[Any]) -> RuntimeKernel | None:
    """The kernel of an operator for operands like these; None where there is none.

    Raises:
        NativeUnavailable: this interpreter allows no native code.
    """
    x, *rest = operands
    tensors = [one for one in operands if one.__class__ is Tensor]
    if x.__class__ is not Tensor or len(tensors) != 2:
        return None
    rank, places = x.array.ndim, tensors[1].array
    if places.dtype.kind != "i" or places.itemsize != 8 or x.array.itemsize not in place_ir.BYTES:
        return None
    if not 1 <= rank <= place_ir.MAX_RANK or not 1 <= places.ndim <= place_ir.MAX_RANK:
        return None
    if rest[0].__class__ is int:
        if not -rank <= rest[0] < rank:
            return None
        rest[0] %= rank
    elif places.ndim > place_ir.MAX_PLACES_RANK:
        return None
    return FORMS[operator](x, *rest)


class ManyPlaces:
    """An operator on many places: a kernel, which need not be compiled, for each dtype, rank and dimension."""

    def __init__(self, operator: str, kernel: Callable[..., Any]) -> None:
        """`kernel` runs what they do not."""
        self.operator = operator
        self.kernel = kernel
        self.found: Memo[tuple[Any, ...], NativeCallable] = Memo(64)

    def __call__(self, x: Tensor, dim: int, places: Tensor, *rest: Any) -> Any:
        """Run the operator."""
        if not HAS_NATIVE_CALLS or not settings.current().specializes:
            return self.kernel(x, dim, places, *rest)
        key = x.array.dtype, x.array.ndim, dim, places.array.dtype, places.array.ndim, *rest
        native = self.found.get(key)
        if native is None:
            native = self.found[key] = NativeCallable(
                lambda *operands: self.kernel(*operands, *rest)
            )
            with suppress(NativeUnavailable):
                made = place_kernel(self.operator, plain((x, dim, places)))
                if made is not None:
                    add_kernel(native, made)
        return native(x, dim, places)


def _sizes(x: Tensor, places: Tensor) -> tuple[tuple[Dim, ...], tuple[Dim, ...]]:
    """The symbols of the sizes of both."""
    first, second = x.array.ndim, places.array.ndim
    symbols = [Sym(place_ir.FIRST_SIZE + place) for place in range(first + second)]
    return tuple(symbols[:first]), tuple(symbols[first:])


def _kernel(spec: KernelSpec, name: str, check: str) -> RuntimeKernel:
    code = _code()
    return RuntimeKernel(spec, MachineCode(code.address(name), code.address(check), code))


@cache
def _code() -> LoadedCode:
    return load_runtime_code("places", place_ir.place_ir, functions=place_ir.functions())
