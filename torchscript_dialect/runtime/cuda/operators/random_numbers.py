"""Operators that draw random numbers on the device, as PyTorch's kernels do: a seed gives the numbers of its CUDA devices with as many
processors (aten/src/ATen/native/cuda/DistributionTemplates.h, Dropout.cu). See Note [Random numbers of devices] in
lowering/gpu/random_numbers.py.
"""

from __future__ import annotations

import struct
from array import array as words_of
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from torchscript_dialect.ops.creation.factories import check_size
from torchscript_dialect.ops.random.random import LONG, representable
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.kernel import Geometry
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.device_generator import DeviceGenerator, device_generator
from torchscript_dialect.tensor.layout import preserve_format
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_like,
    is_non_overlapping_and_dense,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Own = Callable[[Any, Sequence[Any]], Any]
THREADS = 256
"""Of a block, in PyTorch's kernels and ours."""
WIDEST = 4
"""Elements that a thread of PyTorch's dropout has next to each other, where they are aligned."""
FLOATS = frozenset((dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64))
FILLED = FLOATS | {
    dtypes.int8,
    dtypes.uint8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.bool_,
}


class Numbers(NamedTuple):
    """What is drawn: see `Kind` and `WORDS` in lowering/gpu/random_numbers.py; `width` elements are one thread's at a time."""

    kind: str
    a: float = 0.0
    b: float = 1.0
    width: int = 1
    threads: int = 0
    """Of the kernel; as many as PyTorch's has where this is 0."""
    stream: DeviceGenerator = device_generator


