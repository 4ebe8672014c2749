"""What a code generator hands to the runtime: kernels that are compiled, and descriptions of them.

Note [Backends]
A `Backend` is one way from fusion groups to running code, for one device. Fusion asks it which ops groups may hold; its `compile`
makes an `Executable` of a module with one function of TorchScript, and `load` one of what another process serialized. A call is two
steps: `bind` checks the arguments against the kernel's `KernelSpec`, and `launch` runs it. An executable with machine code for this
process tells where that is (`code`), and the native entry does both steps by itself. Nothing else of the project knows what a backend
does within: a new one is a class and a line in `BACKENDS`.

Note [Kernels]
A kernel of machine code is `void kernel(ptr* buffers, i64* syms, i64 begin, i64 end)`. `buffers` holds the data
pointers of the tensor inputs in order, then those of the outputs, then, where the kernel wants one,
that of a scratch buffer, which starts at a cache line and which all chunks of a call share. `syms`
holds symbolic sizes and strides (in elements) and the scalar inputs: int and bool as i64, float as
the bits of a double. `[begin, end)` is a chunk of the kernel's parallel range. One kernel serves
every size that fits its `KernelSpec`.

Beside the kernel there may be `i1 sizes(i64* syms, void** buffers)`: it computes derived symbols from
the bound ones and returns 0 where a constraint between them fails, so that the next specialization, or
the slow path, takes the call. It may read the arguments: a place may be out of range. Results are not
there yet.

The descriptions are named tuples because making a dataclass takes ten times as long, and every
process pays for it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from threading import local
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

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
    """A fresh tensor without gaps; its symbols are bound by the inputs or computed by `sizes`. It is C-contiguous, or has its
    dimensions in another `order` in memory, from the one with the largest stride on.
    """

    dtype: str
    shape: tuple[Dim, ...]
    order: tuple[int, ...] | None = None


class KernelSpec(NamedTuple):
    """The calls that a compiled kernel serves and what it returns.

    `total` is the parallel range: the product of its dimensions (an empty tuple is 1). Chunks start
    at multiples of `grain` and the last may be shorter. `work` is what there is to do in all, again
    a product; None means `total`. A unit of it takes `cost_ns` nanoseconds, and the units spread
    evenly over the range: that decides about threads and the GIL. `scratch` is the symbol that
    holds how many bytes of scratch memory a call needs, 0 for none at all. `stage` is that which tells a
    kernel of a device what to do: 0 where `total` is 1. A longer range is done in stage after stage,
    from 1 to `stages`. `threads` is that which says how many threads a block of a device has, where that
    is not always the same.
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
    stage: Sym | None = None
    stages: int = 1
    threads: Sym | None = None


class Grid(NamedTuple):
    """How a kernel of a device is launched: how many of its range a block does, how many threads it has, and what raises the error for
    the number that a driver gives who refuses.
    """

    each: int
    threads: int
    failed: Callable[[int], object]


class MachineCode(NamedTuple):
    """The addresses of a kernel and of its `sizes` function, 0 where it has none; and what has to live as long as they may run. With a
    `grid` the kernel is a device's, and its address the driver's number of it.
    """

    kernel: int
    sizes: int
    owner: object
    grid: Grid | None = None


class Bindings(NamedTuple):
    """One call of a kernel: the arrays that go to `buffers`, those of the results last, the words of `syms`, and the results."""

    arrays: tuple[Any, ...]
    syms: array[int]
    results: tuple[Tensor, ...]
    prepared: Any = None
    """What the executable keeps for calls of one layout."""

    @property
    def made(self) -> tuple[Any, ...]:
        """The arrays of the results, whose dimensions are in the order of memory."""
        return self.arrays[len(self.arrays) - len(self.results) :]


class Executable(Protocol):
    """A compiled kernel, on its device. See Note [Backends]."""

    @property
    def device(self) -> str:
        """Where the kernel runs, as tensors spell it."""
        ...

    @property
    def spec(self) -> KernelSpec:
        """The calls that it serves."""
        ...

    @property
    def code(self) -> MachineCode | None:
        """What the native entry can call; None where `bind` and `launch` are the only way."""
        ...

    def bind(self, arguments: Sequence[Any]) -> Bindings | None:
        """A call with these arguments, its results allocated; None where the kernel does not serve them."""
        ...

    def launch(self, call: Bindings) -> Tensor | tuple[Tensor, ...]:
        """Run the kernel; what the call returns."""
        ...

    def serialize(self) -> bytes | None:
        """What `Backend.load` makes the executable of in another process; None where it is of use in this one only."""
        ...


class NotCompilable(Exception):
    """A backend has no code for a group, or an exporter no form for a function; the message names what stands in the way, and `op` is
    where it stands, where one op is to blame.
    """

    def __init__(self, message: str, op: Operation | None = None) -> None:
        super().__init__(message)
        self.op = op


def executable_of(outcome: Executable | NotCompilable) -> Executable:
    """The executable.

    Raises:
        NotCompilable: there is none. It is another one than the outcome, which would keep the frames that it goes through, and they it.
    """
    if isinstance(outcome, NotCompilable):
        raise NotCompilable(str(outcome))
    return outcome


