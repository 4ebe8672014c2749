"""Where formulas for ordinary numbers end: batches of nothing, rows hidden by a mask, singular matrices, and results written to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
import torchscript_dialect.torch as ours_torch

torch = pytest.importorskip("torch")

CALLS = 4
_HIDDEN = ((3, 4), (3, 4), (3, 4))
PROGRAMS: dict[str, tuple[tuple[int, ...], ...]] = {
    # text of x, y and z: shapes of these
    "F.nll_loss(F.log_softmax(x, 1), torch.zeros_like(x[:, 0], dtype=torch.long), reduction='none')": (
        (0, 3, 4),
    ),
    "F.grid_sample(x, y, align_corners=True)": ((0, 2, 3, 4), (0, 2, 5, 2)),
    "F.grid_sample(x.detach(), y, 'nearest', align_corners=True)": ((2, 2, 3, 4), (2, 3, 5, 2)),
    "torch.channel_shuffle(x, 2)": ((0, 4, 3),),
    "torch.det(x - x)": ((2, 3, 3),),
    "torch.det(x[:, :1] * y)": ((2, 3, 3), (2, 3, 3)),
    "F.scaled_dot_product_attention(x, y, z, torch.ones([3, 3]).tril(-1).log())": _HIDDEN,
    "F.scaled_dot_product_attention(x, y, z, torch.ones([3, 3]).tril(-1) > 0)": _HIDDEN,
    "torch._safe_softmax(x + torch.ones([3, 3]).tril(-1).log(), -1)": ((3, 3),),
    "torch.channel_shuffle(x, 1).mul_(2)": ((2, 4, 3),),
    "torch.channel_shuffle(x, 4).mul_(2)": ((2, 4, 3),),
    "x.repeat_interleave(1, 0).mul_(2)": ((2, 3),),
    "x.repeat_interleave(2, 0).mul_(2)": ((1, 3),),
    "x.repeat_interleave(2, 1).mul_(2)": ((2, 3),),
    "(x @ y).fill_diagonal_(0).exp()": ((3, 4), (4, 3)),
    "(x * 2).fill_diagonal_(3, True) * y": ((7, 3), (7, 3)),
    "(x * 2).fill_diagonal_(3) * y": ((3, 3, 3), (3, 3, 3)),
    "torch.cat([x[:, 16:], x[:, :16]], 1) * 2": ((2, 32),),
    "torch.cat([x[:, -20:-16], x[:, :-16]], 1) * 2": ((2, 32),),
    "torch.einsum('i,j->ij', torch.arange(4), x)": ((3,),),
    "torch.einsum('i,j->ij', x.float(), y).sin()": ((4,), (3,)),
    "torch.einsum('bi,i->bi', x, torch.complex(y, y * 2)).abs()": ((2, 3), (3,)),
    "torch.einsum('i,j,j->ij', x, y.float(), z)": ((4,), (3,), (3,)),
}


@pytest.mark.parametrize("is_differentiable", (False, True))
@pytest.mark.parametrize("text", PROGRAMS)
def test_values_and_gradients_are_pytorchs(text: str, is_differentiable: bool) -> None:
    shapes = PROGRAMS[text]
    names = ", ".join("xyz"[: len(shapes)])
    text = text.replace("F.", "torch.nn.functional.")
    source = f"def f({names}):\n    return {text}, {names}\n"
    theirs, ours = torch.jit.CompilationUnit(source).f, ts.CompilationUnit(source).f
    for call in range(CALLS):
        given = _called(ours, shapes, is_differentiable, call)
        for one, wanted in zip(
            given, _called(theirs, shapes, is_differentiable, call), strict=True
        ):
            assert one.shape == wanted.shape and one.dtype == wanted.dtype
            np.testing.assert_allclose(one.numpy(), wanted.numpy(), rtol=1e-6, atol=1e-9)


def _called(function: Any, shapes: Any, is_differentiable: bool, seed: int) -> list[Any]:
    """What it gives, what then is in its arguments, and their gradients."""
    generator = torch.Generator().manual_seed(seed)
    leaves = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    if not is_differentiable:
        return [torch.from_dlpack(one) for one in function(*leaves)]
    results = function(*[leaf.requires_grad_() * 1 for leaf in leaves])
    (results[0] * results[0].cos()).sum().backward()
    grads = [torch.zeros([]) if leaf.grad is None else leaf.grad for leaf in leaves]
    return [one.detach() for one in (*results, *grads)]


SINGULAR = [
    [[0.0]],
    [[1.0, 2.0], [2.0, 4.0]],
    [[[0.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [3.0, 5.0]]],
    [[[0.0]], [[2.0]]],
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0]],
    [[1.0j, 2.0], [2.0j, 4.0]],
]


@pytest.mark.parametrize("create_graph", (False, True))
@pytest.mark.parametrize("matrix", SINGULAR, ids=str)
def test_the_gradient_of_a_singular_determinant(matrix: Any, create_graph: bool) -> None:
    """0, but the cofactors where it is differentiated again, and of a number."""
    found: list[Any] = []
    for module in (torch, ours_torch):
        x = module.tensor(matrix, dtype=module.complex128 if "j" in str(matrix) else module.float64)
        x.requires_grad_(True)
        determinant = module.linalg.det(x)
        (grad,) = module.autograd.grad(abs(determinant - 3).sum(), x, create_graph=create_graph)
        found.append(grad.detach().numpy())
    np.testing.assert_allclose(found[1], found[0], atol=1e-12)


@pytest.mark.parametrize("name", ("dropout", "alpha_dropout", "feature_alpha_dropout"))
def test_random_numbers_are_in_the_order_of_memory(name: str) -> None:
    source = f"def f(x):\n    return torch.{name}(x, 0.4, True)\n"
    theirs, ours = torch.jit.CompilationUnit(source).f, ts.CompilationUnit(source).f
    x = torch.randn(4, 6, 3).transpose(0, 1).requires_grad_()
    for seed in range(CALLS):
        found: list[Any] = []
        for function in (ours, theirs):
            torch.manual_seed(seed)
            found.append(function(x).detach())
        torch.testing.assert_close(*found)


def test_bfloat16_beside_what_is_weighed_in_float() -> None:
    """The weight has no known rank, so that the dtype of its product with numbers of single precision is not known, either."""
    source = "def f(x, y, w):\n    return torch.nn.functional.binary_cross_entropy(x, y, w)\n"
    found: list[list[Any]] = []
    for function in (ts.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f):
        torch.manual_seed(0)
        given: list[Any] = []
        for _ in range(CALLS):
            x, y = (torch.rand(2, 4, dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
            function(x, y, torch.rand(4, dtype=torch.bfloat16)).backward()
            given += [x.grad, y.grad]
        found.append(given)
    torch.testing.assert_close(*found, rtol=2e-2, atol=2e-3)


@pytest.mark.parametrize("is_differentiable", (False, True))
@pytest.mark.parametrize("uses_batch", (False, True))
@pytest.mark.parametrize("shape", ((0, 3, 4), (2, 0, 4), (3, 2, 2)), ids=str)
def test_running_statistics_of_instances(
    shape: tuple[int, ...], uses_batch: bool, is_differentiable: bool
) -> None:
    """Only batches move them; those of an empty one are not numbers."""
    source = (
        "def f(x, m, v, batch: bool):\n"
        "    return torch.instance_norm(x, None, None, m, v, batch, 0.1, 1e-5, True)\n"
    )
    found: list[list[Any]] = []
    for function in (ts.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f):
        torch.manual_seed(0)
        mean, variance = torch.randn(shape[1]), torch.rand(shape[1])
        for _ in range(CALLS):
            function(
                torch.randn(shape, requires_grad=is_differentiable), mean, variance, uses_batch
            )
        found.append([mean, variance])
    torch.testing.assert_close(*found, equal_nan=True)


def test_gradients_of_images_whose_sizes_are_not_known() -> None:
    """The channels come last in what is made of rows, and sizes of one part follow from those of another."""
    source = """
