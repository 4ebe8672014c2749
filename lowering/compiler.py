"""The way of the `llvm` backend: functions of TorchScript to linalg, to LLVM IR, to objects, to kernels that are linked.

Note [Two processors]
LLVM runs without the interpreter's lock. Where there are several modules, a thread makes objects of those that are LLVM IR already,
while this one brings the next ones there. There is one such thread, as llvmlite lets in one at a time, and it ends before
`compile_modules` returns, which is called under the lock of compilations: no process forks meanwhile. It ends, too,
before a compilation in the background gives way to who waits for that lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread

from xdsl.dialects.builtin import ModuleOp

from lowering.dialects.kernel import EntryOp
from lowering.kernel import LoweringError
from lowering.linalg.convert_torch_to_linalg import Kernel, convert_function
from lowering.pipelines import Compiled, compile_module
from torchscript_dialect.backend import Executable, KernelSpec, NotCompilable, Sym
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.native.blob import LinkError
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.utils.background import checkpoint, without_giving_way
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.startup import formats_deferred

Outcome = Executable | NotCompilable


def compile_modules(modules: Sequence[ModuleOp], lists: PassLists) -> list[Outcome]:
    """See `torchscript_dialect.backend.Backend`. The modules are consumed."""
    with without_collection(), formats_deferred():
        if len(modules) == 1:
            return [_finished(_lowered(module, lists)) for module in modules]
        return _overlapped(modules, lists)


def _overlapped(modules: Sequence[ModuleOp], lists: PassLists) -> list[Outcome]:
    """See Note [Two processors]."""
    outcomes: list[Outcome] = []
    while len(outcomes) < len(modules):
        checkpoint(f"kernel {len(outcomes) + 1} of {len(modules)}")
        with without_giving_way():
            outcomes += _until_wanted(modules[len(outcomes) :], lists)
    return outcomes


def _until_wanted(modules: Sequence[ModuleOp], lists: PassLists) -> list[Outcome]:
    """What becomes of the first of the modules: of all, unless others want to compile meanwhile."""
    waiting: SimpleQueue[tuple[Kernel, Compiled] | NotCompilable | None] = SimpleQueue()
    outcomes: list[Outcome | BaseException] = []

    def finish() -> None:
        while (lowered := waiting.get()) is not None:
            try:
                outcomes.append(_finished(lowered))
            except BaseException as error:
                outcomes.append(error)

    thread = Thread(target=finish, name="llvm", daemon=True)
    thread.start()
    try:
        for module in modules:
            waiting.put(_lowered(module, lists))
            if compilation.is_wanted:
                break
    finally:
        waiting.put(None)
        thread.join()
    return [_raised(outcome) for outcome in outcomes]


def _raised(outcome: Outcome | BaseException) -> Outcome:
    if isinstance(outcome, BaseException) and not isinstance(outcome, NotCompilable):
        raise outcome
    return outcome


def _lowered(module: ModuleOp, lists: PassLists) -> tuple[Kernel, Compiled] | NotCompilable:
    try:
        kernel = convert_function(module)
        return kernel, compile_module(kernel.module, lists)
    except LoweringError as error:
        return NotCompilable(str(error))


def _finished(lowered: tuple[Kernel, Compiled] | NotCompilable) -> Outcome:
    if isinstance(lowered, NotCompilable):
        return lowered
    kernel, compiled = lowered
    entry = compiled.entry
    try:
        return NativeKernel.linked(
            spec_of(kernel, entry), entry.callee, entry.sizes is not None, compiled.object
        )
    except (LoweringError, LinkError, ValueError) as error:
        return NotCompilable(str(error))


def spec_of(kernel: Kernel, entry: EntryOp) -> KernelSpec:
    """How a kernel is described to the native entry."""
    return KernelSpec(
        inputs=kernel.inputs,
        outputs=kernel.outputs,
        num_syms=entry.number("words"),
        total=(Sym(entry.number("range")),),
        work=(Sym(entry.number("work")),),
        cost_ns=entry.number("cost") / 1000,
        grain=entry.number("grain"),
        returns_tuple=kernel.returns_tuple,
        scratch=None if entry.scratch is None else Sym(entry.number("scratch")),
    )
