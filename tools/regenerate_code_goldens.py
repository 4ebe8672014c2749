#!/usr/bin/env python3
"""Writes test/golden/code/<topic>.json from PyTorch: graphs, schemas and the code that it prints for them.

    python tools/regenerate_code_goldens.py

PyTorch must be installed. The programs are the functions and modules of test/golden/code/<topic>.py; of a module and of
the modules in it, every method is recorded. A record's `names` are the names of functions and NamedTuples, which graph
text leaves out. archives.json holds the code in archives of the modules, and what it was printed from.
"""

import io
import json
import re
import sys
import warnings
import zipfile
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


def is_here(program: Any, programs: ModuleType) -> bool:
    return getattr(program, "__module__", None) == programs.__name__


def modules_of(programs: ModuleType) -> Iterator[tuple[str, Any]]:
    import torch

    for name, program in vars(programs).items():
        if isinstance(program, type) and issubclass(program, torch.nn.Module):
            yield name, torch.jit.script(program())


def describe_all(programs: ModuleType) -> Iterator[tuple[str, Any]]:
    import torch

    for name, program in vars(programs).items():
        if isinstance(program, FunctionType) and is_here(program, programs):
            yield name, describe(torch.jit.script(program), is_method=False)
    for name, module in modules_of(programs):
        yield from describe_module(name, module)


FIELD = re.compile(r'^  (?:__annotations__\["(.*)"\]|(\w+)) [:=] (.*)$', re.MULTILINE)


def describe_class(head: str, text: str) -> dict[str, Any]:
    """What a class's definition was printed from, read back from its text."""
    text = text.partition("\ndef ")[0]
    fields = FIELD.findall(text)
    lists = {name: re.findall(r'"(.*?)", ', value) for _, name, value in fields if "__" in name}
    plain = [(odd or name, type_) for odd, name, type_ in fields if "__" not in name]
    return {
        "base": head.partition("(")[2].removesuffix(")"),
        "parameters": lists.get("__parameters__", []),
        "buffers": lists.get("__buffers__", []),
        "attributes": dict(field for field in plain if not field[1].startswith("Final[")),
        "constants": dict(field for field in plain if field[1].startswith("Final[")),
        "methods": re.findall(r"^  def (\w+)\(", text, re.MULTILINE),
    }


def describe_archive(module: Any) -> dict[str, Any]:
    import torch
    from torch.jit._state import _python_cu

    archive = io.BytesIO()
    torch.jit.save(module, archive)
    record: dict[str, Any] = {
        "root": module._c._type().qualified_name(),
        "files": {},
        "classes": {},
        "functions": {},
    }
    with zipfile.ZipFile(archive) as entries:
        for entry in entries.namelist():
            if not entry.endswith(".py"):
                continue
            prefix = entry.removesuffix(".py").partition("/code/")[2].replace("/", ".")
            code = entries.read(entry).decode()
            record["files"][prefix] = code
            functions = [
                f"{prefix}.{name}" for name in re.findall(r"^def (\w+)", code, re.MULTILINE)
            ]
            parts = re.split(r"^class (.*):$", code, flags=re.MULTILINE)
            for head, text in zip(parts[1::2], parts[2::2]):
                name = f"{prefix}.{head.partition('(')[0]}"
                class_ = record["classes"][name] = describe_class(head, text)
                functions += [f"{name}.{method}" for method in class_["methods"]]
            for name in functions:
                record["functions"][name] = describe(
                    _python_cu.find_function(name), is_method=False
                )
    return record


def write(name: str, records: dict[str, Any]) -> None:
    target = FOLDER / f"{name}.json"
    target.write_text(json.dumps(records, indent=1) + "\n")
    print(f"{target.relative_to(ROOT)}: {len(records)} records")


def main() -> int:
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    sys.path.insert(0, str(FOLDER))
    archives: dict[str, Any] = {}
    for path in sorted(FOLDER.glob("*.py")):
        try:
            programs = import_module(path.stem)
        except ImportError as error:
            print(f"PyTorch is needed to ask it: {error}", file=sys.stderr)
            return 1
        write(path.stem, dict(describe_all(programs)))
        for name, module in modules_of(programs):
            archives[name] = describe_archive(module)
    write("archives", archives)
    return 0


if __name__ == "__main__":
    sys.exit(main())
