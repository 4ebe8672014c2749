"""Functions that PyTorch's own are made of. Traces, exported graphs and archives hold calls of them, programs seldom do."""

from __future__ import annotations

import re
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND, Aliasing, Origin
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.registry import Kernel, Operator, ShapeRule
from torchscript_dialect.ops.shapes import NOTHING
from torchscript_dialect.ops.variant_names import arguments_text


def _find(name: str) -> Operator:
    found = registry.find(f"aten::{name}")
    assert found is not None
    return found


# Under another name


def _same(name: str, other: str) -> None:
    """An operator that does what another one does with the same arguments."""

    def kernel(_: Operator) -> Kernel:
        found = _find(other).kernel
        assert found is not None
        return found

    def shape(_: Operator) -> ShapeRule:
        count = len(_find(other).schema.returns)
        return _find(other).shape or (lambda _: NOTHING if count == 1 else (NOTHING,) * count)

    registry.attach(f"aten::{name}", derive_kernel=kernel, derive_shape=shape)


for _name, _other in (
    ("_stack", "stack"),
    ("_logcumsumexp", "logcumsumexp"),
    ("_pdist_forward", "pdist"),
    ("_cdist_forward", "cdist"),
    ("_grid_sampler_2d_cpu_fallback", "grid_sampler_2d"),
    ("_unsafe_index.Tensor_hacked_twin", "index.Tensor_hacked_twin"),
    ("_unsafe_index_put", "index_put"),
    ("_unsafe_index_put.hacked_twin", "index_put.hacked_twin"),
    ("special_logsumexp", "logsumexp"),
    ("special_round", "round.decimals"),
    ("_aminmax.dim", "aminmax"),
    ("_conj_physical", "conj_physical"),
):
    _same(_name, _other)


# Made of others

_ANNOTATIONS = {
    "SymInt": "int",
    "Scalar": "number",
    "ScalarType": "int",
    "MemoryFormat": "int",
}


def _annotation(spelling: str) -> str:
    """The type of a schema as programs write it."""
    if spelling.startswith("(") and spelling.endswith(")"):
        parts = ", ".join(_annotation(part.split(" ")[0]) for part in spelling[1:-1].split(", "))
        return f"Tuple[{parts}]"
    if spelling.endswith("?"):
        return f"Optional[{_annotation(spelling[:-1])}]"
    if spelling.endswith("]"):
        return f"List[{_annotation(spelling.rpartition('[')[0])}]"
    return _ANNOTATIONS.get(spelling, spelling)


def _made_of(name: str, body: str, **known: Any) -> None:
    """Declare an operator by the lines of a function of its arguments; `known` are other rules that it has."""
    text = registry.texts()[f"aten::{name}"]
    arguments = re.sub(r"=(\[[^]]*\]|[^,]*)", "", arguments_text(text)).replace("*, ", "")
    pairs = [argument.split(" ") for argument in arguments.split(", ")]
    parameters = ", ".join(f"{each}: {_annotation(spelling)}" for spelling, each in pairs)
    result = _annotation(text.rpartition(" -> ")[2])
    lines = "\n    ".join(line.removeprefix("    ") for line in body.strip().splitlines())
    function = name.replace(".", "_")
    composite(f"aten::{name}", f"def {function}({parameters}) -> {result}:\n    {lines}\n", **known)


_made_of("_add_relu.Tensor", "return torch.relu(torch.add(self, other, alpha=alpha))")
_made_of("_add_relu.Scalar", "return torch.relu(torch.add(self, other, alpha))")
_made_of(
    "_addmm_activation",
    """
    sums = torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    return torch.gelu(sums) if use_gelu else torch.relu(sums)
    """,
)
_made_of("_aminmax", "return torch.aminmax(self)")
_made_of("_is_all_true", "return torch.all(self)")
_made_of("_is_any_true", "return torch.any(self)")
_made_of(
    "_euclidean_dist",
    """one, other = x1.pow(2).sum(-1, True), x2.pow(2).sum(-1, True)
    left = torch.cat([x1 * -2, one, torch.ones_like(one)], -1)
    right = torch.cat([x2, torch.ones_like(other), other], -1)
    return left.matmul(right.mT).clamp_min(0).sqrt()""",
)
_made_of(
    "_compute_linear_combination",
    """
    sizes = [coefficients.size(0)] + input.size()[1:]
    return torch.matmul(coefficients, input.reshape([input.size(0), -1])).reshape(sizes)
    """,
)
_made_of(
    "linalg__powsum",
    """
    x = self if dtype is None else self.to(dtype)
    return torch.sum(torch.pow(torch.abs(x), ord), dim, keepdim)
    """,
)
_made_of(
    "_batch_norm_no_update",
    """
    out, mean, scale = torch.native_batch_norm(
        input, weight, bias, running_mean, running_var, False, momentum, eps
    )
    return out, mean, scale, torch.empty([0], dtype=torch.uint8)
    """,
)
_made_of(
    "_histogramdd_bin_edges", "return torch.histogramdd(self, bins, range, weight, density)[1]"
)
_made_of(
    "_histogramdd_from_bin_cts", "return torch.histogramdd(self, bins, range, weight, density)[0]"
)
_made_of(
    "_histogramdd_from_bin_tensors",
    "return torch.histogramdd(self, bins, None, weight, density)[0]",
)
_made_of("flatten_dense_tensors", "return torch.cat([one.reshape([-1]) for one in tensors])")
_made_of(
    "unflatten_dense_tensors",
    """
    found = torch.jit.annotate(List[Tensor], [])
    place = 0
    for one in tensors:
        found.append(flat[place : place + one.numel()].view_as(one))
        place += one.numel()
    return found
    """,
    aliases=Aliasing(results=Origin.ANYWHERE, keeps=(0,)),
)
_made_of(
    "_fake_quantize_learnable_per_tensor_affine",
    """
    zero = int(torch.clamp(torch.round(zero_point), quant_min, quant_max).item())
    return torch.fake_quantize_per_tensor_affine(
        self, float(scale.item()), zero, quant_min, quant_max
    )
    """,
)
_made_of(
    "_fake_quantize_learnable_per_channel_affine",
    """
    zeros = torch.clamp(torch.round(zero_point), quant_min, quant_max).to(torch.int32)
    return torch.fake_quantize_per_channel_affine(self, scale, zeros, axis, quant_min, quant_max)
    """,
)

