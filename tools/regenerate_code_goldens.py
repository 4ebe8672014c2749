#!/usr/bin/env python3
"""Writes test/golden/code/<topic>.json from PyTorch: graphs, schemas and the code that it prints for them.

    python tools/regenerate_code_goldens.py

PyTorch must be installed. The programs are the functions and modules of test/golden/code/<topic>.py; of a module and of
the modules in it, every method is recorded. A record's `names` are the names of functions and NamedTuples, which graph
text leaves out.
"""

import json
import re
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "test" / "golden" / "code"
PLACE = re.compile(r" # (?:[^\s:]+|<\w+>):\d+:\d+$", re.MULTILINE)


def named_types(type_: Any) -> Iterator[tuple[str, str]]:
    """The NamedTuples in a type, by graph spelling and by name."""
    if type_.kind() == "TupleType" and type_.str().startswith("NamedTuple"):
        yield type_.str(), type_.annotation_str
    for contained in type_.containedTypes():
        yield from named_types(contained)


def names_in(graph: Any) -> Iterator[tuple[str, str]]:
    """What the graph's text leaves out."""
    for value in graph.inputs():
        yield from named_types(value.type())
    waiting = list(graph.nodes())
    while waiting:
        node = waiting.pop()
        for value in node.outputs():
            yield from named_types(value.type())
            if value.type().kind() == "FunctionType":
                yield node.s("name"), value.type().annotation_str
        for block in node.blocks():
            waiting += block.nodes()
        if "Subgraph" in node.attributeNames():
            yield from names_in(node.g("Subgraph"))


def describe(function: Any, *, is_method: bool) -> dict[str, Any]:
    graph = function.graph
    return {
        "name": function.name,
        "is_method": is_method,
        "schema": str(function.schema),
        "names": dict(names_in(graph)),
        "graph": PLACE.sub("", str(graph)),
        "code": function.code,
    }


def describe_module(name: str, module: Any) -> Iterator[tuple[str, Any]]:
    """The methods of a module and of the modules in it."""
    for path, inner in module.named_modules():
        for method in inner._c._method_names():
            record = describe(inner._c._get_method(method), is_method=True)
            yield ".".join(filter(None, [name, path, method])), record


def describe_all(programs: ModuleType) -> Iterator[tuple[str, Any]]:
    import torch

    for name, program in vars(programs).items():
        if getattr(program, "__module__", None) != programs.__name__:
            continue
        if isinstance(program, FunctionType):
            yield name, describe(torch.jit.script(program), is_method=False)
        elif isinstance(program, type) and issubclass(program, torch.nn.Module):
            yield from describe_module(name, torch.jit.script(program()))


def main() -> int:
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    sys.path.insert(0, str(FOLDER))
    for path in sorted(FOLDER.glob("*.py")):
        try:
            programs = import_module(path.stem)
        except ImportError as error:
            print(f"PyTorch is needed to ask it: {error}", file=sys.stderr)
            return 1
        records = dict(describe_all(programs))
        target = path.with_suffix(".json")
        target.write_text(json.dumps(records, indent=1) + "\n")
        print(f"{target.relative_to(ROOT)}: {len(records)} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
