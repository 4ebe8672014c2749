"""`torch.utils`: order of items, batches, trees, recomputed gradients and messages are PyTorch's, which `test/golden/utils.json` keeps."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samples.data_utils import PROGRAMS
from torchscript_dialect import torch

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "utils.json").read_text())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program(program: Callable[[Any], Any]) -> None:
    torch.manual_seed(11)
    assert json.loads(json.dumps(program(torch))) == GOLDEN[program.__name__]


def test_every_program_has_a_golden_result() -> None:
    assert GOLDEN.keys() == {program.__name__ for program in PROGRAMS}


def test_workers_are_refused() -> None:
    with pytest.raises(ValueError, match="this DataLoader has no workers"):
        torch.utils.data.DataLoader(range(3), num_workers=2)
    assert torch.utils.data.get_worker_info() is None


def test_a_checkpoint_keeps_nothing_and_runs_again() -> None:
    calls: list[bool] = []

    def part(x: torch.Tensor) -> torch.Tensor:
        calls.append(torch.is_grad_enabled())
        return x.sin()

    x = torch.ones(2, requires_grad=True)
    torch.utils.checkpoint.checkpoint(part, x, use_reentrant=True).sum().backward()
    assert calls == [False, True]


def test_unknown_part() -> None:
    with pytest.raises(AttributeError, match=r"module 'torch\.utils' has no attribute 'no_such'"):
        _ = torch.utils.no_such


def test_hooks_give_handles() -> None:
    layer = torch.nn.Linear(2, 2)
    handle = layer.register_forward_hook(lambda *_: None)
    assert isinstance(handle, torch.utils.hooks.RemovableHandle)


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "2", None])
def test_batches_have_whole_numbers_of_items(size: Any) -> None:
    """With 2.5 all items were one batch."""
    with pytest.raises(ValueError, match="batch_size should be a positive integer value, but got "):
        torch.utils.data.BatchSampler(range(6), size, False)
