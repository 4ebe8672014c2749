"""Index arithmetic of kernels on tensors with more than 2**31 elements: the last block of a grid, on memory of which only the end is there."""

from __future__ import annotations

import numpy as np
import pytest

from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.split_stages import MOST
from lowering.gpu.strided_copy import NAME, strided_copy
from lowering.gpu.vectorize_accesses import LANES
from lowering.pipelines import LINALG_TO_PTX
from lowering.ptx.emit import emit
from support.simt.launching import run_block
from support.simt.memory import Memory
from support.simt.module import load
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.pass_pipeline import PassPipeline

THREADS = 256
SIZE = (1 << 31) + 1000
"""Elements: more than an int32 counts."""
EACH = THREADS * LANES
"""Elements of a block, where a thread has several."""
START = SIZE // EACH * EACH
"""The first element of the last block."""

POINTWISE = """graph(%x : Float(2147484648, strides=[1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %x)
  %3 : Tensor = aten::add(%2, %x, %1)
  return (%3)
"""
PRODUCT = """graph(%x : {dtype}({m}, {k}, strides=[{k}, 1], requires_grad=0, device=cpu),
      %y : {dtype}({k}, {n}, strides=[{n}, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::mm(%x, %y)
  return (%0)
"""


def ends(memory: Memory, values: np.ndarray) -> tuple[int, int, int]:
    """The addresses at which two large arrays would begin of which only the ends are there, and that of the second one's end."""
    source, target = memory.allocate(values.nbytes), memory.allocate(values.nbytes)
    memory.write(source, values.tobytes())
    before = START * values.itemsize
    return (source - before) % 2**64, (target - before) % 2**64, target


def test_a_pointwise_kernel() -> None:
    module = parse_ir_text(POINTWISE)
    PassPipeline(f"ts-propagate-shapes,ts-convert-torch-to-linalg,{','.join(LINALG_TO_PTX)}").run(
        module
    )
    kernel = load(emit(module, 80), Memory(1 << 16))
    values = np.linspace(-1, 1, SIZE - START, dtype=np.float32)
    memory = Memory(1 << 16)
    x, out, found = ends(memory, values)
    (entry,) = kernel.kernels.values()
    words = (entry.parameter_bytes - 16) // 8
    parameters = (
        np.array([x, out], np.uint64).tobytes() + np.array([SIZE] * words, np.int64).tobytes()
    )
    run_block(kernel, entry.name, SIZE // EACH, THREADS, parameters, memory)
    np.testing.assert_array_equal(
        np.frombuffer(memory.read(found, values.nbytes), np.float32), values * values + values
    )


@pytest.mark.parametrize(
    ("dtype", "side"),
    [("Half", 128), ("Float", 128), ("Double", 64)],
    ids=["tensor cores", "other cores", "smaller tiles"],
)
def test_a_product(dtype: str, side: int) -> None:
    """Of a factor with more than 2**31 elements the rows of the last tile are there."""
    element = {"Half": np.float16, "Float": np.float32, "Double": np.float64}[dtype]
    depth, columns = 64, 8
    rows = (
        (1 << 31) // depth + side
    )  # all of the last tile: for what lies beyond, the first element is loaded, which is not there
    first = rows - side
    module = parse_ir_text(PRODUCT.format(dtype=dtype, m=rows, k=depth, n=columns))
    passes = "ts-attach-gpu-target{sm=80},ts-propagate-shapes,ts-convert-torch-to-linalg"
    PassPipeline(",".join((passes, *LINALG_TO_PTX))).run(module)
    kernel = load(emit(module, 80), Memory(1 << 16))
    generator = np.random.default_rng(0)
    x = generator.standard_normal((rows - first, depth)).astype(element)
    y = generator.standard_normal((depth, columns)).astype(element)
    memory = Memory(1 << 18)
    places = [memory.allocate(one.nbytes) for one in (x, y)]
    out = memory.allocate((rows - first) * columns * x.itemsize)
    memory.write(places[0], x.tobytes())
    memory.write(places[1], y.tobytes())
    begins = [places[0] - first * depth * x.itemsize, places[1], out - first * columns * x.itemsize]
    (entry,) = kernel.kernels.values()
    tiles = -(-rows // side)
    words = np.array(
        [rows, depth, columns, tiles, 0][: (entry.parameter_bytes - 24) // 8], np.int64
    )
    parameters = b"".join((one % 2**64).to_bytes(8, "little") for one in begins) + words.tobytes()
    run_block(kernel, entry.name, tiles - 1, 128, parameters, memory)
    size = (rows - first) * columns * x.itemsize
    found = np.frombuffer(memory.read(out, size), element).reshape(rows - first, columns)
    exact = x.astype(np.float64) @ y.astype(np.float64)
    np.testing.assert_allclose(found, exact, rtol=2e-3, atol=1e-2)


def test_a_sum() -> None:
    """Of the parts of a sum the last one's elements are there."""
    text = POINTWISE.partition("  %1")[0] + "  %0 : NoneType = prim::Constant()\n"
    text += "  %1 : Tensor = aten::sum(%x, %0)\n  return (%1)\n"
    module = parse_ir_text(text)
    passes = "ts-attach-gpu-target{sm=80},ts-propagate-shapes,ts-convert-torch-to-linalg"
    PassPipeline(",".join((passes, *LINALG_TO_PTX))).run(module)
    (entry,) = (one for one in module.body.block.ops if isinstance(one, GridEntryOp))
    start = -(-SIZE // MOST) * (MOST - 1)
    values = np.random.default_rng(0).standard_normal(SIZE - start).astype(np.float32)
    memory = Memory(1 << 24)
    x = (memory.allocate(values.nbytes) - start * values.itemsize) % 2**64
    memory.write((x + start * values.itemsize) % 2**64, values.tobytes())
    out, scratch = memory.allocate(4), memory.allocate(1 << 14)
    words = np.full(entry.number("words"), SIZE, np.int64)
    words[entry.number("stage")] = 1
    words[entry.number("range")] = MOST
    parameters = np.array([x, out, scratch], np.uint64).tobytes() + words.tobytes()
    kernel = load(emit(module, 80), Memory(1 << 16))
    run_block(kernel, entry.callee, MOST - 1, entry.number("threads"), parameters, memory)
    found = np.frombuffer(memory.read(scratch, 1 << 14), np.float64)
    assert np.isclose(found, values.astype(np.float64).sum()).sum() == 1


def test_a_strided_copy() -> None:
    module = strided_copy(2, 32)
    PassPipeline(",".join(LINALG_TO_PTX[LINALG_TO_PTX.index("ts-map-to-gpu") :])).run(module)
    kernel = load(emit(module, 80), Memory(1 << 16))
    values = np.arange(SIZE - START, dtype=np.float32)
    memory = Memory(1 << 16)
    x, out, found = ends(memory, values)
    words = np.array([SIZE, SIZE // 8, 8, 8, 8, 1, 1], np.int64)
    parameters = np.array([x, out], np.uint64).tobytes() + words.tobytes()
    for block in range(START // THREADS, -(-SIZE // THREADS)):
        run_block(kernel, NAME, block, THREADS, parameters, memory)
    np.testing.assert_array_equal(
        np.frombuffer(memory.read(found, values.nbytes), np.float32), values
    )
