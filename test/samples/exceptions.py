"""Operators without samples, and samples on which we differ from PyTorch, each with the reason."""

import re

from torchscript_dialect.ops import registry


def _matching(pattern: str, reason: str) -> dict[str, str]:
    """The operators whose names begin as the pattern says, each with the reason."""
    return {name: reason for name in registry.texts() if re.match(pattern, name)}


UNSAMPLED: dict[str, str] = {
    **dict.fromkeys(
        "aten::is_leaf aten::retains_grad aten::output_nr aten::_version prim::grad aten::retain_grad aten::backward aten::backward.TensorList"
        " aten::grad".split(),
        "gradients: test/unit/autograd",
    ),
    **dict.fromkeys(
        "aten::manual_seed aten::Generator aten::manual_seed.generator aten::seed aten::initial_seed".split(),
        "generators: test_random.py",
    ),
    **dict.fromkeys(
        "aten::empty.memory_format aten::empty_strided aten::empty_like aten::new_empty aten::empty.out aten::empty_like.out"
        " aten::new_empty.out aten::empty_strided.out aten::empty_permuted aten::empty_permuted.out aten::new_empty_strided"
        " aten::new_empty_strided.out".split(),
        "the elements are arbitrary: test_creation.py",
    ),
    **dict.fromkeys(
        "aten::to.device aten::to.prim_Device aten::device.with_index prim::type prim::index aten::eq.device aten::ne.device".split(),
        "devices: test_devices.py",
    ),
    **dict.fromkeys(
        "prim::EnumName prim::EnumValue.int prim::EnumValue.float prim::EnumValue.str aten::eq.enum aten::ne.enum aten::len.any aten::is_grad_enabled aten::set_grad_enabled aten::has_torch_function prim::Guard"
        " prim::awaitable_nowait prim::awaitable_wait prim::IfThenElse prim::abs prim::AutogradAnyNonZero"
        " prim::AutogradAllZero prim::AutogradAllNonZero prim::AutogradZero".split(),
        "one line of Python",
    ),
    **dict.fromkeys(
        (
            "prim::tolist",
            "aten::wait",
            "prim::ModuleContainerIndex.list",
            "prim::ModuleContainerIndex.dict",
        ),
        "test/unit/runtime",
    ),
    **dict.fromkeys(("aten::warn", "prim::Print"), "an effect on the terminal"),
    **dict.fromkeys(("aten::from_file", "aten::from_file.out"), "a file: test_creation.py"),
    **dict.fromkeys(
        ("aten::_resize_output_", "aten::_resize_output", "aten::_resize_output.out"),
        "arguments that are devices: test_devices.py",
    ),
    **dict.fromkeys(
        (
            "aten::get_autocast_dtype",
            "aten::_autocast_to_reduced_precision",
            "aten::_autocast_to_full_precision",
            "profiler::_record_function_enter_new",
            "profiler::_record_function_exit._RecordFunction",
        ),
        "autocasting and scopes of a profiler: test_autocast.py, test_names_of_pytorch.py",
    ),
    **dict.fromkeys(
        (
            f"prims::{name}"
            for name in "device_put empty empty_permuted empty_strided full full_like iota normal scalar_tensor svd uniform".split()
        ),
        "arguments that are devices, and vectors of any sign: test_prims.py",
    ),
}
UNSAMPLED |= _matching(
    r"aten::(set_?|set_data|data|slice_inverse|_fw_primal|_unpack_dual|_neg_view|_scaled_mm(_v2)?|_sobol_engine_\w+)(\.|$)",
    "storages, sequences and products by scales: test_seldom_used.py",
)
UNSAMPLED |= _matching(
    r"_?quantized::|aten::(quantize|dequantize|quantized_(lstm|gru)|q_|int_repr|_make_per_|qscheme|_empty_affine|_choose_qparams)",
    "quantized tensors: test_quantized.py",
)
UNSAMPLED |= {
    name: "sparse and nested tensors: test_sparse.py, test_nested.py"
    for name in registry.texts()
    if re.match(
        r"aten::.*(nested|jagged|padded_tensor|padded_dense|sparse|_coo_|_csr|_csc|_bsr|_bsc|native_norm|_spdiags)"
        r"|aten::(_?indices|_?values|(c?col|c?row|crow)_indices|ccol_indices)(_copy)?(\.|$)"
        r"|aten::(_?coalesced?_?|is_coalesced|_nnz|_dim[IV]|(dense|sparse)_dim|hspmm|smm|sspaddmm|_?to_dense)(\.|$)",
        name,
    )
    and not re.match(r"aten::(embedding|.*_backward|.*semi_structured)", name)
}
UNSAMPLED |= dict.fromkeys(
    (f"aten::mkldnn_rnn_layer{name}" for name in ("", ".out", "_backward", "_backward.out")),
    "a workspace is each library's own: test_recurrent_layer.py, test_recurrent_training.py",
)
UNSAMPLED |= dict.fromkeys(
    ("aten::embedding_sparse_backward", "aten::_embedding_bag_sparse_backward"),
    "sparse gradients: test_sparse_gradients.py",
)
UNSAMPLED |= _matching(
    r"quantization::|sparse::|aten::(_int_mm|_weight_int|_convert_weight_to_int4pack_for|empty_quantized|_empty_per_)",
    "few bits: test_quantized_packing.py",
)
_TENSOR_KEYS = (
    "__getitem__.Dict_{} _set_item.{} Delete.Dict_{} __contains__.{} len.Dict_{} keys.{} values.{} items.{} copy.Dict_{} clear.{}"
    " update.{} popitem.{} setdefault.{} get.{} get.default_{} pop.Dict_{} pop.Dict_default_{} dict.{} dict.Dict_{}"
)
UNSAMPLED |= dict.fromkeys(
    (f"aten::{name.format('Tensor')}" for name in _TENSOR_KEYS.split()),
    "tensors as keys have no use",
)

