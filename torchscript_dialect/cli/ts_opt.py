"""`ts-opt`: xDSL's optimizer driver with TorchScript's frontends, passes and targets."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Dialect
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    PassFailedException,
    VerifyException,
)
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.cli.targets import TARGETS
from torchscript_dialect.dialects.context import OpenContext
from torchscript_dialect.dialects.operators import UnknownOperatorWarning
from torchscript_dialect.ir.verification import VerificationError, verify
from torchscript_dialect.passes.foreign import refusal
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.passes.table import universes
from torchscript_dialect.passes.watch import Watch
from torchscript_dialect.universe import TORCHSCRIPT_UNIVERSE
from torchscript_dialect.utils.errors import TorchScriptError, is_told
from torchscript_dialect.utils.recursion import deep_calls, deep_recursion
from torchscript_dialect.utils.source_range import LONGEST_LINE, Source, SourceRange

if TYPE_CHECKING:
    from torchscript_dialect.api.archive import Loader
    from torchscript_dialect.api.module import ScriptModule

EXTENSIONS = {"ts": "torchscript", "py": "python", "pt": "archive", "ptl": "archive"}
"""The frontend of a file whose name ends so; `mlir` is its own."""
_IS_GRAPH = re.compile(rb"(\s|#[^\n]*\n)*graph\s*\(")
"""The text of a graph, behind comments."""


WHOLE_MODULES = "ts-freeze-module"
"""The pass that needs more of an archive than its graphs."""


class InputError(Exception):
    """A wrong call of the tool: shown as it is."""


class TSOptMain(xDSLOptMain):
    """The driver. Frontends by name (`torchscript`), and by file extension where `-f` is absent."""

    def __init__(self, args: Sequence[str] | None = None) -> None:
        self.archived: ScriptModule | None = None
        """The module of the archive that was read last."""
        self.graph_text: str | None = None
        """The graph text that was read last."""
        self.universes = (TORCHSCRIPT_UNIVERSE, *universes())
        checked = Attribute.__post_init__
        super().__init__("TorchScript optimizer driver", args)
        # --disable-verify is about operations: attributes say no to what Python cannot bear, such as types in types without end.
        Attribute.__post_init__ = checked

    def register_all_dialects(self) -> None:
        self.ctx = OpenContext()
        factories: dict[str, Callable[[], Dialect]] = {}
        for universe in self.universes:
            factories |= universe.all_dialects
        for name, factory in factories.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        for universe in self.universes:
            for name, factory in universe.all_passes.items():
                self.available_passes[name] = factory

    def register_all_targets(self) -> None:
        for universe in self.universes:
            for name, factory in universe.all_targets.items():
                self.available_targets[name] = factory
        for target in TARGETS:
            self.available_targets[target.name] = _constant(target)

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        self.available_frontends["mlir"] = self._parse_mlir
        self.available_frontends["torchscript"] = self._parse_torchscript
        self.available_frontends["python"] = self._parse_python
        self.available_frontends["archive"] = self._parse_archive

    def _parse_mlir(self, io: IO[bytes]) -> ModuleOp:
        parser = MLIRParser(self.ctx, io.read(), self.get_input_name())
        return parser.parse_module(not self.args.no_implicit_module)

    def _parse_torchscript(self, io: IO[bytes]) -> ModuleOp:
        from torchscript_dialect.frontend.ir_text import parse_ir_text

        self.graph_text = io.read().decode()
        return parse_ir_text(self.graph_text, self.get_input_name())

    def _parse_python(self, io: IO[bytes]) -> ModuleOp:
        from torchscript_dialect.frontend.compile import compile_source

        text, name = io.read().decode("utf-8-sig"), self.get_input_name()
        unit = compile_source(text, name, emit_only=self.args.emit_only)
        if not self.args.emit_only:
            pipelines["after-frontend"].apply(unit.module_op)
        return unit.module_op

    def _parse_archive(self, io: IO[bytes]) -> ModuleOp:
        from torchscript_dialect.api.archive import Loader, opened

        with opened(io.read(), self.get_input_name()) as container:
            return self._module_of(Loader(container, "cpu", ()))

    def _module_of(self, loader: Loader) -> ModuleOp:
        from torchscript_dialect.api.module_ir import add_module

        unit = loader.importer.unit
        is_whole = self.args.target in ("mlir", "python") or WHOLE_MODULES in (
            self.args.passes or ""
        )
        if not is_whole:  # the graphs alone, for which nothing of the archive runs
            loader.allow_all()
            loader.importer.find(loader.read().class_name)
            return unit.compile_all().module_op
        module = loader.load()
        loader.allow_all()
        unit.compile_all()
        self.archived = module
        if self.args.target == "python" and not self.passes.passes:
            return unit.module_op
        self.ctx.get_dialect("builtin")  # whose resources are printed
        add_module(module, elides=self.args.elide_weights)
        return unit.module_op

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = "ts-opt"
        arg_parser.__class__ = ArgumentParser
        arg_parser.add_argument(
            "--emit-only",
            action="store_true",
            help="Of Python source, what the IR emitter makes, before ts-convert-to-ssa,"
            " ts-exit-transforms and the clean-up passes.",
        )
        arg_parser.add_argument(
            "--inspect",
            action="store_true",
            help="List what an archive holds and needs, and do nothing else; it comes first: `--inspect model.pt`.",
        )
        arg_parser.add_argument(
            "--sm",
            type=int,
            help="For -t ptx: the oldest devices that the code is for, 80 for those of compute capability 8.0.",
        )
        arg_parser.add_argument(
            "--elide-weights",
            action="store_true",
            help="Of an archive, print the names of weights and not their content.",
        )
        arg_parser.add_argument(
            "--verify-equiv",
            action="store_true",
            help="Run functions and kernels on random inputs before the first pass and after each, and fail where one does"
            " anything else than before.",
        )

    def setup_pipeline(self) -> None:
        if self.args.sm is not None:
            if self.args.target != "ptx":
                raise InputError(f"--sm {self.args.sm} goes with -t ptx")
            self.args.target = f"ptx{{sm={self.args.sm}}}"
        try:
            self.passes = PassPipeline(self.args.passes)
        except ValueError as error:
            raise InputError(f"-p {self.args.passes}: {error}") from None

    def verify(self, prog: ModuleOp) -> None:
        """Check what was read; a mistake in a graph is shown in its text."""
        from torchscript_dialect.frontend.ir_text import range_of_node

        try:
            verify(prog)
        except VerificationError as error:
            if self.graph_text is not None:
                index = next(i for i, op in enumerate(prog.walk()) if op is error.op)
                error.source_range = range_of_node(self.graph_text, self.get_input_name(), index)
            raise

    def apply_passes(self, prog: ModuleOp) -> None:
        """Run the passes, with the checks and the output between them that xDSL's flags ask for."""
        checks = not self.args.disable_verify
        if checks:
            with deep_recursion():
                self.verify(prog)
        watch = Watch(
            verify_each=checks,
            print_after=self.args.print_between_passes,
            verify_equiv=self.args.verify_equiv,
        )
        self.passes.apply(prog, context=self.ctx, watch=watch)
        for name, reason in self.passes.unverified.items():
            print(f"ts-opt: note: --verify-equiv did not run @{name}: {reason}", file=sys.stderr)
        if self.args.time_passes:
            print(self.passes.timings, file=sys.stderr)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        """The output; of an archive that no pass has changed, its source, with all that IR does not hold."""
        if self.args.target == "python" and self.archived is not None and not self.passes.passes:
            return import_module("torchscript_dialect.api.module_source").module_source(
                self.archived
            )
        with deep_recursion():
            try:
                return super().output_resulting_program(prog)
            except Exception as error:
                if is_told(error) or isinstance(
                    error, ValueError
                ):  # which the driver itself raises
                    raise
                raise refusal(error, f"-t {self.args.target}", prog) from error

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        """The input, and the frontend that its file's name asks for; what has none is a graph's text or MLIR.

        Raises:
            InputError: there is nothing in it, it is no text, or nothing says which frontend it is for.
        """
        path = self.args.input_file
        if path in (None, "-"):
            data = sys.stdin.buffer.read()
            frontend = "torchscript" if _IS_GRAPH.match(data) else "mlir"
        else:
            data = Path(path).read_bytes()
            extension = os.path.splitext(path)[1].removeprefix(".")
            frontend = EXTENSIONS.get(str(extension), str(extension))
        name = self.get_input_name()
        if self.args.frontend is None and frontend not in self.available_frontends:
            known = ", ".join(self.available_frontends)
            raise InputError(
                f"{name}: its name does not say what it holds; choose with -f from {known}"
            )
        if not data.strip():
            raise InputError(f"{name}: the input is empty")
        if (self.args.frontend or frontend) != "archive":
            try:
                data.decode()
            except UnicodeDecodeError as error:
                line = data[: error.start].count(b"\n") + 1
                raise InputError(f"{name}:{line}: this is no UTF-8 text") from None
        return BytesIO(data), frontend

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        try:
            with deep_calls():  # attributes, too, nest as deep as may be, and are hashed by C code
                return super().parse_chunk(chunk, file_extension, start_offset)
        except TorchScriptError as error:
            if not self.args.parsing_diagnostics:
                raise
            print(error)
            return None


