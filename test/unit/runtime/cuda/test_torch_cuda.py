"""What programs ask of `torch.cuda`, with a device."""

import warnings

import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch


def test_what_the_device_is(on_device: Device) -> None:
    cuda = torch.cuda
    assert (cuda.is_available(), cuda.device_count(), cuda.current_device()) == (True, 1, 0)
    properties = cuda.get_device_properties(0)
    assert properties.name == cuda.get_device_name("cuda")
    assert (properties.major, properties.minor) == cuda.get_device_capability()
    assert properties.multi_processor_count > 0
    free, total = cuda.mem_get_info()
    assert 0 < free <= total == properties.total_memory
    assert cuda.is_bf16_supported()
    assert cuda.get_arch_list() == ["sm_{}{}".format(*cuda.get_device_capability())]
    cuda.init()
    cuda.ipc_collect()
    assert cuda.is_initialized()
    assert torch.backends.cuda.is_built()


def test_the_device_is_chosen(on_device: Device) -> None:
    cuda = torch.cuda
    cuda.set_device(0)
    cuda.set_device("cuda:0")
    cuda.set_device(-1)
    x = torch.ones(2, device="cuda")
    for chosen in (cuda.device(0), cuda.device("cuda"), cuda.device(None), cuda.device_of(x)):
        with chosen:
            assert cuda.current_device() == 0
    for other in (lambda: cuda.set_device(1), lambda: cuda.device("cuda:1").__enter__()):
        with pytest.raises(RuntimeError, match="only cuda:0"):
            other()


def test_memory(on_device: Device) -> None:
    cuda = torch.cuda
    before = cuda.memory_allocated()
    x = torch.ones(1000, device="cuda")
    assert cuda.memory_allocated() > before
    held = cuda.max_memory_allocated(), cuda.max_memory_reserved()
    del x
    cuda.empty_cache()
    assert held == (cuda.max_memory_allocated(), cuda.max_memory_reserved())
    assert cuda.memory_stats()["reserved_bytes.all.peak"] == held[1] > cuda.memory_reserved()
    assert f"{held[1]:,}" in cuda.memory_summary()
    cuda.reset_peak_memory_stats()
    assert (cuda.max_memory_allocated(), cuda.max_memory_reserved()) == (
        cuda.memory_allocated(),
        cuda.memory_reserved(),
    )
    for name in ("memory_cached", "max_memory_cached", "reset_max_memory_allocated"):
        with pytest.warns(FutureWarning, match=r"torch\.cuda"):
            getattr(cuda, name)()


def test_seeds_and_states(on_device: Device) -> None:
    cuda = torch.cuda
    cuda.manual_seed_all(3)
    states = cuda.get_rng_state_all()
    first = torch.rand(3, device="cuda").tolist()
    cuda.seed_all()
    cuda.set_rng_state_all(states)
    assert torch.rand(3, device="cuda").tolist() == first
    (generator,) = cuda.default_generators
    assert generator.initial_seed() == cuda.initial_seed() == 3


def test_streams_and_ranges(on_device: Device) -> None:
    cuda = torch.cuda
    stream = cuda.Stream()
    with cuda.stream(stream), cuda.stream(None):
        assert cuda.current_stream() == stream
    cuda.set_stream(stream)
    assert cuda.current_stream() == stream
    cuda.set_stream(cuda.default_stream())
    assert cuda.current_stream() == cuda.default_stream()
    assert not cuda.is_current_stream_capturing()
    with cuda.nvtx.range("step {}", 1):
        assert [cuda.nvtx.range_push("a"), cuda.nvtx.range_pop(), cuda.nvtx.mark("b")] == [
            1,
            1,
            None,
        ]
    assert cuda.nvtx.range_pop() == -2


def test_older_constructors(on_device: Device) -> None:
    x = torch.cuda.FloatTensor([1.0, 2.0])
    assert (x.is_cuda, x.tolist(), x.type()) == (True, [1.0, 2.0], "torch.cuda.FloatTensor")
    assert isinstance(x, torch.cuda.FloatTensor)
    assert not isinstance(x, torch.FloatTensor)
    assert not isinstance(x.cpu(), torch.cuda.FloatTensor)
    assert torch.cuda.LongTensor(2, 3).shape == (2, 3)


def test_data_parallel(on_device: Device) -> None:
    net = torch.nn.DataParallel(torch.nn.Linear(2, 2))
    assert next(net.parameters()).is_cuda
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert net(torch.ones(1, 2)).is_cuda
    net.module.cpu()
    with pytest.raises(RuntimeError, match="parameters and buffers on device cuda:0"):
        net(torch.ones(1, 2))
