"""What `ts-run` takes for arguments: arrays from files, JSON, and values that are written down."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

from torchscript_dialect.cli.array_files import read_tensor, read_tensors

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
