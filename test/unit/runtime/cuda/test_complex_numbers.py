"""Complex numbers on the device: Note [Complex numbers of devices]. Results are the host's, and nothing is copied there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from samples import samples_of
from samples.compare import difference
from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.cuda.operators import complex_numbers, fourier
from torchscript_dialect.tensor.device_array import use_device
from torchscript_dialect.tensor.tensor import Tensor
from unit.runtime.cuda.test_samples import outcomes

EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 30.0, -30.0, 1e-20, 1e20, 3e38]
UNARY = (
    "abs acos acosh angle asin asinh atan atanh conj_physical cos cosh exp exp2 expm1 isfinite isinf isnan isreal log log10"
    " log1p log2 logical_not neg reciprocal rsqrt sgn sigmoid sin sinh sqrt square tan tanh"
).split()
BINARY = "add sub mul div eq ne pow logical_and logical_xor".split()


@pytest.fixture(autouse=True)
def on_the_device_alone() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def close(found: Tensor, expected: Tensor, bound: float) -> bool:
    """Whether parts differ by no more than a bound, of the size of the number where that is larger than 1."""
    assert found.is_cuda and found.dtype is expected.dtype and found.shape == expected.shape
    given, wanted = found.cpu().numpy(), expected.numpy()
    with np.errstate(all="ignore"):
        gap = np.abs(given.astype(np.complex128) - wanted.astype(np.complex128))
        is_close = gap <= bound * np.maximum(np.abs(wanted.astype(np.complex128)), 1)
    return bool(np.all(is_close | ~np.isfinite(wanted)))


def grid(numbers: list[float], element: Any) -> Tensor:
    reals = np.array(numbers)
    return torch.from_numpy((reals[:, None] + 1j * reals[None, :]).astype(element))


@pytest.mark.parametrize("element", [np.complex64, np.complex128])
def test_functions_of_elements(on_device: Device, element: Any) -> None:
    """Of random numbers and of those where parts cancel, vanish and grow, called twice."""
    torch.manual_seed(0)
    dtype = torch.from_numpy(np.zeros(0, element)).dtype
    bound = 4e-6 if element is np.complex64 else 1e-13
    wrong: list[str] = []
    for name in UNARY if IS_LONG or element is np.complex64 else UNARY[::4]:
        for x in (torch.randn(40, dtype=dtype), grid(EDGES[:-1], element)):
            expected = getattr(torch, name)(x)
            for _ in range(2):
                if not close(getattr(torch, name)(x.cuda()), expected, bound):
                    wrong.append(name)
    for name in BINARY if IS_LONG or element is np.complex64 else BINARY[::3]:
        x, y = torch.randn(5, 1, dtype=dtype), torch.randn(3, dtype=dtype)
        for left, right in ((x, y), (x, 2.5), (x, 1 - 2j), (x.real, y), (x, y.real)):
            if name.startswith("logical") and not isinstance(right, Tensor):
                continue
            expected = getattr(torch, name)(left, right)
            moved = right.cuda() if isinstance(right, Tensor) else right
            if not close(getattr(torch, name)(left.cuda(), moved), expected, bound):
                wrong.append(f"{name} {right}")
    assert not wrong
    assert not on_device.faults


def test_infinities(on_device: Device) -> None:
    """Large numbers do not overflow on the way."""
    x = grid([3e38, -3e38, 1.0, 1e-45], np.complex64)
    for name in ("sqrt", "log", "abs", "tanh", "reciprocal"):
        found = getattr(torch, name)(x.cuda()).cpu().numpy()
        wanted = getattr(torch, name)(x).numpy()
        assert np.allclose(found, wanted, rtol=1e-5, atol=1e-42, equal_nan=True), name


@pytest.mark.parametrize("count", [2, 13, 17, 24])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transforms(
    on_device: Device, name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one product, by several, and by a convolution, from fewer numbers on than these are for."""
    monkeypatch.setattr(fourier, "DIRECT", 8)
    monkeypatch.setattr(fourier, "DIVISOR", 4)
    monkeypatch.setattr(fourier, "LONGEST_DIRECT", 16)
    torch.manual_seed(0)
    transform = getattr(torch.fft, name)
    for dtype in (torch.float32, torch.complex64, torch.complex128):
        x = torch.randn(2, count, dtype=dtype)
        if dtype.is_complex and name in ("rfft", "ihfft"):
            continue
        expected = transform(x, norm="ortho")
        bound = 1e-5 if dtype is not torch.complex128 else 1e-12
        assert close(transform(x.cuda(), norm="ortho"), expected, bound)
    assert not on_device.faults


