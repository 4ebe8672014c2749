"""The operators that are methods of tensors in PyTorch, by name: `dir(torch.Tensor)` shows them, and `torch.Tensor.add` is one."""

NAMES = """
abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv
addmv_ addr addr_ adjoint all allclose amax amin aminmax angle any arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_
arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin argsort argwhere as_strided as_strided_ as_strided_scatter asin asin_
asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ baddbmm baddbmm_ bernoulli bernoulli_ bincount bitwise_and bitwise_and_
bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_
bitwise_xor bitwise_xor_ bmm broadcast_to cauchy_ ccol_indices ceil ceil_ chalf cholesky cholesky_inverse cholesky_solve clamp clamp_
clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone coalesce col_indices conj conj_physical conj_physical_ contiguous copy_
copysign copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cross crow_indices cummax cummin cumprod cumprod_ cumsum cumsum_
deg2rad deg2rad_ dense_dim dequantize det detach diag diag_embed diagflat diagonal diagonal_scatter diff digamma digamma_ dist div
div_ divide divide_ dot dsplit eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expand expand_as expm1 expm1_
exponential_ fill_ fill_diagonal_ fix fix_ flatten flip fliplr flipud float_power float_power_ floor floor_ floor_divide floor_divide_
fmax fmin fmod fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_ geqrf ger get_device greater greater_ greater_equal
greater_equal_ gt gt_ hardshrink hash_tensor heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_ igamma igamma_ igammac
igammac_ index index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_put index_put_ index_reduce index_reduce_
index_select indices inner int_repr inverse is_coalesced is_conj is_distributed is_inference is_neg is_nonzero is_pinned is_same_size
is_set_to isclose isfinite isinf isnan isneginf isposinf isreal istft kron kthvalue lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_
less_equal less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp logaddexp2
logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit logit_
logsumexp lt lt_ lu_solve masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max
maximum mean median min minimum mm mode moveaxis movedim msort mul mul_ multinomial multiply multiply_ mv mvlgamma mvlgamma_
nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow narrow_copy ne ne_ neg neg_ negative negative_ new_empty
new_empty_strided new_full new_ones new_zeros nextafter nextafter_ nonzero_static normal_ not_equal not_equal_ orgqr ormqr outer
permute pin_memory pinverse polygamma_ positive pow pow_ prelu prod put put_ q_per_channel_axis q_per_channel_scales
q_per_channel_zero_points q_scale q_zero_point qr qscheme quantile rad2deg rad2deg_ random_ ravel reciprocal reciprocal_ record_stream
relu relu_ remainder remainder_ renorm renorm_ repeat repeat_interleave reshape reshape_as resize resize_ resize_as resize_as_
resize_as_sparse_ resolve_conj resolve_neg roll rot90 round round_ row_indices rsqrt rsqrt_ scatter scatter_ scatter_add scatter_add_
scatter_reduce scatter_reduce_ select select_scatter set_ sgn sgn_ sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc sinc_ sinh sinh_
slice_inverse slice_scatter slogdet smm softmax sort sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ split_with_sizes
sqrt sqrt_ square square_ squeeze squeeze_ sspaddmm std stft sub sub_ subtract subtract_ sum sum_to_size svd swapaxes swapaxes_
swapdims swapdims_ t t_ take take_along_dim tan tan_ tanh tanh_ tile to to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc
to_sparse_bsr to_sparse_csc to_sparse_csr topk trace transpose transpose_ triangular_solve tril tril_ triu triu_ true_divide
true_divide_ trunc trunc_ type_as unflatten unfold uniform_ unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_
values var vdot view view_as vsplit xlogy xlogy_ zero_
""".split()
