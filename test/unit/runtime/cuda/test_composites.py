"""Operators on the device that are made of others there: the results of the host, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.executable import CudaKernel

CASES = [
    "torch.view_copy(x, [6, 2])",
    "torch.view_copy(x.t(), [6, 2])",
    "torch.transpose_copy(x, 0, 1)",
    "torch.select_copy(x, 0, 1)",
    "torch.expand_copy(x, [2, 3, 4])",
    "torch.split_copy(x, 2)",
    "torch.unbind_copy(x)",
    "torch.squeeze_copy(x.view(1, 3, 4), [0])",
    "torch.select_scatter(x, x[0], 0, 2)",
    "torch.slice_scatter(x, x[:, :2], 1, 1, 3)",
    "torch.diagonal_scatter(x, v[:3])",
    "torch.cat([x, k])",
    "torch.cat([x, x.double(), k], 1)",
    "torch.concat([x, x], 1)",
    "torch.concatenate([x, x])",
    "torch.hstack([x, k])",
    "torch.nansum(n, 1)",
    "torch.nansum(n)",
    "torch.nanmean(n, 0, True)",
    "torch.std_mean(x, 1)",
    "torch.std_mean(x, 1, correction=0, keepdim=True)",
    "torch.std_mean(x)",
    "torch.norm(x, 3, dtype=torch.float64)",
    "torch.all(m, [0, 1])",
    "torch.any(m, [0], True)",
    "torch.any(x, [])",
    "torch.equal(x, x.clone())",
    "torch.equal(x, x[:2])",
    "torch.equal(x, x + 1)",
    "torch.allclose(x, x + 1e-9)",
    "torch.trace(x)",
    "torch.special.logsumexp(x, 1)",
    "torch.special.softmax(x, 1)",
    "torch.softmax(x, 1, dtype=torch.float64)",
    "torch.log_softmax(x.half(), 0, dtype=torch.float32)",
    "torch.addbmm(x[:3, :3], b, b)",
    "torch.addbmm(n[:3, :3], b, b, beta=0, alpha=2)",
    "torch.ger(v, v)",
    "torch.addr(x, v[:3], v)",
    "torch.addr(n, v[:3], v, beta=0, alpha=2)",
    "torch.cross(b, b.flip([0]), 1)",
    "torch.linalg.cross(b, b.flip([0]))",
    "torch.argwhere(x > 0)",
    "torch.adjoint(b)",
    "torch.inner(x, x)",
    "torch.inner(x[:, :0], x[:, :0])",
    "torch.inner(v, torch.tensor(2.0).to(v.device))",
    "torch.nan_to_num(n)",
    "torch.nan_to_num(n, 1.5, 2.5, -2.5)",
    "torch.nan_to_num(n.double())",
    "torch.signbit(-x * 0)",
    "torch.signbit(x.to(torch.bfloat16))",
    "k ** 3",
    "k ** 0",
    "torch.where(m)",
    "torch.rot90(x)",
    "torch.rot90(x, 3, [1, 0])",
    "torch.fliplr(x)",
    "torch.flipud(x)",
    "torch.diag_embed(x)",
    "torch.diag_embed(x, 1, 0, 2)",
    "torch.diag(v, -1)",
    "torch.diag(x, 1)",
    "torch.nn.functional.one_hot(k.abs())",
    "torch.nn.functional.pad(x.view(1, 3, 4), [1, 2], 'reflect')",
    "torch.nn.functional.pad(x.view(1, 1, 3, 4), [1, 2, 3, 1], 'replicate')",
    "torch.nn.functional.pad(x.view(1, 3, 4), [3, 4], 'circular')",
    "torch.nn.functional.pad(x, [1, -1], value=3.0)",
    "torch.nn.functional.group_norm(b.view(2, 9, 1), 3, w[:9], w[9:18])",
    "torch.nn.functional.group_norm(b.view(2, 9, 1).half(), 3)",
    "x.clone().pow_(2)",
    "k.clone().__iand__(5)",
    "torch._foreach_add([x, v], [x, v])",
    "torch._foreach_mul([x, v], 2)",
    "torch._foreach_sqrt([x.abs(), v.abs()])",
    *(
        f"torch.{name}(s, {dim})"
        for name in ("softmax", "argmax", "cumsum", "prod")
        for dim in (0, -1)
    ),
    *(
        f"torch.{name}(s, [{dim}], {keep})"
        for name in ("sum", "amax")
        for dim in (0, -1)
        for keep in (True, False)
    ),
    *(
        f"torch.{name}({x})"
        for name in ("cummax", "cummin")
        for x in ("x, 0", "n, 0", "n, 1", "k, 1", "m.long(), 1", "x.half(), 0")
    ),
    *(f"torch.logcumsumexp({x})" for x in ("x, 0", "n, -1", "n.double(), 0", "x.half(), -1")),
    "torch.cummax(w.repeat(150).view(2, -1), 1)",
    "torch.logcumsumexp(w.repeat(150), 0)",
    "torch.cummin(s, 0)",
    "torch.mean(s, [0], dtype=torch.float64)",
    "torch.max(s, 0)",
    "torch.argmin(s, 0, True)",
    *(f"torch.{name}(s)" for name in ("sum", "mean", "prod", "amax", "std", "var", "norm")),
    *(
        f"torch.{name}([{q}, {q} + 1, {q}], {dim})"
        for name in ("cat", "stack")
        for q in ("w.view(1, 2, 3, 3)", "w.view(1, 3, 3, 2).permute(0, 3, 1, 2)")
        for dim in (0, 1, -1)
    ),
    "torch.cat([b.view(2, 1, 3, 3, 1), b.view(2, 1, 3, 3, 1)[:, :, :2]], 2)",
    "torch.triu(x, 1)",
    "torch.flip(x, [0, 1])",
    "torch.nn.functional.scaled_dot_product_attention(b, b, b, is_causal=True)",
    "torch._fused_sdp_choice(w.view(1, 2, 3, 3), w.view(1, 2, 3, 3), w.view(1, 2, 3, 3)) + s",
    "torch.nn.functional.nll_loss(x, i[0], v.abs(), reduction='none')",
    "torch.nn.functional.nll_loss(v, i[0, 1], v.abs(), reduction='none')",
    "torch.nll_loss_forward(v, i[0, :1], v.abs(), 0, -100)",
    "torch.nn.functional.cross_entropy(w.view(2, 3, 3), i.expand(2, 3, 3)[:, 0], v[:3].abs())",
    "torch.nn.functional.nll_loss(w[:12].view(1, 3, 2, 2), i[None, :2, :2], ignore_index=2)",
    "torch.nn.functional.nll_loss(x, i[0].to(torch.uint8))",
    "torch.ldexp(x, k * 40)",
    "torch.ldexp(x.double(), k * 300)",
    "torch.ldexp(x.half(), k * 4)",
    "torch.ldexp(n, k.int())",
    *(f"torch.frexp(n{kind})" for kind in ("", ".double()", ".half()", ".to(torch.bfloat16)")),
    "torch.nextafter(x, n)",
    "torch.nextafter(n[:1], x)",
    "torch.nextafter(n.half(), x.half())",
    "torch.nextafter(n.double(), x.double().neg())",
    "torch.nextafter(n.to(torch.bfloat16), n.to(torch.bfloat16).neg())",
    "torch.frexp(x * 1e-42)",
    "torch.frexp(x.double() * 1e-310)",
    "torch.ldexp(k, x)",
    "torch.ldexp(x.half(), x)",
    *(f"torch.mm(k.to(torch.{kind}), k.t().to(torch.{kind}))" for kind in ("int8", "int16")),
    "torch.bmm(k.to(torch.uint8).expand(2, 3, 4), k.t().to(torch.uint8).expand(2, 4, 3))",
    "torch.matmul(k.to(torch.int16), k[0].to(torch.int16))",
    *(
        f"{product.format(f'.to(torch.{kind})')}"
        for kinds, product in (
            ("bfloat16 float16 int16 int64", "x{0} @ x.t(){0}"),
            ("bfloat16 int64", "torch.dot(v{0}, v{0})"),
            ("float16 int16", "torch.addmv(v[:3]{0}, x{0}, v{0})"),
            ("bfloat16 int64", "torch.addbmm(b[0]{0}, b{0}, b{0})"),
        )
        for kind in kinds.split()
    ),
    "torch.addmm(k[:, :3].to(torch.int8), k.to(torch.int8), k.t().to(torch.int8) * 9, beta=3)",
    "torch.addmm(s, x, x.t(), beta=0.5)",
    "torch.gcd(k * 6, k.t().reshape(3, 4) * 4)",
    "torch.gcd((k * 31).to(torch.int8), 96 - k.to(torch.int8))",
    "torch.lcm(k, k[0])",
    "torch.lcm((k * 31).to(torch.int8), (k + 7).to(torch.int8))",
    "torch.lcm(k.abs().to(torch.uint8), k[0].abs().to(torch.uint8))",
    "torch.polygamma(1, x * 3)",
    "torch.polygamma(2, n.double())",
    "torch.polygamma(0, x.half())",
    "torch.special.zeta(x.abs() + 1.5, n)",
    "torch.igamma(x.abs() * 4, n.abs())",
    "torch.igammac(n.double(), x.abs().double() * 9)",
    "torch.special.chebyshev_polynomial_t(x, k)",
    "torch.special.hermite_polynomial_h(n, 3)",
    "torch.special.legendre_polynomial_p(x.double(), n.double())",
    "torch.meshgrid(v, x[0, :2], indexing='xy')",
    "torch.combinations(v)",
    "torch.atleast_2d([v, s])",
    "torch.cov(x, correction=0, fweights=k[0].abs() + 1, aweights=v.abs())",
    "torch.corrcoef(x)",
    "torch.cov(k)",
    "torch.nn.functional.pixel_unshuffle(w[:16].view(1, 1, 4, 4), 2)",
    "x.clone().fill_diagonal_(2).transpose_(0, 1)",
    "x.clone().ldexp_(k)",
    "torch.nonzero_static(m, size=9)",
    "torch.nn.functional.multi_margin_loss(v, i[0, 1], 2, 0.5, v.abs())",
    "torch.fake_quantize_per_tensor_affine(n, 0.25, 3, 0, 7)",
    "torch.fake_quantize_per_channel_affine(x.half(), v[:3].abs(), k[:, 0].int(), 0, -4, 4)",
    "torch.native_batch_norm(b, w[:3], w[3:6], None, None, True, 0.1, 1e-5)",
    "torch._native_batch_norm_legit(b, w[:3], None, True, 0.1, 1e-5)",
    "torch.segment_reduce(b, 'mean', lengths=i[:2, :2].clamp(max=1), axis=1, unsafe=True)",
    "torch.segment_reduce(n, 'max', offsets=i[0].sort()[0])",
    "torch.nextafter(x, n.double())",
    "torch.eye(3, out=b[0].clone())",
    "[r, torch.ops.aten.native_batch_norm(x, None, None, r, v, True, 0.5, 1e-5, out=x * 0, save_mean=v * 0, save_invstd=v * 0)][0]",
    "k.scatter_reduce(1, i, k + 9, 'mean')",
    "[o := [x * 0, v * 0], torch._foreach_add([x, v], [x, v], alpha=2, out=o)][0]",
    "torch.nn.functional.fractional_max_pool2d(n.view(1, 1, 3, 4), (1, 2), (2, 2), None, True, w[:2].sigmoid().view(1, 1, 2))",
    "torch.ops.aten.adaptive_max_pool2d_backward(x[None], w[:12].view(1, 3, 4), k[None].abs())",
]
GRADIENTS = [
    "torch.softmax(x * 2, 1).pow(2)",
    "torch.log_softmax(x * 2, 0).pow(2)",
    "torch.nn.functional.layer_norm(x * 2, [4], x[0], x[1]).pow(2)",
    "torch.nn.functional.layer_norm(x * 2, [3, 4]).pow(3)",
    "torch.nn.functional.group_norm((x * 2).view(3, 4, 1), 2, x[0], x[1]).pow(2)",
    "torch.nn.functional.batch_norm(x * 2, None, None, x[0], x[1], True).pow(2)",
    "torch.nn.functional.batch_norm(x * 2, r, r + 1, x[0], None, False).pow(2)",
    "torch.gather(x, 1, i).pow(2)",
    "torch.index_select(x, 0, i[0]).pow(2)",
    "torch.max(x, 1)[0].pow(2)",
    "torch.stack([x.view(1, 3, 2, 2), x.view(1, 3, 2, 2) * 2]).pow(2)",
    "torch.nn.functional.scaled_dot_product_attention(*[x.view(1, 2, 3, 2)] * 3, is_causal=True)",
    "torch.trace(x[:, :3])",
    "torch.nn.functional.nll_loss(x.view(1, 3, 2, 2), i[None, :2, :2], reduction='none').pow(2)",
    "torch.nn.functional.nll_loss(x.view(1, 3, 2, 2), i[None, :2, :2], x[0, :3].detach().abs())",
    "torch.nn.functional.pdist(x)",
    "x.diagonal_scatter(x[0, :3] * 2).pow(2)",
    "torch.cov(x).pow(2)",
    "torch.nn.functional.multi_margin_loss(x, i[0], 2, weight=x[1].detach().abs())",
    "torch.nn.functional.multi_margin_loss(x, i[0], reduction='none').pow(2)",
    "torch.fake_quantize_per_tensor_affine(x * 2, 0.25, 3, 0, 7).pow(2)",
    "torch.nn.functional.max_unpool2d((x * 2).view(1, 3, 2, 2), i.flatten()[:1].expand(1, 3, 2, 2) +"
    " torch.arange(4, device=x.device).view(2, 2), (3, 4)).pow(2)",
]
HOLES = np.array([[1, np.nan, np.inf, 2], [-np.inf, 0, -0.0, 3], [np.nan, 1, 2, 3]], np.float32)


def tensors(device: str) -> dict[str, Any]:
    generator = np.random.default_rng(0)

    def random(*shape: int) -> Any:
        return torch.tensor(generator.standard_normal(shape).astype(np.float32)).to(device)

    x = random(3, 4)
    return {
        "torch": torch,
        "x": x,
        "v": random(4),
        "b": random(2, 3, 3),
        "s": x[1, 2],
        "w": random(18),
        "r": random(4).abs(),
        "n": torch.tensor(HOLES).to(device),
        "m": x > 0,
        "k": torch.tensor(generator.integers(-4, 5, (3, 4))).to(device),
        "i": torch.tensor(np.array([[0, 2, 2], [1, 1, 0], [2, 0, 1]])).to(device),
    }


def arrays(found: Any) -> list[Any]:
    if isinstance(found, (list, tuple)):
        return [one for each in found for one in arrays(each)]  # pyright: ignore
    return [found.cpu() if hasattr(found, "cpu") else found]


def assert_close(found: Any, expected: Any) -> None:
    for one, other in zip(arrays(found), arrays(expected), strict=True):
        if isinstance(other, bool):
            assert one is other
            continue
        assert one.dtype is other.dtype
        is_narrow = other.dtype in (torch.float16, torch.bfloat16)
        assert one.shape == other.shape
        np.testing.assert_allclose(
            one.double().numpy(),
            other.double().numpy(),
            rtol=1e-2 if is_narrow else 2e-5,
            atol=1e-2 if is_narrow else 1e-5,
        )


@pytest.mark.parametrize("text", CASES)
def test_an_operator(on_device: Device, text: str) -> None:
    expected = eval(text, tensors("cpu"))
    memory().warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = eval(text, tensors("cuda"))
    assert_close(found, expected)
    assert not on_device.faults


@pytest.mark.parametrize("text", GRADIENTS)
def test_a_gradient(on_device: Device, text: str) -> None:
    found: list[Any] = []
    for device in ("cpu", "cuda"):
        names = tensors(device)
        x = names["x"] = names["x"].clone().requires_grad_()
        memory().warned.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error" if device == "cuda" else "ignore")
            eval(text, names).sum().backward()
        found.append(x.grad)
    assert_close(found[1], found[0])
    assert not on_device.faults


def test_a_fill_by_more_than_a_number_is_refused(on_device: Device) -> None:
    names = tensors("cuda")
    with pytest.raises(RuntimeError, match="only supports a 0-dimensional value tensor"):
        names["x"].masked_fill(names["m"], names["v"][:1])


REFUSED = [
    ("torch.outer(x, v)", "Expected 1-D argument self, but got 2-D"),
    ("torch.baddbmm(b, b[:0], b[:0], beta=0)", "must match the existing size"),
    ("torch.addmm(x, x, x.t(), beta=0)", "must match the existing size|sizes"),
    ("v.expand(3, 4).abs_()", "more than one element of the written-to tensor"),
    ("torch.complex(x, x).abs_()", "In-place abs is not supported for complex tensors"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_the_host_refuses_is_refused(on_device: Device, text: str, message: str) -> None:
    with pytest.raises(RuntimeError, match=message), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of complex numbers
        eval(text, tensors("cuda"))


def test_a_power_in_another_dtype_is_refused_in_place(on_device: Device) -> None:
    names = tensors("cuda")
    with pytest.raises(RuntimeError, match="float_power_"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names["x"].float_power_(2)


@pytest.mark.parametrize(
    "text",
    ["torch.sinh(x{})", "torch.hypot(x{0}, x{0})", "x{}.to(torch.int8)", "torch.amax(x{}, 1)"],
)
def test_a_kernel_is_made_where_the_first_operand_has_no_elements(
    on_device: Device, text: str
) -> None:
    names = tensors("cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eval(text.format("[:0]"), names).numel() == 0
        torch.cuda.synchronize()
        on_device.launches.clear()
        eval(text.format(""), names)
        torch.cuda.synchronize()
    assert on_device.launches


SHARED = (
    "x.sum()", "x.amax()", "k.amin()", "torch.softmax(x, 1)", "torch.amax(k, 1)", "torch.amin(k.to(torch.uint8), 0)", "torch.any(m)",
    "torch.argmax(k, 1)",
)  # fmt: skip


@pytest.mark.parametrize("text", SHARED)
def test_threads_share_what_is_reduced(on_device: Device, text: str) -> None:
    """No thread goes through a row alone."""
    memory().operators.clear()
    found, expected = (eval(text, tensors(device)) for device in ("cuda", "cpu"))
    assert_close(found, expected)
    reductions = [
        kernel
        for key, kernel in memory().operators.items()
        if kernel is not None
        and any(name in str(key[0]) for name in ("sum", "amax", "amin", "softmax"))
    ]
    assert reductions
    for kernel in reductions:
        assert isinstance(kernel, CudaKernel) and "shfl.sync" in kernel.ptx


def test_outputs_that_are_fewer_than_results(on_device: Device) -> None:
    made: list[Any] = []
    for device in ("cpu", "cuda"):
        scale, found = (torch.tensor(2.0).to(device) for _ in "so")
        growth, is_bad = torch.tensor(1, dtype=torch.int32).to(device), torch.tensor(0.0).to(device)
        operator = registry.find("aten::_amp_update_scale.out")
        assert operator is not None and operator.placed is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            operator.placed(scale, growth, is_bad, 2.0, 0.5, 2, found)
        made.append(found)
    assert_close(made[1], made[0])


def test_running_statistics_move(on_device: Device) -> None:
    found: list[Any] = []
    for device in ("cpu", "cuda"):
        names = tensors(device)
        mean, var = names["r"].clone(), names["r"].clone()
        found.append((*torch.batch_norm_update_stats(names["x"], mean, var, 0.25), mean, var))
    assert_close(found[1], found[0])


def test_numbers_of_programs_become_tensors_there(on_device: Device) -> None:
    source = """
