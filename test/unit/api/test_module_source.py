"""`ts-opt model.pt -t python` writes source that does what the archive does: here with the stand-in, in test/oracle/test_archives.py with PyTorch."""

import pytest

import torchscript_dialect as ts
from support import agreement, archives
from torchscript_dialect import torch
from torchscript_dialect.cli.ts_opt import main

pytestmark = pytest.mark.usefixtures("without_gradients")

NAMES = [
    "attributes", "batch_norm2d_train", "calls", "constants", "containers", "control_flow", "forked", "function_traced", "generic",
    "hooked", "instance_norm2d", "lstm", "mixed", "multihead_attention", "net", "net_frozen", "quantized", "quantized_frozen",
    "quantized_lstm", "through_interface", "transformer_encoder_layer", "with_state",
]  # fmt: skip
IMPORT = "import torch\nfrom torch import Tensor, nn"
OURS = "from torchscript_dialect import torch\nfrom torchscript_dialect.torch import nn\nTensor = torch.Tensor"


def source_of(path, capsys):
    assert main([str(path), "-t", "python"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_the_source_gives_what_the_archive_gives(name, capsys):
    path = archives.FOLDER / f"{name}.pt"
    source = source_of(path, capsys)
    assert IMPORT in source
    convert = (agreement.to_argument, agreement.to_numpy)
    source = source.replace(IMPORT, OURS)
    with torch.no_grad():
        assert archives.source_differences(path, source, torch, ts.load, convert) == []


def test_the_source_is_readable(capsys):
    source = source_of(archives.FOLDER / "linear.pt", capsys)
    assert source.endswith(
        """
class Linear(nn.Module):

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(3, 4))
        self.bias = nn.Parameter(torch.empty(3))
        self.training = False
        self._is_full_backward_hook = None

    def forward(self, input: Tensor) -> Tensor:
        weight = self.weight
        bias = self.bias
        return aten.linear(input, weight, bias)
"""
    )


def test_views_of_one_memory_are_refused(capsys):
    assert main([str(archives.FOLDER / "shared.pt"), "-t", "python"]) == 1
    assert "row shares memory with base, which source cannot say" in capsys.readouterr().err


def test_passes_run_before(capsys):
    """A frozen module is written with its weights."""
    path = archives.FOLDER / "linear.pt"
    assert main([str(path), "-p", "ts-freeze-module", "-t", "python"]) == 0
    assert "_c0 = torch.tensor([" in capsys.readouterr().out
