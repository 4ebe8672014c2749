"""What an operator refuses, it refuses where gradients go through its parts, too."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

X = torch.arange(25.0).reshape(5, 5) / 7
REFUSED = {
    "quantile of 16 bits": lambda x: x.bfloat16().quantile(0.5),
    "quantile beyond 1": lambda x: x.quantile(1.5),
    "kind of quantile": lambda x: x.nanquantile(0.5, interpolation="wild"),
    "weights that are no numbers of times": lambda x: x.cov(fweights=torch.ones(5)),
    "weights below 0": lambda x: x.cov(aweights=-torch.ones(5)),
    "order of edges": lambda x: torch.gradient(x, edge_order=3),
    "axes that are there twice": lambda x: torch.gradient(x, dim=(1, 1)),
    "diagonal of three dimensions": lambda x: torch.diag(x[None]),
    "place that is no integer": lambda x: torch.narrow(x, 0, torch.tensor(1.0), 2),
    "steps of padded windows": lambda x: torch.conv1d(x[None], x[:, :, None], None, 2, "same"),
    "kind of padding": lambda x: torch.conv1d(x[None], x[:, :, None], None, 1, "wild"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_calls_are_refused_with_gradients_as_without(name: str) -> None:
    for x in (X, X.clone().requires_grad_()):
        with pytest.raises(RuntimeError):
            REFUSED[name](x)


def test_a_number_is_its_own_transposition() -> None:
    f = ts.CompilationUnit("def f(x):\n    return x.sum().square().mT * 2\n").f
    for _ in range(4):
        x = torch.full((2,), 1.5, requires_grad=True)
        f(x).backward()
        assert x.grad is not None and x.grad.tolist() == [12, 12]
