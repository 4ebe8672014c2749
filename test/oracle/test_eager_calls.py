"""Calls from Python that no schema tells: arguments of other kinds, conversions, memory of others, formats; all as PyTorch."""

import pytest

pytest.importorskip("torch")

from support.both_sides import disagreements

SETUP = """
import array
import copy
import pickle
import numpy

x, z, c = torch.arange(6.0).view(2, 3), torch.zeros(0), torch.zeros(2, dtype=torch.complex64)
n, e, i = torch.zeros(2, 0), torch.zeros(4), torch.tensor([2, 1, 0])

class Numbers:
    def __len__(self):
        return 2

    def __getitem__(self, place):
        if place > 1:
            raise IndexError
        return place * 2.0

def with_part(tensor, name, values):
    tensor = tensor.clone()
    setattr(tensor, name, values)
    return tensor

def shared(name, *arguments):
    places = i.clone()
    given = [places if each is ... else each for each in arguments]
    if given[0] == (...,):
        given[0] = (places,)
    return getattr(places, name)(*given)

def copied_gradient(tensor):
    tensor = tensor.clone()
    tensor.grad = torch.ones(4)
    return copy.deepcopy(tensor).grad

def pickled(value):
    return pickle.loads(pickle.dumps(value))

def drawn(dtype, *bounds):
    torch.manual_seed(0)
    return torch.zeros(4, dtype=dtype).random_(*bounds)

def of_memory(made, change, **options):
    tensor = torch.asarray(made, **options)
    change(made)
    return tensor

def strides_of_gradient(tensor, *places):
    tensor = tensor.clone() if tensor.is_contiguous() else tensor
    tensor = tensor.requires_grad_()
    tensor.as_strided(*places).sum().backward()
    return tensor.grad
"""

