"""Random numbers of a device: Philox by its published answers, and the numbers that PyTorch's kernels give.

`PUBLISHED` is what several published programs print on CUDA devices. Everything else is held against a model that goes through the
threads of PyTorch's kernels one by one (aten/src/ATen/native/cuda/DistributionTemplates.h), on a device of 4 processors.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.device_generator import device_generator

Words = tuple[int, int, int, int]
MASK = 0xFFFFFFFF
MOST_THREADS = 4 * 2048
"""Of the stand-in's device."""
MANY = MOST_THREADS * 4 + 700
"""Elements of which some threads draw twice."""

ANSWERS: list[tuple[Words, tuple[int, int], Words]] = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((MASK, MASK, MASK, MASK), (MASK, MASK), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Random123's known answers of philox4x32-10: a counter, a key, and the words."""
PUBLISHED = [
    (0, "rand", [0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290, 0.9096]),
    (0, "randn", [-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797, -0.6229, -0.3284, -1.0745, -0.3631]),
    (42, "randn", [0.1940, 2.1614, -0.1721]),
]  # fmt: skip
SECOND = [0.9722, 0.7910, 0.4690, 0.3300, 0.3345, 0.3783, 0.7640, 0.6405, 0.1103, 0.3594]
"""What `rand(10)` gives the second time after `manual_seed(0)`."""


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Ten rounds, by the paper."""
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = (
            second >> 32 ^ counter[1] ^ key[0],
            second & MASK,
            first >> 32 ^ counter[3] ^ key[1],
            first & MASK,
        )
        key = (key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK
    return counter


def drawn(
    count: int, seed: int, offset: int, take: Callable[[Words], list[Any]]
) -> tuple[list[Any], int]:
    """What the threads of a kernel store, and the offset after it; `take` makes the numbers of a draw."""
    at_once = len(take((0, 0, 0, 0)))
    threads = min(MOST_THREADS, -(-count // 256) * 256)
    found: list[Any] = [None] * count
    rounds = (count - 1) // (threads * at_once) + 1
    for thread, round_ in product(range(threads), range(rounds)):
        start = thread + round_ * threads * at_once
        if start >= count:
            continue
        place = offset // 4 + round_
        words = philox((place & MASK, place >> 32, thread, 0), (seed & MASK, seed >> 32))
        for number, value in enumerate(take(words)):
            if start + number * threads < count:
                found[start + number * threads] = value
    return found, offset + rounds * 4


def floats(words: Words) -> list[Any]:
    """`curand_uniform4`."""
    return [np.float32(np.float32(w) * np.float32(2**-32) + np.float32(2**-33)) for w in words]


def doubles(words: Words) -> list[Any]:
    """`curand_uniform2_double`."""
    return [(a ^ b << 21) * 2.0**-53 + 2.0**-54 for a, b in (words[:2], words[2:])]


def normals(words: Words) -> list[Any]:
    """`curand_normal4`."""
    found: list[Any] = []
    for a, b in (words[:2], words[2:]):
        radius = np.sqrt(-2 * np.log(a * 2.0**-32 + 2.0**-33))
        angle = (b * 2.0**-32 + 2.0**-33) * 2 * np.pi
        found += [radius * np.sin(angle), radius * np.cos(angle)]
    return found


def there(x: Any) -> NDArray[Any]:
    assert x.is_cuda
    return x.cpu().numpy()


@pytest.mark.parametrize(("counter", "key", "words"), ANSWERS)
def test_the_model_gives_the_published_words(
    counter: Words, key: tuple[int, int], words: Words
) -> None:
    assert philox(counter, key) == words


@pytest.mark.parametrize(("seed", "name", "numbers"), PUBLISHED)
def test_numbers_that_others_have_printed(
    on_device: Device, seed: int, name: str, numbers: list[float]
) -> None:
    torch.manual_seed(seed)
    make = getattr(torch, name)
    found = there(make(10, device="cuda"))
    np.testing.assert_allclose(found[: len(numbers)], numbers, atol=6e-5)
    if (seed, name) == (0, "rand"):
        np.testing.assert_allclose(there(make(10, device="cuda")), SECOND, atol=6e-5)
    assert not on_device.faults


@pytest.mark.parametrize("seed", [0, 0x123456789ABCDEF])
def test_numbers_of_many_elements(on_device: Device, seed: int) -> None:
    """Those of threads that draw more than once, and what is drawn after them."""
    assert on_device.capacity  # which a real device does not tell: it has other threads
    torch.manual_seed(seed)
    expected, offset = drawn(MANY, seed, 0, floats)
    np.testing.assert_array_equal(there(torch.rand(MANY, device="cuda")), np.array(expected) % 1)
    assert device_generator.offset == offset == 8
    again, _ = drawn(5, seed, offset, floats)
    np.testing.assert_array_equal(there(torch.rand(5, device="cuda")), again)


def test_every_distribution(on_device: Device) -> None:
    count = 600
    uniform, _ = drawn(count, 7, 0, floats)
    wide, _ = drawn(count, 7, 0, doubles)
    words, _ = drawn(count, 7, 0, list)
    longs, _ = drawn(count, 7, 0, lambda w: [w[0] << 32 | w[1], w[2] << 32 | w[3]])
    real = np.array(uniform)
    x = torch.zeros(count, device="cuda")
    of_double = torch.zeros(count, dtype=torch.float64, device="cuda")
    cases: list[tuple[Any, Any, float]] = [
        (lambda: x.uniform_(2, 5), (real.astype(np.float64) * 3 + 2).astype(np.float32), 0),
        (lambda: of_double.uniform_(), wide, 0),
        (lambda: torch.rand_like(x.half()), real.astype(np.float16) % 1, 0),
        (lambda: torch.randint(-5, 12, (count,), device="cuda"), [w % 17 - 5 for w in words], 0),
        (lambda: torch.randint(1 << 30, (count,), device="cuda"), [w % (1 << 30) for w in longs], 0),
        (lambda: torch.randint_like(x, 3, 9), [w % 6 + 3.0 for w in words], 0),
        (lambda: x.int().random_(), [w % (1 << 31) for w in words], 0),
        (lambda: x.bool().random_(), [bool(w & 1) for w in words], 0),
        (lambda: x.bernoulli_(0.3), real < np.float32(0.3), 0),
        (lambda: torch.bernoulli(x.int(), 0.3), real < np.float32(0.3), 0),
        (lambda: x.normal_(3, 2), np.array(drawn(count, 7, 0, normals)[0]) * 2 + 3, 2e-6),
        (lambda: torch.normal(0.0, 1.0, (count,), device="cuda"), drawn(count, 7, 0, normals)[0], 1e-6),
    ]  # fmt: skip
    for number, (make, expected, tolerance) in enumerate(cases):
        torch.cuda.manual_seed(7)
        np.testing.assert_allclose(
            there(make()).astype(np.float64),
            np.asarray(expected, np.float64),
            rtol=tolerance,
            atol=tolerance,
            err_msg=str(number),
        )
    assert not on_device.faults


def test_a_probability_for_each_element(on_device: Device) -> None:
    """Four neighbours are one thread's, which draws once."""
    torch.manual_seed(3)
    p = torch.linspace(0, 1, 1001).to("cuda")
    found = there(torch.bernoulli(p))
    real = [floats(philox((0, 0, place // 4, 0), (3, 0)))[place % 4] for place in range(1001)]
    np.testing.assert_array_equal(found, np.array(real) <= p.cpu().numpy())
    assert device_generator.offset == 12


@pytest.mark.parametrize(("count", "width"), [(1200, 4), (1202, 2), (1201, 1)])
def test_dropout(on_device: Device, count: int, width: int) -> None:
    torch.manual_seed(5)
    x = torch.arange(1, count + 1, dtype=torch.float32).to("cuda")
    found = there(torch.nn.functional.dropout(x, 0.25))
    threads = -(-count // 256) * 256
    kept = np.zeros(count, bool)
    for place in range(count):
        time, thread = divmod(place // width, threads)
        number = time * width + place % width
        kept[place] = floats(philox((number // 4, 0, thread, 0), (5, 0)))[number % 4] < 0.75
    scaled = x.cpu().numpy() * np.float32(1 / 0.75)
    np.testing.assert_array_equal(found, np.where(kept, scaled, 0))
    assert device_generator.offset == 4


def test_views_are_filled_in_the_order_of_memory(on_device: Device) -> None:
    torch.manual_seed(0)
    plain = there(torch.rand(12, device="cuda"))
    turned = torch.zeros(4, 3, device="cuda").t()
    torch.manual_seed(0)
    np.testing.assert_array_equal(there(turned.uniform_()).T.ravel(), plain)
    whole = torch.zeros(3, 8, device="cuda")
    torch.manual_seed(0)
    np.testing.assert_array_equal(there(whole[:, ::2].uniform_()).ravel(), plain)
    assert not there(whole)[:, 1::2].any()


def test_programs_draw_from_the_same_stream(on_device: Device) -> None:
    f = ts.CompilationUnit("""
def f(x):
    y = torch.dropout(x * 2, 0.5, True)
    return y + torch.rand_like(x)
""")["f"]
    x = torch.ones(64, device="cuda")
    torch.manual_seed(1)
    expected = there(torch.nn.functional.dropout(x * 2, 0.5) + torch.rand_like(x))
    for _ in range(3):
        torch.manual_seed(1)
        np.testing.assert_allclose(there(f(x)), expected, rtol=1e-6)


def test_states_and_errors(on_device: Device) -> None:
    torch.manual_seed(9)
    assert torch.cuda.initial_seed() == 9
    torch.rand(3, device="cuda")
    state = torch.cuda.get_rng_state()
    assert state.numpy().tobytes() == (9).to_bytes(8, "little") + (4).to_bytes(8, "little")
    first = there(torch.rand(3, device="cuda"))
    torch.cuda.set_rng_state(state)
    np.testing.assert_array_equal(there(torch.rand(3, device="cuda")), first)
    with pytest.raises(RuntimeError, match="RNG state is wrong size"):
        torch.cuda.set_rng_state(state[:8])
    x = torch.zeros(3, device="cuda")
    with pytest.raises(
        RuntimeError, match="Expected a 'cuda' device type for generator but found 'cpu'"
    ):
        x.uniform_(0, 1, generator=torch.Generator())
    with pytest.raises(RuntimeError, match=r"uniform_ expects to return a \[from, to\) range"):
        x.uniform_(1, 0)
    with pytest.raises(RuntimeError, match=r"normal expects std >= 0\.0, but found std -1"):
        x.normal_(0, -1)
    with pytest.raises(RuntimeError, match="expects p to be in"):
        x.bernoulli_(2.0)
    assert not there(torch.rand(0, device="cuda")).size


def test_a_generator_of_the_device(on_device: Device) -> None:
    generator = torch.Generator(device="cuda")
    assert str(generator.device) == "cuda:0" and generator.initial_seed() == 67280421310721
    torch.manual_seed(5)
    expected = [there(torch.rand(6, device="cuda")), there(torch.randn(6, device="cuda"))]
    shared = torch.cuda.get_rng_state().numpy().tobytes()
    assert generator.manual_seed(5) is generator
    given = {"device": "cuda", "generator": generator}
    np.testing.assert_array_equal(there(torch.rand(6, **given)), expected[0])
    state = generator.get_state()
    assert state.numpy().tobytes() == (5).to_bytes(8, "little") + (4).to_bytes(8, "little")
    np.testing.assert_array_equal(there(torch.randn(6, **given)), expected[1])
    generator.set_state(state)
    np.testing.assert_array_equal(there(torch.randn(6, **given)), expected[1])
    assert torch.cuda.get_rng_state().numpy().tobytes() == shared
    x = torch.zeros(40, device="cuda")
    for draw in (
        lambda: x.uniform_(0, 2, generator=generator),
        lambda: x.normal_(1, 2, generator=generator),
        lambda: x.bernoulli_(0.5, generator=generator),
        lambda: x.random_(0, 9, generator=generator),
        lambda: torch.bernoulli(torch.full([40], 0.5, device="cuda"), generator=generator),
        lambda: torch.randint(0, 9, [40], **given),
    ):
        generator.manual_seed(3)
        first = there(draw())
        np.testing.assert_array_equal(there(generator.manual_seed(3) and draw()), first)
        assert not np.array_equal(there(draw()), first)
    with pytest.raises(
        RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"
    ):
        torch.rand(3, generator=generator)
    with pytest.raises(RuntimeError, match="RNG state is wrong size"):
        generator.set_state(state[:8])
    with pytest.raises(RuntimeError, match="Device type mps is not supported"):
        torch.Generator(device="mps")
