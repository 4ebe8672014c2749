"""Kernels for operators on few elements that linalg has no form for: Note [Operators that are called often] in ops/eager/often.py.

Their code is the runtime's own (`row_ir.py`), so that nothing is compiled for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import inf
from typing import Any, NamedTuple, cast

from torchscript_dialect.backend import (
    KernelSpec,
    MachineCode,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.kernels.handwritten import batch_ir, nll_ir, row_ir
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import native_or_nothing, nothing
from torchscript_dialect.runtime.kernels.handwritten.row_ir import ANY, CHOSEN, LAST, SORTED, WHOLE
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel, load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor


class _Form(NamedTuple):
    """A kernel for one operand: its name, what its rows are, and the results, of rows without their dimension or as long as wanted."""

    name: str
    row: str
    dtypes: tuple[str, ...]
    keeps: tuple[Any, ...] | None = ()
    """The last size of results; None where results have no sizes."""


def row_kernel(operator: Operator, operands: Sequence[Any]) -> RuntimeKernel | None:
    """The kernel of an operator for operands like these; None where there is none.

    Raises:
        NativeUnavailable: this interpreter allows no native code.
    """
    x, *rest = operands
    if operator.qualified_name in OF_TWO:
        return OF_TWO[operator.qualified_name](*operands)
    if x.__class__ is not Tensor or not 1 <= x.array.ndim <= row_ir.MAX_RANK:
        return None
    form = FORMS[operator.qualified_name](x.dtype.name, x.array.ndim, *rest)
    return None if form is None else _kernel(form, x.dtype.name, x.array.ndim)


def _kernel(form: _Form, dtype: str, rank: int) -> RuntimeKernel:
    sizes = tuple(Sym(row_ir.FIRST_SIZE + place) for place in range(rank))
    wanted = (ScalarInput("int", Sym(row_ir.WANTED)),) if form.row == CHOSEN else ()
    shape = () if form.keeps is None else (*sizes[:-1], *form.keeps)
    spec = KernelSpec(
        inputs=(TensorInput(dtype, sizes), *wanted),
        outputs=tuple(TensorOutput(one, shape) for one in form.dtypes),
        num_syms=row_ir.FIRST_SIZE + rank,
        total=() if form.row == WHOLE else sizes[:-1],
        returns_tuple=len(form.dtypes) > 1,
        work=sizes if form.row == ANY else None,
    )
    if form.row != ANY:
        spec = spec._replace(release_gil_ns=inf, parallel_ns=inf)
    code = _code()
    addresses = code.address(form.name), code.address(f"small_{form.row}_{rank}")
    return RuntimeKernel(spec, MachineCode(*addresses, code))


def sorted_rows(x: Tensor) -> tuple[Tensor, Tensor] | None:
    """The elements of the last dimension in order, and where they stood; None where no kernel does it."""
    return _sorting(x.dtype.name, x.array.ndim)(x)


def longest_runs(x: Tensor, order: Tensor) -> tuple[Tensor, Tensor] | None:
    """Of the last dimension, in which elements are in order, one that is there most often, and what stands beside the last of these."""
    return _runs(x.dtype.name, x.array.ndim)(x, order)


@lru_cache(maxsize=64)
def _sorting(dtype: str, rank: int) -> Callable[..., Any]:
    form = _sorted(dtype, rank, -1, False) if 1 <= rank <= row_ir.MAX_RANK else None
    return nothing if form is None else native_or_nothing(lambda: _kernel(form, dtype, rank))


@lru_cache(maxsize=64)
def _runs(dtype: str, rank: int) -> Callable[..., Any]:
    if dtype not in row_ir.TYPES or not 1 <= rank <= row_ir.MAX_RANK:
        return nothing
    form = _Form(f"run_{dtype}", LAST, (dtype, "int64"))

    def make() -> RuntimeKernel:
        spec, code = _kernel(form, dtype, rank)
        order = TensorInput("int64", cast("TensorInput", spec.inputs[0]).shape)
        return RuntimeKernel(spec._replace(inputs=(*spec.inputs, order)), code)

    return native_or_nothing(make)


@cache
def _code() -> LoadedCode:
    return load_runtime_code("rows", row_ir.row_ir, functions=row_ir.functions())


def _copy(x: Any, source: Any, *_: object) -> RuntimeKernel | None:
    """What writes elements over others: of a tensor of the same dtype and sizes, both contiguous."""
    if x.__class__ is not Tensor or source.__class__ is not Tensor:
        return None
    array, other = x.array, source.array
    is_plain = array.dtype is other.dtype and array.dtype.metadata is None
    if not is_plain or array.shape != other.shape or array.itemsize not in COPIED:
        return None
    sizes = tuple(map(Sym, range(array.ndim)))
    given = TensorInput(x.dtype.name, sizes)
    made = (TensorOutput(x.dtype.name, sizes),)
    cost = array.itemsize * BYTE_NS
    spec = KernelSpec((given, given), made, len(sizes), sizes, cost_ns=cost)
    return RuntimeKernel(spec, MachineCode(_code().address(f"copy_{array.itemsize}"), 0, _code()))


def _product(x: Any, y: Any) -> RuntimeKernel | None:
    """What multiplies batches of small matrices of one float dtype."""
    if x.__class__ is not Tensor or y.__class__ is not Tensor:
        return None
    dtype, ranks = x.dtype.name, (x.array.ndim, y.array.ndim)
    if ranks != (3, 3) or dtype not in batch_ir.TYPES or y.dtype is not x.dtype:
        return None
    batch, rows, depth, columns = map(Sym, range(4))
    spec = KernelSpec(
        inputs=(
            TensorInput(dtype, (batch, rows, depth)),
            TensorInput(dtype, (batch, depth, columns)),
        ),
        outputs=(TensorOutput(dtype, (batch, rows, columns)),),
        num_syms=4,
        total=(batch,),
        release_gil_ns=inf,
        parallel_ns=inf,
    )
    code = _batches()
    addresses = code.address(f"product_{dtype}"), code.address("fits")
    return RuntimeKernel(spec, MachineCode(*addresses, code))


@cache
def _batches() -> LoadedCode:
    return load_runtime_code("batches", batch_ir.batch_ir, functions=batch_ir.functions())


def _likelihood(
    x: Any, target: Any, weight: Any, reduction: int, ignored: int
) -> RuntimeKernel | None:
    """The loss of rows of classes, none of which is ignored."""
    if x.__class__ is not Tensor or target.__class__ is not Tensor:
        return None
    dtype, ranks = x.dtype.name, (x.array.ndim, target.array.ndim)
    if ranks != (2, 1) or dtype not in nll_ir.TYPES or target.dtype.name != "int64":
        return None
    if ignored >= 0 or reduction not in range(len(nll_ir.REDUCTIONS)):
        return None
    rows, classes = Sym(nll_ir.ROWS), Sym(nll_ir.CLASSES)
    shape = () if reduction else (rows,)
    weights = () if weight is None else (TensorInput(dtype, (classes,)),)
    spec = KernelSpec(
        inputs=(TensorInput(dtype, (rows, classes)), TensorInput("int64", (rows,)), *weights),
        outputs=(TensorOutput(dtype, shape),),
        num_syms=2,
        total=shape,
        release_gil_ns=inf,
        parallel_ns=inf,
    )
    code = _likelihoods()
    name = f"{nll_ir.KINDS[len(weights)]}_{nll_ir.REDUCTIONS[reduction]}_{dtype}"
    return RuntimeKernel(spec, MachineCode(code.address(name), code.address(nll_ir.SIZES), code))


@cache
def _likelihoods() -> LoadedCode:
    return load_runtime_code("likelihoods", nll_ir.nll_ir, functions=nll_ir.FUNCTIONS)


OF_TWO: dict[str, Callable[..., RuntimeKernel | None]] = {
    "aten::copy_": _copy,
    "aten::bmm": _product,
    "aten::nll_loss_nd": _likelihood,
}
"""By operator: what there is for two tensors and the operands after them."""
COPIED = (1, 2, 4, 8, 16)
"""Bytes of elements that are copied."""
BYTE_NS = 0.05


def _is_last(dim: Any, rank: int) -> bool:
    return dim.__class__ is int and dim in (-1, rank - 1)


def _extremes(name: str) -> Callable[..., _Form | None]:
    def form(dtype: str, rank: int, dim: Any, keepdim: bool) -> _Form | None:
        if dtype not in row_ir.TYPES or not _is_last(dim, rank):
            return None
        return _Form(f"extreme_{name}_{dtype}", LAST, (dtype, "int64"), (1,) if keepdim else ())

    return form


def _places(name: str) -> Callable[..., _Form | None]:
    def form(dtype: str, rank: int, dim: Any, keepdim: bool) -> _Form | None:
        if dtype not in row_ir.TYPES or not _is_last(dim, rank):
            return None
        return _Form(f"place_{name}_{dtype}", LAST, ("int64",), (1,) if keepdim else ())

    return form


def _top(dtype: str, rank: int, k: Any, dim: Any, largest: bool, _: bool) -> _Form | None:
    if dtype not in row_ir.TYPES or not _is_last(dim, rank):
        return None
    name = f"ordered_{'max' if largest else 'min'}_{dtype}"
    return _Form(name, CHOSEN, (dtype, "int64"), (Sym(row_ir.WANTED),))


def _sorted(dtype: str, rank: int, dim: Any, descending: bool) -> _Form | None:
    if dtype not in row_ir.TYPES or not _is_last(dim, rank):
        return None
    name = f"ordered_{'max' if descending else 'min'}_{dtype}"
    return _Form(name, SORTED, (dtype, "int64"), (Sym(row_ir.LENGTH),))


def _running(name: str) -> Callable[..., _Form | None]:
    def form(dtype: str, rank: int, dim: Any, wanted: Any) -> _Form | None:
        if dtype not in row_ir.TYPES or not _is_last(dim, rank) or wanted is not None:
            return None
        of = "int64" if dtype.startswith("int") else dtype
        return _Form(f"{name}_{dtype}", ANY, (of,), (Sym(row_ir.LENGTH),))

    return form


def _running_extreme(name: str) -> Callable[..., _Form | None]:
    def form(dtype: str, rank: int, dim: Any) -> _Form | None:
        if dtype not in row_ir.TYPES or not _is_last(dim, rank):
            return None
        return _Form(f"running_{name}_{dtype}", ANY, (dtype, "int64"), (Sym(row_ir.LENGTH),))

    return form


def _truth(name: str) -> Callable[..., _Form | None]:
    def form(dtype: str, _: int) -> _Form | None:
        return _Form(name, WHOLE, ("bool",), None) if dtype == "bool" else None

    return form


FORMS: dict[str, Callable[..., _Form | None]] = {
    "aten::max.dim": _extremes("max"),
    "aten::min.dim": _extremes("min"),
    "aten::argmax": _places("max"),
    "aten::argmin": _places("min"),
    "aten::topk": _top,
    "aten::sort": _sorted,
    "aten::cumsum": _running("sum"),
    "aten::cumprod": _running("product"),
    "aten::cummax": _running_extreme("max"),
    "aten::cummin": _running_extreme("min"),
    "aten::any": _truth("any"),
    "aten::all": _truth("all"),
}
"""By operator: what there is for a dtype, a rank and the operands after the first."""