_RESIZES = "`out` has the elements before it has their mean there, and our array cannot be resized"
DIFFERENT: dict[str, tuple[int, str]] = {
    "aten::binary_cross_entropy.out": (
        3,
        "a mean in `out` without dimensions is the first element there",
    ),
    **dict.fromkeys(
        (
            f"aten::{name}"
            for name in ("polygamma polygamma.out special_polygamma special_polygamma.out").split()
        ),
        (1, "poles are large numbers there, as the sine of a multiple of pi is not quite 0"),
    ),
    **dict.fromkeys(
        (
            f"aten::{name}"
            for name in (
                "special_bessel_j0 special_bessel_j0.out special_bessel_y0 special_bessel_y0.out special_bessel_y1 "
                "special_bessel_y1.out"
            ).split()
        ),
        (1, "differ in the last digits of float64"),
    ),
    **dict.fromkeys(
        (
            f"aten::{name}"
            for name in (
                "special_chebyshev_polynomial_t special_chebyshev_polynomial_t.out special_chebyshev_polynomial_u "
                "special_chebyshev_polynomial_u.out special_chebyshev_polynomial_u.n_scalar "
                "special_chebyshev_polynomial_u.n_scalar_out special_chebyshev_polynomial_v special_chebyshev_polynomial_v.out "
                "special_chebyshev_polynomial_v.x_scalar special_chebyshev_polynomial_v.x_scalar_out "
                "special_chebyshev_polynomial_w special_chebyshev_polynomial_w.out special_chebyshev_polynomial_w.n_scalar "
                "special_chebyshev_polynomial_w.n_scalar_out special_shifted_chebyshev_polynomial_t "
                "special_shifted_chebyshev_polynomial_t.out special_shifted_chebyshev_polynomial_u "
                "special_shifted_chebyshev_polynomial_u.out special_shifted_chebyshev_polynomial_u.n_scalar "
                "special_shifted_chebyshev_polynomial_u.n_scalar_out special_shifted_chebyshev_polynomial_v "
                "special_shifted_chebyshev_polynomial_v.out special_shifted_chebyshev_polynomial_w "
                "special_shifted_chebyshev_polynomial_w.out special_shifted_chebyshev_polynomial_w.n_scalar "
                "special_shifted_chebyshev_polynomial_w.n_scalar_out special_hermite_polynomial_h "
                "special_hermite_polynomial_h.out special_hermite_polynomial_h.x_scalar "
                "special_hermite_polynomial_h.x_scalar_out special_hermite_polynomial_he special_hermite_polynomial_he.out "
                "special_hermite_polynomial_he.x_scalar special_hermite_polynomial_he.x_scalar_out "
                "special_laguerre_polynomial_l.n_scalar special_laguerre_polynomial_l.n_scalar_out "
                "special_legendre_polynomial_p special_legendre_polynomial_p.out special_legendre_polynomial_p.n_scalar "
                "special_legendre_polynomial_p.n_scalar_out"
            ).split()
        ),
        (1, "infinite or undefined operands, and the rounding of the cosine of large degrees"),
    ),
    "aten::_nnpack_available": (1, "a library that is not used here"),
    **dict.fromkeys(
        ("aten::_embedding_bag_dense_backward", "aten::_embedding_bag_backward"),
        (2, "scale_grad_by_freq divides by how often another row is used there"),
    ),
    **dict.fromkeys(
        ("aten::cumsum_", "aten::cumprod_"), (8, "the dtype must be the tensor's own there")
    ),
}
"""How many samples differ, and why."""


ORDER_OF_SUMS: dict[str, float] = dict.fromkeys(
    (
        *("aten::slow_conv3d", "aten::slow_conv3d.out"),
        *("aten::slow_conv3d_forward", "aten::slow_conv3d_forward.output"),
        *("aten::slow_conv_dilated3d", "aten::slow_conv_dilated3d.out"),
    ),
    4.0,
)
"""How many times further apart the results may be: sums of many products that nearly cancel, whose order is that of each BLAS and processor.

On a processor with AVX-512 they were up to 1.94 times the usual tolerance apart, ours nearer to the sums in float64.
"""


DIFFERENT_BY_CAPABILITY: dict[str, dict[str, tuple[int, str]]] = {
    "AVX2": {
        "aten::elu_backward": (1, "of a NaN behind the eighth element PyTorch makes a NaN"),
        "aten::logit_backward": (1, "the sign of the infinity at -0"),
    }
}
"""Samples on which PyTorch itself differs where its vectors are narrower, by `torch.backends.cpu.get_cpu_capability()`."""