def test_transforms_of_one_number(on_device: Device) -> None:
    x = torch.tensor([[2.0], [3.0]])
    assert close(torch.fft.fft(x.cuda()), torch.fft.fft(x), 0)
    for transform in (torch.fft.irfft, torch.fft.hfft):
        with pytest.raises(RuntimeError, match="Invalid number of data points"):
            transform(x.cuda())


def test_transforms_of_several_dimensions(on_device: Device) -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 4, 6)
    z = torch.randn(3, 4, 6, dtype=torch.complex64)
    calls: list[Callable[[Any], Tensor]] = [
        lambda f: f(torch.fft.fft2, z),
        lambda f: f(torch.fft.fftn, x),
        lambda f: f(torch.fft.rfftn, x, s=(5, 3), dim=(0, 1)),
        lambda f: f(torch.fft.irfft2, z, s=(4, 7)),
        lambda f: f(torch.fft.ifftn, z.transpose(0, 2), norm="forward"),
        lambda f: f(torch.fft.hfftn, z, dim=(0, 2)),
        lambda f: f(torch.fft.ihfft2, x),
        lambda f: f(torch.fft.fft, x[:, ::2], n=9, dim=1),
        lambda f: f(torch.fft.fft, z[:0], dim=2),
        lambda f: f(torch.fft.fftshift, z),
    ]
    for run in calls:
        expected = run(lambda f, one, **options: f(one, **options))
        found = run(lambda f, one, **options: f(one.cuda(), **options))
        assert close(found, expected, 1e-5)


def test_transforms_are_not_rounded_to_tf32(on_device: Device) -> None:
    torch.manual_seed(0)
    x = torch.randn(4, 64)
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        assert close(torch.fft.fft(x.cuda()), torch.fft.fft(x), 1e-6)
    finally:
        torch.set_float32_matmul_precision(before)


def test_spectrograms_there_and_back(on_device: Device) -> None:
    torch.manual_seed(0)
    x, window = torch.randn(2, 60), torch.hann_window(16)
    expected = torch.stft(x, 16, 4, window=window, return_complex=True)
    found = torch.stft(x.cuda(), 16, 4, window=window.cuda(), return_complex=True)
    assert close(found, expected, 1e-5)
    again = torch.istft(found, 16, 4, window=window.cuda(), length=60)
    assert close(again, x, 1e-5)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_products_and_reductions(on_device: Device, dtype: Any) -> None:
    torch.manual_seed(0)
    x, y = torch.randn(4, 3, dtype=dtype), torch.randn(3, 5, dtype=dtype)
    calls: list[tuple[Callable[..., Any], tuple[Tensor, ...]]] = [
        (lambda a, b: a @ b, (x, y)),
        (lambda a, b: a.mT.conj() @ a + 0 * b.sum(), (x, y)),
        (lambda a: torch.einsum("ij,kj->ik", a, a.conj()), (x,)),
        (lambda a: torch.vdot(a[0], a[1]), (x,)),
        (lambda a: torch.linalg.norm(a), (x,)),
        (lambda a: a.norm(p=1, dim=1), (x,)),
        (lambda a: a.std(0), (x,)),
        (lambda a: a.var(), (x,)),
        (lambda a: a.mean(0), (x,)),
        (lambda a: a.sum(1, keepdim=True), (x,)),
        (lambda a: a.prod(0), (x,)),
        (lambda a: a.cumsum(1), (x,)),
        (lambda a: a.cumprod(0), (x,)),
        (lambda a: torch.logaddexp(a, a[0] * 30), (x,)),
        (lambda a: torch.nn.functional.conv_transpose1d(a[None], a[:, None], groups=4), (x,)),
        (lambda a: torch.cat([a, a.conj()], 1), (x,)),
        (lambda a: torch.stack([a[0], a[1]]), (x,)),
        (lambda a: a[[2, 0]], (x,)),
        (lambda a: a.flip(0), (x,)),
        (lambda a: torch.where(a.real > 0, a, 1j), (x,)),
        (lambda a: torch.view_as_real(a * 1j), (x,)),
        (lambda a: torch.complex(a.real, a.imag), (x,)),
        (lambda a: torch.polar(a.abs(), a.angle()), (x,)),
        (lambda a: a.to(torch.complex64).real.to(dtype), (x,)),
        (lambda a: torch.zeros_like(a) + torch.ones_like(a), (x,)),
        (lambda a: a.reshape(-1)[0] * a.t(), (x,)),
        (lambda a: a[:0].sum(), (x,)),
    ]
    some = calls if IS_LONG or dtype is torch.complex64 else calls[::3]
    for number, (run, given) in enumerate(some):
        expected, found = run(*given), run(*(one.cuda() for one in given))
        assert close(found, expected, 1e-5), number


