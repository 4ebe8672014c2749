"""Operators whose `out` has the dtype of their result, as PyTorch shows; that of others may have any that the result can be cast to."""

from torchscript_dialect.ops.products.matmul import cpp_name
from torchscript_dialect.tensor.dtype import dtype, int32

OF_THE_RESULT = frozenset(
    f"aten::{name}"
    for name in (
        "_log_softmax _softmax abs addbmm addmm addmv alias_copy all all.dim all.dims amax amin aminmax any any.dim any.dims"
        " argmax argmin as_strided_copy avg_pool2d avg_pool3d baddbmm bitwise_not bmm bucketize.Scalar bucketize.Tensor ceil"
        " clamp clamp_max clamp_min complex conj_physical cross cummax cummin detach_copy diag diagonal_copy dot expand_copy"
        " float_power.Scalar float_power.Tensor_Scalar float_power.Tensor_Tensor"
        " floor frac frexp.Tensor gather gelu hardshrink heaviside histc histogram.bin_ct histogram.bins_tensor index_add"
        " index_copy index_reduce index_select isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor isneginf isposinf"
        " kthvalue linalg_cholesky linalg_cholesky_ex linalg_cross linalg_det linalg_eigh linalg_eigvalsh linalg_inv"
        " linalg_inv_ex linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve linalg_lu linalg_lu_factor linalg_lu_factor_ex"
        " linalg_lu_solve linalg_matrix_norm linalg_matrix_norm.str_ord linalg_multi_dot linalg_norm linalg_norm.ord_str"
        " linalg_qr linalg_slogdet linalg_solve linalg_solve_ex linalg_solve_triangular linalg_svd linalg_svdvals linalg_vecdot"
        " linalg_vector_norm linear log_sigmoid log_softmax.int logcumsumexp lu_solve lu_unpack masked_select matmul max.dim"
        " median.dim min.dim mm mode msort multinomial mv nan_to_num nanmedian.dim nanquantile nanquantile.scalar narrow_copy"
        " neg nonzero nonzero_static ormqr permute_copy polar qr quantile quantile.scalar renorm round round.decimals scatter.reduce"
        " scatter.src scatter.value scatter.value_reduce scatter_add scatter_reduce.two searchsorted.Scalar searchsorted.Tensor"
        " select_copy.int sgn sign signbit slice_copy.Tensor slice_scatter softmax.int softplus softshrink sort sort.stable"
        " split_copy.Tensor split_with_sizes_copy squeeze_copy squeeze_copy.dim squeeze_copy.dims svd t_copy take take_along_dim"
        " tensordot topk transpose_copy.int triangular_solve tril triu trunc unbind_copy.int unfold_copy unsqueeze_copy vdot"
        " view_copy view_copy.dtype where.self"
    ).split()
)


def check_out_dtype(qualified_name: str, result: dtype, target: dtype) -> None:
    """RuntimeError where the `out` of an operator must have the dtype of its result, and has not."""
    if target is result or qualified_name not in OF_THE_RESULT:
        return
    name = qualified_name.removeprefix("aten::").partition(".")[0]
    match name:
        case "isposinf" | "isneginf":
            raise RuntimeError(f"{name} does not support non-boolean outputs.")
        case "frexp":
            part = (
                "exponent to have int dtype"
                if result is int32
                else f"mantissa to have dtype {cpp_name(result)}"
            )
            raise RuntimeError(f"torch.frexp() expects {part} but got {cpp_name(target)}")
        case "nonzero_static":
            raise RuntimeError(
                "nonzero_static: Expected out tensor to have scalar type Long but got scalar type"
                f"{target.type_name}"
            )
        case "float_power":
            raise RuntimeError(
                f"the output given to float_power has dtype {target.type_name} but the operation's result requires dtype "
                f"{result.type_name}"
            )
        case "heaviside" if target.is_complex:
            raise RuntimeError("heaviside is not yet implemented for complex tensors.")
        case _:
            check_same_dtype(result, target)


def check_same_dtype(result: dtype, target: dtype) -> None:
    """RuntimeError where `out` has another dtype than the result."""
    if target is not result:
        raise RuntimeError(
            f"Expected out tensor to have dtype {cpp_name(result)}, but got {cpp_name(target)} instead"
        )


def check_size_of_complex(element: dtype, target: dtype) -> None:
    """RuntimeError where `out` is no dtype that sizes of complex numbers of a dtype are written to."""
    if target.is_complex and target is not element:
        raise RuntimeError(f"Found dtype {target.type_name} but expected {element.type_name}")
