"""`torch.compile`, `torch.compiler` and `torch.distributed` where nothing compiles bytecode and there is one process."""

import pytest

from torchscript_dialect import torch


@torch.compile(mode="max-autotune", dynamic=True)
def double(x):  # pyright: ignore
    return x if torch.compiler.is_compiling() else x * 2  # pyright: ignore


def test_functions_run_as_they_are() -> None:
    assert double(torch.ones(2)).tolist() == [2, 2]
    model = torch.nn.Linear(2, 2)
    assert torch.compile(model) is model
    assert torch.compiler.disable(double) is torch._dynamo.disable()(double) is double
    with pytest.raises(RuntimeError, match="can't be specified at the same time"):
        torch.compile(model, mode="default", options={})


def test_compiled_functions_ask_whether_they_are_compiled() -> None:
    assert torch.jit.script(double)(torch.ones(2)).tolist() == [2, 2]


def test_there_is_one_process() -> None:
    import torchscript_dialect.torch.distributed as dist

    assert torch.distributed is dist
    assert not dist.is_available() and not dist.is_initialized()
    with pytest.raises(AttributeError, match=r"'torch\.distributed' has no attribute 'get_rank'"):
        dist.get_rank()
    assert not torch.xpu.is_available() and torch.xpu.device_count() == 0
    model = torch.nn.Linear(2, 2)
    assert not isinstance(model, torch.nn.parallel.DistributedDataParallel)
    with pytest.raises(RuntimeError, match="Requires distributed package"):
        torch.nn.parallel.DistributedDataParallel(model)


def test_the_class_of_what_a_state_lacks() -> None:
    from torchscript_dialect.torch.nn.modules.module import (
        _IncompatibleKeys,  # pyright: ignore[reportPrivateUsage]
    )

    model = torch.nn.Linear(2, 2)
    assert isinstance(model.load_state_dict(model.state_dict()), _IncompatibleKeys)
