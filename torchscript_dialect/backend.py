"""What a code generator hands to the runtime: plain descriptions of compiled kernels.

A kernel is `void kernel(ptr* buffers, i64* syms, i64 begin, i64 end)`. `buffers` holds the data
pointers of the tensor inputs in order, then those of the outputs, then, where the kernel wants one,
that of a scratch buffer, which starts at a cache line and which all chunks of a call share. `syms`
holds symbolic sizes and strides (in elements) and the scalar inputs: int and bool as i64, float as
the bits of a double. `[begin, end)` is a chunk of the kernel's parallel range. One kernel serves
every size that fits its `KernelSpec`.

Beside the kernel there may be `i1 sizes(i64* syms)`: it computes derived symbols from the bound
ones and returns 0 where a constraint between them fails, so that the next specialization, or the
slow path, takes the call.

The descriptions are named tuples because making a dataclass takes ten times as long, and every
process pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from torchscript_dialect.tensor.tensor import Tensor

Lists: TypeAlias = Any
"""A `torchscript_dialect.passes.lists.PassLists`, which stands below this file."""

ScalarKind: TypeAlias = Literal["int", "float", "bool"]


@dataclass(frozen=True, slots=True)
class Sym:
    """The entry `index` of a kernel's `syms`."""

    index: int


Dim: TypeAlias = int | Sym
"""A size or stride: a constant, or a symbol."""


class TensorInput(NamedTuple):
    """A tensor argument; its data pointer becomes the next entry of `buffers`.

    The first occurrence of a symbol binds it, later ones must be equal, constants must be equal.
    `strides` is None for a C-contiguous argument; otherwise it gives the strides in elements,
    constants of dimensions of size 0 and 1 unread.
    """

    dtype: str
    shape: tuple[Dim, ...]
    strides: tuple[Dim, ...] | None = None


class ScalarInput(NamedTuple):
    """A Python number of exactly the type `kind`, stored in `syms[sym.index]`."""

    kind: ScalarKind
    sym: Sym


class NoneInput(NamedTuple):
    """An argument that must be None; the kernel does not see it."""

    kind: Literal["none"] = "none"


Input: TypeAlias = TensorInput | ScalarInput | NoneInput


class TensorOutput(NamedTuple):
    """A fresh C-contiguous tensor; its symbols are bound by the inputs or computed by `sizes`."""

    dtype: str
    shape: tuple[Dim, ...]


class KernelSpec(NamedTuple):
    """The calls that a compiled kernel serves and what it returns.

    `total` is the parallel range: the product of its dimensions (an empty tuple is 1). Chunks start
    at multiples of `grain` and the last may be shorter. `work` is what there is to do in all, again
    a product; None means `total`. A unit of it takes `cost_ns` nanoseconds, and the units spread
    evenly over the range: that decides about threads and the GIL. `scratch` is the symbol that
    holds how many bytes of scratch memory a call needs, 0 for none at all.
    """

    inputs: tuple[Input, ...]
    outputs: tuple[TensorOutput, ...]
    num_syms: int
    total: tuple[Dim, ...]
    cost_ns: float = 1.0
    grain: int = 1
    returns_tuple: bool = False
    release_gil_ns: float = 50_000.0
    parallel_ns: float = 10_000.0
    work: tuple[Dim, ...] | None = None
    scratch: Sym | None = None


class CompiledKernel(NamedTuple):
    """A relocatable object with the kernel `name` and, where `has_sizes`, the function `sizes`."""

    spec: KernelSpec
    object: bytes
    name: str
    has_sizes: bool


class NotCompilable(Exception):
    """A backend has no code for a group, or an exporter no form for a function; the message names what stands in the way, and `op` is
    where it stands, where one op is to blame.
    """

    def __init__(self, message: str, op: Operation | None = None) -> None:
        super().__init__(message)
        self.op = op


class Backend(Protocol):
    """A code generator."""

    def can_lower(self, op: Operation) -> bool | None:
        """Whether a node may stand in a fusion group: there is code for its operator, and it suits these operands. None where
        that follows from no more than the types of tensors, which are not known.
        """
        ...

    def is_view(self, op: Operation) -> bool:
        """Whether the results of a node in a group are views of its operand: such nodes alone are not worth a kernel."""
        ...

    def compile(self, body: Block, lists: Lists) -> CompiledKernel:
        """The kernel of a fusion group's block, whose tensor arguments have complete types, made by the passes of its own
        pipelines as `lists` has them.

        NotCompilable where the block holds what the backend has no code for.
        """
        ...


BACKENDS = {"llvm": "lowering.backend:LLVM"}
"""Where each backend is, by the name that `ts.fuser` takes."""


@lru_cache(maxsize=16)
def get_backend(name: str) -> Backend:
    """The backend of that name, imported when it is first asked for.

    ValueError where there is none.
    """
    if name not in BACKENDS:
        raise ValueError(f"there is no fuser '{name}'; there are {', '.join(BACKENDS)} and none")
    module, _, attribute = BACKENDS[name].partition(":")
    backend: Backend = getattr(import_module(module), attribute)
    return backend


class _Chosen:
    name: ClassVar[str] = "llvm"


def choose_backend(name: str) -> None:
    """Let fusion ask the backend of that name from now on."""
    _Chosen.name = name


def fusing_backend() -> Backend:
    """The backend that says what groups may hold: the one of `ts.fuser`, or the last one where that is `none`."""
    return get_backend(_Chosen.name)


EXPORTERS = {"linalg": "lowering.export:to_linalg"}
"""Where the ways out to other compilers are."""


Dimensions: TypeAlias = Mapping[int, Collection[int]]
"""Dimensions of arguments, by the number of the argument."""

Exporter: TypeAlias = Callable[[Block, str, Mapping[int, Tensor], Dimensions], ModuleOp]
"""Makes a module of upstream dialects from the block of a function whose types are known and the name that the function gets. Then come
what is known of its arguments, by number, which becomes constants, and the dimensions whose sizes may be others than those of the
types. It raises NotCompilable where something in the block has no form there.
"""


@lru_cache(maxsize=16)
def get_exporter(name: str) -> Exporter:
    """The way out of that name."""
    module, function = EXPORTERS[name].split(":")
    exporter: Exporter = getattr(import_module(module), function)
    return exporter
