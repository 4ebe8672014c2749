"""The archives in test/archives: what PyTorch's module is like, beside what ours is."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from support import corpus
from support.canonical import canonical, without_mangling

FOLDER = Path(__file__).parent.parent / "archives"
CALLS = 3
"""How often each call of an archive is made, one after the other."""
_TENSOR = re.compile(r"value=(tensor<[^>]*>|[^\]\[]*\[ \w+Type\{[\d,]*\} \])\]")
"""A constant that is a tensor, whose numbers the two printers write differently."""
_OBJECT = re.compile(r"value=object\([^)]*\)")
"""A constant that is an object: PyTorch prints where it is in memory."""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.pt"))


def texts_of(method: Any) -> dict[str, str]:
    """The graph and code of a method, in a form in which two printers can be compared."""
    graph = canonical(_TENSOR.sub("value=<Tensor>]", str(method.graph)), "none.py")
    graph = _OBJECT.sub("value=<object>", graph.replace(" # :0:0", ""))
    return {"graph": without_mangling(graph), "code": without_mangling(method.code)}


def record_of(
    load: Callable[[], Any],
    calls: list[tuple[str, tuple[Any, ...]]],
    to_argument: Callable[[np.ndarray, dict[int, Any]], Any],
    to_numpy: Callable[[Any], np.ndarray | None],
) -> dict[str, Any]:
    """What is expected of a module: the texts of the methods that are called, and what the calls give, each in its turn."""
    methods = dict.fromkeys(name for name, _ in calls)
    loaded = load()
    texts = {name: texts_of(getattr(loaded, name)) for name in methods}
    done: list[Any] = []
    for name, args in calls:
        module = load()
        callee = module if name == "forward" else getattr(module, name)
        one = corpus.Case(args, {}, name)
        done.append([corpus.call(callee, one, to_argument, to_numpy) for _ in range(CALLS)])
    return {"texts": texts, "calls": done, "arguments": [[n, _packed(a)] for n, a in calls]}


def _packed(args: Any) -> Any:
    """Arguments as JSON."""
    if isinstance(args, np.ndarray):
        return {
            "array": args.dtype.name,
            "shape": list(args.shape),
            "values": args.ravel().tolist(),
        }
    return [_packed(arg) for arg in args] if isinstance(args, tuple | list) else args


def arguments_of(record: dict[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """The calls that a record is of."""
    return [(name, tuple(map(_unpacked, args))) for name, args in record["arguments"]]


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        return np.array(value["values"], value["array"]).reshape(value["shape"])
    return [_unpacked(item) for item in value] if isinstance(value, list) else value


def golden(name: str) -> dict[str, Any]:
    """What PyTorch gave for an archive: it is in the archive itself, as an extra file."""
    import torchscript_dialect as ts

    extra: dict[str, Any] = {"expected.json": ""}
    ts.load(FOLDER / f"{name}.pt", _extra_files=extra)
    return json.loads(extra["expected.json"])


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """All that sets two records apart."""
    found: list[str] = []
    for method, texts in theirs["texts"].items():
        for kind, text in texts.items():
            if ours["texts"][method][kind] != text:
                found.append(
                    f"{kind} of {method} is\n{ours['texts'][method][kind]}\nshould be\n{text}"
                )
    for number, (mine, wanted) in enumerate(zip(ours["calls"], theirs["calls"], strict=True)):
        for turn, (one, other) in enumerate(zip(mine, wanted, strict=True)):
            if difference := corpus.call_difference(one, other):
                found.append(f"call {number}, turn {turn}: {difference}")
    return found


def stream(data: bytes) -> io.BytesIO:
    return io.BytesIO(data)


def source_differences(
    path: Path, source: str, torch: Any, load: Callable[[Path], Any], to: Any
) -> list[str]:
    """What sets the calls of a module written as Python source apart from the record in its archive; `to` converts arguments and results."""
    theirs = golden(path.stem)
    names: dict[str, Any] = {"__name__": "made"}
    exec(compile(source, path.name, "exec"), names)
    kinds = [one for one in names.values() if isinstance(one, type) and one.__module__ == "made"]
    made = [one for one in kinds if issubclass(one, torch.nn.Module)][-1]
    found: list[str] = []
    for (name, args), turns in zip(arguments_of(theirs), theirs["calls"], strict=True):
        module = made()
        module.load_state_dict(load(path).state_dict())
        callee = module if name == "forward" else getattr(module, name)
        for turn in turns:
            one = corpus.call(callee, corpus.Case(args, {}, name), *to)
            if difference := corpus.call_difference(one, turn):
                found.append(difference)
    return found
