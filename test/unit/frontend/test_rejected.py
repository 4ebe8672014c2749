"""Programs that PyTorch rejects: ours rejects each at the same place, says what PyTorch says, and tells the same calls."""

from functools import cache

import pytest

from support import rejected
from torchscript_dialect.utils.errors import TorchScriptError

GOLDEN = rejected.golden()
KNOWN = rejected.known_differences()
NAMES = [(area, name) for area, records in GOLDEN.items() for name in records]


@cache
def programs(area: str) -> dict[str, rejected.Program]:
    return rejected.load(area, "ours")


def error_of(program: rejected.Program) -> TorchScriptError:
    with pytest.raises(Exception) as caught:
        program.attempt()
    error = caught.value
    assert isinstance(error, TorchScriptError), f"{type(error).__name__}: {error}"
    return error


@pytest.mark.filterwarnings("ignore:List consists of heterogeneous:UserWarning")
@pytest.mark.parametrize(("area", "name"), NAMES, ids=[".".join(pair) for pair in NAMES])
def test_rejected_as_pytorch_does(area: str, name: str) -> None:
    program = programs(area)[name]
    error = error_of(program)
    ours = rejected.parse_message(str(error))
    found = rejected.difference(ours, GOLDEN[area][name])
    if f"{area}.{name}" in KNOWN:
        assert found, "this no longer differs: take it out of the list"
        return
    assert not found, f"{found}\n{error}"
    if program.suggestion is not None:
        assert f"Did you mean '{program.suggestion}'?" in str(error)


def test_goldens_are_complete() -> None:
    written = [(area, name) for area in rejected.areas() for name in programs(area)]
    assert set(written) == set(NAMES), "run tools/regenerate_rejected.py"


def test_known_differences_are_programs() -> None:
    assert set(KNOWN) <= {".".join(pair) for pair in NAMES}
    assert all(len(why) > 20 for why in KNOWN.values())


def test_there_are_enough() -> None:
    assert len(NAMES) >= 150
