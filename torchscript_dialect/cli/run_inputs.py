"""What `ts-run` takes for arguments: arrays from files, JSON, and values that are written down."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

import numpy as np

from torchscript_dialect.tensor.tensor import Tensor

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
            for name, tensor in _read_arrays(text).items():
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


def _load(path: str) -> np.ndarray[Any, Any] | dict[str, np.ndarray[Any, Any]]:
    """The array of a file, or its arrays by name."""
    with open(path, "rb") as file:
        try:
            found: Any = np.load(file, allow_pickle=False)
            if isinstance(found, np.ndarray):
                return cast("np.ndarray[Any, Any]", found)
            with found:
                return {name: found[name] for name in found.files}
        except (ValueError, EOFError, KeyError, BadZipFile) as error:
            raise ValueError(f"{path} is no file of an array (.npy), or is damaged") from error


def read_tensor(path: str) -> Tensor:
    """The array of an .npy file; ValueError where it holds something else."""
    found = _load(path)
    if isinstance(found, dict):
        raise ValueError(f"{path} holds several arrays (.npz), and its name says one (.npy)")
    return _tensor(path, found)


def _read_arrays(path: str) -> dict[str, Tensor]:
    found = _load(path)
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds one array; the name of such a file ends with .npy")
    return {name: _tensor(path, array) for name, array in found.items()}


def _tensor(path: str, array: np.ndarray[Any, Any]) -> Tensor:
    try:
        return Tensor(array)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


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
            f"{text} is neither a file ({endings}) nor a literal such as 3, 2.5, [1, 2] or '\"text\"'"
        ) from None
