"""Views stand on the array that owns their memory, however many views they came through."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest

from samples import samples_of
from samples.compare import ours
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

registry.load_families()
NAMES = [
    name
    for name, _ in registry.attached()
    if (operator := registry.find(name)) is not None
    and operator.kernel is not None
    and operator.qualified_name.startswith("aten::")
]
SAMPLES = 4


def depth(array: Any) -> int:
    """How many objects the array's memory is behind."""
    hops = 0
    while (array := getattr(array, "base", None)) is not None:
        hops += 1
    return hops


def tensors_in(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def kernel(name: str) -> Callable[..., Any]:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    return operator.kernel


def test_results_of_every_operator_stand_on_the_owner() -> None:
    """Operands are views of views; results and operands that changed in place are as near to the memory as those."""
    views = 0
    for name in NAMES:
        operator = registry.find(name)
        assert operator is not None
        for make in islice(samples_of(operator), SAMPLES):
            operands = [ours(value, {}) for value in make()]
            for tensor in tensors_in(operands):
                tensor.array = tensor.array[...]
            limit = max([1, *(depth(one.array) for one in tensors_in(operands))])
            try:
                result = kernel(name)(*operands)
            except (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError):
                continue
            for tensor in [*tensors_in(result), *tensors_in(operands)]:
                assert depth(tensor.array) <= limit, f"{name} {make()}"
            views += any(depth(one.array) for one in tensors_in(result))
    assert views > 500


LOOPS: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
    "unsqueeze": [("unsqueeze", (0,)), ("select.int", (0, 0))],
    "unsqueeze inside": [("unsqueeze", (1,)), ("select.int", (1, 0))],
    "unsqueeze behind": [("unsqueeze", (-1,)), ("squeeze.dim", (-1,))],
    "expand": [("expand", ([3, -1, -1], False)), ("select.int", (0, 1))],
    "unfold": [("unfold", (1, 1, 1)), ("select.int", (2, 0))],
    "diagonal": [
        ("unsqueeze", (0,)),
        ("expand", ([1, -1, -1], False)),
        ("diagonal", (0, 0, 1)),
        ("unsqueeze", (0,)),
        ("expand", ([4, -1, -1], False)),
        ("squeeze.dim", (-1,)),
    ],
    "transpose": [("transpose.int", (0, 1))],
    "permute": [("permute", ([1, 0],))],
    "slice": [("slice.Tensor", (1, 0, None, 1)), ("narrow", (0, 0, 4))],
    "view": [("unsqueeze", (1,)), ("view", ([4, -1],))],
    "as_strided": [("as_strided", ([4, 3], [1, 1], None))],
    "alias": [("alias", ()), ("detach", ())],
    "split": [("split.Tensor", (4, 0))],
    "unbind": [("unsqueeze", (0,)), ("unbind.int", (0,))],
    "movedim": [("movedim.int", (0, 1))],
    "view.dtype": [("view.dtype", (3,)), ("view.dtype", (6,))],
}


def start(kind: str) -> Tensor:
    """A tensor of four rows whose memory is of one kind or another."""
    whole = np.arange(96, dtype=np.float32)
    match kind:
        case "own":
            return as_tensor(np.arange(12, dtype=np.float32).reshape(4, 3).copy())
        case "strided":
            return as_tensor(whole.reshape(8, 12)[::2, ::4])
        case "columns first":
            return as_tensor(np.asfortranarray(whole[:12].reshape(4, 3)))
        case "bfloat16":
            return as_tensor(whole.reshape(8, 12)[::2, ::4].astype(ml_dtypes.bfloat16)[:, :])
        case "read-only":
            shown = whole.reshape(8, 12)[::2, ::4]
            shown.flags.writeable = False
            return as_tensor(shown)
        case "part of foreign memory":
            memory = np.frombuffer(bytearray(whole.tobytes()), np.float32)
            return as_tensor(np.asarray(memoryview(cast(Any, memory.reshape(8, 12)))[::2])[:, ::4])
        case _:
            raise AssertionError(kind)


KINDS = ("own", "strided", "columns first", "bfloat16", "read-only", "part of foreign memory")


def step(tensor: Tensor, loop: str) -> Tensor:
    for name, arguments in LOOPS[loop]:
        found = kernel(f"aten::{name}")(tensor, *arguments)
        tensor = found[0] if isinstance(found, list) else found
    return tensor


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_views_of_views_keep_no_chain_alive(loop: str, kind: str) -> None:
    """`as_strided` by NumPy let 200,000 times `x.unsqueeze(0).select(0, 0)` grow to 264 MB."""
    if loop == "as_strided" and kind == "part of foreign memory":
        pytest.skip("refused: the memory is not one block")
    if loop == "view.dtype" and kind == "bfloat16":
        pytest.skip("elements of another size")
    first = start(kind)
    tensor = first
    for _ in range(3):
        tensor = step(tensor, loop)
    reached = depth(tensor.array)
    assert reached <= depth(first.array) + 3
    passed: list[weakref.ref[Any]] = []
    for _ in range(50):
        passed.append(weakref.ref(tensor.array))
        tensor = step(tensor, loop)
    kept = {id(array) for one in passed if (array := one()) is not None}
    assert len(kept) <= 3
    assert depth(tensor.array) == reached
    assert tensor.array.flags.writeable == first.array.flags.writeable
    assert np.shares_memory(tensor.array, first.array)
    if loop not in ("diagonal", "as_strided"):
        turned = tensor.array if tensor.array.shape == (4, 3) else tensor.array.T
        np.testing.assert_array_equal(turned.astype(np.float32), first.array.astype(np.float32))


@pytest.mark.parametrize("kind", KINDS)
def test_restrided_elements(kind: str) -> None:
    """The windows of two columns, made by hand."""
    array = start(kind).array
    down, right = array.strides
    found = storage.restride(array, (4, 2, 2), (down, right, right))
    expected = np.stack([array[:, :2], array[:, 1:]], axis=1)
    assert found.dtype is array.dtype
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
    assert found.__array_interface__["data"] == array.__array_interface__["data"]


def test_reshape_alias_stays_inside() -> None:
    """It read beyond the memory."""
    x = as_tensor(np.zeros(4, np.float32))
    assert kernel("aten::_reshape_alias")(x, [2, 2], [1, 2]).array.shape == (2, 2)
    with pytest.raises(RuntimeError, match="out of bounds"):
        kernel("aten::_reshape_alias")(x, [4, 1000], [1000, 1])


@pytest.mark.parametrize(
    ("start", "end", "step", "offset"),
    [(2, 2, 1, 2), (4, 1, 1, 4), (6, 9, 1, 6), (3, 3, 2, 3), (9, 9, 1, 6)],
)
def test_an_empty_slice_begins_where_it_was_asked_to(
    start: int, end: int, step: int, offset: int
) -> None:
    x = torch.arange(6)
    empty = x[start:end:step]
    assert (empty.storage_offset(), empty.stride(), tuple(empty.shape)) == (offset, (step,), (0,))
    if offset < 6:
        assert empty.as_strided([1], [1], offset).tolist() == [offset]
    row = torch.zeros(3, 4)[:, 2:2]
    assert (row.storage_offset(), row.stride()) == (2, (4, 1))
    assert torch.zeros(3, 4).narrow(0, 1, 0).storage_offset() == 4
