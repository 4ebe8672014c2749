"""Products on tensor cores: which devices have which, what `mma.sync` does, and results for sizes that fit no tile."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from lowering.kernel import LoweringError
from lowering.pipelines import LINALG_TO_PTX
from lowering.ptx.emit import emit
from support.simt.launching import launch
from support.simt.memory import Memory
from support.simt.module import load
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.pass_pipeline import PassPipeline

DTYPES: dict[str, Any] = {"Half": np.float16, "BFloat16": ml_dtypes.bfloat16, "Float": np.float32}
SIZES = (130, 37, 35)
"""Rows, depth, columns: several tiles, of which hardly anything is in the last one, and two steps along K or more."""

PRODUCT = """graph(%x : {dtype}({m}, {k}, strides=[{k}, 1], requires_grad=0, device=cpu),
      %y : {dtype}({k}, {n}, strides=[{n}, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::mm(%x, %y)
  return (%0)
"""


def emitted(dtype: str, target: int, sm: int, processors: int = 1) -> str:
    """The PTX of a product for a target: of large tiles where there are as many as processors."""
    m, k, n = SIZES
    module = parse_ir_text(PRODUCT.format(dtype=dtype, m=m, k=k, n=n))
    first = f"ts-attach-gpu-target{{sm={target} tf32=true processors={processors}}},ts-propagate-shapes,ts-convert-torch-to-linalg"
    PassPipeline(",".join((first, *LINALG_TO_PTX))).run(module)
    return emit(module, sm)


def tf32(x: NDArray[Any]) -> NDArray[Any]:
    """Float32 with 10 bits of its fraction, to nearest: what lies in the middle goes away from zero."""
    fraction, exponent = np.frexp(x)
    scaled = np.ldexp(fraction.astype(np.float64), 11)
    return np.ldexp(np.copysign(np.floor(np.abs(scaled) + 0.5), x), exponent - 11)


@pytest.mark.parametrize(
    ("dtype", "sm", "instruction"),
    [
        ("Half", 75, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"),
        ("Half", 80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
        ("BFloat16", 75, "fma.rn.f32"),
        ("BFloat16", 100, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
        ("Float", 75, "fma.rn.f32"),
        ("Float", 80, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
    ],
)
@pytest.mark.parametrize("side", [64, 128])
def test_a_product_is_numpys(dtype: str, sm: int, instruction: str, side: int) -> None:
    m, k, n = SIZES
    tiles = -(-m // side) * -(-n // side)
    text = emitted(dtype, sm, sm, 2 if side == 128 else 3)
    assert instruction in text
    assert ("mma.sync" in text) == instruction.startswith("mma")
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(s).astype(DTYPES[dtype]) for s in ((m, k), (k, n)))
    memory = Memory(1 << 17)
    kernel = load(text, memory)
    (entry,) = kernel.kernels.values()
    width = x.itemsize
    places = [memory.allocate(size * width) for size in (m * k, k * n, m * n)]
    memory.write(places[0], x.tobytes())
    memory.write(places[1], y.tobytes())
    words = np.array([m, k, n, tiles, 0][: (entry.parameter_bytes - 24) // 8], np.int64)
    parameters = np.array(places, np.uint64).tobytes() + words.tobytes()
    launch(kernel, entry.name, (tiles, 1, 1), (128, 1, 1), parameters, memory)
    found = np.frombuffer(memory.read(places[2], width * m * n), DTYPES[dtype]).reshape(m, n)
    if "tf32" in instruction:
        assert "cvt.rna.tf32.f32" in text
        exact = tf32(x).astype(np.float64) @ tf32(y).astype(np.float64)
        np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-5)
        assert np.abs(found - x @ y).max() > 1e-4
        return
    exact = x.astype(np.float32) @ y.astype(np.float32)
    np.testing.assert_allclose(found.astype(np.float32), exact, rtol=8e-3, atol=1e-2)


def test_code_for_newer_devices_is_refused() -> None:
    with pytest.raises(LoweringError, match=r"'nvvm\.cp\.async\.shared\.global' is for sm_80"):
        emitted("Half", 80, 75)


KINDS = {"f16": ("m16n8k16", 2, np.float16), "bf16": ("m16n8k16", 2, ml_dtypes.bfloat16), "tf32": ("m16n8k8", 1, np.float32)}  # fmt: skip

WARP = """.version 7.0
.target sm_80
.address_size 64
.visible .entry warp(.param .u64 p)
{{
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [p];
  mov.u32 %r7, %tid.x;
  mul.wide.u32 %d1, %r7, 40;
  add.s64 %d2, %d0, %d1;
  {loads}
  mma.sync.aligned.{shape}.row.col.f32.{kind}.{kind}.f32 {{%f0, %f1, %f2, %f3}}, {{%r0, %r1, %r2, %r3}}, {{%r4, %r5}}, {{%f0, %f1, %f2, %f3}};
  {stores}
  ret;
}}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_warp_multiplies_as_the_manual_says(kind: str) -> None:
    """Each thread has the elements that the manual gives it (PTX ISA, 9.7.14.5.8 and 9.7.14.5.10), told element by element."""
    shape, each, dtype = KINDS[kind]
    depth = int(shape.partition("k")[2])
    generator = np.random.default_rng(0)
    a = generator.integers(-8, 8, (16, depth)).astype(dtype)
    b = generator.integers(-8, 8, (depth, 8)).astype(dtype)
    c = generator.integers(-8, 8, (16, 8)).astype(np.float32)
    threads: list[bytes] = []
    for lane in range(32):
        group, member = divmod(lane, 4)
        first = [
            a[group + 8 * (number % 2), (number // 2 * 4 + member) * each + part]
            for number in range(4)
            for part in range(each)
        ]
        second = [
            b[(number * 4 + member) * each + part, group]
            for number in range(2)
            for part in range(each)
        ]
        words: list[NDArray[Any]] = [np.array(first, dtype), np.array(second, dtype)]
        words.append(np.array([c[group + 8 * (i // 2), 2 * member + i % 2] for i in range(4)]))
        threads.append(b"".join(one.tobytes() for one in words))
    loads = [f"ld.global.b32 %r{i}, [%d2+{4 * i}];" for i in range(6)]
    loads += [f"ld.global.f32 %f{i}, [%d2+{24 + 4 * i}];" for i in range(4)]
    stores = [f"st.global.f32 [%d2+{24 + 4 * i}], %f{i};" for i in range(4)]
    memory = Memory(1 << 14)
    text = WARP.format(loads="\n".join(loads), stores="\n".join(stores), shape=shape, kind=kind)
    module = load(text, memory)
    place = memory.allocate(40 * 32)
    memory.write(place, b"".join(threads))
    launch(module, "warp", (1, 1, 1), (32, 1, 1), np.array([place], np.uint64).tobytes(), memory)
    found = np.frombuffer(memory.read(place, 40 * 32), np.float32).reshape(32, 10)[:, 6:]
    result = np.empty((16, 8), np.float32)
    for lane in range(32):
        for i in range(4):
            result[lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2] = found[lane, i]
    np.testing.assert_array_equal(result, a.astype(np.float32) @ b.astype(np.float32) + c)
