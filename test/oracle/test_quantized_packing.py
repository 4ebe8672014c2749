"""Packed embeddings, products with weights of few bits, and quantized results in `out`: expressions give what PyTorch gives."""

import pytest

pytest.importorskip("torch")

import torch

from support.both_sides import disagreements

SETUP = """
q, a = torch.ops.quantized, torch.ops.aten
w = torch.tensor([[-1.0, 0.5, 2.0, 3.25], [0.0, 0.0, 0.0, 0.0], [4.0, -2.5, 1.125, 7.0], [0.1, 0.2, 0.3, -0.4]])
ends = torch.tensor([[-1.0, 2.0], [0.0, 1.0], [-3.0, 8.0], [-0.5, 0.5]])
i, o = torch.tensor([0, 2, 1, 3]), torch.tensor([0, 2])
z = torch.tensor([1.0, 2.0, 0.5, -1.0])
m = torch.tensor([2, -1, 0, 1], dtype=torch.int32)
x = torch.quantize_per_tensor(w, 0.1, 20, torch.quint8)
y = torch.quantize_per_tensor(w * 0.5, 0.05, 30, torch.quint8)
t = torch.quantize_per_channel(w, torch.tensor([0.1, 0.2, 0.3, 0.4]), torch.tensor([1.0, 2.0, 3.0, 4.0]), 0, torch.quint8)
n = torch.arange(48).reshape(3, 16) % 7 - 3
l = torch.arange(32 * 64).reshape(32, 64) * 7 % 16
s = (torch.arange(2 * 32 * 2).reshape(2, 32, 2) % 11 + 1) / 8
f = (torch.arange(3 * 64).reshape(3, 64) % 13 - 6) / 4
v = torch.quantize_per_tensor(w, 0.1, 0, torch.qint8)
p = q.linear_prepack(v, z)

def out(make, *operands):
    target = torch.quantize_per_tensor(w * 0, 0.2, 10, torch.quint8)
    result = make(*operands, target)
    return result.int_repr(), result.q_scale(), result.q_zero_point(), target.int_repr()

def of(operator, overload):
    return getattr(operator, overload, operator)

def whole(result):
    return result.int_repr(), result.q_scale(), result.q_zero_point()
"""

