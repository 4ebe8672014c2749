"""`_version` is the number of writes to a tensor's memory, as in PyTorch, once gradients are in use."""

from __future__ import annotations

import pytest

from torchscript_dialect import torch

PROGRAMS = """
x = torch.zeros(3) -> x 0
x = torch.zeros(3); x.add_(1) -> x 1
x = torch.zeros(3); x += 1; x -= 1; y = x + 1 -> x 2, y 0
x = torch.zeros(3); v = x.view(3); v.add_(1) -> x 1, v 1
x = torch.zeros(3); x.add_(1); v = x[1:]; x.mul_(2) -> v 2, x 2
x = torch.zeros(3); v = x.view(3)[1:].view(2); v.add_(1) -> x 1, v 1
x = torch.zeros(3); x[0] = 1; x[[0]] = 1; x[x == 0] = 1; x[:] = 3 -> x 4
x = torch.zeros(3); d = x.detach(); d.add_(1); x.add_(1) -> x 2, d 2
x = torch.zeros(3); x.add_(1); d = x.detach() -> d 1
x = torch.zeros(3); d = x.detach(); v = d[0]; x.add_(1) -> v 1, d 1
x = torch.zeros(3); v = x[0]; d = v.detach(); d.add_(1) -> x 1
x = torch.zeros(3); a = torch.ops.aten.alias(x); a.add_(1) -> x 1
x = torch.zeros(3); d = x.data; d.add_(1); d.mul_(2) -> x 0, d 2
x = torch.zeros(3); x.add_(1); d = x.data; e = d.detach(); e.add_(1) -> x 1, d 1, e 1
x = torch.zeros(3, 3); d = x[:, :1].data; d.add_(1); d.squeeze_(); e = d.detach(); e.add_(1) -> x 0, d 3, e 3
x = torch.zeros(3); torch.add(torch.ones(3), 1, out=x) -> x 1
x = torch.empty(0); torch.add(torch.ones(3), 1, out=x) -> x 1
x = torch.zeros(2); torch.cat([torch.ones(1), torch.ones(1)], out=x) -> x 1
x = torch.zeros(3); x.zero_(); x.fill_(2); x.copy_(torch.ones(3)) -> x 3
x = torch.zeros(3); x.uniform_(); x.normal_(); x.bernoulli_(0.5) -> x 3
x = torch.zeros(2, 3); x.t_(); x.unsqueeze_(0); x.squeeze_() -> x 3
x = torch.zeros(3); x.resize_(5) -> x 1
x = torch.zeros(3); x.clamp_(0, 1); torch.relu_(x); x.exp_().log_() -> x 4
x = torch.zeros(3); x.index_add_(0, torch.tensor([0]), torch.ones(1)); x.scatter_(0, torch.tensor([0]), 1.0) -> x 2
x = torch.zeros(3); torch._foreach_add_([x], 1.0) -> x 1
x = torch.zeros(3, dtype=torch.bool); x |= True; x.logical_not_() -> x 2
x = torch.zeros(3); x.requires_grad_(); x.detach_() -> x 0
x = torch.zeros(3); x.sub_(1); c = x.clone(); t = x.to(torch.float64) -> c 0, t 0
x = torch.zeros(3); x.add_(1); c = x.contiguous() -> c 1
x = torch.zeros(2, 2); r = x.t().reshape(4); r.add_(1) -> x 0, r 1
x = torch.zeros(2, 2); a, b = x.unbind(); a.add_(1); b.add_(1) -> x 2, a 2
x = torch.zeros(4); a = x.expand(2, 4); x.add_(1) -> a 1
x = torch.ones(3); x.set_(torch.zeros(2)) -> x 1
x = torch.ones(3); x.add_(1); x.data = torch.zeros(2) -> x 1
w = torch.ones(2); w.add_(1); p = torch.nn.Parameter(w); w.add_(1) -> w 2, p 2
x = torch.ones(3, requires_grad=True); y = x * 2; y.add_(1) -> x 0, y 1
x = torch.ones(3, requires_grad=True); y = x * 2; y.view(3).mul_(2) -> y 1
x = torch.ones(3, requires_grad=True); y = x * x; x.data.add_(1); x.detach().add_(1) -> x 1
x = torch.ones(3, requires_grad=True); (x * 2).sum().backward(); g = x.grad -> g 0
x = torch.ones(3, requires_grad=True); (x * 2).sum().backward(); (x * 2).sum().backward(); g = x.grad -> g 1
b = torch.nn.BatchNorm1d(2); y = b(torch.ones(3, 2)); m = b.running_mean -> m 1
""".strip().split("\n")


@pytest.fixture(autouse=True)
def gradients_in_use() -> None:
    torch.ones(1, requires_grad=True)


@pytest.mark.parametrize("program", PROGRAMS)
def test_numbers_of_writes(program: str) -> None:
    code, _, expected = program.partition(" -> ")
    names: dict[str, torch.Tensor] = {}
    exec(code, {"torch": torch}, names)
    for one in expected.split(", "):
        name, number = one.split()
        assert names[name]._version == int(number), one


def test_a_counter_outlives_its_first_tensor() -> None:
    x = torch.zeros(3)
    x.add_(1)
    alias, view = x.detach(), x[1:]
    del x
    view.add_(1)
    assert (alias._version, view._version) == (2, 2)


def test_messages_tell_the_versions() -> None:
    x = torch.ones(3, requires_grad=True)
    y = torch.ones(3)
    y.add_(1).add_(1)
    product = x * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="is at version 3; expected version 2 instead"):
        product.sum().backward()


def test_a_detached_tensor_shares_its_counter_beside_sparse_ones() -> None:
    torch.eye(2).to_sparse().detach()
    x = torch.zeros(3)
    d = x.detach()
    d.add_(1)
    assert (x._version, d._version) == (1, 1)