class ArgumentParser(argparse.ArgumentParser):
    """One that tells a mistake in the call as an `InputError`."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


def _constant(target: type[Target]) -> Callable[[], type[Target]]:
    return lambda: target


LONGEST = 2 * LONGEST_LINE
"""Characters of a line of a message: those of xDSL show texts as they are."""


def message_of(error: BaseException) -> str:
    """What a user is told of an error: one message, with the place where there is one."""
    notes = [str(note) for note in getattr(error, "__notes__", ())]
    text = _in_its_line(error) if isinstance(error, ParseError) else str(error).strip()
    text = text or type(error).__name__
    if isinstance(error, OSError) and error.filename:
        text = f"{error.filename}: {error.strerror}"
    lines = "\n".join([text, *notes]).split("\n")
    return "\n".join(line if len(line) < LONGEST else f"{line[:LONGEST]}..." for line in lines)


def _in_its_line(error: ParseError) -> str:
    """A mistake in MLIR text, below its lines if these are short, and around it otherwise."""
    span = error.span
    text = str(error).strip()
    if max(map(len, text.splitlines())) <= LONGEST_LINE:
        return text
    content = span.input.content
    source = Source(content if isinstance(content, str) else content.decode("utf-8", "replace"))
    return (
        f"{span.get_location()}\n{SourceRange(source, span.start, span.end).highlight()}{error.msg}"
    )


def _inspect(args: Sequence[str]) -> int:
    """`ts-opt --inspect model.pt`: what an archive holds and needs; nothing of it runs."""
    from torchscript_dialect.api.inspect_archive import inspect_archive

    if len(args) != 1:
        raise InputError("--inspect takes the name of an archive, and nothing else")
    print(inspect_archive(args[0]))
    return 0


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"ts-opt: warning: {message}", file=sys.stderr)


USER_ERRORS = (
    ParseError,
    DiagnosticException,
    VerifyException,
    PassFailedException,
    TorchScriptError,
    InputError,
    OSError,
    ValueError,
    UnicodeDecodeError,
)


def main(args: Sequence[str] | None = None) -> int:
    """Run the driver; the exit status is 0 on success, 1 with one message on standard error otherwise."""
    given = sys.argv[1:] if args is None else list(args)
    try:
        if given[:1] == ["--inspect"]:
            return _inspect(given[1:])
        with warnings.catch_warnings():
            warnings.simplefilter("always", UnknownOperatorWarning)
            warnings.showwarning = _show_warning
            TSOptMain(args).run()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except USER_ERRORS as error:
        print(f"ts-opt: error: {message_of(error)}", file=sys.stderr)
        return 1
    except RecursionError:
        print("ts-opt: error: something in the input is nested too deep", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"ts-opt: error: there is not enough memory: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        if type(error).__module__.startswith("xdsl."):
            print(f"ts-opt: error: {message_of(error)}", file=sys.stderr)
            return 1
        raise
    return 0