def test_norms_and_deviations_are_real(on_device: Device) -> None:
    """They were complex: decompositions squared numbers where they had to multiply them by their conjugates."""
    x = torch.tensor([3 + 4j, 0j, 1j]).cuda()
    assert x.std().dtype is torch.float32 and x.norm().dtype is torch.float32
    assert x.norm().item() == pytest.approx(26**0.5)


def test_writes(on_device: Device) -> None:
    torch.manual_seed(0)
    x = torch.randn(4, 3, dtype=torch.complex64)

    def written(z: Tensor) -> Tensor:
        z.mul_(2j)
        z[1:].add_(z[:1])
        z.real.fill_(1)
        z[:, 0] = 3 - 1j
        return torch.neg(z, out=z)

    found = x.cuda()
    assert close(written(found), written(x), 1e-6)
    with pytest.raises(RuntimeError, match="In-place abs is not supported for complex"):
        found.abs_()
    with pytest.raises(RuntimeError, match="can't be cast"):
        found.real.mul_(found)


@pytest.mark.parametrize(
    "f",
    [
        lambda z: torch.fft.fft(z).abs().sum(),
        lambda z: torch.fft.irfft(z).square().sum(),
        lambda z: (z @ z.mT.conj()).abs().sum(),
        lambda z: (z.tanh() * z.conj() / (z + 2)).real.sum(),
        lambda z: z.angle().sum() + z.log().imag.sum(),
        lambda z: z.pow(2.5).real.sum() + z.std(),
    ],
)
def test_gradients(on_device: Device, f: Callable[[Tensor], Tensor]) -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 4, dtype=torch.complex128)
    found: list[list[Tensor]] = []
    for place in ("cpu", "cuda"):
        z = x.to(place).requires_grad_()
        (first,) = torch.autograd.grad(f(z), z, create_graph=True)
        (second,) = torch.autograd.grad(first.abs().sum(), z)
        found.append([first.detach(), second])
    for one, other in zip(*found, strict=True):
        assert close(other, one, 1e-9)


def test_gradients_of_convolutions(on_device: Device) -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 4, dtype=torch.complex64)
    found: list[Tensor] = []
    for place in ("cpu", "cuda"):
        z = x.to(place).detach().requires_grad_()
        torch.nn.functional.conv1d(z[None], z[None, :, :2], z[:1, 0]).abs().sum().backward()
        assert z.grad is not None
        found.append(z.grad)
    assert close(found[1], found[0], 1e-5)


def names() -> list[str]:
    """Operators that have samples of complex numbers."""
    every = sorted(name for name, _ in registry.attached() if not registry.is_registered(name))
    return every if IS_LONG else every[::25]


def _is_complex(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_complex, value))
    return isinstance(value, np.ndarray) and value.dtype.kind == "c"


def test_samples(on_device: Device) -> None:
    """All operators, through the host where they have no way of their own."""
    use_device()
    wrong: list[str] = []
    compared = 0
    for name in names():
        operator = registry.find(name)
        if operator is None or operator.kernel is None or operator.placed is None:
            continue
        takes_complex = (make for make in samples_of(operator) if any(map(_is_complex, make())))
        for make in islice(takes_complex, None if IS_LONG else 1):
            found, expected = outcomes(operator, make)
            compared += 1
            why = difference(found, expected)
            if why is not None:
                wrong.append(f"{name}: {why}")
    assert not wrong, "\n".join(wrong)
    assert compared > 10


def test_conjugates_cannot_be_written_to(on_device: Device) -> None:
    """In PyTorch they share memory, and a write would change the tensor."""
    z = torch.randn(3, dtype=torch.complex64).cuda()
    for conjugate in (z.conj(), z.conj()[1:]):
        with pytest.raises((ValueError, RuntimeError), match="read-only"):
            conjugate.add_(1)


def test_results_keep_the_format(on_device: Device) -> None:
    z = torch.randn(2, 3, 4, 5, dtype=torch.complex64)
    z = z.contiguous(memory_format=torch.channels_last)
    assert (z.cuda() * 2j).stride() == (z * 2j).stride() == z.stride()


def test_dtypes_of_reductions(on_device: Device) -> None:
    z = torch.randn(3, dtype=torch.complex64).cuda()
    assert z.sum(dtype=torch.complex128).dtype is torch.complex128
    with pytest.raises(RuntimeError, match="only supported on matrices"):
        _ = z.expand(2, 2, 3).H


def test_parts_are_views(on_device: Device) -> None:
    z = on_cuda(np.zeros(3, np.complex64))
    real, imag = complex_numbers.parts(z)
    real.fill_(1)
    imag.fill_(-2)
    assert z.cpu().tolist() == [1 - 2j] * 3
