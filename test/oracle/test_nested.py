"""Nested tensors: expressions give what PyTorch gives, and raise where it raises."""

import pytest

pytest.importorskip("torch")

import torch

import torchscript_dialect as ts
from support.both_sides import disagreements

SETUP = """
a = torch.ops.aten
x, y = torch.arange(6.0).reshape(2, 3) - 2, torch.arange(12.0).reshape(4, 3) + 1
n = a._nested_tensor_from_tensor_list([x, y])
k = a._nested_tensor_from_tensor_list([x, y * 2])
l = a._nested_tensor_from_tensor_list([y, x])
size, step, start = a._nested_tensor_size(n), a._nested_tensor_strides(n), a._nested_tensor_storage_offsets(n)
d = torch.arange(12.0).reshape(2, 3, 2)
m = torch.tensor([[True, True, False], [True, False, False]])
w, b = torch.arange(12.0).reshape(4, 3) / 4, torch.tensor([1.0, 2.0, 3.0, 4.0])
"""

EXPRESSIONS = """
n; size; step; start; n.dim(); n.size(0); n.size(2); n.size(1); n.shape; n.stride(); n.numel(); n.is_nested; x.is_nested; n.dtype; n.layout
n.device.type; n.is_contiguous(); n.transpose(1, 2).is_contiguous(); n.size(-1); n.is_floating_point(); n.is_sparse
n.to_padded_tensor(0.0); a.to_padded_tensor(n, -1.0, [3, 5, 4]); a.nested_to_padded_tensor(n, 0.5); a.to_padded_tensor(n, 0.0, [2, 3, 3])
n.transpose(1, 2).to_padded_tensor(0.0); a._nested_tensor_from_tensor_list([x, y], torch.float64); a._nested_tensor_from_tensor_list([x, x[0]])
a._nested_from_padded(d, torch.tensor([[2, 2], [1, 2]])); a._nested_from_padded(d, torch.tensor([[2, 2, 2], [1, 2, 2]]), True)
a._nested_from_padded_and_nested_example(torch.ones(2, 4, 3), n); a._nested_tensor_from_mask(d, m); a._nested_tensor_from_mask(d, ~m)
a._nested_tensor_from_mask_left_aligned(d, m); a._nested_tensor_from_mask_left_aligned(d, ~m)
a._nested_view_from_buffer(torch.arange(18.0), size, step, start); a._nested_view_from_buffer_copy(torch.arange(18.0), size, step, start)
a._nested_compute_contiguous_strides_offsets(size); a._nested_tensor_size(n.transpose(1, 2)); a._nested_tensor_strides(n.transpose(1, 2))
a._jagged_to_padded_dense_forward(d.reshape(6, 2), [torch.tensor([0, 2, 6])], [3])
a._jagged_to_padded_dense_forward(d.reshape(6, 2), [torch.tensor([0, 2, 6])], [5], -1.0)
a._padded_dense_to_jagged_forward(d, [torch.tensor([0, 2, 3])]); a._padded_dense_to_jagged_forward(d, [torch.tensor([0, 2, 5])], 5)
n.values(); n.contiguous(); n.transpose(1, 2).contiguous(); n.unbind(); n.unbind(1); n.select(0, 1); n[0]; n[-1]; n.select(0, 2); n.select(2, 1)
n + n; n + k; n - k; n * k; n / k; n * 2; n / 2; n + l; n.relu(); n.abs(); n.neg(); n.sin(); n.cos(); n.tanh(); n.sgn(); n.exp(); n.logical_not()
n * torch.tensor(2.0); torch.nn.functional.gelu(n); torch.nn.functional.silu(n); torch.isinf(n); torch.isnan(n); n.sum(-1, keepdim=True); n.sum(-1)
n.sum(0, keepdim=True); n.transpose(1, 2); n.transpose(0, 1); n.detach(); n.clone(); n.to(torch.float64); torch.zeros_like(n); torch.ones_like(n)
torch.nn.functional.linear(n, w); torch.nn.functional.linear(n, w, b); torch.nn.functional.softmax(n, -1); torch.nn.functional.softmax(n, 0)
torch.nn.functional.layer_norm(n, (3,), w[0], w[1]); torch.nn.functional.layer_norm(n, (3,)); torch.bmm(n, n.transpose(1, 2)); n @ n.transpose(1, 2)
torch.cat([n, k]); n.unsqueeze(1); n.unsqueeze(0); n.chunk(3, -1); n.chunk(2, -1); n.reshape(2, -1, 3); n.reshape(3, -1, 3)
n > 1; n >= 1; n == 1; n.masked_fill(n > 1, 0.0); n.clone().fill_(2.0); n.clone().relu_(); n.clone().mul_(2); n.clone().add_(k); n.clone().zero_()
n.clone().copy_(k); n.clone().copy_(l); torch.dropout(n, 0.5, False); len(n); n.numpy(); a._nested_tensor_size(x)
a._nested_tensor_softmax_with_shape(torch.arange(64.0).reshape(2, 2, 4, 4) / 7, n); a._nested_tensor_softmax_with_shape(x, x)
"""


@pytest.mark.filterwarnings("ignore::UserWarning")  # of what is a prototype, and of what is slow
@pytest.mark.parametrize("norm_first", [False, True])
def test_encoders_with_masks(norm_first: bool) -> None:
    """`src_key_padding_mask` makes nested tensors of a batch, and masks of floats count as Boolean ones."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=norm_first)
    for module in (layer, torch.nn.TransformerEncoder(layer, 2)):
        x, padding = torch.rand(2, 3, 8), torch.tensor([[False, False, True], [False] * 3])
        causal = torch.nn.Transformer.generate_square_subsequent_mask(3)
        ours, theirs = ts.script(module.eval()), torch.jit.script(module.eval())
        with torch.no_grad():
            for masks in ((None, padding), (causal, None), (causal, padding), (causal > 0, None)):
                given, wanted = ours(x, *masks), theirs(x, *masks)
                torch.testing.assert_close(torch.from_dlpack(given), wanted, rtol=1e-4, atol=1e-5)


GAPS = """
_spsolve _nested_from_padded_tensor _nested_get_jagged_dummy _nested_get_lengths _nested_get_max_seqlen _nested_get_min_seqlen
_nested_get_offsets _nested_get_ragged_idx _nested_get_values _nested_get_values_copy _nested_view_from_jagged
_nested_view_from_jagged_copy
"""


@pytest.mark.parametrize("name", GAPS.split())
def test_pytorchs_build_for_processors_has_none_either(name: str) -> None:
    """As docs/operators.md says of what has no kernel here."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    keys = ("CPU", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU")
    own = [key for key in keys if has_kernel(f"aten::{name.removesuffix('_copy')}", key)]
    assert not own, own


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_expressions_are_pytorchs(line: str) -> None:
    assert disagreements(SETUP, line) == []
