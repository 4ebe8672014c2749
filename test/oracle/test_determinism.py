"""`torch.use_deterministic_algorithms` of PyTorch holds here, too, while it is loaded."""

import pytest
import torch

from torchscript_dialect import torch as stand_in
from torchscript_dialect.tensor import determinism


def test_the_setting_of_pytorch_counts() -> None:
    assert not determinism.is_required()
    torch.use_deterministic_algorithms(True)
    try:
        assert determinism.mode() == "error"
        assert not stand_in.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True, warn_only=True)
        assert determinism.mode() == "warn"
    finally:
        torch.use_deterministic_algorithms(False)
    assert not determinism.is_required()


@pytest.mark.parametrize("warn_only", [False, True])
def test_the_words_are_those_of_pytorch(warn_only: bool) -> None:
    torch.use_deterministic_algorithms(True, warn_only=warn_only)
    told: list[str] = []
    try:
        for run in (
            lambda: torch.zeros(2).put_(torch.tensor([0]), torch.ones(1)),
            lambda: determinism.alert("put_"),
        ):
            if warn_only:
                with pytest.warns(UserWarning) as caught:
                    run()
                told.append(str(caught[0].message).partition(" (Triggered")[0])
            else:
                with pytest.raises(RuntimeError) as refused:
                    run()
                told.append(str(refused.value))
    finally:
        torch.use_deterministic_algorithms(False)
    assert told[0] == told[1]
