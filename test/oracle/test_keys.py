"""`x[key]` and `x[key] = value`: masks beside other entries, entries that are too many, values of other dtypes and shapes, all as PyTorch."""

import pytest

pytest.importorskip("torch")

from support.both_sides import disagreements

SETUP = """
import numpy

a = torch.ops.aten
x = torch.arange(24).reshape(2, 3, 4)
v, z = torch.arange(3.0), torch.tensor(5)
m = torch.tensor([[True, False, True], [False, True, False]])
i, u = torch.tensor([0, 1, 3]), m.to(torch.uint8)
b, f = torch.tensor(True), torch.tensor(False)

def put(target, key, value):
    target = target.clone()
    target[key] = target if value is ... else value
    return target

def put_part(target, key, part):
    target = target.clone()
    target[key] = target[part]
    return target
"""

EXPRESSIONS = """
x[b]; x[f]; x[b, 0]; x[b, 1:]; x[b, None]; x[b, ..., 0]; x[None, b]; x[0, b]; x[b, b]; x[b, True]; x[b, f]; x[f, 0, 1:]; z[b]; z[f, None]; z[b, b]
x[m, i]; x[m, None, i]; x[m, ..., i]; x[m, 1]; x[m, 1:]; x[m, True]; x[m, b, 1:]; x[True, m]; x[..., m]; x[u, 1]; x[u, i]; x[u, ..., 1]; x[m, i, 0]
x[torch.tensor(1, dtype=torch.uint8)]; x[torch.tensor(0, dtype=torch.uint8), 0]; x[torch.tensor(1, dtype=torch.int8)]; x[torch.tensor(1.0)]
v[:, :]; v[..., :, :]; v[None, :, :]; v[0, :]; v[i[:1], :]; v[[0], :]; v[[True, False, True], :]; x[m, :, :]; z[:]; z[..., :]; z[True, :]; v[...]; v[..., :]
v[i[:1].to(torch.int16)]; v[i[:1].to(torch.int8)]; v[numpy.array([0, 1], numpy.int16)]; v[[0.5, 1]]; v[0.5]; v[(0.5,)]; v[[]]; v["a"]; x[range(2)]
x[:, :0][torch.tensor([1, 5])]; x[m & False, z]; put(x, (m & False, z), 1); x[:, :0, torch.tensor([9])]; x[:0][torch.tensor([5])]
x[2]; x[-3]; x[0, 5]; x[0, 1, 15]; x[:, :, 12]; x[5:, 0, 9]; z[0]; put(z, 0, 1); put(x, 5, 1); x[2**63]; x[{}]; x[:, 1.5]; torch.take_along_dim(v, i[:1], 7)
x[0:2:0]; x[0:2:-1]; x["0":"1"]; v[1:1.5]; x[:, :"a"]; v[numpy.int8(1):]; v[z - 4:]; put(v, slice(0, 2, -1), 1)
a.index(x, [f, i[:2]]); a.index(x, [i[:2], f]); a.index(x, [b, i, i, i]); a.index_put(x, [b], z); a.index_put(x, [f], z); a.index_put(x, [f, i[:2]], z); a.index_put(x, [i[:2], b], z)
put(x, m, 5); put(x, (m, i), 5); put(x, (m, slice(1, None)), torch.arange(9).reshape(3, 3)); put(x, (b, 0), 3); put(x, (f, 0), 3); put(z, slice(None), 1)
put(m / 1, m, torch.arange(3)); put(v, i[:2], torch.tensor([3])); put(v, i[:2], torch.tensor(3)); put(m / 1, m, torch.tensor(2)); put(m, m, torch.tensor(3))
put(v, 0, None); put(v, 0, "a"); put(v, None, ...); put(v, True, ...); put(v, False, ...); put(v, ..., ...); put(m / 1, 0, ...); put(x, (z * 0, m), 1)
put_part(v, ..., slice(1)); put_part(v, ..., 0); put_part(v, True, slice(1, 2)); put_part(x, 0, 1); put_part(x, 0, slice(1, 2)); put_part(v, slice(1, None), 2)
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_keys(line: str) -> None:
    assert disagreements(SETUP, line) == []
