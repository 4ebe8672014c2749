"""What a process with PyTorch in it has once: its default dtype, gradient mode and generator are PyTorch's while it is loaded.

PyTorch is never imported here: a program that has it has imported it.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.autocast_region import DEFAULTS, REGION, Casts


class _Known:
    module: Any = None
    """PyTorch, once all of it was there; None before that."""


def loaded() -> Any:
    """PyTorch, None while nobody has imported all of it: the stand-in may bear its name (`ts.install_as_torch`)."""
    torch = sys.modules.get("torch")
    return torch if torch is _Known.module else _if_whole(torch)


def _if_whole(torch: Any) -> Any:
    """A module that bears the name, if it is PyTorch and all of it is there."""
    if getattr(torch, "__name__", None) != "torch" or not hasattr(torch, "default_generator"):
        return None
    _Known.module = torch
    return torch


def is_being_imported() -> bool:
    """Whether a thread has begun to import PyTorch, and not all of it is there."""
    name = getattr(sys.modules.get("torch"), "__name__", None)
    return name == "torch" and loaded() is None


def is_followed(torch: Any) -> bool:
    """Whether PyTorch follows what this thread does to its tensors by more than its tape: in a trace, in a mode that gets its
    operators, or in a level of forward derivatives.
    """
    return (
        torch._C._get_tracing_state() is not None
        or torch._C._len_torch_dispatch_stack() > 0
        or torch.autograd.forward_ad._current_level >= 0
    )


class _Importing(MetaPathFinder):
    """Finds PyTorch as the other finders do, and tells when it is run."""

    def __init__(self, listener: Callable[[], None]) -> None:
        self.listener = listener

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "torch":
            return None
        others = [one for one in sys.meta_path if one is not self]
        specs = (one.find_spec(fullname, path, target) for one in others)
        spec = next((one for one in specs if one is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = partial(self.run, spec.loader.exec_module)
        return spec

    def run(self, exec_module: Callable[[ModuleType], None], module: ModuleType) -> None:
        self.listener()
        exec_module(module)
        if self in sys.meta_path:  # some tests put back what was there
            sys.meta_path.remove(self)
        self.listener()


def around_import(listener: Callable[[], None]) -> None:
    """Call `listener` when the process begins to import PyTorch, and when it has; never where it has now."""
    if "torch" not in sys.modules:
        sys.meta_path.insert(0, _Importing(listener))


def autocast_dtype(device: str) -> str:
    """The name of the dtype that a region of `torch.autocast` that begins here computes with on a kind of device.

    Raises:
        RuntimeError: there are no such regions for it.
    """
    said = REGION.dtypes.get(device)
    if said is not None:
        return said
    torch = loaded()
    if torch is not None:
        return str(torch.get_autocast_dtype(device)).rpartition(".")[2]
    if device not in DEFAULTS:
        raise RuntimeError("unsupported scalarType")
    return DEFAULTS[device]


def autocast_around(torch: Any) -> Casts | None:
    """What the regions of `torch.autocast` that the thread is in compute with; None where nothing is cast. Those of the stand-in
    count before PyTorch's.
    """
    if torch is None:
        return REGION.casts
    if not REGION.enabled and not torch._C._is_any_autocast_enabled():
        return None
    found = Casts(*(_around(torch, kind) for kind in Casts._fields))
    return found if any(found) else None


def _around(torch: Any, kind: str) -> str:
    enabled = REGION.enabled.get(kind)
    if enabled is None:
        enabled = torch.is_autocast_enabled(kind)
    return autocast_dtype(kind) if enabled else ""


def allows_tf32() -> bool | None:
    """Whether PyTorch lets products on devices round factors of float32 to tf32; None while it is not loaded."""
    torch = loaded()
    return None if torch is None else torch.backends.cuda.matmul.fp32_precision == "tf32"


# The state of PyTorch's CPU generator as bytes (aten/src/ATen/CPUGeneratorImpl.cpp): seed, how many words are left and whether
# there is a seed, the next word, the words, then normal numbers that were drawn in pairs.
_HEAD = struct.Struct("<QiiQ")
_WORDS = slice(_HEAD.size, _HEAD.size + 624 * 8)
_NORMAL_AT = _WORDS.stop + 8
_IS_NORMAL_AT = _WORDS.stop + 24
STATE_BYTES = _WORDS.stop + 40
"""How many bytes a state of a generator has."""


@lru_cache(maxsize=8)
def _engine(bits: np.random.MT19937) -> NDArray[np.uint32]:
    """The words of an engine and its place among them, in its own memory: `bits.state` copies them one by one.

    The address is that of NumPy's interface for C (numpy/random/src/mt19937/mt19937.h, `mt19937_state`).
    """
    address: int = bits.ctypes.state_address
    return np.ctypeslib.as_array((ctypes.c_uint32 * 625).from_address(address))


def unpack_generator(data: bytes, bits: np.random.MT19937) -> tuple[int, float | None]:
    """Give an engine a state; the seed, and the normal number that waits there, if one does."""
    seed, left, _, position = _HEAD.unpack_from(data)
    engine = _engine(bits)
    engine[:624] = np.frombuffer(data[_WORDS], np.uint64)
    engine[624] = 624 if left == 1 else position
    return seed, _normal_in(data)


def _normal_in(data: Any) -> float | None:
    (waits,) = struct.unpack_from("<i", data, _IS_NORMAL_AT)
    return struct.unpack_from("<d", data, _NORMAL_AT)[0] if waits else None


def _put_normal(data: Any, normal: float | None) -> None:
    struct.pack_into("<d", data, _NORMAL_AT, 0.0 if normal is None else normal)
    struct.pack_into("<i", data, _IS_NORMAL_AT, normal is not None)


def pack_generator(seed: int, bits: np.random.MT19937, normal: float | None) -> bytearray:
    """The state of an engine, with the normal number that waits for the next call."""
    data = bytearray(STATE_BYTES)
    engine = _engine(bits)
    position = int(engine[624])
    is_at_start = position == 624
    _HEAD.pack_into(data, 0, seed, 1 if is_at_start else 625 - position, 1, position % 624)
    data[_WORDS] = engine[:624].astype(np.uint64).tobytes()
    _put_normal(data, normal)
    return data


def is_generator(value: Any) -> bool:
    """Whether a value is a generator of PyTorch's for CPUs."""
    torch = loaded()
    return torch is not None and isinstance(value, torch.Generator) and value.device.type == "cpu"


