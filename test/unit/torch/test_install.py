"""The stand-in under PyTorch's name, in a process that has it there from the beginning."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor import pytorch_state

_PROGRAM = """
import sys
from importlib import metadata

import torchscript_dialect as ts

ts.install_as_torch()
ts.install_as_torch()

import torch
import torch.backends.cudnn as cudnn
import torch.nn.functional as F
import torch.utils.data
from torch import Tensor, nn
from torch.nn.modules.linear import Linear
from torch.optim.lr_scheduler import StepLR

import torch.autograd.gradcheck as check

assert check is torch.autograd.gradcheck and callable(check)  # the function, as under PyTorch
assert torch is ts.torch and torch.__version__ >= "2.8" and torch.__version__ < (2, 14)
assert nn is sys.modules["torch.nn"] is sys.modules["torchscript_dialect.torch.nn"]
assert nn.Linear is Linear and nn.__name__ == nn.__spec__.name == "torchscript_dialect.torch.nn"
assert metadata.version("torch") == torch.__version__ and torch.torch is torch
assert torch.utils.data.DataLoader and StepLR and F.relu and not cudnn.is_available()


@ts.script
def f(x: Tensor, n: int):
    for _ in range(n):
        x = F.relu(x) + torch.ones_like(x)
    return x


layer = nn.Linear(2, 2)
x = torch.ones(1, 2, requires_grad=True)
f(x, 3).sum().backward()
assert x.grad.tolist() == [[1, 1]]
inputs = torch.tensor([[1, x[0, 0]]])
assert torch.allclose(ts.script(layer)(inputs), layer(inputs))
assert torch.allclose(ts.trace(layer, inputs)(inputs), layer(inputs))
for statement in ("import torch.ao", "import torch.nn.no_such", "from torch import ao", "torch.ao", "nn.no_such"):
    try:
        exec(statement)
    except (ImportError, AttributeError) as error:
        assert "torchscript_dialect" in str(error) and error.name, statement
    else:
        raise AssertionError(statement)
"""


def test_programs_that_import_torch_get_the_stand_in(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(_PROGRAM)
    result = subprocess.run(
        [sys.executable, "-W", "error", file], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_pytorch_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    with pytest.raises(RuntimeError, match="`torch` is imported already, and is not the stand-in"):
        ts.install_as_torch()


def test_what_else_bears_the_name_is_no_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    for other in (ts.torch, object()):
        monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", other))
        assert pytorch_state.loaded() is None and not pytorch_state.is_being_imported()
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    assert pytorch_state.loaded() is None and pytorch_state.is_being_imported()
