"""Constant tensors that a program writes to: PyTorch has one memory for all copies of a graph, so that what is written stays."""

import io

import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402


def grow(x):
    scale = torch.tensor([1.0, 2.0]).to(x.device)
    scale[0] = scale[0] * 2
    return x * scale


def grow_two(x):
    scale = torch.tensor([1.0, 2.0]).to(x.device)
    scale[0] = scale[0] * 2
    shift = torch.tensor([1.0, 2.0]).to(x.device)
    shift[1] = shift[1] * 3
    return x * scale + shift


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", [grow, grow_two])
def test_constants_that_are_written_to_keep_it_between_calls(f):
    x = torch.ones(2)
    theirs, ours = (lib.trace(f, (x,), check_trace=False) for lib in (torch.jit, ts))
    for _ in range(5):
        assert ours(x).tolist() == theirs(x).tolist()


@pytest.mark.filterwarnings("ignore")
def test_constants_that_only_take_an_operator_in_place():
    """`x.data` is a constant of a trace."""

    def zero(x):
        return x.data.zero_() + x

    theirs, ours = (lib.trace(zero, (torch.ones(2),), check_trace=False) for lib in (torch.jit, ts))
    for _ in range(4):
        results = []
        for f in (theirs, ours):
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            f(x * 2).sum().backward()
            results.append((f(x).tolist(), x.grad))
        torch.testing.assert_close(results[1], results[0])


@pytest.mark.filterwarnings("ignore")
def test_constants_are_saved_and_shown_as_they_are_now():
    x = torch.ones(2)
    theirs, ours = (lib.trace(grow, (x,), check_trace=False) for lib in (torch.jit, ts))
    for f in (theirs, ours):
        for _ in range(3):
            f(x)
    buffers = io.BytesIO(), io.BytesIO()
    torch.jit.save(theirs, buffers[0])
    ts.save(ours, buffers[1])
    for buffer in buffers:
        for lib in (torch.jit, ts):
            buffer.seek(0)
            assert lib.load(buffer)(x).tolist() == [32.0, 2.0]
    assert "00008041" in str(ours.graph)
