"""How the native entry runs a kernel: in how many chunks, with or without the GIL, with what scratch."""

import gc
import sys

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.backend import KernelSpec, Sym, TensorInput, TensorOutput
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.native.entry_ir import STACK_SCRATCH
from torchscript_dialect.runtime.native.spec_json import spec_from_json, spec_to_json
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, set_num_threads
from torchscript_dialect.tensor.conversion import as_tensor
from unit.runtime.native_support import S0, S1, slow

VECTOR = TensorInput("int64", (S0,))
SCRATCH = KernelSpec((VECTOR,), (TensorOutput("int64", (S0,)),), 2, (S0,), scratch=S1)
SIZES = [1, 8, 1000, STACK_SCRATCH // 8, STACK_SCRATCH // 8 + 1, 300_000, 3_000_000]


@pytest.fixture
def four_threads(native_cache):
    before = get_num_threads()
    set_num_threads(4)
    yield
    set_num_threads(before)


def with_scratch(kernels, kernel, spec=SCRATCH, sizes="int64_bytes"):
    function = NativeCallable(slow)
    function.add_specialization(spec, kernels.address(kernel), kernels.address(sizes))
    return function


@needs_native_calls
@pytest.mark.parametrize("size", SIZES)
def test_scratch_of_every_size(kernels, tensor_type, size):
    function = with_scratch(kernels, "through_scratch")
    x = np.arange(size)
    for _ in range(3):
        assert np.array_equal(function(x).array, x + 1)
    assert function.native_calls == 3


@needs_native_calls
def test_chunks_of_a_call_share_its_scratch(kernels, tensor_type, four_threads):
    eager = SCRATCH._replace(parallel_ns=0.0, release_gil_ns=0.0, cost_ns=10.0)
    function = with_scratch(kernels, "through_scratch", eager)
    for size in (0, 100, 4001, 100_001):
        x = np.arange(size)
        assert np.array_equal(function(x).array, x + 1)


OBSERVED = SCRATCH._replace(outputs=(TensorOutput("int64", (2,)),), total=())


@needs_native_calls
@pytest.mark.parametrize("size", SIZES)
def test_scratch_starts_at_a_cache_line(kernels, tensor_type, size):
    place, _ = with_scratch(kernels, "observe", OBSERVED)(np.zeros(size, np.int64)).array
    assert place != 0
    assert place % 64 == 0


@needs_native_calls
def test_scratch_is_left_for_the_next_call(kernels, tensor_type):
    """The system would hand out a large one anew, page by page."""
    observe = with_scratch(kernels, "observe", OBSERVED)
    first, *others = (
        observe(np.zeros(size, np.int64)).array[0] for size in (1 << 17, 1 << 17, 1 << 14, 1 << 17)
    )
    assert others == [first] * 3
    larger, after = (observe(np.zeros(size, np.int64)).array[0] for size in (1 << 21, 1 << 17))
    assert after == larger


@needs_native_calls
@pytest.mark.parametrize("sizes", ["negative", "huge"])
def test_without_memory_for_scratch_there_is_an_error(kernels, tensor_type, sizes):
    function = with_scratch(kernels, "through_scratch", sizes=sizes)
    x = as_tensor(np.zeros(5, np.int64))
    gc.collect()
    before = sys.getrefcount(x.array), sys.getrefcount(tensor_type)
    for _ in range(100):
        with pytest.raises(MemoryError):
            function(x)
    gc.collect()
    assert (sys.getrefcount(x.array), sys.getrefcount(tensor_type)) == before
    assert function.native_calls == function._active == 0


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@needs_native_calls
def test_scratch_is_given_back(kernels, tensor_type):
    function = with_scratch(kernels, "through_scratch")
    x = np.zeros(1 << 17, np.int64)
    for _ in range(20):
        function(x)
    before = resident_bytes()
    for _ in range(1000):
        function(x)
    assert resident_bytes() - before < 100 << 20


def chunks(kernels, size, **changes):
    """Where the chunks of a kernel begin over a range of `size`."""
    function = NativeCallable(slow)
    outputs = (TensorOutput("int8", (1,)),)
    spec = KernelSpec((VECTOR,), outputs, 1, (S0,), parallel_ns=100.0)._replace(**changes)
    function.add_specialization(spec, kernels.address("note_chunk"))
    ends = np.zeros(size, np.int64)
    function(ends)
    found = np.flatnonzero(ends)
    assert [*ends[found]] == [*found[1:], size]
    return found.tolist()


@needs_native_calls
def test_small_work_stays_whole(kernels, tensor_type, four_threads):
    assert chunks(kernels, 99) == [0]
    assert chunks(kernels, 101) == [0]
    assert len(chunks(kernels, 101, cost_ns=1e6)) > 1


@needs_native_calls
def test_work_decides_about_chunks(kernels, tensor_type, four_threads):
    assert chunks(kernels, 16) == [0]
    assert chunks(kernels, 16, work=(S0, 10_000)) == list(range(16))
    assert chunks(kernels, 64, work=(S0, 10_000)) == list(range(0, 64, 4))
    assert chunks(kernels, 5, work=(S0, 100_000)) == [0, 1, 2, 3, 4]
    # Too little to wake a thread for: it is split only where one happens to be awake.
    assert chunks(kernels, 16, work=(S0, 500)) in ([0, 8], [0])
    assert chunks(kernels, 16, work=(16_000,)) in ([0, 4, 8, 12], [0])
    assert chunks(kernels, 1_000_000, work=()) == [0]


@needs_native_calls
def test_chunks_start_at_multiples_of_the_grain(kernels, tensor_type, four_threads):
    assert chunks(kernels, 64, work=(1_000_000,), grain=16) == [0, 16, 32, 48]
    assert chunks(kernels, 65, work=(1_000_000,), grain=16) == [0, 16, 32, 48, 64]
    assert chunks(kernels, 65, work=(1_000_000,), grain=64) == [0, 64]
    assert chunks(kernels, 64, work=(1_000_000,), grain=64) == [0]


@needs_native_calls
def test_chunks_are_several_grains_where_every_thread_has_one(kernels, tensor_type, four_threads):
    """What a chunk does once, such as packing an operand, is shared by more of it."""
    assert chunks(kernels, 256, work=(1_000_000,), grain=8) == list(range(0, 256, 32))
    assert chunks(kernels, 64, work=(1_000_000,), grain=8) == [0, 16, 32, 48]
    assert chunks(kernels, 24, work=(1_000_000,), grain=8) == [0, 8, 16]


@needs_native_calls
def test_a_serial_kernel_is_never_split(kernels, tensor_type, four_threads):
    function = NativeCallable(slow)
    spec = KernelSpec((VECTOR,), (TensorOutput("int8", (1,)),), 1, (1,), work=(S0, 1_000_000))
    function.add_specialization(spec, kernels.address("note_chunk"))
    ends = np.zeros(10, np.int64)
    function(ends)
    assert ends.tolist() == [1, *[0] * 9]


@needs_native_calls
@pytest.mark.parametrize(("work", "held"), [((S0,), 1), ((S0, 1000), 0), ((10_000,), 0), ((), 1)])
def test_work_decides_about_the_gil(kernels, tensor_type, work, held):
    spec = OBSERVED._replace(release_gil_ns=10_000.0, work=work)
    function = with_scratch(kernels, "observe", spec)
    assert function(np.zeros(10, np.int64)).array[1] == held


@needs_native_calls
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scratch": Sym(2)}, "symbol 2 of 2"),
        ({"scratch": Sym(1)}, "not bound"),
        ({"work": (Sym(1),)}, "not bound"),
        ({"work": (1,) * 9}, "factors of the work"),
    ],
)
def test_inconsistent_specs_are_refused(kernels, tensor_type, change, message):
    function = NativeCallable(slow)
    with pytest.raises(ValueError, match=message):
        spec = SCRATCH._replace(scratch=None)._replace(**change)
        function.add_specialization(spec, kernels.address("nothing"))


def test_specs_survive_json():
    for spec in (SCRATCH, SCRATCH._replace(work=(S0, 3)), SCRATCH._replace(work=())):
        assert spec_from_json(spec_to_json(spec)) == spec
