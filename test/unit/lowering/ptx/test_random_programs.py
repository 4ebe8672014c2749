"""Random pointwise and reduction programs through the interpreter, kernels of the CPU and kernels of a device: 500 with
`TORCHSCRIPT_DIALECT_LONG_TESTS=1`, of which every 25th in the suite; and as many whose few elements many blocks share in stages.

Point 9 of docs/testing.md.
"""

from __future__ import annotations

import pytest

from lowering.gpu import split_stages
from support.amounts import IS_LONG
from support.random_device_programs import Program, difference
from support.simt.driver.device import Device

COUNT = 500
EVERY = 1 if IS_LONG else 25


@pytest.mark.parametrize("seed", range(0, COUNT, EVERY))
def test_a_program_gives_the_same_everywhere(on_device: Device, seed: int) -> None:
    program = Program(seed)
    assert (found := difference(program)) is None, found
    assert not on_device.faults
    assert on_device.launches


@pytest.mark.parametrize("seed", range(COUNT, 2 * COUNT, EVERY))
def test_a_program_in_stages(on_device: Device, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_stages, "LONG", 1)
    monkeypatch.setattr(split_stages, "EACH", 3)
    test_a_program_gives_the_same_everywhere(on_device, seed)


def test_a_difference_is_reduced() -> None:
    """The report shows the smallest program. Point 9 of docs/testing.md."""

    def find(text: str) -> str | None:
        return "results differ: by 1" if "torch.tanh" in text else None

    program = next(p for p in map(Program, range(100)) if "torch.tanh" in p.text)
    assert "to\ndef main():\n    torch.tanh\n" in str(difference(program, find))