EXPRESSIONS = """
with_part(c, "real", torch.ones(2)); with_part(c, "imag", torch.tensor([1, 2])); with_part(e, "real", 3); with_part(e, "imag", e)
z.clone().resize_(2, 3, 2, 2, memory_format=torch.channels_last).stride(); x.clone().view(1, 2, 3, 1).resize_(1, 2, 3, 1, memory_format=torch.channels_last)
e.clone().resize_as_(torch.zeros(1, 3, 2, 2).to(memory_format=torch.channels_last), memory_format=torch.preserve_format).stride()
e.clone().resize_(2, memory_format=torch.preserve_format); x.unfold(0, -1, 1); x.unfold(1, 2, 0)
strides_of_gradient(torch.arange(3.0).expand(2, 3), (3, 2), (1, 0), 0); strides_of_gradient(x, (3, 2), (1, 1), 1); strides_of_gradient(x.t(), (2, 2), (1, 2))
torch.true_divide(x, 2, out=z.clone()); torch.div(x, 2, out=z.clone()); torch.add(x1=x, x2=x); torch.sum(x, axis=0, keepdims=True); torch.sub(a=x, x2=x)
torch.roll(x, 1, None); torch.roll(x, 1, dims=None); torch.flip(x, None); torch.rot90(x, 1, None); torch.max_pool2d(e.view(1, 1, 2, 2), 2, None)
torch.cat([z, z], 5); torch.cat([z, x], 1); torch.kthvalue(n, 1, 1); torch.kthvalue(n, 1, 0); torch.histc(e.int(), min=3, max=1)
int(z); float(e); complex(e); bool(z); int(x[0, 1]); torch.tensor(Numbers()); torch.tensor([Numbers(), Numbers()]); torch.tensor([1, [2]]); torch.tensor({1: 2})
torch.normal(0.0, -1.0, (2,)); torch.zeros(2, dtype=torch.long, requires_grad=True); e.new_zeros(2, dtype=torch.long, requires_grad=True)
torch.asarray(bytearray(b"abcd"), dtype=torch.int16); torch.asarray(bytearray(b"abcd")); torch.asarray(array.array("f", [1, 2]), copy=True); torch.asarray("a")
of_memory(array.array("f", [1, 2]), lambda a: a.__setitem__(0, 5)); of_memory(array.array("f", [1, 2]), lambda a: a.__setitem__(0, 5), copy=True)
torch.asarray(torch.utils.dlpack.to_dlpack(x)); torch.from_dlpack(torch.utils.dlpack.to_dlpack(x))
drawn(torch.uint8, 0, None); drawn(torch.int8, -128, None); drawn(torch.float16, -2048, None); drawn(torch.int64, -2**63, None); drawn(torch.bool, 0, None)
drawn(torch.int32, -2**63, None); drawn(torch.float32, 5, None); drawn(torch.int64, 3, None); drawn(torch.int8, 200, None); drawn(torch.float64, -2**63, None)
torch.full((2,), 3, dtype=torch.float32, out=z.clone()); torch.linspace(0, 1, 3, dtype=torch.float64, out=z.clone()); torch.zeros(2, device="cpu", out=z.clone())
torch.segment_reduce(z, "sum", lengths=torch.tensor([0, 0])); torch.segment_reduce(z, "max", lengths=torch.tensor([0, 0]), initial=3)
i.clone().index_add_(0, i, i.clone()); shared("index_add_", 0, ..., i.clone()); shared("index_copy_", 0, ..., i.clone()); shared("scatter_", 0, ..., 5)
shared("scatter_add_", 0, ..., i.clone()); shared("index_fill_", 0, ..., 5); shared("index_put_", (...,), i.clone()); shared("put_", ..., i.clone())
torch.ones((numpy.array(3), numpy.int64(4))).shape; torch.ones(numpy.array(3), 2).shape; torch.ones(numpy.array([3, 3])); torch.ones((torch.tensor(3.0), 4))
torch.empty(1, dtype=torch.float64).cauchy_(float("inf"), 0.5); e.clone().normal_(float("nan"), 1.0); e.double().normal_(float("inf"), 1.0)
copied_gradient(e); torch._check(1); torch._check(torch.tensor(True))
reversed(x); list(reversed(x))[0]; reversed(torch.tensor(3)); reversed(torch.zeros(0, 2))
pickled(torch.nn.Parameter(e)).requires_grad; isinstance(pickled(torch.nn.Parameter(e)), torch.nn.Parameter); isinstance(pickled(e), torch.nn.Parameter)
pickled(torch.tanh) is torch.tanh; pickled([torch.relu])[0](x - 3); isinstance(pickled(torch.nn.Parameter(e, False)), torch.nn.Parameter)
"a" in x; None in x; [1] in x; 3.0 in x; numpy.float32(7) in x; torch.tensor(1) in x
torch.Size(torch.ones(3)); torch.Size([1.5]); torch.Size([1, 2]) * 2; 2 * torch.Size([1]); (1,) + torch.Size([2]); torch.Size(range(3)); torch.Size("a")
torch.ones(numpy.int64(3), numpy.int32(2)); torch.zeros(numpy.int64(2)); x.expand(numpy.int64(2), -1); x.permute(numpy.int64(1), 0); torch.ones((True, 2))
e.clone().requires_grad_().map_(e, lambda a, b: a); e.map2_(e, e.clone().requires_grad_(), lambda a, b, c: a)
e.type("torch.FloatTensorx"); e.new(size=(3, 0)); e.new(2).shape; torch.masked_select(x, x.to(torch.uint8)); torch.multinomial(torch.zeros(0, 3), 2, replacement=True)
e.clone().set_(e.double().storage()); e.clone().set_(x.storage()); x.storage().resizable(); e.untyped_storage().clone().tolist()
torch._check_index(False, lambda: "m"); torch._check_type(False); torch._check_value(True); torch._check_tensor_all(e > 0); repr(torch.max(x, 1)); repr(torch.sort(z))
torch.from_numpy(e.clone().requires_grad_().numpy(force=True)); torch.from_numpy(x.numpy(force=True)); e.clone().requires_grad_().numpy()
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_calls(line: str) -> None:
    assert disagreements(SETUP, line) == []


def test_what_is_written_to_a_conjugate_is_refused_and_told() -> None:
    from torchscript_dialect import torch

    with pytest.raises(RuntimeError, match="read-only, as the conjugate of a tensor is"):
        torch.tensor([1 + 2j]).conj().zero_()
