"""What an archive holds and needs, as text: `ts-opt --inspect model.pt`. Its methods are compiled, and nothing of it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

from torchscript_dialect.api.archive import Loader, opened
from torchscript_dialect.api.check import is_missing
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.frontend.archive.upgraders import upgraded
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.runtime.permissions import PERMISSIONS, touched
from torchscript_dialect.serialization.archive.container import Source
from torchscript_dialect.serialization.archive.pickle_machine import PickledObject
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.errors import TorchScriptError


def inspect_archive(file: Source) -> str:
    """The version, classes with their methods, operators with counts, weights, and what the program would touch.

    Raises:
        ArchiveError: the file is damaged or is no archive.
        OSError: the file cannot be read.
    """
    with opened(file) as container:
        loader = Loader(container, lambda device: "cpu", PERMISSIONS)
        root = loader.read()
        return "\n".join(_lines(loader, root))


def _lines(loader: Loader, root: PickledObject) -> Iterator[str]:
    yield f"version {loader.version}, {root.class_name}"
    problems: list[str] = []
    yield "classes and functions:"
    for name in loader.importer.names():
        yield f"  {name}{_described(loader, name, problems)}"
    operators: Counter[str] = Counter()
    missing: set[str] = set()
    touching: set[str] = set()
    for op in loader.importer.unit.module_op.walk():
        if isinstance(op, OperatorOp):
            kind = op.KIND if op.OPERATOR is None else op.OPERATOR.qualified_name
            operators[kind] += 1
            if is_missing(op):
                missing.add(kind)
        if (what := touched(op)) is not None:
            touching.add(f"{op.name} touches {what}")
    yield "operators:"
    for kind, count in sorted(operators.items()):
        yield f"  {count:6} {kind}{'  (no kernel here)' if kind in missing else ''}"
    used = {kind.removeprefix("aten::").partition(".")[0] for kind in operators}
    if old := sorted(upgraded(loader.version) & used):
        yield f"upgraded from version {loader.version}: {', '.join(old)}"
    yield from sorted(touching)
    yield from problems
    yield "weights:"
    weights = dict(_weights(root, "", set()))
    for path, tensor in weights.items():
        yield f"  {path}: {tensor.dtype.name}{list(tensor.shape)}, {tensor.nbytes} bytes"
    yield f"  {len(weights)} tensors, {sum(t.nbytes for t in weights.values())} bytes"


def _described(loader: Loader, name: str, problems: list[str]) -> str:
    """What follows a definition's name: the methods of a class, each compiled."""
    try:
        found = loader.importer.find(name)
        functions = [found] if isinstance(found, Function) else []
        if isinstance(found, ClassDefinition):
            functions = list(found.methods.values())
    except TorchScriptError as error:
        problems.append(f"{name} cannot be read: {error.message}")
        return ""
    for function in functions:
        try:
            function.ensure_defined()
        except TorchScriptError as error:
            problems.append(f"{function.qualified_name} cannot be compiled: {error.message}")
    methods = ", ".join(function.name for function in functions if function is not found)
    return f": {methods}" if methods else ""


def _weights(value: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Tensor]]:
    """The tensors in a pickled value by their paths, each value once."""
    waiting: list[tuple[str, Any]] = [(path, value)]
    while waiting:
        where, one = waiting.pop()
        if isinstance(one, Tensor):
            yield where, one
        if not isinstance(one, (PickledObject, list, tuple, dict)) or id(cast(object, one)) in seen:
            continue
        seen.add(id(cast(object, one)))
        parts = [(f"{where}.{k}" if where and k else where or k, v) for k, v in _parts(one)]
        waiting += reversed(parts)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """What a pickled object or container holds, by name or number."""
    if isinstance(value, PickledObject):
        state = value.state
        return _parts(state) if isinstance(state, dict) else [("", state)]
    if isinstance(value, dict):
        return [(str(key), item) for key, item in cast("dict[Any, Any]", value).items()]
    return [(str(number), item) for number, item in enumerate(cast("list[Any]", value))]
