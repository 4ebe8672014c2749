"""Operators and dtypes that few programs meet: expressions give what PyTorch gives, and raise where it raises."""

import pytest

pytest.importorskip("torch")

from support.both_sides import disagreements

SETUP = """
a, F = torch.ops.aten, torch.nn.functional
e = torch.float8_e4m3fn
x = torch.arange(64.0).reshape(4, 16) / 64 - 0.5
y = torch.arange(128.0).reshape(8, 16) / 128
o, r = torch.tensor(2.0), torch.tensor(0.5)
i = (torch.arange(2 * 3 * 9 * 7) * 37 % 256).to(torch.uint8).reshape(2, 3, 9, 7)
n = torch.arange(12).reshape(1, 1, 4, 3) * 7 - 20
z = torch.arange(6).reshape(1, 2, 3)
c = torch.arange(18).reshape(6, 3) * 0.1j - 0.2
b = torch.arange(12).reshape(6, 2) * 0.1 + 0j
h = torch.tensor([1.0, 2.0, 2.5, 3.0])
k = torch.arange(1, 7).reshape(2, 3)
s = a._sobol_engine_initialize_state_(torch.zeros(5, 30, dtype=torch.int64), 5)
q = torch.zeros(5, dtype=torch.int64)
l = (torch.arange(5 * 900).reshape(5, 30, 30) * 7 % 3 % 2).tril()

def state(dimension):
    return a._sobol_engine_initialize_state_(torch.zeros(dimension, 30, dtype=torch.int64), dimension)

def then(f, *operands):
    f(*operands)
    return operands[0]
"""

