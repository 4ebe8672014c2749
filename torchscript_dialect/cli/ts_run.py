"""`ts-run`: loads a program and runs it on arrays from files and on values that are written down."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any, cast

import numpy as np

from torchscript_dialect.api.archive import load as load_archive
from torchscript_dialect.api.module import ScriptMethod, ScriptModule
from torchscript_dialect.api.unit import CompilationUnit
from torchscript_dialect.cli.run_inputs import as_declared, read_inputs
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.utils.files import write_file

CALLS = 10
"""The calls after the first one that `--time` looks at."""
DISTRIBUTION = "torchscript_dialect"


class ShowVersion(argparse.Action):
    """Prints the version of the package that is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        try:
            found = version(DISTRIBUTION)
        except PackageNotFoundError:
            found = "of a checkout"
        print(f"{parser.prog} {found}")
        parser.exit()


def parse_arguments(args: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("ts-run", description="Runs a TorchScript program.")
    parser.add_argument("model", help="TorchScript source (.py) or an archive (.pt)")
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="arguments: .npy, .npz and .json files, and literals such as 3, 2.5 and '\"text\"'",
    )
    parser.add_argument("-o", "--output", metavar="OUT.npz", help="where to write the results")
    parser.add_argument(
        "-f", "--function", help="the function to run: `forward`, or the last one, if not given"
    )
    parser.add_argument(
        "--time",
        action="store_true",
        help=f"tell on standard error how long the first call took, and the best of {CALLS} more",
    )
    parser.add_argument(
        "--graph", action="store_true", help="print the graph of the function, and run nothing"
    )
    parser.add_argument(
        "--version", action=ShowVersion, nargs=0, help="print the version, and exit"
    )
    return parser.parse_intermixed_args(args)


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status is 0 on success, 1 with one message on standard error otherwise."""
    arguments = parse_arguments(args)
    try:
        function = load(Path(arguments.model), arguments.function)
        if arguments.graph:
            print(function.graph, end="")
            return 0
        positional, named = read_inputs(arguments.inputs)
        schema = function.forward.schema if isinstance(function, ScriptModule) else function.schema
        run = partial(function, *as_declared(schema, positional), **named)
        with grad_mode.enabled(False):  # nobody can go back
            result = timed(run) if arguments.time else run()
        write(flatten(result), arguments.output)
    except (OSError, ValueError, RuntimeError) as error:
        message = str(error)
        if isinstance(error, OSError) and error.filename:
            message = f"{error.filename}: {error.strerror}"
        print(f"ts-run: error: {message}", file=sys.stderr)
        return 1
    return 0


def timed(run: Callable[[], Any]) -> Any:
    """What the first call gives; how long it took, and the best of those that follow, go to standard error."""
    seconds: list[float] = []
    results: list[Any] = []
    for _ in range(1 + CALLS):
        start = perf_counter()
        result = run()
        seconds.append(perf_counter() - start)
        results = results or [result]
    first, best = seconds[0] * 1e3, min(seconds[1:]) * 1e3
    print(f"first call {first:.3f} ms, best of {CALLS} more {best:.3f} ms", file=sys.stderr)
    return results[0]


def load(path: Path, name: str | None) -> Any:
    """The function of that name in a source file, or the method of the module in an archive.

    Raises:
        ValueError: the file is of another kind, or holds no such function.
    """
    if path.suffix in (".pt", ".ptl", ".pth"):
        return _method(load_archive(path), name or "forward", path)
    if path.suffix != ".py":
        raise ValueError(
            f"{path} is neither TorchScript source (.py) nor an archive (.pt), which is what ts-run can load"
        )
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}:{line}: this is no UTF-8 text") from None
    unit = CompilationUnit()
    unit.define(text, str(path), definitions_only=False)
    names = unit.function_names
    if not names:
        raise ValueError(f"{path} holds no function")
    if name is None:
        name = "forward" if "forward" in names else names[-1]
    if name not in names:
        raise ValueError(f"{path} holds no function '{name}'; it holds {', '.join(names)}")
    return unit[name]


def _method(module: ScriptModule, name: str, path: Path) -> Any:
    methods = [name for name, value in vars(module).items() if isinstance(value, ScriptMethod)]
    if name not in methods:
        known = ", ".join(methods) or "none"
        raise ValueError(f"{path} holds no method '{name}'; it holds {known}")
    return module if name == "forward" else getattr(module, name)


def flatten(value: Any, name: str = "output") -> dict[str, Any]:
    """The results by name: `output`, or `output_0`, `output_1`, ... for those of a tuple, list or dict."""
    if isinstance(value, dict):
        items = list(cast(dict[Any, Any], value).items())
    elif isinstance(value, (tuple, list)):
        items = list(enumerate(cast(Sequence[Any], value)))
    else:
        return {name: value}
    found: dict[str, Any] = {}
    for key, item in items:
        found |= flatten(item, f"{name}_{key}")
    return found


def write(results: dict[str, Any], output: str | None) -> None:
    """Print the results, or write them to an .npz file, which is there completely or not at all."""
    if output is None:
        for name, value in results.items():
            print(f"{name} = {value}")
        return
    arrays = {name: _array(name, value) for name, value in results.items()}
    write_file(output, lambda file: np.savez(file, **arrays))  # pyright: ignore[reportArgumentType]


def _array(name: str, value: Any) -> np.ndarray[Any, Any]:
    """A result as an array.

    Raises:
        ValueError: it is neither a tensor nor a number, and files of arrays hold nothing else.
    """
    array = np.asarray(value)
    if array.dtype == object:
        raise ValueError(f"{name} is a {type(value).__name__}, which an .npz file cannot hold")
    return array
