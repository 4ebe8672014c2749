"""The programs of test/tracer/programs, which are written for any `torch`, and what traces of them are.

Each file is run with `torch` and `program` among its globals; `@program(inputs)` collects a function, or a module class.
"""

import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from support.canonical import canonical

FOLDER = Path(__file__).parent.parent / "tracer" / "programs"
GOLDEN = Path(__file__).parent.parent / "golden" / "traces"
SMALL = 24
"""Up to so many elements, golden results say each; of more, some."""


@dataclass
class TracedProgram:
    """A function or module class, and arrays that it is traced with."""

    name: str
    make: Callable[..., Any]
    inputs: tuple[Any, ...]
    strict: bool


def floats(*shape: int) -> np.ndarray:
    """Numbers between -1 and 1, none of them 0, in an order that is not theirs."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 7 + 3) % 17 - 8.5) / 9).astype(np.float32).reshape(shape)


def ints(*shape: int) -> np.ndarray:
    count = int(np.prod(shape))
    return ((np.arange(count) * 5 + 2) % 7).astype(np.int64).reshape(shape)


def load(path: Path, torch: Any) -> list[TracedProgram]:
    """The programs of a file, for one `torch`."""
    found: list[TracedProgram] = []

    def program(*inputs: Any, strict: bool = True) -> Callable[[Any], Any]:
        def collect(item: Any) -> Any:
            found.append(TracedProgram(item.__name__, item, inputs, strict))
            return item

        return collect

    names = {
        "__name__": "__main__",
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "program": program,
        "floats": floats,
        "ints": ints,
        "np": np,
    }
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), names)
    return found


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.py"))


def to_inputs(value: Any, torch: Any) -> Any:
    """Arrays as tensors of one library, in the containers that they are in."""
    if isinstance(value, np.ndarray):
        return torch.tensor(value)
    if isinstance(value, tuple):
        return tuple(to_inputs(item, torch) for item in value)
    if isinstance(value, list):
        return [to_inputs(item, torch) for item in value]
    return {key: to_inputs(item, torch) for key, item in value.items()}


def instance(program: TracedProgram, torch: Any) -> Any:
    """The function, or a module of the class with parameters that are the same in all libraries."""
    if not isinstance(program.make, type):
        return program.make
    module = program.make()
    with torch.no_grad():
        _fill(module, torch)
    return module if getattr(program.make, "trains", False) else module.eval()


def _fill(module: Any, torch: Any) -> None:
    for name, tensor in [
        *module.named_parameters(recurse=False),
        *module.named_buffers(recurse=False),
    ]:
        if tensor.is_floating_point():
            start = 0.5 if "var" in name else 0.0
            tensor.copy_(torch.tensor(np.abs(floats(*tensor.shape)) * 0.5 + start))
    for child in module.children():
        _fill(child, torch)


def trace(program: TracedProgram, torch: Any) -> Any:
    """The trace of a program by one library."""
    item = instance(program, torch)
    options = {} if torch.__name__ == "torchscript_dialect.torch" else {"check_trace": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.trace(
            item, to_inputs(program.inputs, torch), strict=program.strict, **options
        )


_SCOPE = re.compile(r"(, scope: [^#\n]*?)?( # [^\n]*)?$", re.MULTILINE)
_TENSOR = re.compile(
    r"prim::Constant\[value=(?!\{)(?!\")[^\]]*?(?:\[ [^\]]*\]|tensor<[^\]]*\][^\]]*)\]", re.DOTALL
)


_NUMBER = re.compile(r"\{(-?\d[^(){},]*)\}")
"""A tensor of one element, of which PyTorch shows six digits."""

_FORK = re.compile(r"prim::fork_\d+")
"""PyTorch counts the forks of each region from 0, so that names come twice; ours are those of the whole text, which is read again."""


def text_of(graph: Any) -> str:
    """A graph without names and places, but with scopes; tensors of several elements are known by their types."""
    text = _TENSOR.sub("prim::Constant[value=<Tensor>]", str(graph))
    text = _FORK.sub("prim::fork", text)
    text = _NUMBER.sub(lambda match: f"{{{float(match[1]):.6g}}}", text)
    kept = _SCOPE.sub(lambda match: (match[1] or "").rstrip(), text)
    return canonical(kept)


def methods(traced: Any) -> Iterator[tuple[str, Any]]:
    """All methods of a traced module and of those inside it, by path and name."""
    for path, module in traced.named_modules():
        count = 0
        while True:
            name = f"forward{count or ''}"
            method = _method(module, name)
            if method is None:
                break
            yield f"{path}.{name}".lstrip("."), method
            count += 1


def _method(module: Any, name: str) -> Any:
    if hasattr(module, "_c"):
        return module._c._get_method(name) if module._c._has_method(name) else None
    return vars(module).get(name)


def texts(traced: Any) -> dict[str, str]:
    """The graphs of a trace: that of the function, or those of all methods and the one with all of them inlined."""
    if not hasattr(traced, "named_modules"):
        return {"graph": text_of(traced.graph)}
    found = {path: text_of(method.graph) for path, method in methods(traced)}
    return {**found, "inlined": text_of(traced.inlined_graph)}


def as_json(value: Any) -> Any:
    """A result as JSON: tensors by dtype, shape and elements."""
    if isinstance(value, (tuple, list)):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    array: np.ndarray[Any, Any] = np.asarray(value.detach() if hasattr(value, "detach") else value)
    flat = array.reshape(-1)
    some = flat if flat.size <= SMALL else flat[:: max(1, flat.size // SMALL)]
    if some.dtype.kind == "c":
        some = np.stack([some.real, some.imag], -1)
    return {"dtype": str(array.dtype), "shape": list(array.shape), "elements": some.tolist()}


def golden(path: Path) -> dict[str, Any]:
    """What PyTorch makes of the programs of a file, by name."""
    return json.loads((GOLDEN / f"{path.stem}.json").read_text())
