"""What programs ask of `torch.cuda` where there is no device: what PyTorch answers, and errors where it raises some."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

from torchscript_dialect import torch as stand_in

if torch.cuda.is_available() or stand_in.cuda.is_available():
    pytest.skip("there is a device", allow_module_level=True)

ANSWERED: dict[str, Callable[[Any, Any], Any]] = {
    "counts": lambda t, c: [c.is_available(), c.device_count(), c.is_initialized()],
    "memory": lambda t, c: [
        c.memory_allocated(), c.max_memory_allocated(), c.memory_reserved(), c.max_memory_reserved(),
        c.memory_cached(), c.max_memory_cached(), dict(c.memory_stats()), c.empty_cache(),
    ],
    "seeds": lambda t, c: [
        c.manual_seed(1), c.manual_seed_all(1), c.seed(), c.seed_all(), c.get_rng_state_all(),
        c.set_rng_state_all([]), c.default_generators,
    ],
    "kinds": lambda t, c: [
        c.is_bf16_supported(), c.is_bf16_supported(False), c.is_tf32_supported(), c.get_arch_list(),
        c.has_half, c.has_magma, t.backends.cuda.is_built(),
    ],
    "chosen": lambda t, c: [c.set_device(-1), c.set_stream(None), entered(c.stream(None))],
    "device of": lambda t, c: entered(c.device_of(t.ones(1))),
    "amp": lambda t, c: c.amp.common.amp_definitely_not_available(),
    "parallel": lambda t, c: [
        parallel(t).device_ids, sorted(parallel(t).state_dict()), parallel(t)(t.ones(2)).tolist(),
    ],
}  # fmt: skip
REFUSED: dict[str, Callable[[Any], Any]] = {
    "current_device": lambda c: c.current_device(),
    "name": lambda c: c.get_device_name(),
    "properties": lambda c: c.get_device_properties(0),
    "set_device": lambda c: c.set_device(0),
    "device": lambda c: entered(c.device(0)),
    "synchronize": lambda c: c.synchronize(),
    "mem_get_info": lambda c: c.mem_get_info(),
    "nvtx": lambda c: c.nvtx.range_push("a"),
    "nvtx.range": lambda c: entered(c.nvtx.range("a")),
    "FloatTensor": lambda c: c.FloatTensor(2),
}


def entered(context: Any) -> str:
    with context:
        return "entered"


def parallel(t: Any) -> Any:
    return t.nn.DataParallel(t.nn.Softmax(0))


@pytest.mark.parametrize("name", ANSWERED)
def test_what_is_answered(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = (ANSWERED[name](t, t.cuda) for t in (stand_in, torch))
    assert ours == theirs


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    for t in (stand_in, torch):
        with pytest.raises((RuntimeError, AssertionError, AttributeError, TypeError)):
            REFUSED[name](t.cuda)
