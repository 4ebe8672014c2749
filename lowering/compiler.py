"""The way of the `llvm` backend: functions of TorchScript to linalg, to LLVM IR, to objects, to kernels that are linked.

Note [Two processors]
LLVM runs without the interpreter's lock. Where there are several modules, a thread makes objects of those that are LLVM IR already,
while this one brings the next ones there. There is one such thread, as llvmlite lets in one at a time: with two of them, LLVM takes
as long for eight kernels as with one. It ends before `compile_modules` returns, which is called under the lock of compilations: no
process forks meanwhile. It ends, too, before a compilation in the background gives way to who waits for that lock.

Note [Equal kernels]
Sizes of kernels are symbols, so groups that differ in their sizes alone, as the layers of a network do, have one kernel: after the
conversion to linalg, the text of the first and of those like it is the same. It is lowered once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lowering.kernel import LoweringError
from lowering.kernel_spec import spec_of
from lowering.linalg.convert_torch_to_linalg import Kernel, convert_function
from lowering.loops.recurrence import recurrence_kernel
from lowering.pipelines import Compiled, compile_module
from lowering.scf.convert_scalars_to_scf import convert_function as convert_loop
from lowering.scf.convert_scalars_to_scf import is_loop
from torchscript_dialect.backend import Executable, NotCompilable, Recurrence
from torchscript_dialect.ir.edit import release
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.native.blob import LinkError
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.utils.background import checkpoint, without_giving_way
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.startup import formats_deferred

Outcome = Executable | NotCompilable
Lowered = tuple[Kernel, Compiled] | NotCompilable


def compile_modules(modules: Sequence[ModuleOp], lists: PassLists) -> list[Outcome]:
    """See `torchscript_dialect.backend.Backend`. The modules are consumed."""
    with without_collection(), formats_deferred():
        if len(modules) == 1:
            return [_finished(_lowered(_converted(module), lists)) for module in modules]
        return _Compilation(modules, lists).run()


def compile_recurrence(which: Recurrence, lists: PassLists) -> Outcome:
    """See `torchscript_dialect.backend.Backend.recurrence`."""
    with without_collection(), formats_deferred():
        return _finished(_lowered(recurrence_kernel(which), lists))


class _Compilation:
    """See Note [Two processors] and Note [Equal kernels]."""

    def __init__(self, modules: Sequence[ModuleOp], lists: PassLists) -> None:
        self.modules = modules
        self.lists = lists
        self.outcomes: list[Outcome | BaseException] = []
        kinds = [_kinds(module) for module in modules]
        counts = Counter(kinds)
        self.may_repeat = [counts[one] > 1 for one in kinds]
        self.places: dict[object, int] = {}
        """Which module has a kernel like that, first."""

    def run(self) -> list[Outcome]:
        """What becomes of each of the modules."""
        while len(self.outcomes) < len(self.modules):
            checkpoint(f"kernel {len(self.outcomes) + 1} of {len(self.modules)}")
            with without_giving_way():
                self._go_on_until_wanted()
        return [_raised(outcome) for outcome in self.outcomes]

    def _go_on_until_wanted(self) -> None:
        """Compile the next module: all that are left, unless others want to compile meanwhile."""
        waiting: SimpleQueue[Lowered | int | None] = SimpleQueue()

        def finish() -> None:
            while (lowered := waiting.get()) is not None:
                try:
                    is_known = isinstance(lowered, int)
                    self.outcomes.append(self.outcomes[lowered] if is_known else _finished(lowered))
                except BaseException as error:
                    self.outcomes.append(error)

        thread = Thread(target=finish, name="llvm", daemon=True)
        thread.start()
        try:
            for number in range(len(self.outcomes), len(self.modules)):
                waiting.put(self._lowered(number))
                if compilation.is_wanted:
                    break
        finally:
            waiting.put(None)
            thread.join()

    def _lowered(self, number: int) -> Lowered | int:
        """A module as LLVM IR, or which one has the same kernel."""
        kernel = _converted(self.modules[number])
        if self.may_repeat[number] and not isinstance(kernel, NotCompilable):
            first = self.places.setdefault(_identity(kernel), number)
            if first != number:
                release(kernel.module)
                return first
        return _lowered(kernel, self.lists)


def _kinds(module: ModuleOp) -> tuple[type[Operation], ...]:
    """The classes of a function's ops: equal kernels have equal ones."""
    return tuple(type(op) for function in module.ops for op in function.regions[0].block.ops)


def _identity(kernel: Kernel) -> object:
    """What is equal for kernels that do the same; takes their arguments' names."""
    for op in kernel.module.ops:
        if isinstance(op, FuncOp):
            for argument in op.body.block.args:
                argument.name_hint = None
    return str(kernel.module), kernel.inputs, kernel.outputs, kernel.syms, kernel.returns_tuple


def _raised(outcome: Outcome | BaseException) -> Outcome:
    if isinstance(outcome, BaseException) and not isinstance(outcome, NotCompilable):
        raise outcome
    return outcome


def _converted(module: ModuleOp) -> Kernel | NotCompilable:
    try:
        return convert_loop(module) if is_loop(module) else convert_function(module)
    except LoweringError as error:
        return NotCompilable(str(error))


def _lowered(kernel: Kernel | NotCompilable, lists: PassLists) -> Lowered:
    if isinstance(kernel, NotCompilable):
        return kernel
    try:
        return kernel, compile_module(kernel.module, lists, name=kernel.pipeline)
    except LoweringError as error:
        return NotCompilable(str(error))


def _finished(lowered: Lowered) -> Outcome:
    if isinstance(lowered, NotCompilable):
        return lowered
    kernel, compiled = lowered
    entry = compiled.entry
    try:
        return NativeKernel.linked(
            spec_of(kernel, entry), entry.callee, entry.sizes is not None, compiled.objects
        )
    except (LoweringError, LinkError, ValueError) as error:
        return NotCompilable(str(error))