def f(x):
    return (
        torch.tensor([1.0, 2.0], dtype=x.dtype, device=x.device), torch.tensor(3, device=x.device),
        torch.tensor([[1, 2], [3, 4]], device=x.device), torch.as_tensor([True, False], device=x.device),
        torch.as_tensor(2.5, device=x.device), torch.scalar_tensor(2.0, device=x.device),
    )
"""
    function = ts.CompilationUnit(source).f
    for _ in range(3):
        expected, found = (function(torch.ones(2).to(device)) for device in ("cpu", "cuda"))
        assert {one.device.type for one in found} == {"cuda"}
        assert_close(found, expected)


def test_attention_draws_its_dropout_there(on_device: Device) -> None:
    """Which elements are dropped differs from the host's; each is dropped or scaled."""
    query = torch.ones(2, 3, 4).to("cuda")
    values = torch.eye(3).expand(2, 3, 3).to("cuda")
    copies = on_device.calls.count("cuMemcpyDtoH_v2")
    found = torch.nn.functional.scaled_dot_product_attention(query, query, values, None, 0.5)
    assert on_device.calls.count("cuMemcpyDtoH_v2") == copies
    assert found.device.type == "cuda" and found.shape == (2, 3, 3)
    kept = np.asarray(found.cpu()).ravel()
    assert all(np.isclose(one, 0.0) or np.isclose(one, 2 / 3) for one in kept)
