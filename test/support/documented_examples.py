"""The examples of PyTorch's documentation (`>>> torch.unique(x)` in docstrings), run with PyTorch and with the stand-in.

`PYTHONPATH=.:test python -m support.documented_examples [PATTERN ...]` runs those of the functions that the patterns name, all without
patterns, and prints what differs. Statements that fail in PyTorch have to fail here, too; values are compared by value, dtype, shape
and strides, and equal ones by their text.
"""

import ast
import contextlib
import inspect
import io
import math
import sys
import warnings
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import torch

from support.op_db import comparison
from support.op_db.inputs import ours
from torchscript_dialect import torch as stand_in
from torchscript_dialect.tensor.tensor import Tensor

LIST = Path(__file__).parent.parent / "oracle" / "documented_examples_disagreements.txt"
"""What differs, with the reason: a line `name: reason` for each docstring."""

SPACES = (
    "", "Tensor", "nn.functional", "linalg", "fft", "special", "sparse", "signal.windows",
    "nn.utils.rnn", "nn.init",
)  # fmt: skip

_OTHER_WORK = (
    "cuda xpu torch.compile multiprocessing onnx DataLoader vmap help( empty save( load( torch.Event dlpack thread_safe"
    " typed_storage quantize seed("
).split()
"""Statements with these words are left out: other devices and libraries, files, and elements that nobody has set."""

_LARGE = ("conv3d", "conv_transpose3d")
"""Docstrings with tensors of millions of elements, which tell no more than small ones."""

_CHANGES_PROCESS = ("set_*", "use_deterministic_algorithms", "nn.Module.*", "nn.modules*")


def docstrings() -> dict[str, str]:
    """The documentation that holds examples, by name below `torch`; what several names share, once."""
    found: dict[str, str] = {}
    for space in SPACES:
        owner: Any = torch
        for part in filter(None, space.split(".")):
            owner = getattr(owner, part)
        for name in sorted(dir(owner)):
            text = inspect.getdoc(getattr(owner, name)) if not name.startswith("_") else None
            full = f"{space}.{name}".lstrip(".")
            is_left_out = full in _LARGE or any(fnmatch(full, each) for each in _CHANGES_PROCESS)
            if text and ">>>" in text and text not in found.values() and not is_left_out:
                found[full] = text
    return found


def statements(text: str) -> list[str]:
    """The statements of the examples in a docstring."""
    found: list[str] = []
    for line in text.splitlines():
        start, rest = line.strip()[:3], line.strip()[4:]
        if start == ">>>":
            found.append(rest)
        elif start == "..." and found:
            found[-1] += "\n" + rest
    return [each for each in found if not any(word in each for word in _OTHER_WORK)]


def differences(text: str) -> list[str]:
    """What differs between both libraries in the examples of a docstring."""
    spaces = [_names(torch), _names(stand_in)]
    found: list[str] = []
    defaults = torch.get_default_dtype(), stand_in.get_default_dtype()
    for number, statement in enumerate(statements(text)):
        theirs, error = _run(statement, spaces[0], torch, number)
        if isinstance(error, (SyntaxError, NameError)):
            continue  # no whole example
        mine, my_error = _run(_translated(statement), spaces[1], stand_in, number)
        if error is not None or my_error is not None:
            if error is None:
                found.append(f"{statement!r}: {type(my_error).__name__}: {my_error}")
            elif my_error is None:
                found.append(f"{statement!r}: no error, PyTorch's is {error}")
            continue
        different = _difference(mine, theirs)
        if different is not None:
            found.append(f"{statement!r}: {different}")
    torch.set_default_dtype(defaults[0])
    stand_in.set_default_dtype(defaults[1])
    return found


def _names(library: Any) -> dict[str, Any]:
    parts = {"torch": library, "nn": library.nn, "F": library.nn.functional}
    return {**parts, "np": np, "math": math, "__name__": "example"}


def _translated(statement: str) -> str:
    if statement.strip().startswith(("import torch.nn", "import torch", "from torch import nn")):
        return "pass"
    return statement.replace("from torch.", "from torchscript_dialect.torch.").replace(
        "from torch import", "from torchscript_dialect.torch import"
    )


def _run(
    statement: str, names: dict[str, Any], library: Any, seed: int
) -> tuple[Any, Exception | None]:
    """What an expression gives, or what names a statement sets; and the error, if there is one."""
    library.manual_seed(seed)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            tree = ast.parse(statement)
            if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
                return eval(
                    compile(ast.Expression(tree.body[0].value), "example", "eval"), names
                ), None
            exec(compile(tree, "example", "exec"), names)
    except Exception as error:
        return None, error
    stored = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names
    ]
    return [names[name] for name in sorted(set(stored))], None


def _difference(mine: Any, theirs: Any) -> str | None:
    if isinstance(theirs, torch.Tensor):
        if theirs.layout != torch.strided or theirs.is_quantized:
            return _of_texts(mine, theirs)
        if not isinstance(mine, Tensor):
            return f"{type(mine).__name__} where PyTorch gives a tensor"
        found = comparison.difference(
            mine.detach(), theirs.detach(), [], [], lambda: theirs.detach()
        )
        is_equal = found is None and np.array_equal(
            mine.detach().array,
            ours(theirs.detach(), {}).array,
            equal_nan=theirs.dtype.is_floating_point,
        )
        is_parameter = isinstance(theirs, torch.nn.Parameter)
        return _of_texts(mine, theirs) if is_equal and not is_parameter else found
    if isinstance(theirs, (list, tuple)) and not isinstance(theirs, torch.Size):
        if not isinstance(mine, (list, tuple)) or len(mine) != len(theirs):
            return f"{mine!r} where PyTorch gives {theirs!r}"
        return next(filter(None, map(_difference, mine, theirs)), None)
    if isinstance(theirs, (float, complex)) and not isinstance(theirs, bool):
        same = type(mine) is type(theirs) and np.allclose(mine, theirs, equal_nan=True, atol=1e-6)
        return None if same else f"{mine!r} where PyTorch gives {theirs!r}"
    plain = (str, int, bool, type(None), torch.Size, torch.dtype)
    return _of_texts(mine, theirs) if isinstance(theirs, plain) else None


def _of_texts(mine: Any, theirs: Any) -> str | None:
    one, other = repr(mine), repr(theirs)
    return None if one == other else f"{one} where PyTorch prints {other}"


def known() -> dict[str, str]:
    """The docstrings of which something differs, with the reason."""
    lines = (line for line in LIST.read_text().splitlines() if line and not line.startswith("#"))
    return {name: reason for name, _, reason in (line.partition(": ") for line in lines)}


def unexpected(names: Iterator[str] | list[str]) -> list[str]:
    """What is not as the list says: a docstring that differs and is not in it, or that is in it and agrees."""
    listed, texts, found = known(), docstrings(), list[str]()
    for name in names:
        different = differences(texts[name])
        if different and name not in listed:
            found += [f"{name}: {each}" for each in different]
        elif not different and name in listed:
            found.append(f"{name} agrees, but is listed: {listed[name]}")
    return found


if __name__ == "__main__":
    chosen = [
        name
        for name in docstrings()
        if not sys.argv[1:] or any(fnmatch(name, each) for each in sys.argv[1:])
    ]
    print(
        f"{len(chosen)} docstrings, {sum(len(statements(docstrings()[name])) for name in chosen)} statements"
    )
    for line in unexpected(chosen):
        print(line)