EXPRESSIONS = """
torch.ops._quantized.add(x, y, 0.37, 3).int_repr(); torch.ops._quantized.linear(x, torch.ops._quantized.linear_prepack(v, z), 0.3, 9).int_repr()
torch.ops._quantized.linear_dynamic(w, torch.ops._quantized.linear_prepack(v, z)); torch.ops._quantized.conv2d(x[None, None], torch.ops._quantized.conv2d_prepack(v[None, None], None, [1, 1], [1, 1], [1, 1], 1), 0.3, 9).int_repr()
torch.ops._quantized.conv2d_relu(x[None, None], torch.ops._quantized.conv2d_prepack(v[None, None], None, [1, 1], [1, 1], [1, 1], 1), 0.3, 9).int_repr()
torch.ops._quantized.conv_transpose2d(x[None, None], torch.ops._quantized.conv_transpose2d_prepack(v[None, None], None, [1, 1], [1, 1], [0, 0], [1, 1], 1), 0.3, 9).int_repr()
q.embedding_bag_byte_prepack(w); q.embedding_bag_4bit_prepack(w); q.embedding_bag_2bit_prepack(w); q.embedding_bag_byte_prepack(w.half())
q.embedding_bag_byte_unpack(q.embedding_bag_byte_prepack(w)); q.embedding_bag_4bit_unpack(q.embedding_bag_4bit_prepack(w))
q.embedding_bag_2bit_unpack(q.embedding_bag_2bit_prepack(w)); q.embedding_bag_4bit_prepack(w[:, :3]); q.embedding_bag_byte_prepack(w.double())
q.embedding_bag_byte_prepack_with_rowwise_min_max(w, ends); q.embedding_bag_4bit_prepack_with_rowwise_min_max(w, ends)
q.embedding_bag_2bit_prepack_with_rowwise_min_max(w, ends)
q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i, o); q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i)
q.embedding_bag_4bit_rowwise_offsets(q.embedding_bag_4bit_prepack(w), i, o); q.embedding_bag_2bit_rowwise_offsets(q.embedding_bag_2bit_prepack(w), i, o)
q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i.reshape(2, 2)); q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i + 1, o)
q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i, torch.tensor([0, 2, 4]), include_last_offset=True)
q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i, o, per_sample_weights=z)
q.embedding_bag_4bit_rowwise_offsets(q.embedding_bag_4bit_prepack(w), i, o, per_sample_weights=z)
q.embedding_bag_byte_rowwise_offsets(q.embedding_bag_byte_prepack(w), i, o, pruned_weights=True, compressed_indices_mapping=m)
q.embedding_byte(q.embedding_bag_prepack(t), i); q.embedding_bag_byte(q.embedding_bag_prepack(t), i, o); q.embedding_bag_prepack(x)
q.embedding_bag_byte(q.embedding_bag_prepack(t), i, o, per_sample_weights=z); q.embedding_bag_unpack(q.embedding_bag_prepack(t)).int_repr()[2:] * 0
a._int_mm(n.to(torch.int8), n.to(torch.int8).t()); a._int_mm(n, n.t()); a._weight_int8pack_mm(f[:, :32].contiguous(), l.to(torch.int8)[:, :32].contiguous(), s[0, :, 0].contiguous())
a._weight_int4pack_mm_for_cpu(f, a._convert_weight_to_int4pack_for_cpu(l.int(), 2), 32, s)
q.int4mm_packed_weight_cpu(f, a._convert_weight_to_int4pack_for_cpu(l.int(), 2), torch.tensor(32), s)
torch.ops.quantization._FloatToBfloat16Quantized(w); torch.ops.quantization._Bfloat16QuantizedToFloat(torch.ops.quantization._FloatToBfloat16Quantized(w / 3))
q.linear_dynamic_fp16_unpacked_weight(w / 3, w / 7, z); q.linear_dynamic_fp16_unpacked_weight(w, w / 3, None)
q.linear_with_input_q_dq_qweight_dq_output_fp32(w, 0.1, 20, p); q.linear_with_input_q_dq_qweight_dq_relu_output_fp32(w, 0.1, 20, p)
out(of(q.add, 'out'), x, y); out(q.add_out, x, y); out(of(q.add_relu, 'out'), x, y); out(q.add_relu_out, x, y); out(of(q.mul, 'out'), x, y); out(q.mul_out, x, y)
out(of(q.mul_relu, 'out'), x, y); out(q.mul_relu_out, x, y); out(of(q.add, 'Scalar_out'), x, 1.5); out(q.add_scalar_out, x, 1.5); out(of(q.add_relu, 'Scalar_out'), x, -1.5)
out(q.add_scalar_relu_out, x, 1.5); out(of(q.mul, 'Scalar_out'), x, -1.5); out(q.mul_scalar_out, x, 2.0)
out(of(q.add_scalar_out, 'Tensor'), x, torch.tensor(1.5)); out(of(q.mul_scalar_out, 'Tensor'), x, torch.tensor(1.5))
out(q.cat_out, [x[:2], y[:2]], 0); out(q.cat_relu_out, [x[:2], y[2:]], 0)
whole(q.threshold(x, 0.15, 0.5)); whole(q.prelu(x, torch.tensor([0.25]), 0.2, 5)); whole(q.prelu(x, torch.quantize_per_tensor(torch.tensor([0.25]), 0.05, 2, torch.quint8), 0.2, 5))
a.empty_quantized([2, 3], x).q_scale(); a.empty_quantized([2, 3], x).shape; a.empty_quantized([2], w)
a._empty_per_channel_affine_quantized([2, 3], scales=torch.ones(2), zero_points=torch.ones(2).long(), axis=0, dtype=torch.qint8).q_per_channel_scales()
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_expressions_are_pytorchs(line: str) -> None:
    assert disagreements(SETUP, line) == []


LAYERS = """
o = torch.ops.sparse
w = torch.quantize_per_tensor((torch.arange(64).reshape(8, 8) * 37 % 29 - 14) / 10, 0.1, 0, torch.qint8)
b = torch.arange(8) / 4
p, n = o.qlinear_prepack(w, b, 1, 4), o.qlinear_prepack(w, None, 1, 4)
x = torch.quantize_per_tensor((torch.arange(16).reshape(2, 8) * 11 % 7 - 3) / 5, 0.05, 64, torch.quint8)
"""


def test_layers_of_sparse_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of PyTorch's libraries fbgemm has them."""
    monkeypatch.setattr(torch.backends.quantized, "engine", "fbgemm")
    line = "o.qlinear(x, p, 0.2, 3).int_repr(); o.qlinear_relu(x, n, 0.2, 3).int_repr(); o.qlinear_unpack(p)[1:]"
    assert (
        disagreements(
            LAYERS, f"{line}; o.qlinear_unpack(n)[0].int_repr(); o.qlinear(x, n, 0.1, 7).q_scale()"
        )
        == []
    )
