"""Sorts on the device: the values and places of the host, in rows of any length, without a word about the host."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.cuda.arrays import memory

DTYPES = (
    torch.float32, torch.float64, torch.float16, torch.bfloat16,
    torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
)  # fmt: skip


def _run(text: str, device: str, **given: Any) -> Any:
    moved = {name: one.to(device) for name, one in given.items()}
    memory().warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        return eval(text, {"torch": torch, **moved})


def _assert_same(text: str, **given: Any) -> None:
    mine, host = (_run(text, device, **given) for device in ("cuda", "cpu"))
    pairs = zip(mine, host, strict=True) if isinstance(host, tuple) else [(mine, host)]
    for one, other in pairs:
        assert one.device.type == "cuda"
        assert one.dtype is other.dtype
        assert one.stride() == other.stride()
        np.testing.assert_array_equal(_numbers(one.cpu()), _numbers(other))


def _numbers(x: Any) -> Any:
    return (x.float() if x.dtype in (torch.float16, torch.bfloat16) else x).numpy()


def _with_ties(shape: tuple[int, ...], dtype: Any) -> Any:
    rng = np.random.default_rng(len(shape) + shape[-1])
    x = torch.from_numpy(rng.integers(-3 if dtype.is_signed else 0, 4, shape)).to(dtype)
    if dtype.is_floating_point:
        x = x * 0.5
        flat = x.view(-1)
        special = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0], dtype=dtype)
        flat[:5:1] = special[: flat.numel()]
        flat[-3:] = torch.tensor(float("nan"), dtype=dtype)
    return x


@pytest.mark.parametrize("descending", (False, True))
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_sorts_are_stable(dtype: Any, descending: bool, on_device: Device) -> None:
    for shape in ((3, 7), (1, 1), (2, 33)):
        x = _with_ties(shape, dtype)
        _assert_same(f"torch.sort(x, dim=1, descending={descending}, stable=True)", x=x)


@pytest.mark.parametrize("length", (1, 2, 3, 1023, 1024, 1025, 2048, 5000))
def test_rows_of_any_length(length: int, on_device: Device) -> None:
    x = _with_ties((3, length), torch.float32)
    _assert_same("torch.sort(x, stable=True)", x=x)
    _assert_same("torch.argsort(x[1:, :], stable=True, descending=True)", x=x)


def test_many_rows(on_device: Device) -> None:
    _assert_same("torch.sort(x, dim=-1, stable=True)", x=_with_ties((700, 5), torch.int32))


CASES = (
    "torch.sort(x)",
    "torch.sort(x, dim=0, stable=True)",
    "torch.sort(x.t(), dim=0, stable=True)",
    "torch.sort(x[:, ::2], dim=1, stable=True)",
    "torch.sort(x.view(2, 3, 4), dim=1, descending=True, stable=True)",
    "torch.sort(x[0])",
    "torch.argsort(x, 0, True)",
    "torch.argsort(x)",
    "torch.msort(x)",
    "torch.topk(x, 3)",
    "torch.topk(x, 2, 0, False)",
    "torch.topk(x.t(), 2, 0)",
    "torch.kthvalue(x, 2)",
    "torch.kthvalue(x, 1, 0, True)",
    "torch.kthvalue(x, 6)[0]",
)


RANKED = (
    "torch.median(x)",
    "torch.median(x, 1)",
    "torch.median(x, 0, True)",
    "torch.median(n, 1)",
    "torch.median(n)",
    "torch.median(x.long(), 1)[0]",
    "torch.nanmedian(n, 1)[0]",
    "torch.nanmedian(n, 0, True)[0]",
    "torch.nanmedian(n)",
    "torch.mode(t, 1)",
    "torch.mode(t, 0, True)",
    "torch.mode(t.float(), 1)",
    "torch.quantile(x, 0.3)",
    "torch.quantile(x, 0.3, 1)",
    "torch.quantile(n, 0.7, 0, True)",
    "torch.quantile(x, 0.41, 1, interpolation='nearest')",
    "torch.quantile(x, 0.41, 1, interpolation='lower')",
    "torch.quantile(x, 0.41, 1, interpolation='higher')",
    "torch.quantile(x, 0.41, 1, interpolation='midpoint')",
    "torch.quantile(x, 0.5, keepdim=True)",
    "torch.nanquantile(n, 0.6, 1)",
    "torch.quantile(x, q, 0)",
    "torch.quantile(x, q)",
    "torch.quantile(n, q[0], 1, True)",
    "torch.nanquantile(n, q, 1, True)",
    "torch.nanquantile(n.double(), 0.6)",
    "torch.unique(t)",
    "torch.unique(t, return_inverse=True)",
    "torch.unique(t, return_counts=True)",
    "torch.unique(t.float(), return_inverse=True, return_counts=True)",
    "torch.unique(n, return_counts=True)",
    "torch.unique_consecutive(t)",
    "torch.unique_consecutive(t, return_inverse=True, return_counts=True)",
    "torch.unique_consecutive(t[0], dim=0, return_counts=True)",
)


@pytest.mark.parametrize("text", RANKED)
def test_ranks_and_runs(text: str, on_device: Device) -> None:
    x = torch.randperm(24).view(4, 6).float()
    n = x.clone()
    n[1, 2] = n[1, 4] = n[3] = float("nan")
    t = torch.tensor([[3, 3, 1, 1, 0], [2, 2, 2, 7, 7], [5, 4, 5, 4, 9]])
    _assert_same(text, x=x, n=n, t=t, q=torch.tensor([0.0, 0.35, 1.0]))


SEARCHED = (
    "torch.searchsorted(s, v)",
    "torch.searchsorted(s, v, right=True)",
    "torch.searchsorted(s, v, side='right', out_int32=True)",
    "torch.searchsorted(s.view(2, 4), v[:2])",
    "torch.searchsorted(s[:7].long(), v)",
    "torch.bucketize(v, s)",
    "torch.bucketize(v.t(), s, right=True)",
    "torch.bucketize(v.half(), s[::2])",
    "torch.repeat_interleave(v, r)",
    "torch.repeat_interleave(v, r[:3], 0)",
    "torch.repeat_interleave(v, r[:4], 1, output_size=6)",
    "torch.repeat_interleave(r)",
    "torch.repeat_interleave(r.int())",
    "torch.repeat_interleave(v, 2, 1)",
    "torch.bincount(r)",
    "torch.bincount(r, minlength=9)",
    "torch.bincount(r, r * 0.5)",
    "torch.bincount(r.int(), r)",
)


@pytest.mark.parametrize("text", SEARCHED)
def test_searches_and_counts(text: str, on_device: Device) -> None:
    s = torch.tensor([-2.0, -1.0, 0.0, 0.0, 1.0, 1.0, 3.0, float("inf")])
    v = torch.tensor([[0.0, -0.0, 5.0, -9.0], [1.0, 2.0, float("nan"), -1.0], [1.5, 3, 0.5, 7]])
    r = torch.tensor([2, 0, 3, 1, 0, 4, 1, 1, 2, 0, 1, 5])
    _assert_same(text, s=s, v=v, r=r)


def test_what_the_host_refuses_is_refused(on_device: Device) -> None:
    x, counts = torch.arange(3).to("cuda"), torch.tensor([1, -1, 2]).to("cuda")
    with pytest.raises(RuntimeError, match="repeats can not be negative"):
        torch.repeat_interleave(x, counts)
    with pytest.raises(RuntimeError, match="non-negative"):
        torch.bincount(counts)
    with pytest.raises(RuntimeError, match="first N-1 dimensions"):
        torch.searchsorted(x.view(1, 3), x.view(3, 1))


@pytest.mark.parametrize("text", CASES)
def test_what_is_made_of_sorts(text: str, on_device: Device) -> None:
    _assert_same(text, x=torch.randperm(24).view(4, 6).float())


def test_extremes_of_integers(on_device: Device) -> None:
    for dtype in (torch.int32, torch.int64, torch.int8):
        least, most = torch.iinfo(dtype).min, torch.iinfo(dtype).max
        x = torch.tensor([most, 0, least, most, -1, least, 1], dtype=dtype)
        _assert_same("torch.sort(x, stable=True)", x=x)
        _assert_same("torch.sort(x, descending=True, stable=True)", x=x)


def test_gradients(on_device: Device) -> None:
    grads: list[Any] = []
    for device in ("cpu", "cuda"):
        x = torch.tensor([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]]).to(device).requires_grad_()
        (x.sort(1)[0] * torch.arange(3).to(device) + x.topk(1, 1)[0]).sum().backward()
        grads.append(x.grad.cpu().numpy())
    np.testing.assert_array_equal(*grads)


def test_kernels_of_a_long_row(on_device: Device) -> None:
    x = torch.arange(4096).flip(0).to("cuda").int()
    x.sort()
    before = dict(memory().own_kernels)
    assert {name for name, *_ in before} >= {"block_sort", "exchange", "block_merge"}
    x.sort(descending=True)
    assert memory().own_kernels.keys() == before.keys()
    assert registry.find("aten::sort") is not None
