"""What a call did, in a form that JSON holds and that two libraries can be compared by.

A record is the result (or the error), the arguments that the call wrote to, and which arguments each result shares memory
with. Tensors are kept to the bit.
"""

import base64
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Record = dict[str, Any]
RTOL = {"float32": 2e-6, "float64": 1e-13}


def leaves(value: Any) -> Iterator[Any]:
    """The values that are not tuples or lists, in order."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def element_strides(array: np.ndarray) -> list[int] | None:
    """Strides in elements; None for an array without elements, for which NumPy keeps none."""
    if not array.size:
        return None
    return [stride // array.itemsize for stride in array.strides]


def encode(value: Any, arguments: list[np.ndarray]) -> Record:
    """`value` (arrays, Python values, tuples, lists) as JSON; `arguments` are the arrays that were passed in."""
    if isinstance(value, np.ndarray):
        contiguous = np.ascontiguousarray(value)
        return {
            "kind": "tensor",
            "dtype": value.dtype.name,
            "shape": list(value.shape),
            "strides": element_strides(value),
            "shares": [
                i for i, argument in enumerate(arguments) if np.may_share_memory(value, argument)
            ],
            "data": base64.b64encode(contiguous.tobytes()).decode(),
        }
    if isinstance(value, tuple | list):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"kind": kind, "items": [encode(item, arguments) for item in value]}
    if isinstance(value, float):
        return {"kind": "float", "value": repr(value)}
    assert value is None or isinstance(value, bool | int | str), f"no record for {type(value)}"
    return {"kind": type(value).__name__, "value": value}


def record(
    call: Callable[..., Any], args: tuple[Any, ...], to_numpy: Callable[[Any], Any]
) -> Record:
    """Calls and records. `call` takes the NumPy arguments; `to_numpy` turns its result's tensors into arrays on the same
    memory. An exception becomes an `error` entry with its class and the last line of its message."""
    arrays = [leaf for leaf in leaves(args) if isinstance(leaf, np.ndarray)]
    before = [array.tobytes() for array in arrays]
    try:
        result = to_numpy(call(*args))
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        done: Record = {
            "error": {"type": type(error).__name__, "message": lines[-1].strip() if lines else ""}
        }
    else:
        done = {"result": encode(result, arrays)}
    written = {str(i): encode(a, []) for i, a in enumerate(arrays) if a.tobytes() != before[i]}
    if written:
        done["written"] = written
    return done


def decode(tensor: Record) -> np.ndarray:
    data = np.frombuffer(base64.b64decode(tensor["data"]), tensor["dtype"])
    return data.reshape(tensor["shape"])


def _tensor_difference(ours: Record, theirs: Record, scale: float) -> str | None:
    for key in ("dtype", "shape", "strides", "shares"):
        if ours.get(key) != theirs.get(key):
            return f"{key} is {ours.get(key)}, should be {theirs.get(key)}"
    got, want = decode(ours), decode(theirs)
    if got.dtype.kind not in "fc":
        return None if np.array_equal(got, want) else f"values are {got}, should be {want}"
    rtol = RTOL.get(got.dtype.name, 1e-3)
    if not np.allclose(got, want, rtol=rtol, atol=rtol * scale, equal_nan=True):
        with np.errstate(all="ignore"):
            worst = np.nanmax(np.abs(got - want) / (np.abs(want) + scale))
        return f"values differ by {worst} relatively:\n{got}\nshould be\n{want}"
    return None


def difference(ours: Record, theirs: Record, scale: float) -> str | None:
    """What sets two values apart, or None.

    dtype, shape, strides, shared memory, NaN and infinities are compared exactly, other numbers within a relative RTOL and an
    absolute RTOL * `scale`.
    """
    if ours["kind"] != theirs["kind"]:
        return f"is a {ours['kind']}, should be a {theirs['kind']}"
    if ours["kind"] == "tensor":
        return _tensor_difference(ours, theirs, scale)
    if ours["kind"] in ("tuple", "list"):
        if len(ours["items"]) != len(theirs["items"]):
            return f"has {len(ours['items'])} items, should have {len(theirs['items'])}"
        for i, (mine, their) in enumerate(zip(ours["items"], theirs["items"], strict=True)):
            if found := difference(mine, their, scale):
                return f"item {i}: {found}"
        return None
    if ours["kind"] == "float":
        got, want = float(ours["value"]), float(theirs["value"])
        same = math.isclose(got, want, rel_tol=1e-15) or (math.isnan(got) and math.isnan(want))
        return None if same else f"is {got}, should be {want}"
    return (
        None
        if ours["value"] == theirs["value"]
        else f"is {ours['value']}, should be {theirs['value']}"
    )


def call_difference(ours: Record, theirs: Record, scale: float) -> str | None:
    """What sets two calls apart, or None. Of an error the core of PyTorch's message must stand in ours."""
    if ("error" in ours) != ("error" in theirs):
        return (
            f"gave {ours.get('error', 'a result')}, should give {theirs.get('error', 'a result')}"
        )
    if "error" in theirs:
        core = theirs["error"]["message"].rsplit("Error: ", 1)[-1].rsplit("Exception: ", 1)[-1]
        if core not in ours["error"]["message"]:
            return f"error is {ours['error']}, should be {theirs['error']}"
    elif found := difference(ours["result"], theirs["result"], scale):
        return f"result {found}"
    mine, their = ours.get("written", {}), theirs.get("written", {})
    if mine.keys() != their.keys():
        return f"wrote to arguments {sorted(mine)}, should write to {sorted(their)}"
    for index, want in their.items():
        if found := difference(mine[index], want, scale):
            return f"argument {index} afterwards: {found}"
    return None
