"""A module as readable Python: classes of `nn.Module` that run in PyTorch, and with the stand-in, without a compiler."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any, cast

import numpy as np

from torchscript_dialect.api.archive_code import ArchiveCode
from torchscript_dialect.api.archive_data import ordered_attributes
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.source_literals import packed_literal, tensor_literal
from torchscript_dialect.dialects.attributes import from_attribute, is_packed
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.runtime.values.restore import MAX_DEPTH
from torchscript_dialect.serialization.eager_source import Eager, definitions
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import TorchScriptError

_HEAD = '''"""{name}, as `ts-opt -t python` writes it.

Its weights are those of the archive: `model.load_state_dict(torch.jit.load(path).state_dict())`.
"""

from __future__ import annotations

import warnings
from enum import Enum
from math import inf, nan
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor, nn

aten = torch.ops.aten
'''


def module_source(module: ScriptModule) -> str:
    """The source of a module. Its class comes last.

    Raises:
        TorchScriptError: an attribute or a constant has no source.
    """
    return _Writer(module).text()


_MADE = """def _made(cls, fields):
    made = cls.__new__(cls)
    vars(made).update(fields)
    return made"""


class _Writer:
    """Writes one module. Modules of one class whose tensors have other shapes have classes of their own."""

    def __init__(self, module: ScriptModule) -> None:
        module.__torchscript_lent__.follow()
        self._program = module.__torchscript_state__.class_.program
        self._code = ArchiveCode(self._program)
        self._root = module

    def text(self) -> str:
        own = self._root.__torchscript_object__
        self._shared = list(_shared(own))
        self._code.print(_classes(own))
        trees: dict[str, ast.stmt] = {}
        for path, text in self._code.files.items():
            for one in definitions(text):
                assert isinstance(one, (ast.ClassDef, ast.FunctionDef))
                trees[f"{path.removesuffix('.py').replace('/', '.')}.{one.name}"] = one
        self._names = _own_names(trees)
        self._trees = trees
        self._made: dict[Any, str] = {}
        self._taken = set(self._names.values())
        eager = self._eager = Eager(self._names)
        self._others: list[str] = []
        self._classes: list[str] = []
        for qualified, tree in trees.items():
            if not _is_module(tree):
                if isinstance(tree, ast.ClassDef) and _bases(tree) & {
                    "Interface",
                    "ModuleInterface",
                }:
                    continue
                made = eager.visit(tree)
                made.name = self._names[qualified]
                self._others.append(_unparsed(made))
        self._class(own, "")
        constants = [
            f"_c{number} = {self._literal(from_attribute(entry.value), 'a constant')}"
            for number, entry in enumerate(self._code.constants)
        ]
        parts = [
            _HEAD.format(name=self._root.original_name),
            *(text + "\n" for text in eager.helpers.values() if text),
            "\n".join([*constants, ""]) if constants else "",
            *(f"{text}\n" for text in [*self._others, *self._classes]),
        ]
        return "\n\n".join(part.strip("\n") + "\n" for part in parts if part).replace(
            "\n\n\n\n", "\n\n\n"
        )

    def _class(self, obj: ScriptObject, path: str) -> str:
        """The name of the class of an object, written after those of its parts."""
        qualified = obj.__torchscript_qualified_name__
        definition = self._program.unit.classes[qualified]
        printed = self._code.annotations.of(definition.type)
        lines: list[str] = []
        for name in ordered_attributes(definition):
            value = obj.__torchscript_fields__[name]
            where = f"{path}.{name}" if path else name
            lines.append(self._field(definition, name, value, where))
        for kind, hooks in (("pre_", definition.pre_hooks), ("", definition.hooks)):
            lines += [f"self.register_forward_{kind}hook(type(self).{hook.name})" for hook in hooks]
        if not path:
            lines += [f"{_place(later)} = {_place(first)}" for later, first in self._shared]
        key = (qualified, *lines)
        if key in self._made:
            return self._made[key]
        own = self._made[key] = self._free(self._names[printed])
        tree = self._trees[printed]
        assert isinstance(tree, ast.ClassDef)
        copied = ast.parse(ast.unparse(tree)).body[0]
        assert isinstance(copied, ast.ClassDef)
        methods = [one for one in copied.body if isinstance(one, ast.FunctionDef)]
        for method in methods:
            method.args.args[0].annotation = None
            self._eager.visit(method)
        body = "\n    ".join(["super().__init__()", *lines])
        head = ast.parse(f"def __init__(self) -> None:\n    {body}").body
        made = ast.ClassDef(
            own, [ast.parse("nn.Module", mode="eval").body], [], [*head, *methods], []
        )
        self._classes.append(_unparsed(made))
        return own

    def _free(self, name: str) -> str:
        made, count = name, 1
        while made in self._made.values():
            count += 1
            made = f"{name}_{count}"
        return made

    def _field(self, definition: Any, name: str, value: Any, path: str) -> str:
        """The statement that sets an attribute."""
        plain = name.isidentifier() and not iskeyword(name)
        if isinstance(value, ScriptObject) and isinstance(value.view, ScriptModule):
            made = f"{self._class(value, path)}()"
            return f"self.{name} = {made}" if plain else f"self.add_module({name!r}, {made})"
        if name in definition.parameters and isinstance(value, Tensor):
            grad = "" if value.dtype.is_floating_point else f", {value.dtype.is_complex}"
            made = f"nn.Parameter({_empty(value)}{grad})"
            return (
                f"self.{name} = {made}" if plain else f"self.register_parameter({name!r}, {made})"
            )
        if name in definition.parameters:
            return f"self.register_parameter({name!r}, None)"
        if name in definition.buffers and isinstance(value, Tensor):
            return f"self.register_buffer({name!r}, {_empty(value)})"
        made = self._literal(value, path)
        return f"self.{name} = {made}" if plain else f"setattr(self, {name!r}, {made})"

    def _literal(self, value: Any, path: str) -> str:
        """A value as an expression."""
        match value:
            case None | bool() | int() | float() | complex() | str():
                return repr(value)
            case device():
                return f"torch.device({str(value)!r})"
            case Tensor():
                return tensor_literal(value)
            case ScriptObject():
                self._eager.helpers["made"] = _MADE
                fields = self._literal(value.__torchscript_fields__, path)
                name = self._code.annotations.of(ClassType(value.__torchscript_qualified_name__))
                return f"_made({self._names[name]}, {fields})"
            case EnumMember():
                return f"{self._names[value.qualified_name]}.{value.name}"
            case list():
                items = cast("list[Any]", value)
                return f"[{', '.join(self._literal(item, path) for item in items)}]"
            case tuple():
                items = [self._literal(item, path) for item in cast("tuple[Any, ...]", value)]
                return f"({', '.join(items)}{',' * (len(items) == 1)})"
            case dict():
                pairs = cast("Mapping[Any, Any]", value).items()
                shown = (f"{self._literal(k, path)}: {self._literal(v, path)}" for k, v in pairs)
                return f"{{{', '.join(shown)}}}"
            case _ if is_packed(value):
                return packed_literal(value)
            case _:
                raise TorchScriptError(f"{path} is a {type(value).__name__}, which has no source")


def _shared(root: ScriptObject) -> Iterator[tuple[str, str]]:
    """The paths of parts of a module that have another path before.

    Raises:
        TorchScriptError: two tensors share memory and are not one.
    """
    known: dict[int, str] = {}
    tensors: dict[str, Tensor] = {}
    for path, value in _parts(root, ""):
        if id(value) in known:
            yield path, known[id(value)]
            continue
        known[id(value)] = path
        if not isinstance(value, Tensor):
            continue
        for other, tensor in tensors.items():
            if np.may_share_memory(value.array, tensor.array):
                raise TorchScriptError(
                    f"{path} shares memory with {other}, which source cannot say"
                )
        tensors[path] = value


def _parts(obj: ScriptObject, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The tensors and modules in a module, by path."""
    if depth > MAX_DEPTH:
        raise TorchScriptError(f"{path[:200]} is nested too deeply")
    for name, value in obj.__torchscript_fields__.items():
        where = f"{path}.{name}" if path else name
        if isinstance(value, ScriptObject) and isinstance(value.view, ScriptModule):
            yield where, value
            yield from _parts(value, where, depth + 1)
        elif isinstance(value, Tensor):
            yield where, value


