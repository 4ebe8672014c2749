"""The mode that says whether gradients are wanted is one, inside programs and outside."""

from __future__ import annotations

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def asked() -> bool:
    return torch.is_grad_enabled()


def before_within_after(x: int):
    before = torch.is_grad_enabled()
    with torch.no_grad():
        within = torch.is_grad_enabled()
    return before, within, torch.is_grad_enabled()


def in_tasks(x: int):
    with torch.no_grad():
        off = torch.jit.fork(asked)
        torch.set_grad_enabled(True)
        on = torch.jit.fork(asked)
    return torch.jit.wait(off), torch.jit.wait(on), asked()


def raising(x: int) -> bool:
    with torch.no_grad():
        if x > 0:
            raise RuntimeError("left early")
    return torch.is_grad_enabled()


@pytest.fixture(autouse=True)
def enabled():
    with torch.enable_grad():
        yield


def test_is_asked_where_it_stands() -> None:
    """It is neither folded nor merged, on the calls that are optimized either."""
    function = ts.script(before_within_after)
    for _ in range(4):
        assert function(1) == (True, False, True)
    with torch.no_grad():
        assert function(1) == (False, False, False)


def test_tasks_run_in_the_mode_of_where_they_begin() -> None:
    function = ts.script(in_tasks)
    for _ in range(4):
        assert function(1) == (False, True, True)


def test_an_exception_leaves_the_block() -> None:
    function = ts.script(raising)
    for x in (0, 1, 1, 0):
        if x:
            with pytest.raises(RuntimeError, match="left early"):
                function(x)
        else:
            assert function(x) is True
        assert torch.is_grad_enabled()


def test_what_a_program_sets_stays_set() -> None:
    unit = ts.CompilationUnit("def off() -> None:\n    torch.set_grad_enabled(False)\n")
    unit.off()
    assert not torch.is_grad_enabled()
