"""The corpus of accepted programs: test/frontend/corpus/<area>.py, written against one library or the other.

A program is a function, or a module class that is made without arguments, with at least two `@case` decorators: the
arguments that it is called with. Arguments are NumPy arrays and Python values; every call gets fresh copies.
"""

import base64
import copy
import enum
import importlib.util
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from support.loader import flavoured

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "frontend" / "corpus"
GOLDEN = ROOT / "golden" / "frontend" / "corpus"
EVERYTHING = ROOT / "frontend" / "everything" / "everything.py"
EVERYTHING_GOLDEN = GOLDEN.parent / "everything.json"
KNOWN_DIFFERENCES = GOLDEN.parent / "known_differences.json"
RTOL = {"float32": 1e-5, "float64": 1e-12, "complex64": 1e-5, "complex128": 1e-12}

_T = TypeVar("_T")
Record = dict[str, Any]


@dataclass
class Case:
    """The arguments of one call; of a module, the method that is called."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    method: str = "forward"


@dataclass
class Program:
    """A function or a module class, and how it is called."""

    area: str
    name: str
    obj: Any
    cases: list[Case] = field(default_factory=list[Case])

    def make(self) -> Any:
        """The function, or a new module object."""
        return self.obj() if isinstance(self.obj, type) else self.obj


_PREFIX = "corpus."
"""Begins the names of the modules: `numbers` alone is a module of Python's."""
_programs: dict[tuple[str, str], Program] = {}
"""Of the file that is being loaded, by file and name."""


def case(*args: Any, method: str = "forward", **kwargs: Any) -> Callable[[_T], _T]:
    """Decorates a program with the arguments of one call."""

    def add(obj: _T) -> _T:
        described = cast(Any, obj)
        key = (described.__module__, described.__qualname__)
        area = key[0].removeprefix(_PREFIX)
        program = _programs.setdefault(key, Program(area, key[1], obj))
        program.cases.insert(0, Case(args, kwargs, method))
        return obj

    return add


def arr(data: Any, dtype: str = "float32") -> np.ndarray:
    """The array of nested lists of numbers."""
    return np.array(data, dtype)