EXPRESSIONS = """
torch.tensor([torch.tensor([1.0])]); torch.tensor([[torch.tensor([1.0]), 3]]); torch.tensor([torch.tensor([[1.0]]), 2]); torch.tensor([torch.tensor([1, 2])])
torch.tensor([torch.tensor(1.5)], dtype=torch.int32); torch.tensor([torch.tensor([1 + 0j])], dtype=torch.float32); torch.tensor([[1, 2], torch.tensor([1, 2])])
torch.tensor([torch.tensor([])]); torch.tensor([torch.tensor([1 + 2j])], dtype=torch.float32); torch.as_tensor([torch.tensor([3])])
torch.linspace(1j, 2, 4); torch.linspace(1j, 2, 4, dtype=torch.float32); torch.logspace(1j, 2, 4); torch.linspace(torch.tensor(1j), 2, 3)
torch.hann_window(4, dtype=torch.complex64); torch.hann_window(1, dtype=torch.complex64); int(torch.tensor(1 + 0j)); float(torch.tensor(2 + 1j))
a.FloatImplicit(torch.tensor(2.0).bfloat16()); a.ComplexImplicit(torch.tensor(True)); a.ScalarImplicit(torch.tensor(2.5).to(torch.float8_e5m2))
a.FloatImplicit(torch.tensor(1j)); a.IntImplicit(torch.tensor(2.0)); a.FloatImplicit(torch.ones(1))
a.tanh_backward(torch.tensor([1 + 1j]), torch.tensor([2 - 1j])); a.sigmoid_backward(torch.tensor([1 + 1j]), torch.tensor([2 - 1j]))
a.silu_backward(torch.tensor([1 + 1j]), torch.tensor([2 - 1j])); a.avg_pool2d_backward(n, torch.ones(1, 1, 7, 6).long(), [3, 3], [2, 2], [1, 1], False, True, None)
a.avg_pool3d_backward(n[None], torch.ones(1, 1, 2, 8, 6).long(), [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None)
a.affine_grid_generator(torch.ones(1, 2, 3).to(torch.uint8), [1, 1, 2, 2], False); a.affine_grid_generator(torch.ones(1, 2, 3), [1, 1, 2, 3], True)
torch.rnn_relu(z - 3, torch.ones(1, 2, 2).long(), [z[0] - 2, n[0, 0, :2, :2], z[0, 0, 1:], z[0, 1, 1:]], True, 1, 0.0, False, False, False)
torch.gru(z * (0.1 + 0.2j), torch.ones(1, 2, 2) * 0.3j, [c, b, b[:, 0], b[:, 1]], True, 1, 0.0, False, False, False)
torch.rnn_tanh(z * (0.1 + 0.2j), torch.ones(1, 2, 2) * 0.3j, [c[:2], b[:2], b[0], b[1]], True, 1, 0.0, False, False, False)
torch.histogram(h.half(), torch.tensor([0.0, 2.0, 4.0]).half()); torch.histogram(h.bfloat16(), torch.tensor([0.0, 2.0, 4.0]).bfloat16(), density=True)
F.interpolate(i, size=(5, 4), mode='bilinear'); F.interpolate(i, size=(16, 20), mode='bilinear'); F.interpolate(i, size=(5, 4), mode='bicubic')
F.interpolate(i, size=(5, 4), mode='bilinear', antialias=True); F.interpolate(i, size=(3, 20), mode='bicubic', antialias=True)
F.interpolate(i, scale_factor=1.7, mode='bicubic', align_corners=True); F.interpolate(i, scale_factor=0.6, mode='bilinear', align_corners=True)
a._upsample_lanczos2d_aa(i, [4, 5], False, None, None); F.interpolate(i[0, 0], size=3, mode='bilinear'); F.interpolate(i[0], size=3, mode='linear')
a._scaled_mm(x.to(e), y.to(e).t(), o, r); a._scaled_mm(x.to(e), y.to(e).t(), o, r, out_dtype=torch.float32); a._scaled_mm(x, y.t(), o, r)
a._scaled_mm(x.to(e), y.to(e).t(), o, r, bias=torch.ones(8), out_dtype=torch.bfloat16); a._scaled_mm(x.to(e), y.to(e).t(), o.double(), r)
a._scaled_mm(x.to(torch.float8_e5m2), y.to(e).t(), o, r, out_dtype=torch.float16); a._scaled_mm(x.to(e), y.to(e), o, r)
a._scaled_mm(x.to(e), y.to(e).t(), x[:, :1] + 1, y[:, :1].t() + 1, out_dtype=torch.float32); a._scaled_mm(x.to(e), y.to(e).t(), x[:, :1], r)
a._scaled_mm_v2(x.to(e), y.to(e).t(), [o], [0], [0], [r], [0], [0], None, torch.float32)
a._scaled_mm_v2(x.to(e), y.to(e).t(), [x[:, :1] + 1], [1], [0], [y[:, :1].t() + 1], [1], [0], None, torch.float32)
s; state(1); state(300)[290:]; torch.zeros(3, 30).long().add_(state(3)); a._sobol_engine_initialize_state_(torch.zeros(3, 30), 3)
a._sobol_engine_draw(q, 7, s, 5, 0, torch.float32); a._sobol_engine_draw(q + 12345, 9, s, 5, 21, torch.float64); a._sobol_engine_draw(q, 3, s, 5, 0, torch.float16)
a._sobol_engine_ff_(q.clone(), 6, s, 5, 0); a._sobol_engine_ff_(q + 77, 1, s, 5, 10); a._sobol_engine_scramble_(s.clone(), l, 5)
a.set_(h.clone(), k.float()) ; a.set_(h.clone()); a.set_(h.clone(), x, 1, [2, 2], [1, 2]); a.set_(h.clone(), x, 1, [2, 2])
a.set_(h.clone(), y.storage()); a.set_(h.clone(), x.untyped_storage(), 3, [2, 3], [1, 2]); then(lambda v: v.set_(x), h.clone()); then(lambda v: v.set_(x, 2, (3, 2)), h.clone()); h.clone().set_(x.clone()).fill_(1)
i[0, 0].index_add(0, q, i[0, 1, :5], alpha=-1); k.index_add(1, q[:3], k, alpha=1.5); k.char().index_add(1, q[:3], k.char(), alpha=200)
torch.gradient(k.char() * 100)[1]; torch.gradient(k * 2**62); torch.gradient(k.char() * 50, edge_order=2, dim=1); torch.gradient(i)
torch.gradient(k.char() * 60, spacing=(torch.tensor([1, 3, 4]),), dim=1); torch.lcm(o.long() * 2**61, o.long() * 2**61 - 1); torch.lcm((o * 50).char(), (o * 2).char() + 1); torch.cov(h, aweights=h + torch.nan)
F.binary_cross_entropy(h / 3, h); F.binary_cross_entropy(h / 3, h + torch.nan); F.binary_cross_entropy(h / 3, h / 3)
F.fractional_max_pool2d(torch.where(x > 0.2, torch.nan, x)[None], 3, output_size=2, return_indices=True, _random_samples=torch.tensor([[[0.3, 0.6]]]))
torch.repeat_interleave(k, 2, 1, output_size=5); torch.repeat_interleave(k, 2, output_size=12); torch.repeat_interleave(k, k[0, :2], 0, output_size=4)
torch.repeat_interleave(k, k[0, :1] * 2, 1, output_size=6); torch.repeat_interleave(k, k[0, :1] * 2, 1, output_size=2); torch.repeat_interleave(k, k[0], output_size=9)
F.embedding_bag(k[:, :2] - 1, torch.where((y[:5] * 128) % 3 < 1, torch.nan, y[:5]), mode='max')
k.index_put((k > 2,), o + 0.5); k.index_put((k > 2,), o.reshape(1, 1, 1)); k.index_put((k[:, 0] > 2,), o[None]); x.index_put((x > 0,), o * 1j)
i.index_put((i > 9,), o * 150); k.index_put((q[:1],), o); k.index_put((k > 2,), o, True); (k > 3).index_put((k > 2,), o * 1j)
x.index_put((q[:1],), o.reshape(1, 1, 1)); F.dropout(k, 0.5, True); torch.native_dropout(k, 0.5, True); F.feature_alpha_dropout(k, 0.5, True)
torch.stft(x.half(), 8, window=h[:2].repeat(4), return_complex=True); torch.stft(x.half(), 8, return_complex=True); torch.stft(k, 2, return_complex=True)
type(x.hsplit(2)), type(x.vsplit(2)), type(x[None].dsplit(2)), type(x.unsafe_split(2)), type(x.split_with_sizes([2, 2])), type(torch.where(x > 0)), type(torch.tensor_split(x, 2))
type(torch.hsplit(x, 2)), type(torch.gradient(x)), type(torch.unsafe_chunk(x, 2)), type(torch.ops.aten.unbind(x)), type(torch._foreach_abs([x]))
a.sort(k)[0]; then(lambda m, n: torch.max(k, 1, out=(m, n)), h.long(), k.clone()); then(lambda m, n: torch.min(k, dim=0, keepdim=True, out=(m, n)), k.clone(), h.long())
then(lambda m, n: torch.median(x, -1, out=(m, n)), x.clone(), k.clone()); then(lambda m, n: torch.nanmedian(x, 0, out=[m, n]), x.clone(), k.clone()); torch.max(k, k, out=k.clone())
torch.max(k, 0, out=(k.clone(),)); torch.max(k, k, out=(k.clone(), k.clone())); torch.aminmax(k, dim=0, out=(k.clone(), k.clone()))
torch.repeat_interleave(o, 2, 0); torch.repeat_interleave(o, 2, -1); torch.repeat_interleave(o, 2); torch.meshgrid(k, h, indexing='ij'); torch.meshgrid(h, k[0], indexing='ij')
torch.cartesian_prod(h, k[0]); h.take_along_dim(q[:1], -2); h.take_along_dim(q[:1], 1); o.take_along_dim(q[0], 0); x.size() + h; h + x.size(); x.size() + (2,); +(k > 2); +k; +x
i[0, 0].view(torch.int32); i[0, 0, :, :4].view(torch.int32); i[0, 0, 0][:4].view(torch.int32); i.view(-1)[1:5].view(torch.int32); i.view(-1)[4:12].view(torch.int32)
i.view(-1)[:12].as_strided((3, 4), (1, 1)).view(torch.int32); x.t().view(torch.bool); x[:0, :3].view(torch.uint8); h[:3].view(torch.float64); h[1:].view(torch.int64)
h.take_along_dim(q + 7, 0); x.take_along_dim(k, 1); k[:, :1].take_along_dim(k - 4, 1); F.pad(h[:1], (-2, 1)); F.pad(h[:2], (-3, 2), value=2.0); F.pad(h, (-3, 2))
torch.max(k, 0, out=(k.int(), k.clone())); torch.min(k, 0, out=(k.clone(), k.int())); torch.median(x, 0, out=(x.double(), k.clone()))
torch.clamp(k, 0, 2, out=x.clone()); torch.clamp(k, 0.5, 2, out=x.clone()); torch.clamp_min(h, 1, out=h.double()); torch.clamp(h, o, out=h.double())
torch.tensor(x.t()).stride(); torch.tensor(x.t().numpy()).stride(); torch.tensor(x.t(), dtype=torch.float64).stride(); torch.tensor(x[:, ::2]).stride()
q[:0] // 0; q[:0] % 0; q[:0].fmod(0); k[:0] // k[0]; q[:0].div(0, rounding_mode='trunc'); q[:0].remainder(q[:1]); then(lambda v: v.floor_divide_(0), q[:0].clone()); q // 0
x.renorm(2, 2, 1.0); x.renorm(2, -3, 1.0); x[:0].renorm(2, 3, 1.0); (x.clone().requires_grad_() * 1).repeat_interleave(2, 2); (x.clone().requires_grad_() * 1).repeat_interleave(2, -3)
a._fw_primal(x, 0); a._neg_view(x); a._neg_view(k); a._neg_view(x + 0j); a.data(x); a.slice_inverse(x[:, 1:], x, 1, 1, 3)
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_expressions(line: str) -> None:
    assert disagreements(SETUP, line) == []