class Recurrence(NamedTuple):
    """All steps of a recurrent layer: of which kind of network (Note [Recurrent steps] in ops/recurrent/recurrent_steps.py), of which
    numbers, and in which direction. What it takes and gives is told in lowering/loops/recurrence.py.
    """

    mode: int
    dtype: str
    goes_back: bool = False
    saves: bool = False
    """Whether a kernel forward gives what the way back reads."""
    few: bool = False
    """Whether a kernel forward is for few sequences, at most `FEW` of recurrent_steps.py."""


class Backend(Protocol):
    """A code generator, and the device that it is for. See Note [Backends]."""

    device: str
    """Where kernels run, as tensors spell it."""
    ops: Container[type[Operation]]
    """The classes of the ops that groups for this backend may hold, if the operands suit."""

    def can_lower(self, op: Operation) -> bool | None:
        """Whether a node may stand in a fusion group: it is one of `ops`, and its operands suit. None where that follows from no
        more than the types of tensors, which are not known.
        """
        ...

    def can_compute(self, op: Operation) -> bool:
        """Whether a node that gives numbers, of numbers and lists of them, may stand in a loop that becomes native."""
        return False

    def is_view(self, op: Operation) -> bool:
        """Whether the results of a node in a group are views of its operand: such nodes alone are not worth a kernel."""
        ...

    def vanishes(self, op: Operation) -> bool:
        """Whether what a node gives is nothing that a kernel can be given: a group that takes it from outside makes it once more."""
        return False

    def pays_alone(self, op: Operation) -> bool:
        """Whether the kernel of a node that `can_lower` takes is worth having where no other node of its group computes."""
        return True

    def pays_at_once(self, op: Operation) -> bool:
        """Whether the kernel of such a node alone saves in a few calls what its compilation takes."""
        return False

    def updates(self, op: Operation) -> Sequence[SSAValue]:
        """The operands that a node which `can_lower` takes writes to besides what it gives, where these come from outside of the group:
        the group gives what becomes of them.
        """
        return ()

    def cut(self, nodes: Sequence[Operation]) -> Sequence[Sequence[Operation]]:
        """Nodes that one group may hold, in their order, as pieces that become groups of their own: where one kernel of all would be
        slower, or compile more slowly.
        """
        return (nodes,)

    def target(self) -> str:
        """What code is made for, beside the processor of this machine: kernels are kept under it, too."""
        return ""

    def compile(self, module: ModuleOp, lists: Lists) -> Executable:
        """The kernel of a module's one function, whose tensor arguments have complete types, made by the passes of the backend's own
        pipelines as `lists` has them. The module is consumed.

        NotCompilable where the function holds what the backend has no code for.
        """
        ...

    def compile_all(
        self, modules: Sequence[ModuleOp], lists: Lists
    ) -> list[Executable | NotCompilable]:
        """What `compile` gives or raises for each of the modules; a backend may go about them at once."""

        def outcome(module: ModuleOp) -> Executable | NotCompilable:
            try:
                return self.compile(module, lists)
            except NotCompilable as error:
                return error

        return list(map(outcome, modules))

    def recurrence(self, which: Recurrence, lists: Lists) -> Executable:
        """The kernel of a recurrence, made by the passes that `lists` has.

        NotCompilable where the backend has none.
        """
        raise NotCompilable(f"there are no recurrences for {self.device}")

    def load(self, data: bytes) -> Executable:
        """The executable that `serialize` made these bytes of, perhaps in another process.

        ValueError where they are damaged, or for another machine.
        """
        ...


BACKENDS = {"llvm": "lowering.backend:LLVM", "ptx": "lowering.ptx.backend:PTX"}
"""Where each backend is, by the name that `ts.fuser` takes."""
LOWERING = ("linalg-to-llvm", "linalg-to-ptx", "loops-to-llvm", "scalars-to-llvm")
"""The pipelines of all backends: what they make depends on them."""


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


class _Fusing(local):
    device: str = "cpu"


_fusing = _Fusing()
ON_DEVICE = {"cuda": "ptx"}
"""The backends of programs whose arguments are on a device, by its kind."""


@contextmanager
def fusing_on(device: str) -> Generator[None]:
    """Let this thread fuse what is on a kind of device, by the backend for that: `cpu` is that of `ts.fuser`."""
    before, _fusing.device = _fusing.device, device
    try:
        yield
    finally:
        _fusing.device = before


def fusing_device() -> str:
    """The kind of device that groups are made for."""
    return _fusing.device


def fusing_backend() -> Backend:
    """The backend that says what groups may hold: the one of `ts.fuser`, or the last one where that is `none`; on a device its own."""
    return get_backend(ON_DEVICE.get(_fusing.device, _Chosen.name))


EXPORTERS = {
    "linalg": "lowering.export.function:to_linalg",
    "memref": "lowering.export.bufferize:to_memrefs",
}
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
