"""Native programs that make views: Note [Traced views] in runtime/kernels/traced_views.py. What they give is held against their kernels."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager import often
from torchscript_dialect.ops.eager.call_cache import cached_calls, forget_cached_calls
from torchscript_dialect.runtime.interpreter import python_source
from torchscript_dialect.runtime.kernels import native_views as module
from torchscript_dialect.runtime.kernels.native_views import native_views
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable
from torchscript_dialect.tensor import tracked
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
END = 2**63 - 1
BLOCK = np.arange(4096, dtype=np.float32)


@pytest.fixture(autouse=True)
def without_gradients(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Views are recorded where gradients are in use."""
    monkeypatch.setattr(tracked._Use, "is_on", False)  # pyright: ignore[reportPrivateUsage]
    forget_cached_calls()
    yield
    forget_cached_calls()


def kernel_of(text: str) -> Any:
    overloads = registry.lookup(f"aten::{text.partition('.')[0]}")
    return next(one for one in overloads if one.qualified_name == f"aten::{text}").kernel


def tensors(rng: random.Random) -> ts.Tensor:
    """A tensor of some rank, of any strides: transposed, sliced, expanded, empty or read-only now and then."""
    shape = [rng.choice((1, 1, 2, 3, 4)) for _ in range(rng.randrange(4))]
    array = BLOCK[rng.randrange(8) :][: int(np.prod(shape))].reshape(shape)
    if rng.random() < 0.3:
        array = array.transpose(rng.sample(range(array.ndim), array.ndim))
    if array.ndim and rng.random() < 0.3:
        array = array[:: rng.choice((1, 2))]
    if rng.random() < 0.2:
        array = np.broadcast_to(array, (3, *array.shape))
    if array.ndim and rng.random() < 0.1:
        array = array[:0]
    return as_tensor(array)


def numbers(rng: random.Random, *others: int) -> int:
    return rng.choice((-4, -3, -2, -1, 0, 0, 1, 1, 2, 3, *others))


def dims(rng: random.Random, x: ts.Tensor) -> list[int]:
    order = rng.sample(range(x.ndim), x.ndim)
    return [dim - x.ndim * rng.randrange(2) for dim in order]


def shapes(rng: random.Random, x: ts.Tensor) -> list[int]:
    """A shape of as many elements, most often."""
    count, shape = x.numel(), []
    for size in (2, 3, 1):
        if count and count % size == 0 and rng.random() < 0.5:
            shape.append(size)
            count //= size
    shape.insert(rng.randrange(len(shape) + 1), rng.choice((-1, count)))
    return shape


def expansions(rng: random.Random, x: ts.Tensor) -> list[int]:
    own = [rng.choice((-1, size, 5 if size == 1 else size)) for size in x.shape]
    return [*([rng.choice((1, 2))] * rng.randrange(2)), *own]


CASES: dict[str, Any] = {
    "t": lambda rng, x: (),
    "numpy_T": lambda rng, x: (),
    "mT": lambda rng, x: (),
    "transpose.int": lambda rng, x: (numbers(rng), numbers(rng)),
    "permute": lambda rng, x: (dims(rng, x),),
    "movedim.int": lambda rng, x: (numbers(rng), numbers(rng)),
    "view": lambda rng, x: (shapes(rng, x),),
    "reshape": lambda rng, x: (shapes(rng, x),),
    "flatten.using_ints": lambda rng, x: (rng.choice((0, 1)), numbers(rng)),
    "unflatten.int": lambda rng, x: (numbers(rng), [rng.choice((1, 2)), -1]),
    "unsqueeze": lambda rng, x: (numbers(rng),),
    "squeeze": lambda rng, x: (),
    "squeeze.dim": lambda rng, x: (numbers(rng),),
    "squeeze.dims": lambda rng, x: ([0, rng.choice((1, -1))],),
    "expand": lambda rng, x: (expansions(rng, x), False),
    "select.int": lambda rng, x: (numbers(rng), numbers(rng)),
    "slice.Tensor": lambda rng, x: (
        numbers(rng),
        rng.choice((None, numbers(rng))),
        rng.choice((None, numbers(rng, END))),
        rng.choice((1, 1, 2, 3)),
    ),
    "narrow": lambda rng, x: (numbers(rng), numbers(rng), rng.choice((0, 1, 2))),
    "split.Tensor": lambda rng, x: (rng.choice((0, 1, 2, 3)), numbers(rng)),
    "split_with_sizes": lambda rng, x: ([1, rng.choice((1, 2, 3))], numbers(rng)),
    "chunk": lambda rng, x: (rng.choice((1, 2, 3)), numbers(rng)),
    "unbind.int": lambda rng, x: (numbers(rng),),
    "tensor_split.sections": lambda rng, x: (rng.choice((1, 2, 3)), numbers(rng)),
    "unfold": lambda rng, x: (numbers(rng), rng.choice((1, 2)), rng.choice((1, 2))),
    "diagonal": lambda rng, x: (numbers(rng), 0, rng.choice((1, -1))),
    "contiguous": lambda rng, x: (0,),
    "detach": lambda rng, x: (),
    "expand_as": lambda rng, x: (as_tensor(np.zeros([abs(one) for one in expansions(rng, x)])),),
    "view_as": lambda rng, x: (as_tensor(np.broadcast_to(BLOCK[0], (2, 2))),),
}


