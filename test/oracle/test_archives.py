"""PyTorch loads what `ts.save` writes, and it does the same."""

import io
import os
import warnings

import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402
from support import archives  # noqa: E402
from torchscript_dialect.api.save import save_to_buffer  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from samples import archive_modules

LONG = bool(os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS"))
NAMES = archives.names() if LONG else [*archives.names()[::4], "attributes", "net_frozen"]


def to_argument(array, memo):
    return memo.setdefault(id(array), torch.from_numpy(array))


def to_numpy(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_pytorch_loads_what_was_saved(name):
    theirs = archives.golden(name)
    archive_modules.SAMPLES["attributes"].make()  # PyTorch knows the classes of results now
    data = save_to_buffer(ts.load(archives.FOLDER / f"{name}.pt"))
    with torch.jit.optimized_execution(False), torch.no_grad():
        found = archives.record_of(
            lambda: torch.jit.load(io.BytesIO(data)),
            archives.arguments_of(theirs),
            to_argument,
            to_numpy,
        )
    assert archives.differences(found, theirs) == []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(2)])
        self.layers[1].weight.requires_grad_(False)

    def forward(self, x):
        y, _ = self.lstm(x)
        for layer in self.layers:
            y = torch.tanh(layer(y))
        return y


def test_pytorch_loads_a_module_that_was_scripted_here():
    model = Model()
    x = torch.ones(2, 1, 3)
    loaded = torch.jit.load(io.BytesIO(save_to_buffer(ts.script(model))))
    assert torch.allclose(loaded(x), model(x), atol=1e-6)
    assert [p.requires_grad for p in loaded.parameters()] == [
        p.requires_grad for p in model.parameters()
    ]