def resampled(rows, size: int, scale: float):
    count, _, channels = rows.shape
    images = rows[:, 1:].transpose(1, 2).reshape(count, channels, size, size)
    images = torch.nn.functional.interpolate(images, scale_factor=scale, mode="bilinear")
    return torch.cat((rows[:, :1], images.reshape(count, channels, -1).transpose(1, 2)), dim=1)

def f(x, y, size: int):
    return x + resampled(y, size, 2.0) * resampled(resampled(y * 2, size, 0.5), size // 2, 4.0)
"""
    found: list[list[Any]] = []
    for function in (ts.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f):
        torch.manual_seed(0)
        given: list[Any] = []
        for _ in range(CALLS):
            x, y = (torch.randn(2, n, 3, requires_grad=True) for n in (65, 17))
            function(x, y, 4).square().sum().backward()
            given += [x.grad, y.grad]
        found.append(given)
    torch.testing.assert_close(*found)


ATTENTION = {
    "queries": "F.scaled_dot_product_attention(q, k, k)",
    "causal": "F.scaled_dot_product_attention(q, k, k, is_causal=True)",
    "a fixed mask": "F.scaled_dot_product_attention(q, k, k, torch.ones([5, 6]).tril() > 0)",
    "a mask with a gradient": "F.scaled_dot_product_attention(q, k, k, q[0, 0] @ k[0, 0].mT)",
    "wider values": "F.scaled_dot_product_attention(q, k, torch.cat([k, k], -1))",
    "heads that broadcast": "F.scaled_dot_product_attention(q, k[:, :1], k[:, :1])",
    "grouped heads": "F.scaled_dot_product_attention(q, k[:, :2], k[:, :2], enable_gqa=True)",
    "no batch": "F.scaled_dot_product_attention(q[0], k[0], k[0])",
    "dropout": "F.scaled_dot_product_attention(q, k, k, dropout_p=0.3)",
    "a view of the result": "F.scaled_dot_product_attention(q, k, k).transpose(1, 2).view(2, 5, 32)",
    "dropout of the result": "F.dropout(F.scaled_dot_product_attention(q, k, k), 0.5)",
}


@pytest.mark.parametrize("is_differentiable", (False, True))
@pytest.mark.parametrize("name", ATTENTION)
def test_attention_of_heads_that_lie_side_by_side(name: str, is_differentiable: bool) -> None:
    text = ATTENTION[name].replace("F.", "torch.nn.functional.")
    source = f"def f(x, y):\n    q, k = x.transpose(1, 2), y.transpose(1, 2)\n    return {text}\n"
    found: list[list[Any]] = []
    for function in (ts.CompilationUnit(source).f, torch.jit.CompilationUnit(source).f):
        torch.manual_seed(0)
        given: list[Any] = []
        for _ in range(CALLS):
            x, y = (torch.randn(2, n, 4, 8, requires_grad=is_differentiable) for n in (5, 6))
            result = function(x, y)
            if is_differentiable:
                (result.square() * torch.arange(result.size(-1))).sum().backward()
                given += [x.grad, y.grad]
            given.append(torch.from_dlpack(result.detach()))
        found.append(given)
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-4)
    assert [one.stride() for one in found[0]] == [one.stride() for one in found[1]]


VOLUMES = (
    "F.avg_pool3d(x, 2)",
    "F.adaptive_avg_pool3d(x, 2)",
    "F.adaptive_avg_pool3d(x, 1)",
    "F.adaptive_max_pool3d(x, 2)",
    "F.max_pool3d(x, 2)",
    "x.roll([1, 1], [1, 2])",
    "x.roll(1)",
    "torch.cross(x[:, :3], x[:, 1:], 1)",
)


@pytest.mark.parametrize("is_differentiable", (False, True))
@pytest.mark.parametrize("text", VOLUMES)
def test_strides_of_what_is_made_of_volumes(text: str, is_differentiable: bool) -> None:
    """The channels of the volumes come last."""
    source = f"def f(x):\n    return {text.replace('F.', 'torch.nn.functional.')}\n"
    theirs, ours = torch.jit.CompilationUnit(source).f, ts.CompilationUnit(source).f
    x = torch.randn(2, 4, 4, 4, 4).contiguous(memory_format=torch.channels_last_3d)
    x.requires_grad_(is_differentiable)
    for _ in range(CALLS):
        wanted = theirs(x).detach()
        given = torch.from_dlpack(ours(x).detach())
        torch.testing.assert_close(given, wanted)
        assert given.stride() == wanted.stride()


TRANSFORMS = (
    "torch.fft.fft2(x)",
    "torch.fft.ifftn(x, s=[6, 4])",
    "torch.fft.rfft2(x)",
    "torch.fft.rfftn(x, s=[-1, 9], dim=[0, 2], norm='ortho')",
    "torch.fft.irfft2(x)",
    "torch.fft.irfftn(x, s=[6, 9], norm='forward')",
    "torch.fft.hfftn(x)",
    "torch.fft.ihfftn(x, dim=[1])",
    "torch.fft.fftn(x, dim=[])",
)


@pytest.mark.parametrize("text", TRANSFORMS)
def test_strides_and_gradients_of_transforms(text: str) -> None:
    """What is recorded is one transform over all dimensions, as it is where nothing is recorded."""
    source = f"def f(x):\n    return {text}\n"
    theirs, ours = torch.jit.CompilationUnit(source).f, ts.CompilationUnit(source).f
    x = torch.randn(3, 5, 8, dtype=torch.float64)
    for each in (x, x.mT.contiguous().mT, x[:1].expand(3, 5, 8)):
        for is_differentiable in (False, True):
            found: list[Any] = []
            for function in (theirs, ours):
                given = each.detach().requires_grad_(is_differentiable)
                result = function(given)
                detached = result.detach()
                found.append([torch.from_dlpack(detached.resolve_conj()), tuple(detached.stride())])
                if is_differentiable:
                    result.abs().square().sum().backward()
                    found[-1].append(given.grad)
            torch.testing.assert_close(*found)


@pytest.mark.parametrize(
    "text", ("dim=[1, 1]", "s=[2], dim=[0, 1]", "s=[0, 4]", "s=[2, 2, 2, 2]", "norm='x'", "dim=[3]")
)
@pytest.mark.parametrize("name", ("fft", "rfft", "irfft", "hfft", "ihfft"))
def test_recorded_transforms_refuse_what_others_refuse(name: str, text: str) -> None:
    source = f"def f(x):\n    return torch.fft.{name}n(x, {text})\n"
    x = torch.randn(3, 5, 8, requires_grad=True)
    for unit in (torch.jit.CompilationUnit, ts.CompilationUnit):
        with pytest.raises(
            RuntimeError, match=r"unique|arguments|points|Got shape|mode|out of range"
        ):
            unit(source).f(x)


@pytest.mark.parametrize(
    ("image", "grid", "mode"),
    [
        ((1, 2, 8), (1, 2, 8, 2), "bilinear"),
        ((1, 2, 8, 8), (1, 2, 8, 3), "nearest"),
        ((2, 2, 8, 8), (1, 2, 8, 2), "bicubic"),
        ((1, 2, 0, 8), (1, 2, 8, 2), "bilinear"),
        ((1, 2, 4, 8, 8), (1, 2, 8, 2, 3), "bicubic"),
    ],
)
@pytest.mark.parametrize("is_recorded", [True, False])
def test_grids_that_do_not_fit_are_refused(
    image: tuple[int, ...], grid: tuple[int, ...], mode: str, is_recorded: bool
) -> None:
    def program(x, y, mode: str):
        return torch.nn.functional.grid_sample(x, y, mode, align_corners=False)

    x, y = torch.ones(image, requires_grad=is_recorded), torch.zeros(grid)
    for script in (ts.script, torch.jit.script):
        with pytest.raises(RuntimeError, match=r"grid_sampler\(\)"):
            script(program)(x, y, mode)


def rows_at(z, places):
    return z[places] * 2


def both_at(z, places):
    return z[:, places], z[places, places], z[places, :, places]


@pytest.mark.parametrize("program", [rows_at, both_at])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_elements_lie_in_the_order_of_the_places(program: Any, order: Any) -> None:
    """They lay in rows."""
    z = torch.randn(6, 6, 6)
    places = torch.randint(0, 6, (2, 3, 4)).permute(order)
    theirs, ours = torch.jit.script(program), ts.script(program)
    for given in (z, z.permute(1, 2, 0), z.clone().requires_grad_()):
        for _ in range(3):
            wanted, found = theirs(given, places), ours(given, places)
            pairs = (
                zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
            )
            for one, other in pairs:
                assert one.stride() == other.stride()
                assert torch.equal(torch.from_dlpack(one.detach()), other.detach())


def weighted(x, w):
    return x * torch.nn.functional.conv2d(x, w, padding=1)


def test_a_batch_of_nothing_ends_no_process() -> None:
    """The gradient of the filters was a sum over places that a kernel divided by the size of the batch to find."""
    compiled = ts.script(weighted)
    w: Any = torch.randn(1, 8, 3, 3, requires_grad=True)
    for batch in (2, 2, 2, 2, 3, 0, 0):
        w.grad = None
        x: Any = torch.randn(batch, 8, 16, 16, requires_grad=True)
        compiled(x, w).sum().backward()
        assert x.grad.shape == x.shape
    assert torch.equal(w.grad, torch.zeros_like(w))
