"""Gradients of recurrent networks reach the parameters, which a module of PyTorch's holds twice, and go through packed sequences."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402

import torchscript_dialect as ts  # noqa: E402
from torchscript_dialect.ops.recurrent import recurrent_layer  # noqa: E402


class Tagger(torch.nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network(3, 4, batch_first=True)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.network(x)[0])


class PackedNetwork(torch.nn.Module):
    """Sequences of several lengths, of which the shorter ones end sooner."""

    def __init__(self, network, **options):
        super().__init__()
        self.network = network(3, 4, num_layers=2, batch_first=True, **options)

    def forward(self, x):
        lengths = torch.tensor([2, 5, 3])
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        padded, _ = pad_packed_sequence(self.network(packed)[0], True, 0.5, total_length=7)
        return padded * torch.arange(7.0)[:, None]


def gradients(module, x):
    module(x).square().sum().backward()
    return {name: parameter.grad.clone() for name, parameter in module.named_parameters()}


@pytest.mark.parametrize("network", [torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN])
@pytest.mark.parametrize("take", [ts.script, lambda m: ts.from_torch(torch.jit.script(m))])
def test_gradients_of_recurrent_weights(network, take):
    torch.manual_seed(0)
    module, x = Tagger(network), torch.randn(2, 5, 3)
    ours = take(module)
    expected = gradients(module, x)
    module.zero_grad()  # the parameters, and what adds up in them, are those of both
    given = gradients(ours, x)
    for name, gradient in given.items():
        assert torch.allclose(torch.from_dlpack(gradient), expected[name], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("network", "options"),
    [
        (torch.nn.LSTM, {"proj_size": 2}),
        (torch.nn.GRU, {"bidirectional": True}),
        (torch.nn.RNN, {"bias": False}),
    ],
)
def test_gradients_through_packed_sequences(network, options):
    torch.manual_seed(0)
    module, x = PackedNetwork(network, **options), torch.randn(3, 5, 3)
    ours = ts.script(module)
    expected = gradients(module, x)
    module.zero_grad()  # the parameters, and what adds up in them, are those of both
    for name, gradient in gradients(ours, x).items():
        given = torch.from_dlpack(gradient)
        assert (name, torch.allclose(given, expected[name], rtol=1e-4, atol=1e-6)) == (name, True)


def test_lists_of_weights_are_the_parameters():
    module = torch.nn.GRU(3, 4)
    ours = ts.script(module)
    assert all(a is b for a, b in zip(ours._flat_weights, ours.parameters(), strict=True))
    with torch.no_grad():
        module.weight_hh_l0.zero_()
    assert not ours._flat_weights[1].detach().numpy().any()


@pytest.mark.parametrize("cell", [torch.nn.GRUCell, torch.nn.LSTMCell])
def test_traced_cells_are_trained(cell: Any) -> None:
    """Their traces write to parts of gates, whose writes PyTorch counts apart."""
    torch.manual_seed(0)
    module = cell(3, 5)
    traced = torch.jit.trace(module, torch.ones(2, 3))
    x = torch.randn(2, 3, requires_grad=True)
    found: list[Any] = []
    for run in (traced, ts.from_torch(traced)):
        result = run(x)
        (result[0] if isinstance(result, tuple) else result).sum().backward()
        found.append(x.grad)
        x.grad = None
    torch.testing.assert_close(*found)


def unsafe_parts(x):
    a, b = torch.unsafe_chunk(x * 2, 2, 1)
    c = a.sigmoid_()
    d = b.mul_(c)
    e = d[:, :1].exp_()
    return c * d, e


def its_own_part(x):
    a, b = torch.unsafe_split(x * 2, 2, 1)
    c = a.sigmoid_()
    a.add_(1)
    return c * b, a


def own_data(x):
    y = x * 2
    y.mul_(y.data)
    return y, x


@pytest.mark.parametrize("program", [unsafe_parts, its_own_part, own_data])
def test_writes_to_one_part_are_none_to_another(program: Any) -> None:
    results: list[Any] = []
    for run in (torch.jit.script(program), ts.script(program)):
        x = torch.linspace(-1, 1, 8).view(2, 4).requires_grad_()
        first, second = run(x)
        try:
            (first.sum() + second.sum()).backward()
        except RuntimeError as error:
            assert "modified by an inplace operation" in str(error)
            results.append(None)
        else:
            results.append([first.detach(), second.detach(), x.grad])
    if results[0] is None:
        assert results[1] is None and program is its_own_part
    else:
        torch.testing.assert_close(results[1], results[0])


def _arrays(kind: str, seed: int) -> Any:
    numbers = np.random.default_rng(seed)
    return lambda lib, *shape: lib.tensor(
        numbers.standard_normal(shape).astype(kind).tolist(), dtype=getattr(lib, kind)
    )


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["LSTM", "GRU", "RNN"])
def test_gradients_of_gradients_are_those_of_pytorch(name, packed, monkeypatch):
    """With steps in native code, two layers in two directions, whose states are the same tensors."""
    monkeypatch.setattr(recurrent_layer.NATIVE, "many", -1)
    found = []
    for lib in (torch, ts.torch):
        array = _arrays("float64", 1)
        module = getattr(lib.nn, name)(3, 4, num_layers=2, bidirectional=True).to(lib.float64)
        with lib.no_grad():
            for parameter in module.parameters():
                parameter.copy_(array(lib, *parameter.shape) * 0.5)
        x, h = array(lib, 4, 2, 3).requires_grad_(), array(lib, 4, 2, 4).requires_grad_()
        given = lib.nn.utils.rnn.pack_padded_sequence(x, [4, 2]) if packed else x
        out, last = module(given, (h, h) if name == "LSTM" else h)
        data = out.data if packed else out
        states = list(last) if name == "LSTM" else [last]
        inputs = [x, h, *module.parameters()]
        loss = data.square().sum() + sum((state**3).sum() for state in states)
        first = lib.autograd.grad(loss, inputs, create_graph=True)
        second = lib.autograd.grad(sum(g.square().sum() for g in first), inputs)
        found.append([np.asarray(one.detach()) for one in (data, *states, *first, *second)])
    for expected, one in zip(*found, strict=True):
        np.testing.assert_allclose(one, expected, 1e-9, 1e-9)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_layer_is_the_operator_of_pytorch(reverse):
    found = []
    for lib in (torch, ts.torch):
        array = _arrays("float32", 2)
        shapes = ((5, 2, 3), (16, 3), (16, 4), (16,), (16,), (1, 2, 4), (1, 2, 4))
        operands = [array(lib, *shape).requires_grad_() for shape in shapes]
        settings = (reverse, [], 2, 4, 1, True, False, False, True)
        out, h, c, workspace = lib.mkldnn_rnn_layer(*operands, *settings)
        assert workspace.dtype == lib.uint8 and not workspace.requires_grad
        assert type(out.grad_fn).__name__ == "MkldnnRnnLayerBackward0"
        (out.square().sum() + (h * c).sum()).backward()
        found.append([np.asarray(one.detach()) for one in (out, h, c, *(x.grad for x in operands))])
    for expected, one in zip(*found, strict=True):
        np.testing.assert_allclose(one, expected, 1e-3, 1e-5)
