"""`ts-reduce`: makes a program as small as it can be while a command finds it interesting."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.cli.targets import TorchScriptTarget
from torchscript_dialect.cli.ts_opt import USER_ERRORS, TSOptMain, message_of
from torchscript_dialect.dialects.context import OpenContext
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.watch import text_of
from torchscript_dialect.reducer import Form, GraphText, PlainText, Search, SourceText
from torchscript_dialect.utils.files import write_file


def parse_arguments(args: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "ts-reduce",
        description="Makes a program as small as it can be while a command finds it interesting.",
        epilog="TEST gets the name of a file as its last argument. As with llvm-reduce and C-Reduce, exit status 0 says that"
        " the program in it is interesting; with --mlir-reduce any other does.",
    )
    parser.add_argument("test", metavar="TEST", help="a command")
    parser.add_argument("file", metavar="FILE", help="a graph (.ts, .mlir) or source (.py)")
    parser.add_argument(
        "-o", "--output", help="where to write what is found, at once; standard output at the end"
    )
    parser.add_argument(
        "--mlir-reduce",
        action="store_true",
        help="TEST is a script for mlir-reduce: exit status 0 says that a program is not interesting",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="what takes longer is not interesting (%(default)s)",
    )
    return parser.parse_args(args)


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status is 0 on success, 1 with one message on standard error otherwise."""
    arguments = parse_arguments(args)
    path = Path(arguments.file)
    try:
        text = path.read_text("utf-8")
        search = _search(path, text, Test(arguments, path.name))
        if arguments.output is not None:
            search.found = partial(_write, arguments.output)
        if not search.is_interesting(text):
            raise ValueError(f"{path}: the test does not find the program interesting as it is")
        try:
            search.run()
        except KeyboardInterrupt:
            print("ts-reduce: interrupted; this is the smallest so far", file=sys.stderr)
    except (*USER_ERRORS, SyntaxError, subprocess.SubprocessError) as error:
        print(f"ts-reduce: error: {message_of(error)}", file=sys.stderr)
        return 1
    if arguments.output is None:
        print(search.text, end="")
    else:
        _write(arguments.output, search.text)
    print(
        f"ts-reduce: {len(text)} to {len(search.text)} characters in {search.tests} tests",
        file=sys.stderr,
    )
    return 0


class Test:
    """Runs the command on a program's text, in a file of the same name in a folder of its own."""

    def __init__(self, arguments: argparse.Namespace, name: str) -> None:
        self.command = shlex.split(arguments.test)
        self.timeout: float = arguments.timeout
        self.zero_is_interesting: bool = not arguments.mlir_reduce
        self.name = name

    def __call__(self, text: str) -> bool:
        with tempfile.TemporaryDirectory(prefix="ts-reduce-") as folder:
            path = Path(folder, self.name)
            path.write_text(text, "utf-8")
            try:
                done = subprocess.run(
                    [*self.command, str(path)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=self.timeout,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return False
        return (done.returncode == 0) is self.zero_is_interesting


def _search(path: Path, text: str, test: Test) -> Search:
    """A search among programs; where the file holds none, as a parser's own failures do, among texts."""
    form = form_of(path)
    try:
        return Search(form, text, test)
    except (*USER_ERRORS, SyntaxError) as error:
        print(
            f"ts-reduce: {path} is reduced as text, for {message_of(error).splitlines()[0]}",
            file=sys.stderr,
        )
        return Search(PlainText(), text, test)


def form_of(path: Path) -> Form:
    """How programs in files of that name are read and written.

    Raises:
        ValueError: nothing is known of such files.
    """
    if path.suffix == ".py":
        return SourceText()
    if path.suffix == ".ts":
        return GraphText(lambda text: parse_ir_text(text, str(path)), _graph_text)
    if path.suffix == ".mlir":
        context = TSOptMain(["-"]).ctx

        def parse(text: str) -> ModuleOp:
            parser: Parser = MLIRParser(context, text, str(path))
            return parser.parse_module()

        return GraphText(parse, text_of)
    raise ValueError(f"{path}: ts-reduce takes graphs (.ts, .mlir) and source (.py)")


def _graph_text(module: ModuleOp) -> str:
    stream = StringIO()
    TorchScriptTarget(locations=False).emit(OpenContext(), module, stream)
    return stream.getvalue()


def _write(path: str, text: str) -> None:
    write_file(path, lambda file: file.write(text.encode()))