# A factorization beside what is made of it. That of a contiguous real matrix is the transpose's, as LAPACK has columns.
_FACTORS = "torch.linalg_lu_factor_ex(A.mT if A.is_contiguous() and not A.is_complex() else A)"
_made_of("_linalg_det", f"LU, pivots, _ = {_FACTORS}\nreturn torch.linalg_det(A), LU, pivots")
_made_of(
    "_linalg_slogdet",
    f"""
    LU, pivots, _ = {_FACTORS}
    sign, logarithm = torch.linalg_slogdet(A)
    return sign, logarithm, LU, pivots
    """,
)
_made_of(
    "_linalg_solve_ex",
    """
    LU, pivots, info = torch.linalg_lu_factor_ex(A)
    result, _ = torch.linalg_solve_ex(A, B, left=left, check_errors=check_errors)
    return result, LU, pivots, info
    """,
)

# Convolutions by their algorithm
for _name, _rest in (
    ("thnn_conv2d", "stride, padding"),
    ("_slow_conv2d_forward", "stride, padding"),
    ("slow_conv_dilated2d", "stride, padding, dilation"),
):
    _made_of(_name, f"return torch.conv2d(self, weight, bias, {_rest})")
for _name, _rest in (
    ("slow_conv3d", "stride, padding"),
    ("slow_conv3d_forward", "stride, padding"),
    ("slow_conv_dilated3d", "stride, padding, dilation"),
):
    _made_of(_name, f"return torch.conv3d(self, weight, bias, {_rest})")
for _rank in (2, 3):
    _made_of(
        f"slow_conv_transpose{_rank}d",
        f"return torch.conv_transpose{_rank}d(self, weight, bias, stride, padding, output_padding, 1, dilation)",
    )

# Gradients of views and of sums, which are operators of their own
_made_of(
    "diagonal_backward",
    """
    found = grad_output.new_zeros(input_sizes)
    found.diagonal(offset, dim1, dim2).copy_(grad_output)
    return found
    """,
)
_made_of(
    "index_select_backward",
    "return grad.new_zeros(self_sizes).index_add(dim, index, grad)",
)
_made_of(
    "unfold_backward",
    """
    axis = dim if dim >= 0 else dim + len(input_sizes)
    places = torch.arange(input_sizes[axis], device=grad_in.device).unfold(0, size, step).reshape([-1])
    parts = grad_in.movedim(-1, axis + 1).flatten(axis, axis + 1)
    return grad_in.new_zeros(input_sizes).index_add_(axis, places, parts)
    """,
)
_made_of(
    "trace_backward",
    """
    found = grad.new_zeros(sizes)
    found.diagonal().fill_(grad)
    return found
    """,
)
_made_of(
    "masked_scatter_backward",
    """
    count = 1
    for size in sizes:
        count = count * size
    taken = grad_output.masked_select(mask)
    return torch.cat([taken, taken.new_zeros([count - taken.numel()])]).view(sizes)
    """,
)
_made_of("masked_select_backward", "return torch.zeros_like(input).masked_scatter(mask, grad)")
_made_of(
    "gather_backward",
    "return grad.new_zeros(self.size()).scatter_add_(dim, index, grad)",
)
_made_of("_reshape_alias_copy", "return torch.as_strided(self, size, stride).clone()")
_made_of("lift", "return self", aliases=MAY_BE_OPERAND)
_made_of("lift_fresh_copy", "return self.clone()")

# Of older archives
_made_of(
    "_dim_arange", "return torch.arange(like.size(dim), dtype=torch.int64, device=like.device)"
)
_made_of("_cholesky_solve_helper", "return torch.cholesky_solve(self, A, upper)")