def _threads(count: int) -> int:
    """How many threads PyTorch's kernel has."""
    blocks = driver().asked("MAX_THREADS_PER_MULTIPROCESSOR") // THREADS
    most = driver().processors * blocks
    return min(most, -(-count // THREADS)) * THREADS


def _write(target: DeviceArray, numbers: Numbers) -> None:
    """Fill a C-contiguous array."""
    element, count = dtypes.of_array(target), target.size
    is_long = numbers.kind == "long_integers" or (
        element is dtypes.float64 and numbers.kind != "integers"
    )
    at_once = 2 if is_long else 4
    threads = numbers.threads or _threads(count)
    draw = numbers.stream.take(((count - 1) // (threads * at_once) + 1) * 4)
    pack = struct.Struct("<Q").pack
    bounds = [
        pack(one % (1 << 64)) if isinstance(one, int) else struct.pack("<d", one)
        for one in (numbers.a, numbers.b)
    ]
    words = b"".join(map(pack, (count, threads, numbers.width, draw.start // 4, draw.seed)))
    parameters = words_of("Q", [data_pointer(target)]).tobytes() + words + b"".join(bounds)
    geometry = Geometry((-(-count // THREADS), 1, 1), (THREADS, 1, 1))
    kernel = memory().own_kernel("random_numbers", (numbers.kind, element))
    kernel.launch(geometry, parameters)


def fill(target: DeviceArray, numbers: Numbers) -> None:
    """Fill an array in the order that its elements have in memory.

    Raises:
        RuntimeError: elements share memory.
    """
    if not target.size:
        return
    assert_no_internal_overlap(target)
    order = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
    turned: Any = target.transpose(order)
    if turned.flags.c_contiguous:
        _write(turned, numbers)
        return
    drawn = memory().empty(turned.shape, turned.dtype)
    _write(drawn, numbers)
    memory().assign(turned, drawn)


def _made(size: Sequence[int], element: dtypes.dtype, numbers: Numbers) -> Tensor:
    made = memory().empty(tuple(check_size(size)), element.numpy_dtype)
    fill(made, numbers)
    return tensor_of(made)


def _like(x: Tensor, element: dtypes.dtype) -> DeviceArray:
    """An array of the sizes of a tensor, with its dimensions in the order in memory that those have."""
    return cast("DeviceArray", empty_like(x.array, element.numpy_dtype))


class _Call:
    """A call of an operator: its operands by name."""

    def __init__(self, placed: Any, operands: Sequence[Any]) -> None:
        self.placed = placed
        self.operands = operands
        names = [argument.name for argument in placed.operator.schema.arguments]
        self.given: dict[str, Any] = dict(zip(names, operands, strict=False))

    def element(self, default: dtypes.dtype) -> dtypes.dtype:
        """The dtype of the result."""
        wanted = self.given.get("dtype")
        return default if wanted is None else dtypes.from_scalar_type(wanted)

    @property
    def stream(self) -> DeviceGenerator:
        """What the numbers are drawn from.

        Raises:
            RuntimeError: a generator of the host is given.
        """
        given = self.given.get("generator")
        if given is None:
            return device_generator
        if given.on_device is None:
            raise RuntimeError("Expected a 'cuda' device type for generator but found 'cpu'")
        return given.on_device

    def numbers(self, kind: str, a: float = 0.0, b: float = 1.0) -> Numbers:
        """What is drawn of the stream."""
        return Numbers(kind, a, b, stream=self.stream)

    def integers(self, element: dtypes.dtype, low: int, high: int) -> Numbers:
        """Integers of a dtype from `low` on, below `high`."""
        low, high = representable(element, low, high)
        kind = "long_integers" if high - low >= LONG else "integers"
        return self.numbers(kind, low, high - low)

    def is_here(self, *elements: dtypes.dtype) -> bool:
        """Whether a kernel draws the numbers: no generator of the host is given, and the dtypes are among those of kernels.

        Raises:
            RuntimeError: a generator of the host is given.
        """
        _ = self.stream
        where = self.given.get("device")
        if where is not None:
            if device(where).type == "cpu":
                return False
            transfers.check_device(device(where))
        return all(one in FILLED for one in elements)

    def check(self, element: dtypes.dtype, *rest: Any) -> None:
        """Let the kernel of the host look at operands: it says what is wrong with them."""
        self.placed.kernel(tensor_of(np.empty(0, element.numpy_dtype)), *rest, None)

    def on_host(self) -> Any:
        """What the host draws."""
        return self.placed.on_host(self.operands)


def _own(run: Callable[[_Call], Any]) -> Own:
    return lambda placed, operands: run(_Call(placed, operands))


def _sized(kind: str) -> Own:
    """`aten::rand` and `aten::randn`."""

    def run(call: _Call) -> Tensor:
        element = call.element(dtypes.get_default_dtype())
        if not call.is_here(element) or element not in FLOATS:
            return call.on_host()
        numbers = call.numbers("uniform") if kind == "uniform" else call.numbers("normal", 0.0, 1.0)
        return _made(call.given["size"], element, numbers)

    return _own(run)


def _sized_like(kind: str) -> Own:
    """`aten::rand_like` and `aten::randn_like`."""

    def run(call: _Call) -> Tensor:
        x: Tensor = call.given["self"]
        element = call.element(x.dtype)
        has_format = call.given.get("memory_format") not in (None, preserve_format)
        if not call.is_here(element) or element not in FLOATS or has_format:
            return call.on_host()
        made = _like(x, element)
        fill(made, call.numbers(kind, 0.0, 1.0))
        return tensor_of(made)

    return _own(run)


def _randint(call: _Call) -> Tensor:
    """`aten::randint` and `aten::randint_like`."""
    x: Tensor | None = call.given.get("self")
    low, high = call.given.get("low", 0), call.given["high"]
    element = call.element(dtypes.int64 if x is None else x.dtype)
    if not call.is_here(element) or isinstance(high, Tensor) or low >= high:
        return call.on_host()
    if x is None:
        return _made(call.given["size"], element, call.integers(element, low, high))
    made = _like(x, element)
    fill(made, call.integers(element, low, high))
    return tensor_of(made)


def _in_place(x: Tensor, numbers: Numbers) -> Tensor:
    fill(cast("DeviceArray", x.array), numbers)
    return x


def _uniform_(call: _Call) -> Tensor:
    """`aten::uniform_`."""
    x, low, high = call.operands[:3]
    if not call.is_here(x.dtype) or x.dtype not in FLOATS:
        return call.on_host()
    call.check(x.dtype, low, high)
    return _in_place(x, call.numbers("uniform", float(low), float(high)))


def _normal_(call: _Call) -> Tensor:
    """`aten::normal_`."""
    x, mean, std = call.operands[:3]
    if not call.is_here(x.dtype) or x.dtype not in FLOATS:
        return call.on_host()
    call.check(x.dtype, mean, std)
    return _in_place(x, call.numbers("normal", float(mean), float(std)))


def _random_(call: _Call) -> Tensor:
    """`aten::random_`, with bounds or without."""
    x: Tensor = call.operands[0]
    element = x.dtype
    if not call.is_here(element):
        return call.on_host()
    if "to" in call.given:
        low, high = call.given.get("from", 0), call.given["to"]
        if high is None:
            return call.on_host()
        call.check(element, *call.operands[1:-1])
        if low >= high:
            return call.on_host()
        return _in_place(x, call.integers(element, low, high))
    if element.is_floating_point:
        digits = {dtypes.float64: 53, dtypes.float32: 24, dtypes.float16: 11}.get(element, 8)
        return _in_place(
            x, call.numbers("long_integers" if digits == 53 else "integers", 0, (1 << digits) + 1)
        )
    count = 2 if element is dtypes.bool_ else int(np.iinfo(element.numpy_dtype).max) + 1
    kind = "long_integers" if element is dtypes.int64 else "integers"
    return _in_place(x, call.numbers(kind, 0, count))


def _bernoulli_(call: _Call) -> Tensor:
    """`aten::bernoulli_`, with one probability or one for each element."""
    x, p = call.operands[:2]
    if not call.is_here(x.dtype):
        return call.on_host()
    if isinstance(p, Tensor):
        transfers.assign(x, _by_elements(call, p.expand_as(x), x.dtype))
        return x
    call.check(x.dtype, p)
    return _in_place(x, call.numbers("below", float(p)))


def _by_elements(call: _Call, p: Tensor, element: dtypes.dtype) -> Tensor:
    """1 with the probability that the element is, else 0: four neighbours are one thread's."""
    drawn = tensor_of(memory().empty(p.array.shape, np.dtype(np.float32)))
    count = drawn.array.size
    if count:
        threads = -(-count // (4 * THREADS)) * THREADS
        numbers = Numbers("raw", width=4, threads=threads, stream=call.stream)
        _write(cast("DeviceArray", drawn.array), numbers)
        call.stream.take(8)  # PyTorch's kernel counts for 10 words
    return transfers.of_dtype(drawn.le(p), element)


def _bernoulli(call: _Call) -> Tensor:
    """`aten::bernoulli`."""
    x, p = call.operands[0], call.given.get("p")
    if not call.is_here(x.dtype):
        return call.on_host()
    if p is None:
        return call.on_host() if x.dtype not in FLOATS else _by_elements(call, x, x.dtype)
    if isinstance(p, Tensor):
        return _by_elements(call, p.expand_as(x), x.dtype)
    call.check(x.dtype, p)
    made = _like(x, x.dtype)
    fill(made, call.numbers("below", float(p)))
    return tensor_of(made)


def _normal(call: _Call) -> Tensor:
    """`aten::normal`: of sizes, or with means and deviations of each element."""
    mean: Any = call.given["mean"]
    std: Any = call.given["std"]
    if "size" in call.given:
        element = call.element(dtypes.get_default_dtype())
        if not call.is_here(element) or element not in FLOATS or not std >= 0:
            return call.on_host()
        return _made(call.given["size"], element, call.numbers("normal", float(mean), float(std)))
    given = [one for one in (mean, std) if isinstance(one, Tensor)]
    if (
        not given
        or not call.is_here(*(one.dtype for one in given))
        or (isinstance(std, float) and std < 0)
    ):
        return call.on_host()
    if any(one.dtype not in FLOATS for one in given):
        return call.on_host()
    shape = given[0].add(given[-1]) if len(given) > 1 else given[0]
    drawn = _like(shape, given[0].dtype)
    fill(
        drawn,
        call.numbers("normal", 0.0, 1.0 if isinstance(std, Tensor) else float(cast("float", std))),
    )
    found = tensor_of(drawn)
    if isinstance(std, Tensor):
        found = found.mul(std)
    return found.add(mean)


def _width(x: Tensor) -> int:
    """How many neighbours PyTorch's kernel of dropout has in a thread at a time."""
    array = x.array
    if not is_non_overlapping_and_dense(array.shape, element_strides(array)):
        return 1
    width = WIDEST
    while width > 1 and (data_pointer(array) % (width * array.itemsize) or array.size % width):
        width //= 2
    return width


def _dropped(x: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """What PyTorch's fused kernel gives: the result, and which elements stayed."""
    kept = 1.0 - p
    mask = _like(x, dtypes.bool_)
    fill(mask, Numbers("below", kept, width=_width(x), threads=0))
    narrow = float if x.dtype is dtypes.float64 else np.float32
    scale = float(narrow(1.0 / float(narrow(kept))))
    return x.mul(transfers.of_dtype(tensor_of(mask), x.dtype)).mul(scale), tensor_of(mask)


def _is_fused(x: Tensor, p: float) -> bool:
    return 0 < p < 1 and x.dtype in FLOATS and x.array.size > 0


def _dropout(call: _Call) -> Tensor:
    """`aten::dropout`."""
    x, p, train = call.operands
    if not train or not _is_fused(x, p):
        return x if 0 <= p <= 1 and (not train or p == 0) else call.on_host()
    return _dropped(x, p)[0]


def _dropout_(call: _Call) -> Tensor:
    """`aten::dropout_`, which is not fused."""
    x, p, train = call.operands
    if not train or not _is_fused(x, p):
        return x if 0 <= p <= 1 and (not train or p == 0) else call.on_host()
    noise = _like(x, x.dtype)
    fill(noise, Numbers("below", 1.0 - p))
    return x.mul_(tensor_of(noise).div_(1.0 - p))


def _native_dropout(call: _Call) -> Any:
    """`aten::native_dropout`."""
    x, p, train = call.operands
    return _dropped(x, p) if train is not False and _is_fused(x, p) else call.on_host()


RANDOM: dict[str, Own] = {
    "aten::rand": _sized("uniform"),
    "aten::randn": _sized("normal"),
    "aten::rand_like": _sized_like("uniform"),
    "aten::randn_like": _sized_like("normal"),
    "aten::randint": _own(_randint),
    "aten::randint_like": _own(_randint),
    "aten::uniform_": _own(_uniform_),
    "aten::normal_": _own(_normal_),
    "aten::random_": _own(_random_),
    "aten::bernoulli_": _own(_bernoulli_),
    "aten::bernoulli": _own(_bernoulli),
    "aten::normal": _own(_normal),
    "aten::dropout": _own(_dropout),
    "aten::dropout_": _own(_dropout_),
    "aten::native_dropout": _own(_native_dropout),
}
"""Operators that draw on the device; others that are random draw on the host."""
