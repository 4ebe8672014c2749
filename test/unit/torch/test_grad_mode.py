"""The mode that says whether gradients are wanted is one, inside programs and outside."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

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


def test_modes_decorate_without_parentheses() -> None:
    x = torch.ones(1, requires_grad=True)

    @torch.no_grad
    def without() -> bool:
        return (x * 2).requires_grad

    @torch.inference_mode
    def inferring() -> tuple[bool, bool]:
        return (x * 2).requires_grad, torch.is_inference_mode_enabled()

    @torch.inference_mode(False)
    def not_inferring() -> tuple[bool, bool]:
        return (x * 2).requires_grad, torch.is_inference_mode_enabled()

    assert not without() and inferring() == (False, True)
    with torch.inference_mode():
        assert not_inferring() == (True, False) and torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled() and torch.is_grad_enabled()


def test_modes_decorate_generators() -> None:
    @torch.enable_grad()
    def steps() -> Any:
        got = yield torch.is_grad_enabled()
        yield got, torch.is_grad_enabled()

    with torch.no_grad():
        generator = steps()
        assert next(generator) and not torch.is_grad_enabled()
        assert generator.send(3) == (3, True) and not torch.is_grad_enabled()


def test_views_of_a_mode_are_not_written_to_after_it() -> None:
    y = torch.ones(2, requires_grad=True) * 1
    with torch.inference_mode():
        view = y.view(2)
    with pytest.raises(RuntimeError, match="A view was created in inference mode and is being modified inplace in normal mode"):  # fmt: skip
        view.add_(1)


def test_nothing_is_recorded_in_inference_mode() -> None:
    p = torch.ones(3, requires_grad=True)
    with torch.inference_mode():
        with torch.enable_grad():
            assert not (p * 2).requires_grad
            with torch.inference_mode(False):
                assert (p * 2).requires_grad
            assert torch.is_inference_mode_enabled()
            assert not (p * 2).requires_grad
        torch.set_grad_enabled(True)
        assert not (p * 2).requires_grad
        assert p.detach().requires_grad_().requires_grad
    assert (p * 2).requires_grad
    assert torch.is_grad_enabled()
    with torch.no_grad():
        with torch.inference_mode():
            pass
        assert not torch.is_grad_enabled()


def test_set_grad_enabled_decorates() -> None:
    @torch.set_grad_enabled(False)
    def off() -> bool:
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled() and not off() and torch.is_grad_enabled()
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):
        torch.no_grad()(type("Some", (), {}))


def test_generators_are_closed_and_told_of_errors_in_their_mode() -> None:
    @torch.no_grad()
    def steps() -> Generator[bool]:
        try:
            yield torch.is_grad_enabled()
        except ValueError:
            yield torch.is_grad_enabled()
        finally:
            seen.append(torch.is_grad_enabled())

    seen: list[bool] = []
    generator = steps()
    assert not next(generator)
    assert not generator.throw(ValueError())
    generator.close()
    assert seen == [False] and torch.is_grad_enabled()
