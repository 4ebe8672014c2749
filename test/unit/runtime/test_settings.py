"""Settings of the process: at once, for a `with`, and told to those who listen."""

import gc
import weakref

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.runtime import settings

pytestmark = pytest.mark.usefixtures("restored_settings")


class Listener:
    def __init__(self) -> None:
        self.heard = 0

    def settings_changed(self) -> None:
        self.heard += 1


def test_a_setting_holds_at_once_and_ends_with_its_with() -> None:
    settings.fuser("llvm")
    with settings.fuser("none"):
        assert settings.current().fuser == "none"
        with settings.optimized_execution(False):
            assert not settings.current().optimize
            assert settings.current().fuser == "none"
        assert settings.current().optimize
    assert settings.current().fuser == "llvm"


def test_a_with_restores_after_an_error() -> None:
    before = settings.current()
    with pytest.raises(KeyError), settings.fuser("none"):
        raise KeyError
    assert settings.current() == before


def test_a_with_leaves_the_other_settings_as_they_have_become() -> None:
    with settings.fuser("none"):
        settings.set_num_profiled_runs(7)
    assert settings.current().profiled_runs == 7


@pytest.mark.parametrize("name", ["fuser0", "fuser1", "fuser2", "fuser3"])
def test_pytorch_s_fusers_are_ours(name: str) -> None:
    with settings.fuser("none"), settings.fuser(name):
        assert settings.current().fuser == "llvm"


def test_unknown_fusers_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no fuser 'nvfuser'; there are llvm"):
        settings.fuser("nvfuser")


def test_strategies_add_up_and_are_given_back() -> None:
    before = settings.set_fusion_strategy([("STATIC", 1), ("DYNAMIC", 3)])
    assert before == [("STATIC", 2), ("DYNAMIC", 10)]
    assert settings.current().max_plans == 4
    assert settings.set_fusion_strategy([]) == [("STATIC", 1), ("DYNAMIC", 3)]
    assert settings.current().max_plans == 0


@pytest.mark.parametrize("step", [("static", 1), ("DYNAMIC", -1)])
def test_wrong_strategies_are_refused(step: tuple[str, int]) -> None:
    with pytest.raises(ValueError, match="is no step of a fusion strategy"):
        settings.set_fusion_strategy([("STATIC", 1), step])


def test_profiled_runs() -> None:
    before = settings.current().profiled_runs
    assert settings.set_num_profiled_runs(3) == before
    assert settings.current().profiled_runs == 3
    with pytest.raises(ValueError, match="cannot be profiled for -1 runs"):
        settings.set_num_profiled_runs(-1)


def test_listeners_hear_of_changes_only() -> None:
    listener = Listener()
    settings.listen(listener)
    settings.fuser(settings.current().fuser)
    assert listener.heard == 0
    with settings.fuser("none"):
        assert listener.heard == 1
    assert listener.heard == 2


def test_listeners_are_not_kept_alive() -> None:
    gc.collect()  # executors that other tests have left
    listener = Listener()
    settings.listen(listener)
    alive = weakref.ref(listener)
    del listener
    gc.collect()
    assert alive() is None


def test_another_default_dtype_makes_other_plans() -> None:
    """A plan, native or kept on disk, is of the default dtype under which it was made."""
    x = np.arange(4)
    half = ts.CompilationUnit("def half(x):\n    return x / 2 + 1.0\n").half
    try:
        for name in ("float32", "float64", "float32", "float64"):
            torch.set_default_dtype(getattr(torch, name))
            again = ts.CompilationUnit("def half(x):\n    return x / 2 + 1.0\n").half
            for function in (half, half, half, again):
                assert function(x).numpy().dtype == name
    finally:
        torch.set_default_dtype(torch.float32)


SUM = "def f(x):\n return torch.tanh(x * 2) + x\n"


def test_without_profiling_mode_functions_are_interpreted_as_they_are() -> None:
    f, x = ts.CompilationUnit(SUM)["f"], torch.ones(3)
    assert torch._C._jit_set_profiling_mode(False) is True
    for _ in range(4):
        f(x)
    assert not f.graph_for(x).findAllNodes("prim::TensorExprGroup")
    assert not f._executor.plans
    assert torch._C._jit_set_profiling_mode(True) is False
    for _ in range(4):
        f(x)
    assert f.graph_for(x).findAllNodes("prim::TensorExprGroup")


def test_without_profiling_executor_the_first_call_is_optimized() -> None:
    x = torch.ones(3)
    assert torch._C._jit_set_profiling_executor(False) is True
    f = ts.CompilationUnit(SUM)["f"]
    f(x)
    (plan,) = f._executor.plans.values()
    assert plan.stage_text == "native" or plan.is_built
    assert torch._C._jit_set_profiling_executor(True) is False
    f = ts.CompilationUnit(SUM.replace("2", "3"))["f"]
    f(x)
    (plan,) = f._executor.plans.values()
    assert plan.stage_text == "interpreted so far"
