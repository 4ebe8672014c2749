#!/usr/bin/env python3
"""Writes docs/operators.md from the operator table: what each operator has, and why those that cannot run cannot.

    python tools/generate_operator_docs.py [--check]

With `--check` nothing is written; exit status 1 if the file is not up to date.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from generated_files import write_or_check  # noqa: E402
from operator_table import slots  # noqa: E402

from torchscript_dialect.dialects.prim.op import BY_KIND  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402
from torchscript_dialect.ops.registry import Operator  # noqa: E402

PATH = ROOT / "docs" / "operators.md"

COLUMNS = {
    "kernel": "K",
    "shape rule": "S",
    "decomposition": "D",
    "lowering": "L",
    "derivative": "G",
}
"""The columns by the letters of tools/operator_table.py."""

HEAD = """# Operators

Made by `python tools/generate_operator_docs.py` from the operator table. A row is an operator with all its overloads: `✓` is what
all of them have, a fraction what some have. In-place operators are rows of their own; overloads with `out` count like others.

"""

STRUCTURAL = "none needed: the interpreter runs them itself, or a pass replaces them"
REASONS = {
    STRUCTURAL: "",
    "PyTorch's build for processors raises an error whatever the arguments are: of a library, device or level that is not there": r"""
        aten::_cufft_.* aten::_?pin_memory(\.out)? aten::_propagate_xla_data aten::_fw_primal_copy aten::_make_dual(_copy)?
        aten::.*overrideable.* aten::_copy_from(_and_resize)? aten::_(masked_scale|fused_dropout)
        aten::(mm|bmm|addmm|baddbmm)\.dtype.*""",
    "another device's, or a library's that is not used here": r"""
        aten::.*(cudnn|miopen|mkldnn|mps|cufft|cuda|vulkan|xla|triton|nnpack|_cslt|flash_attention|efficient_attention|semi_structured).*
        aten::_(scaled_grouped_mm.*|grouped_mm|mixed_dtypes_linear|fused_dropout|convert_weight_to_int4pack|fill_mem_eff_dropout_mask_
        |dyn_quant_.*|weight_int4pack_mm(_with_scales_and_zeros)?|amp_.*|thnn_fused_.*|thnn_differentiable_.*|conv_depthwise2d|philox_.*|pin_memory
        |scaled_dot_product_fused_attention.*|copy_from.*|masked_scale|fused_sdp_choice|fused_rms_norm)
        quantized::(conv2d_add|conv2d_add_relu|linear_leaky_relu|linear_tanh)
        aten::(is_)?pin(ned|_memory) aten::record_stream aten::conv_depthwise3d
        aten::batch_norm_(backward_)?(elemt|reduce|stats|gather_stats.*|update_stats)
        aten::get_autocast_dtype aten::_autocast_.* aten::.*overrideable.*
        aten::(mm|bmm|addmm|baddbmm)\.dtype.* (mkldnn|mkldnn_prepacked|mkl|onednn|streams|symm_mem|_native)::.*
        prim::(oneDNN.*|mkldnn.*|.*MKLDNN.*)""",
    "of processes on several machines": r"""
        (c10d.*|_c10d_functional.*|_dtensor|fsdp)::.* prim::rpc_.*
        aten::(to_here|is_owner|owner|owner_name|local_value|confirmed_by_owner|get_gradients)""",
    "a compiler's or profiler's own": r"""
        (static_runtime|inductor|inductor_prims|profiler|debugprims|rngprims|debug_mode_ops|export|flex_lib|onnx|onnx_symbolic)::.*
        prim::.* aten::_(print|propagate_xla_data|make_dep_token|lazy_clone|functional_.*|get_cpu_capability|debug_has_internal_overlap)
        aten::sym_.*""",
    "of PyTorch's own tests": r"(_test|_inductor_test)::.* aten::_test_.* aten::_foobar",
    "deprecated": r"""
        aten::fbgemm_.* aten::quantized_(gru|lstm|rnn).*(legacy|cell)
        quantized::make_quantized_cell_params aten::_wrapped_.* .*legacy.* aten::choose_qparams_optimized
        aten::__(interpolate|upsample.*)
        aten::_(dim_arange|ncf_.*|saturate_weight_to_fp16|rowwise_prune|cholesky_solve_helper)
        aten::(slow_conv.*|_slow_conv.*|thnn_conv2d|conv_tbc_backward) _quantized::.*wrapped.*""",
    "of PyTorch's automatic differentiation and function transforms, inside of which no program stands": r"""
        aten::.*(_backward|_batch_dim|_dual|_dual_copy|fw_primal|fw_primal_copy|_jvp|double_backward)(_data|_impl|_copy)?(\..*)?
        aten::_?(backward|grad|retain_grad|retains_grad|is_leaf|output_nr|_version|set_data|data|is_inference)(\..*)?
        aten::_(efficientzerotensor|is_zerotensor|neg_view.*|new_zeros_with_same_feature_meta|has_same_storage_numel
        |has_compatible_shallow_copy_type|conj_physical|standard_gamma_grad|dirichlet_grad|reshape_alias_copy).*
        aten::(lift|lift_fresh_copy)(\..*)?""",
    "PyTorch's build for processors has none either": r"""
        aten::_spsolve prims::xor_sum aten::_nested_get_.* aten::_nested_view_from_jagged.* aten::_nested_from_padded_tensor""",
    "their weights have a dtype of 4 bits, which no array has": r"quantized::embedding_(bag_)?4bit",
    "of classes and functions of PyTorch's that no program holds": r"""
        aten::_pack_sequence aten::save aten::einsum.sublist
        quantized::conv2d_unpack_sizes aten::_linalg_check_errors""",
    "NumPy has no complex numbers of 16-bit floats": r"aten::chalf",
}
"""Why operators without a kernel have none: patterns of names, with or without the overload; the first that fits tells."""

_PATTERNS = {
    reason: re.compile("|".join(re.sub(r"\s*\n\s*\|", "|", text).split()) or r"(?!)")
    for reason, text in REASONS.items()
}


def operators() -> Iterator[Operator]:
    for name in sorted(registry.names()):
        yield from registry.lookup(name)


def reason(operator: Operator) -> str:
    """Why an operator has no kernel."""
    if operator.name in BY_KIND:
        return STRUCTURAL
    names = operator.qualified_name, operator.name
    found = next(why for why, pattern in _PATTERNS.items() if any(map(pattern.fullmatch, names)))
    return found


def _cell(count: int, of: int) -> str:
    return "✓" if count == of else f"{count}/{of}" if count else ""


def _row(name: str) -> str:
    overloads = registry.lookup(name)
    counts = Counter(letter.upper() for each in overloads for letter in slots(each))
    cells = " | ".join(_cell(counts[letter], len(overloads)) for letter in COLUMNS.values())
    return f"| `{name}` | {len(overloads)} | {cells} |\n"


def text() -> str:
    """The whole file."""
    registry.load_derivatives()
    every = list(operators())
    counts = Counter(letter.upper() for each in every for letter in slots(each))
    told = ", ".join(f"{counts[letter]} have a {what}" for what, letter in COLUMNS.items())
    without = [each for each in every if each.kernel is None]
    by_reason: dict[str, list[str]] = {each: [] for each in REASONS}
    for operator in without:
        by_reason[reason(operator)].append(operator.qualified_name)
    parts = [HEAD, f"Of {len(every)} operators {told}.\n\n## Those that cannot run, and why\n"]
    for why, names in by_reason.items():
        assert names, f"no operator is without a kernel because of: {why}"
        parts.append(f"\n**{why}** ({len(names)}): {' '.join(f'`{name}`' for name in names)}\n")
    namespaces = dict.fromkeys(name.partition("::")[0] for name in sorted(registry.names()))
    for namespace in namespaces:
        rows = [name for name in sorted(registry.names()) if name.startswith(f"{namespace}::")]
        if not any(operator.kernel for name in rows for operator in registry.lookup(name)):
            continue  # all are named above
        head = " | ".join(("operator", "overloads", *COLUMNS))
        parts.append(f"\n## {namespace}\n\n| {head} |\n|{' --- |' * (2 + len(COLUMNS))}\n")
        parts.extend(map(_row, rows))
    return "".join(parts)


def main() -> int:
    return write_or_check(__doc__, {PATH: text()})


if __name__ == "__main__":
    sys.exit(main())