def waiting_normal(source: Any) -> float | None:
    """The normal number that waits in a generator of PyTorch's, if one does."""
    return _normal_in(source.get_state().numpy())


def let_wait(source: Any, normal: float | None) -> None:
    """Let a normal number, or none, wait there for the next call."""
    state = source.get_state()
    _put_normal(state.numpy(), normal)
    source.set_state(state)


def read_generator(source: Any, bits: np.random.MT19937) -> float | None:
    """Give an engine the state of a generator of PyTorch's; the normal number that waits there, if one does."""
    return unpack_generator(source.get_state().numpy().tobytes(), bits)[1]


def next_words(source: Any, bits: np.random.MT19937, count: int) -> NDArray[np.uint64] | None:
    """Numbers that a generator of PyTorch's has left, drawn from it; None where there are not so many. They go through an engine, whose
    own state is lost.
    """
    state = source.get_state()
    data = state.numpy()
    seed, left, _, position = _HEAD.unpack_from(data)
    if count >= left:
        return None
    engine = _engine(bits)
    engine[:count] = data[_WORDS].view(np.uint64)[position : position + count]
    engine[624] = 0
    _HEAD.pack_into(data, 0, seed, left - count, 1, position + count)
    source.set_state(state)
    return bits.random_raw(count)


def write_generator(source: Any, bits: np.random.MT19937, normal: float | None) -> None:
    """Give a generator of PyTorch's the state of an engine, and the normal number that waits for the next call."""
    set_generator(source, pack_generator(source.initial_seed(), bits, normal))


def set_generator(source: Any, data: bytearray) -> None:
    """Give a generator of PyTorch's a state."""
    torch: Any = loaded()
    source.set_state(torch.frombuffer(data, dtype=torch.uint8))
