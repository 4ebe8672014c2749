"""What `ts-opt -t` prints besides MLIR text."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.target import Target

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.serialization.drawing.dot import print_dot
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.serialization.python_printer import PythonPrinter
from torchscript_dialect.utils.errors import PassError, TorchScriptError, told


def _functions(module: ModuleOp, target: str) -> list[FuncOp]:
    """The functions of a module of TorchScript graphs."""
    functions = functions_of(module)
    for function in functions:
        for op in function.body.walk():
            if not isinstance(op, TorchScriptOp) and op.name != "func.return":
                raise PassError(
                    f"-t {target} prints TorchScript graphs, and @{function.sym_name.data} holds"
                    f" '{op.name}', which is no node of one"
                )
    return functions


@dataclass(frozen=True)
class TorchScriptTarget(Target):
    """Canonical graph text. A function not called `forward` prints its name after `graph`."""

    name = "torchscript"
    locations: bool = True

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        for function in _functions(module, self.name):
            name = function.sym_name.data
            shown = None if name == "forward" else name
            output.write(print_graph(function, name=shown, locations=self.locations))


@dataclass(frozen=True)
class PythonTarget(Target):
    """Python code, as `f.code` shows it, of every function; of a whole module, classes that run without a compiler."""

    name = "python"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if any(isinstance(op, prim.ModuleOp) for op in module.ops):
            output.write(_source(module))
            return
        printer = PythonPrinter()
        for function in _functions(module, self.name):
            try:
                printer.print_function(function)
            except TorchScriptError as error:
                raise PassError(str(error)) from None
        output.write(printer.text)


def _source(module: ModuleOp) -> str:
    """The source of a module that stands there whole.

    Raises:
        PassError: something in it has none.
    """
    whole = import_module("torchscript_dialect.api.module_from_ir").module_from_ir(module.clone())
    try:
        return import_module("torchscript_dialect.api.module_source").module_source(whole)
    except TorchScriptError as error:
        raise PassError(str(error)) from None
    except RecursionError:
        raise PassError("the module is nested too deeply for Python") from None


@dataclass(frozen=True)
class DotTarget(Target):
    """A drawing of the graphs in Graphviz's language."""

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        for function in _functions(module, self.name):
            output.write(print_dot(function, function.sym_name.data))


@dataclass(frozen=True)
class LinalgTarget(Target):
    """Every function over tensors in upstream dialects, as `ts.to_linalg` gives it; types say what its arguments are."""

    name = "linalg"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        export = import_module("torchscript_dialect.api.export")
        copy = module.clone()
        functions = _functions(copy, self.name)
        for name in ("inlining", "export"):
            pipelines[name].apply(copy)
        left = ModuleOp([])
        for function in functions:
            name = function.sym_name.data
            export.settle(function)
            try:
                made = export.exported(function, name)
            except NotCompilable as error:
                raise PassError(str(export.explained(error, name, reads_files=True))) from None
            for op in list(made.body.block.ops):
                op.detach()
                left.body.block.add_op(op)
        print(left, file=output)


def _llvm_text(module: ModuleOp, target: str) -> str:
    """LLVM IR of a module in the llvm dialect.

    Raises:
        PassError: the module holds anything else.
    """
    for op in module.body.ops:
        if not op.name.startswith(("llvm.", "kernel.entry", "kernel.grid_entry")):
            raise PassError(
                f"-t {target} takes a module in the llvm dialect, which the passes up to"
                f" ts-convert-to-llvm make, and not '{op.name}'"
            )
    with told(f"-t {target} writes a module"):
        return import_module("lowering.llvm.translate").translate(module)


@dataclass(frozen=True)
class LLVMTarget(Target):
    """LLVM IR of a module in the llvm dialect, as the kernels are compiled from."""

    name = "llvm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(_llvm_text(module, self.name))


@dataclass(frozen=True)
class AsmTarget(Target):
    """Assembly for the host's CPU of a module in the llvm dialect."""

    name = "asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        text = _llvm_text(module, self.name)
        import_module("lowering.llvm.check").check(module)
        output.write(import_module("lowering.llvm.object").assembly(text))


@dataclass(frozen=True)
class PTXTarget(Target):
    """PTX of the kernels of a module in the llvm dialect, for devices of compute capability `sm / 10` and later."""

    name = "ptx"
    sm: int = 80

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _llvm_text(module, self.name)
        output.write(import_module("lowering.ptx.emit").emit(module, self.sm))


TARGETS: tuple[type[Target], ...] = (
    TorchScriptTarget,
    PythonTarget,
    DotTarget,
    LinalgTarget,
    LLVMTarget,
    AsmTarget,
    PTXTarget,
)
