"""Composed programs through PyTorch and through ours: both refuse them in the same words, or graph, code and four calls agree."""

import argparse
import importlib.util
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

import torchscript_dialect as ts
from support import corpus, rejected
from support.canonical import canonical, without_mangling
from support.composed.programs import Composed, composed
from torchscript_dialect.tensor.conversion import as_tensor

CASES = [
    (corpus.ramp(2, 3), 2, 5, [1, 2, 3], {"a": 1, "c": 2}, "abc"),
    (corpus.ramp(2, 3), 0, None, [2, 4], {"a": 3}, "b"),
    (corpus.ramp(3, 3), 4, -1, [1], {"a": 0, "b": 7}, "xyb"),
    (corpus.ramp(2, 3), 3, None, [3, 1], {"a": 1}, ""),
]

_ANNOTATIONS_OF_CALLEES = ("_resolve_type_from_object", "Unknown type annotation: 'int' at")
"""In what PyTorch says where a function that it calls in Python has annotations that are texts; ours reads them."""


def _load(program: Composed, folder: Path) -> ModuleType:
    path = folder / f"{program.name}.py"
    path.write_text(program.source)
    spec = importlib.util.spec_from_file_location(program.name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[program.name] = module  # where `inspect` looks for the source of classes
    spec.loader.exec_module(module)
    return module


def _compiled(program: Composed, folder: Path, script: Any) -> Any:
    """What `script` makes of the program, or the error that it raises."""
    module = _load(program, folder)
    try:
        return script(module.Program() if program.is_module else module.program)
    except Exception as error:
        return error


def _their_argument(array: Any, memo: dict[int, Any]) -> Any:
    return memo.setdefault(id(array), torch.from_numpy(array))


def _our_argument(array: Any, memo: dict[int, Any]) -> Any:
    return memo.setdefault(id(array), as_tensor(array))


def _array(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().numpy()
    return value.detach().numpy() if isinstance(value, ts.Tensor) else None


def differences(program: Composed, folder: Path) -> Iterator[str]:
    """What ours does otherwise."""
    theirs = _compiled(program, folder, torch.jit.script)
    if program.has_text_annotations and any(
        each in str(theirs) for each in _ANNOTATIONS_OF_CALLEES
    ):
        return
    ours = _compiled(program, folder, ts.script)
    if isinstance(ours, Exception) and not isinstance(ours, (ts.TorchScriptError, RuntimeError)):
        yield f"raises {type(ours).__name__}: {''.join(traceback.format_exception(ours)[-6:])}"
    if "INTERNAL ASSERT" in str(theirs):
        return
    if isinstance(theirs, Exception) and isinstance(ours, Exception):
        said, meant = (rejected.parse_message(str(e), folder) for e in (ours, theirs))
        if any(place is None for *_, place in meant["calls"]):
            meant["calls"] = said["calls"]  # PyTorch tells calls of programs before, too
        if found := rejected.difference(said, meant):
            yield f"refused otherwise: {found}"
        return
    if isinstance(theirs, Exception):
        yield f"is taken, PyTorch says: {theirs}"
        return
    if isinstance(ours, Exception):
        yield f"is refused: {ours}"
        return
    file = f"{program.name}.py"
    if canonical(str(ours.graph), file) != canonical(str(theirs.graph), file):
        yield f"graph\n{canonical(str(ours.graph), file)}\nshould be\n{canonical(str(theirs.graph), file)}"
    if without_mangling(ours.code) != without_mangling(theirs.code):
        yield f"code\n{ours.code}\nshould be\n{theirs.code}"
    for number, args in enumerate(CASES):
        one = corpus.Case(args, {})
        with torch.jit.optimized_execution(False):  # pyright: ignore[reportPrivateImportUsage]
            wanted = corpus.call(theirs, one, _their_argument, _array)
        if "Run lint!" in wanted.get("message", ""):
            continue  # a graph that PyTorch has broken
        given = corpus.call(ours, one, _our_argument, _array)
        if found := corpus.call_difference(given, wanted):
            yield f"call {number}: {found}"


def kind(program: Composed) -> str:
    """Whether PyTorch takes a program."""
    with tempfile.TemporaryDirectory() as folder:
        made = _compiled(program, Path(folder), torch.jit.script)
    return "refused" if isinstance(made, Exception) else "taken"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--step", type=int, default=1, help="every so many-th number")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    seen: Counter[str] = Counter()
    for number in range(options.first, options.first + options.count * options.step, options.step):
        program = composed(number)
        with tempfile.TemporaryDirectory() as folder:
            found = list(differences(program, Path(folder)))
        seen["programs"] += 1
        if found:
            seen["differences"] += 1
            print(f"=== {number}\n{program.fragments}\n--- " + "\n--- ".join(found), flush=True)
    print(f"{seen['programs']} programs, {seen['differences']} differences")
    return int(seen["differences"] > 0)


if __name__ == "__main__":
    sys.exit(main())