def _classes(root: ScriptObject) -> list[ClassType]:
    """The classes of a module and of those in it, which may stand behind an interface."""
    objects = [root, *(value for _, value in _parts(root, "") if isinstance(value, ScriptObject))]
    return [ClassType(obj.__torchscript_qualified_name__) for obj in objects]


def _place(path: str) -> str:
    """A part of the root, as code."""
    return "self." + path if all(one.isidentifier() for one in path.split(".")) else _by_get(path)


def _by_get(path: str) -> str:
    owner, _, name = path.rpartition(".")
    return f"vars(self.get_submodule({owner!r}))['_modules'][{name!r}]"


def _empty(tensor: Tensor) -> str:
    shape = ", ".join(map(str, tensor.array.shape))
    kind = "" if tensor.dtype.name == "float32" else f", dtype=torch.{tensor.dtype.name}"
    return f"torch.empty({shape or '()'}{kind})"


def _bases(tree: ast.ClassDef) -> set[str]:
    return {ast.unparse(base) for base in tree.bases}


def _is_module(tree: ast.stmt) -> bool:
    return isinstance(tree, ast.ClassDef) and "Module" in _bases(tree)


def _own_names(trees: Mapping[str, ast.stmt]) -> dict[str, str]:
    """Short names for qualified ones, each once."""
    found: dict[str, str] = {}
    taken = {"Tensor", "nn", "torch", "aten", "warnings", "Enum", "NamedTuple"}
    for qualified in trees:
        base = name = qualified.rpartition(".")[2]
        count = 1
        while name in taken:
            count += 1
            name = f"{base}_{count}"
        taken.add(name)
        found[qualified] = name
    return found


def _unparsed(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)) + "\n"