def outcome(run: Any, operands: tuple[Any, ...]) -> Any:
    """What a call gives, in full: which elements, where, and whose; or the error."""
    try:
        result = run(*operands)
    except (RuntimeError, IndexError, ValueError) as error:
        return type(error), str(error)
    found: list[Any] = []
    for one in result if isinstance(result, list) else [result]:
        array = one.array
        is_fresh = not np.may_share_memory(array, operands[0].array)
        place = 0 if is_fresh or not array.size else array.ctypes.data
        told = (array.shape, array.strides, array.dtype, array.tolist(), place)
        found.append((*told, str(array.flags), one is operands[0]))
    return type(result), found


@pytest.mark.parametrize("name", CASES)
def test_what_a_program_gives_is_what_its_kernel_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 2)
    monkeypatch.setattr(module, "KINDS", 100)
    rng, kernel = random.Random(name), kernel_of(name)
    native = None
    for _ in range(300):
        x = tensors(rng)
        operands = (x, *CASES[name](rng, x))
        if native is None:
            with suppress(RuntimeError, IndexError):
                kernel(*operands)
                native = native_views(kernel, operands)
        else:
            assert outcome(native, operands) == outcome(kernel, operands), operands
    assert isinstance(native, NativeCallable)
    assert native.num_specializations > 1 and native.native_calls > 5


def test_sizes_whose_product_is_no_word_are_refused() -> None:
    x = as_tensor(BLOCK[:8])
    native = native_views(kernel_of("view"), (x, [2, 4]))
    assert native is not None and native(x, [4, 2]).shape == (4, 2)
    for sizes in ([2**61 + 1, 8], [2**63, 0], [2**32, 2**32], [-(2**61) + 1, 8]):
        with pytest.raises(RuntimeError):
            native(x, sizes)


def test_other_classes_and_dtypes_go_to_the_kernel() -> None:
    x = as_tensor(BLOCK[:6].reshape(2, 3))
    native = native_views(lambda *operands: kernel_of("transpose.int")(*operands), (x, 0, 1))
    assert isinstance(native, NativeCallable)
    native(x, 0, 1)
    assert native.native_calls == 1
    assert native(as_tensor(np.zeros((2, 3), np.int64)), 0, 1).shape == (3, 2)
    assert native(x, False, True).shape == (3, 2)
    tracked_one = torch.ones(2, 3, requires_grad=True)
    assert native(tracked_one, 0, 1).shape == (3, 2)
    with pytest.raises(AttributeError):
        native(None, 0, 1)
    assert native.native_calls == 1


def test_a_view_keeps_its_memory_and_no_chain() -> None:
    block = np.arange(24, dtype=np.float32)
    x = as_tensor(block.reshape(4, 6))
    kernel = kernel_of("unbind.int")
    native = native_views(kernel, (x, 0))
    assert native is not None
    before = sys.getrefcount(block), sys.getrefcount(x), sys.getrefcount(x.array.dtype)
    parts = native(x, 0)
    assert all(part.array.base is block for part in parts)
    assert [part.array.flags.owndata for part in parts] == [False] * 4
    del parts
    assert (sys.getrefcount(block), sys.getrefcount(x)) == before[:2]


def test_a_read_only_array_has_read_only_views() -> None:
    array = np.arange(6, dtype=np.float32)
    array.flags.writeable = False
    x = as_tensor(array)
    native = native_views(kernel_of("unsqueeze"), (x, 0))
    assert native is not None and not native(x, 0).array.flags.writeable


def test_a_kernel_that_copies_has_no_program() -> None:
    x = as_tensor(np.arange(6, dtype=np.float32).reshape(2, 3).T)
    assert native_views(kernel_of("contiguous"), (x, 0)) is None
    assert native_views(kernel_of("reshape"), (x, [-1])) is None
    assert native_views(kernel_of("unsqueeze"), (x, "0")) is None


def test_settings_without_native_code_have_no_programs() -> None:
    x = as_tensor(BLOCK[:6].reshape(2, 3))
    native = native_views(kernel_of("t"), (x,))
    assert isinstance(native, NativeCallable) and native.num_specializations == 1
    with ts.fuser("none"):
        assert native.num_specializations == 0
        assert native_views(kernel_of("t"), (x,)) is None
        assert native(x).shape == (3, 2)


def test_eager_calls_have_programs_after_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(often, "OFTEN", 3)
    x = as_tensor(BLOCK[:6].reshape(2, 3))
    for _ in range(5):
        x.transpose(0, 1)
    kernel = cached_calls("aten::transpose")[(ts.Tensor, int, int)].kernel
    assert isinstance(kernel, NativeCallable)
    before = kernel.native_calls
    assert x.transpose(-1, -2).tolist() == x.array.T.tolist()
    assert x.transpose(0, 1).tolist() == x.array.T.tolist()
    assert kernel.native_calls == before + 1  # dimensions from the end go another way


def test_compiled_functions_have_programs_after_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_source, "OFTEN_IN_PROGRAMS", 3)
    made: list[Any] = []

    def noted(kernel: Any, operands: Any) -> Any:
        made.append(native_views(kernel, operands))
        return made[-1]

    monkeypatch.setattr(module, "native_views", noted)
    unit = ts.CompilationUnit("def f(x, n: int):\n    return x[n], x.t()\n")
    x = as_tensor(BLOCK[:6].reshape(2, 3))
    for _ in range(12):
        part, other = unit.f(x, 1)
    assert part.tolist() == [3.0, 4.0, 5.0] and other.shape == (3, 2)
    assert unit.f(x, -2)[0].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(Exception, match="out of range"):
        unit.f(x, 2)
    assert sum(one.native_calls for one in made) > 0
