"""The recorded messages of rejected programs are what PyTorch says now."""

import pytest

from support import rejected

GOLDEN = rejected.golden()


@pytest.mark.parametrize("area", rejected.areas())
def test_goldens_are_pytorch(area: str) -> None:
    programs = rejected.load(area, "torch")
    for name, program in programs.items():
        assert rejected.describe(program) == GOLDEN[area][name], name
