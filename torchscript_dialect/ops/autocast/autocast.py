"""Operators whose tensors have another dtype in a region of `torch.autocast`, and the casts that such regions are made of.

What torch.jit casts in a program follows torch/csrc/jit/passes/autocast.cpp, what a region around a call casts
aten/src/ATen/autocast_mode.h. Names stand for all overloads that write to nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.tensor_type import TENSOR


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


REDUCED = _names(
    "_convolution _thnn_fused_gru_cell _thnn_fused_lstm_cell addbmm addmm addmv addr baddbmm bmm conv1d conv2d conv3d conv_tbc"
    " conv_transpose1d convolution cudnn_convolution cudnn_convolution_transpose gru_cell linear lstm_cell matmul mm mv prelu"
    " rnn_relu_cell rnn_tanh_cell"
)
"""Those that compute with the dtype of the region."""

FULL = _names(
    "acos asin binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss cosine_similarity dist erfinv exp expm1"
    " frobenius_norm gelu group_norm hinge_embedding_loss kl_div l1_loss layer_norm log log10 log1p log2 logsumexp"
    " margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss native_layer_norm nll_loss nll_loss2d nuclear_norm"
    " pdist pow reciprocal renorm rsqrt sinh smooth_l1_loss soft_margin_loss softplus tan triplet_margin_loss"
    " cumprod cumsum log_softmax prod sum"
)
"""Those that compute with float32, where they are not told a dtype."""

WIDEST = _names(
    "add addcdiv addcmul atan2 bilinear cross div dot equal index_put mul sub tensordot"
)
"""Those that compute with float32 where one of their tensors may have it."""

BANNED = frozenset(["binary_cross_entropy"])
"""Those that a region of a program may not hold."""


class Lists(NamedTuple):
    """What a region around calls does with operators on a kind of device, under PyTorch's names (`CastPolicy`)."""

    lower_precision_fp: frozenset[str]
    """Those that compute with the dtype of the region."""
    fp32: frozenset[str]
    """Those that compute with float32."""
    fp32_set_opt_dtype: frozenset[str] = frozenset()
    """Those that give float32, where they are not told a dtype."""
    promote: frozenset[str] = frozenset()
    """Those that compute with float32 where one of their tensors has it, and else with the dtype of the region."""
    banned: frozenset[str] = frozenset()
    """Those that a region may not hold."""


AROUND = {
    "cuda": Lists(
        _names(
            "_convolution _scaled_dot_product_flash_attention _thnn_fused_gru_cell _thnn_fused_lstm_cell addbmm"
            " addmm addmv addr baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d"
            " conv_transpose2d conv_transpose3d convolution cudnn_convolution cudnn_convolution_transpose einsum"
            " gru_cell linalg_multi_dot linalg_vecdot linear lstm_cell matmul mm mv prelu rnn_relu_cell"
            " rnn_tanh_cell scaled_dot_product_attention"
        ),
        _names(
            "_upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d"
            " _upsample_nearest_exact3d acos asin binary_cross_entropy_with_logits cdist cosh"
            " cosine_embedding_loss cosine_similarity dist erfinv exp expm1 frobenius_norm group_norm"
            " hinge_embedding_loss huber_loss kl_div l1_loss layer_norm log log10 log1p log2 logsumexp"
            " margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss native_layer_norm nll_loss"
            " nll_loss2d nuclear_norm pdist poisson_nll_loss pow reciprocal renorm rms_norm rsqrt sinh"
            " smooth_l1_loss soft_margin_loss softplus tan triplet_margin_loss upsample_bicubic2d"
            " upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d"
            " upsample_trilinear3d"
        ),
        _names("cumprod cumsum linalg_matrix_norm linalg_vector_norm log_softmax prod softmax sum"),
        _names(
            "addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put scatter_add tensordot vdot"
        ),
        banned=BANNED,
    ),
    "cpu": Lists(
        _names(
            "_convolution _native_multi_head_attention addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc"
            " conv_transpose1d conv_transpose2d conv_transpose3d linalg_vecdot linear matmul mkldnn_rnn_layer mm"
            " prelu scaled_dot_product_attention"
        ),
        _names(
            "_lu_with_info adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy"
            " binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve"
            " cosine_embedding_loss cross_entropy_loss ctc_loss fake_quantize_per_tensor_affine fft_fft fft_fft2"
            " fft_fftn fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft"
            " fft_rfft2 fft_rfftn fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler grid_sampler_2d"
            " grid_sampler_3d hinge_embedding_loss huber_loss inverse kl_div l1_loss linalg_cholesky"
            " linalg_cholesky_ex linalg_cond linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh"
            " linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq linalg_matrix_rank linalg_qr"
            " linalg_solve linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve"
            " margin_ranking_loss max_pool3d max_unpool2d max_unpool3d mse_loss multi_margin_loss"
            " multilabel_margin_loss multilabel_margin_loss_forward nanquantile nll_loss nll_loss2d orgqr ormqr"
            " pinverse poisson_nll_loss polar prod qr quantile reflection_pad1d reflection_pad2d replication_pad1d"
            " replication_pad2d replication_pad3d smooth_l1_loss soft_margin_loss stft svd trace triangular_solve"
            " triplet_margin_loss view_as_complex"
        ),
    ),
}
"""The operators that a region around calls casts, by kind of device."""

WITHIN = {
    "cuda": Lists(
        _names("_convolution_mode linalg_matmul"),
        _names(
            "arccos arcsin cross_entropy_loss cumulative_trapezoid nll_loss_nd norm_except_dim special_erfinv special_expm1"
            " special_log1p special_logsumexp square trapezoid trapz"
        ),
        _names("linalg_norm special_log_softmax special_softmax"),
    ),
    "cpu": Lists(frozenset(), frozenset()),
}
"""Operators that are made of such, and are cast as these are; for others that are see autocast_composites.py."""


POLICIES = {
    kind: Lists(*(one | other for one, other in zip(lists, WITHIN[kind], strict=True)))
    for kind, lists in AROUND.items()
}
"""Both."""


def places_of_tensors(operator: Operator) -> list[int]:
    """Where the operands of an operator are that are tensors, and never None."""
    arguments = operator.schema.arguments
    return [place for place, argument in enumerate(arguments) if argument.type == TENSOR]


UNSAFE = (
    "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
    "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
    "In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\n"
    "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
    "safe to autocast."
)
"""What is said of an operator that is banned."""


composite(
    "aten::_autocast_to_reduced_precision",
    """
def _autocast_to_reduced_precision(self: Tensor, cuda_enabled: bool, cpu_enabled: bool, cuda_dtype: int, cpu_dtype: int) -> Tensor:
    if cuda_enabled and self.is_cuda and self.dtype == torch.float32:
        self = self.to(cuda_dtype)
    if cpu_enabled and self.is_cpu and self.dtype == torch.float32:
        self = self.to(cpu_dtype)
    return self
""",
)

composite(
    "aten::_autocast_to_full_precision",
    """
def _autocast_to_full_precision(self: Tensor, cuda_enabled: bool, cpu_enabled: bool) -> Tensor:
    if (cuda_enabled and self.is_cuda) or (cpu_enabled and self.is_cpu):
        if self.dtype == torch.float16 or self.dtype == torch.bfloat16:
            self = self.to(torch.float32)
    return self
""",
)
