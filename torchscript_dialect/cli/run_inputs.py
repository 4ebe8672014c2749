"""What `ts-run` takes for arguments: arrays from files, JSON, and values that are written down."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any, cast

from torchscript_dialect.cli.array_files import read_tensor, read_tensors
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

_LONGEST = 200
"""Characters of an argument that a message shows."""

_FILES = (".npy", ".npz", ".json")


def read_inputs(texts: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments by place, and those by name.

    An .npy file is a tensor; an .npz file is one for each array, by name unless `numpy.savez` has numbered them; a .json file is a
    value; anything else is a Python literal: `3`, `2.5`, `'"text"'`, `[1, 2]`, `None`.

    Raises:
        ValueError: a file holds something else, or is damaged; a text is no literal.
        OSError: a file cannot be read.
    """
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for text in texts:
        suffix = Path(text).suffix
        if suffix == ".npz":
            for name, tensor in read_tensors(text).items():
                if name.startswith("arr_"):
                    positional.append(tensor)
                else:
                    named[name] = tensor
        elif suffix == ".npy":
            positional.append(read_tensor(text))
        elif suffix == ".json":
            positional.append(_read_json(text))
        else:
            positional.append(_literal(text))
    return positional, named


def as_declared(schema: FunctionSchema, positional: list[Any]) -> list[Any]:
    """The arguments, with tensors where a function takes tensors and lists of numbers are given.

    Raises:
        ValueError: a list makes no tensor.
    """
    declared = [argument for argument in schema.arguments if argument.name != "self"]
    given = list(positional)
    for place, argument in enumerate(declared[: len(given)]):
        try:
            given[place] = _with_tensors(given[place], argument.type)
        except (ValueError, TypeError, RuntimeError) as error:
            raise ValueError(f"argument '{argument.name}' is no tensor: {error}") from None
    return given


def _with_tensors(value: Any, type_: TorchScriptType) -> Any:
    match type_:
        case OptionalType():
            return None if value is None else _with_tensors(value, type_.element)
        case TensorType():
            return as_tensor(value) if isinstance(value, list) else value
        case ListType() if isinstance(value, list):
            return [_with_tensors(item, type_.element) for item in cast(list[Any], value)]
        case TupleType() if isinstance(value, list | tuple):
            items = list(cast(list[Any], value))
            if len(items) != len(type_.elements):
                return cast(Any, value)
            pairs = zip(items, type_.elements, strict=True)
            return tuple(_with_tensors(item, each) for item, each in pairs)
        case DictType() if isinstance(value, dict):
            entries = cast(dict[Any, Any], value)
            return {key: _with_tensors(item, type_.value) for key, item in entries.items()}
        case _:
            return value


def _read_json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error}") from None


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        endings = ", ".join(_FILES)
        raise ValueError(
            f"{text:.{_LONGEST}} is neither a file ({endings}) nor a literal such as 3, 2.5, [1, 2] or '\"text\"'"
        ) from None
