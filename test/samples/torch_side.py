"""The same operator in PyTorch. Imports PyTorch; only for use where it is installed."""

import re
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
import torch

from torchscript_dialect.tensor.dtype import all_dtypes, of_array
from torchscript_dialect.utils.byte_strings import decoded

UNREACHABLE = {
    "aten::pow.int_to_int": "the call by name runs aten::pow.int",
    "prim::abs.Scalar": "graph text has no way to say Scalar",
    "prim::max": "graph text has no way to say Scalar",
    "prim::min": "graph text has no way to say Scalar",
    "prim::ReductionSizes": "PyTorch erases from its argument",
}
"""Operators that PyTorch lets nobody call from Python."""

_LAYOUTS = {0: torch.strided}
_FORMATS = {
    0: torch.contiguous_format,
    1: torch.preserve_format,
    2: torch.channels_last,
    3: torch.channels_last_3d,
}
_DTYPES = {each.scalar_type: getattr(torch, each.name) for each in all_dtypes()}


def theirs(value: Any, memo: dict[int, Any]) -> Any:
    """Arrays become PyTorch's tensors with the same strides."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = _tensor(value)
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(theirs(item, memo) for item in value)
    if isinstance(value, dict):
        return {key: theirs(item, memo) for key, item in value.items()}
    return value


_OF_NUMPY = 256
"""From this number on dtypes are not NumPy's own, but those of ml_dtypes."""


def _tensor(array: np.ndarray) -> torch.Tensor:
    if array.dtype.num >= _OF_NUMPY:
        bits = np.uint16 if array.itemsize == 2 else np.uint8
        return torch.from_numpy(array.view(bits)).view(getattr(torch, of_array(array).name))
    # With memory of its own where that changes nothing else: `out` may have to grow.
    tensor = torch.from_numpy(array)
    return tensor.clone() if array.flags.c_contiguous and array.size else tensor


def plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        value = value.detach().resolve_conj().resolve_neg()
        array = (
            value.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
            if value.dtype == torch.bfloat16
            else value.numpy()
        )
        return ("tensor", array.copy(), str(value.dtype).removeprefix("torch."), value.stride())
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, torch.dtype):
        return next(number for number, dtype in _DTYPES.items() if dtype == value)
    if isinstance(value, torch.layout):
        return 0
    if isinstance(value, torch.device):
        return str(value)
    return value


def _ir_type(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if isinstance(value, bool):
        return "bool"
    if value is None:
        return "NoneType"
    if isinstance(value, list):
        return f"{_ir_type(value[0]) if value else 'int'}[]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_ir_type, value))})"
    if isinstance(value, dict):
        if not value:
            return "Dict(str, int)"
        key, item = next(iter(value.items()))
        return f"Dict({_ir_type(key)}, {_ir_type(item)})"
    return type(value).__name__


def _result_type(operator: Any, operands: list[Any]) -> str:
    """The result type of the schema with its type variables replaced."""
    text = operator.text.rpartition(" -> ")[2]
    text = re.sub(r"\((?:[a-z]!?|\*|[a-z] -> \*)\)", "", text)
    env: dict[str, str] = {}
    for argument, operand in zip(operator.schema.arguments, operands):
        kind, actual = argument.type.repr_str, _ir_type(operand)
        for pattern, place in ((r"^(t\w*)$", actual), (r"^(t)\[\]$", actual[:-2])):
            if match := re.match(pattern, kind):
                env.setdefault(match[1], place)
        if match := re.match(r"^Dict\(\w+, (t\w*)\)$", kind):
            env.setdefault(match[1], actual.partition(", ")[2][:-1])
        if match := re.match(r"^\(\w+, (t\w*)\)\[\]$", kind):
            env.setdefault(match[1], actual[:-3].partition(", ")[2])
    return re.sub(r"\bt(?:Val|1|2)?\b", lambda m: env.get(m[0], m[0]), text)


def _through_ir(operator: Any, operands: list[Any]) -> Any:
    """Run one operator as a graph: for schemas with type variables and for `...`."""
    names = [f"%{i}" for i in range(len(operands))]
    inputs = ", ".join(f"{n} : {_ir_type(o)}" for n, o in zip(names, operands))
    result = _result_type(operator, operands)
    if result == "()":
        text = f"graph({inputs}):\n  {operator.name}({', '.join(names)})\n  %n : NoneType = prim::Constant()\n  return (%n)"
    else:
        if result.startswith("((") and result.endswith("))"):
            result = result[1:-1]
        if result.startswith("(") and result.endswith("[])"):
            result = result[1:-1]
        text = f"graph({inputs}):\n  %r : {result} = {operator.name}({', '.join(names)})\n  return (%r)"
    head, _, value = text.rpartition("\n  return (")
    tail = ", ".join([value.rstrip(")"), *names])
    kinds = ", ".join(["NoneType" if result == "()" else result, *map(_ir_type, operands)])
    text = f"{head}\n  %t : ({kinds}) = prim::TupleConstruct({tail})\n  return (%t)"
    graph = torch._C.parse_ir(text)
    found = torch._C._create_function_from_graph("f", graph)(*operands)
    operands[:] = found[1:]
    return found[0]


@contextmanager
def without_onednn() -> Generator[None]:
    """PyTorch's own kernels only: what oneDNN gives depends on the processor (gelu(inf) is NaN on those with AVX-512)."""
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(True)


def invoke(operator: Any, operands: list[Any]) -> Any:
    """The result of a call; `operands` may be others afterwards."""
    schema = operator.schema
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for place, operand in enumerate(operands):
        if place >= len(schema.arguments):
            args.append(operand)
            continue
        argument = schema.arguments[place]
        given = operand
        if isinstance(operand, int) and not isinstance(operand, bool):
            if "ScalarType" in argument.spelling:
                given = _DTYPES[operand]
            elif "MemoryFormat" in argument.spelling:
                given = _FORMATS[operand]
            elif "Layout" in argument.spelling:
                given = _LAYOUTS[operand]
        if argument.kwarg_only:
            kwargs[argument.name] = given
        else:
            args.append(given)
    with warnings.catch_warnings(), without_onednn():
        warnings.simplefilter("ignore")
        if (
            schema.is_vararg
            or re.search(r"\w\[\]\(a!\)|\)\(a!\)", operator.text)
            or re.search(r"\bt\d?\b|tVal", operator.text.partition("(")[2])
            or operator.qualified_name.startswith("prim::")
        ):
            return _through_ir(operator, operands)
        op = torch._C._get_operation_overload(operator.name, operator.overload)
        assert op is not None, f"PyTorch has no {operator.qualified_name}"
        return op[0](*args, **kwargs)


def run(operator: Any, make: Any) -> tuple[Any, Any]:
    """Result and arguments after the call; a result is an exception where PyTorch raised."""
    memo: dict[int, Any] = {}
    operands = [theirs(value, memo) for value in make()]
    torch.default_generator.manual_seed(0)
    try:
        result = invoke(operator, operands)
        return plain(result), [plain(operand) for operand in operands]
    except UnicodeDecodeError as error:
        if operator.text.endswith(
            " -> str"
        ):  # half a character, which Python gets to see in the error only
            return decoded(error.object), None
        return error, None
    except (
        RuntimeError,
        IndexError,
        ValueError,
        TypeError,
        NotImplementedError,
        ZeroDivisionError,
        torch.jit.Error,
    ) as error:
        return error, None