def ramp(*shape: int, dtype: str = "float32") -> np.ndarray:
    """Numbers around zero, all different."""
    count = math.prod(shape)
    return (
        ((np.arange(count) - count // 2) / (4 if "float" in dtype else 1))
        .astype(dtype)
        .reshape(shape)
    )


def areas() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def load(area: str, flavour: str, folder: Path = FOLDER) -> dict[str, Program]:
    """The programs of a file by name; `flavour` says what `torch` means, "torch" or "ours"."""
    with flavoured(flavour):
        _run(area, folder)
    found = {name: program for (_, name), program in _programs.items() if program.area == area}
    _programs.clear()
    return found


def _run(area: str, folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(_PREFIX + area, folder / f"{area}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where `inspect` looks for the source of classes
    spec.loader.exec_module(module)
    return module


# Records of calls.


def encode(value: Any, to_numpy: Callable[[Any], np.ndarray | None]) -> Any:
    """A value as JSON; `to_numpy` gives the array of a tensor, None for anything else."""
    array = to_numpy(value)
    if array is not None:
        return _encode_array(array)
    if isinstance(value, enum.Enum):
        return {"enum": str(value)}
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, dict):
        pairs = cast(dict[Any, Any], value).items()
        return {"dict": [[encode(k, to_numpy), encode(v, to_numpy)] for k, v in pairs]}
    if isinstance(value, tuple | list):
        items = [encode(item, to_numpy) for item in cast(list[Any], value)]
        if hasattr(value, "_fields"):
            return {type(value).__name__: dict(zip(cast(Any, value)._fields, items, strict=True))}
        return items if isinstance(value, list) else {"tuple": items}
    if type(value).__name__ in ("device", "dtype", "layout"):
        return {type(value).__name__: str(value)}
    return {"object": getattr(value, "original_name", type(value).__name__)}


def _encode_array(array: np.ndarray) -> Record:
    strides = [stride // array.itemsize for stride in array.strides] if array.size else None
    head = {"tensor": array.dtype.name, "shape": list(array.shape), "strides": strides}
    if array.dtype.kind == "c" or array.size > 32:
        return head | {"data": base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()}
    flat = array.astype(object).ravel().tolist()
    return head | {"values": [repr(item) if isinstance(item, float) else item for item in flat]}


def _decode_array(record: Record) -> np.ndarray:
    if "data" in record:
        return np.frombuffer(base64.b64decode(record["data"]), record["tensor"])
    if record["tensor"] == "bool":
        return np.array(record["values"], bool)
    return np.array(
        [float(v) if isinstance(v, str) else v for v in record["values"]], record["tensor"]
    )


def difference(ours: Any, theirs: Any) -> str | None:
    """What sets two encoded values apart, None if nothing does."""
    if type(ours) is not type(theirs):
        return f"is {ours!r}, should be {theirs!r}"
    if isinstance(theirs, list):
        if len(ours) != len(theirs):
            return f"has {len(ours)} items, should have {len(theirs)}: {ours!r}, {theirs!r}"
        return next(filter(None, map(difference, ours, theirs)), None)
    if not isinstance(theirs, dict):
        return None if ours == theirs else f"is {ours!r}, should be {theirs!r}"
    if ours.keys() != theirs.keys():
        return f"is {ours!r}, should be {theirs!r}"
    if "tensor" in theirs:
        return _array_difference(ours, theirs)
    if "float" in theirs:
        return None if _close(ours["float"], theirs["float"]) else f"is {ours}, should be {theirs}"
    if "complex" in theirs:
        same = all(map(_close, ours["complex"], theirs["complex"]))
        return None if same else f"is {ours}, should be {theirs}"
    return next(filter(None, (difference(ours[key], theirs[key]) for key in theirs)), None)


def _close(ours: str, theirs: str) -> bool:
    a, b = float(ours), float(theirs)
    return math.isclose(a, b, rel_tol=1e-14, abs_tol=1e-300) or (math.isnan(a) and math.isnan(b))


def _array_difference(ours: Record, theirs: Record) -> str | None:
    for key in ("tensor", "shape", "strides"):
        if ours[key] != theirs[key]:
            return f"{key} is {ours[key]}, should be {theirs[key]}"
    got, want = _decode_array(ours), _decode_array(theirs)
    rtol = RTOL.get(theirs["tensor"], 0.0)
    if np.allclose(got, want, rtol=rtol, atol=rtol * 0.1, equal_nan=got.dtype.kind in "fc"):
        return None
    return f"values are {got}, should be {want}"


def call(
    function: Callable[..., Any],
    one: Case,
    to_argument: Callable[[Any, dict[int, Any]], Any],
    to_numpy: Callable[[Any], np.ndarray | None],
) -> Record:
    """Calls with fresh arguments; gives the result or the error, and the arguments as the call left them if it changed any."""
    args, kwargs = copy.deepcopy((one.args, one.kwargs))
    memo: dict[int, Any] = {}
    given = [convert(arg, to_argument, memo) for arg in args]
    named = {name: convert(arg, to_argument, memo) for name, arg in kwargs.items()}
    before = [encode(arg, to_numpy) for arg in (*given, *named.values())]
    try:
        done: Record = {"result": encode(function(*given, **named), to_numpy)}
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        done = {"error": type(error).__name__, "message": lines[-1] if lines else ""}
    after = [encode(arg, to_numpy) for arg in (*given, *named.values())]
    if after != before:
        done["arguments"] = after
    return done


def convert(value: Any, to: Callable[[Any, dict[int, Any]], Any], memo: dict[int, Any]) -> Any:
    """The value with its arrays converted, in containers too; one array twice becomes one tensor twice."""
    if isinstance(value, np.ndarray):
        return to(value, memo)
    if isinstance(value, dict):
        return {k: convert(v, to, memo) for k, v in cast(dict[Any, Any], value).items()}
    if isinstance(value, list):
        return [convert(item, to, memo) for item in cast(list[Any], value)]
    if isinstance(value, tuple):
        parts = [convert(item, to, memo) for item in cast(tuple[Any, ...], value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def call_difference(ours: Record, theirs: Record) -> str | None:
    """What sets two calls apart, None if nothing does. Of an error, class and message count; arguments of calls only as said."""
    if "error" in theirs or "error" in ours:
        if "error" not in theirs or "error" not in ours:
            return f"gave {ours}, should give {theirs}"
        core = theirs["message"].rsplit("Error: ", 1)[-1].rsplit("Exception: ", 1)[-1]
        if core not in ours["message"]:
            return f"error is {ours['error']}: {ours['message']}, should be {theirs['message']}"
    elif found := difference(ours["result"], theirs["result"]):
        return f"result {found}"
    return difference(ours.get("arguments"), theirs.get("arguments"))


def golden(area: str) -> dict[str, Record]:
    return json.loads((GOLDEN / f"{area}.json").read_text())


def known_differences() -> dict[str, dict[str, str]]:
    """By area and program, why it differs."""
    if not KNOWN_DIFFERENCES.exists():
        return {}
    return json.loads(KNOWN_DIFFERENCES.read_text())


def names_of_goldens() -> Iterator[tuple[str, str]]:
    """Area and name of every recorded program."""
    for path in sorted(GOLDEN.glob("*.json")):
        for name in golden(path.stem):
            yield path.stem, name
