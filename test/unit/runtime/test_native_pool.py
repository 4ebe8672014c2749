"""The thread pool: every element once, by any number of callers and threads, before and after a fork."""

import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.native import thread_pool as module
from torchscript_dialect.runtime.native.thread_pool import (
    get_num_threads,
    set_num_threads,
    thread_pool,
)

pytestmark = needs_native_calls


@pytest.fixture
def pool(native_cache):
    before = get_num_threads()
    set_num_threads(4)
    yield thread_pool()
    set_num_threads(before)


def buffers(*arrays):
    return (ctypes.c_void_p * len(arrays))(*(one.ctypes.data for one in arrays))


def run(pool, kernel, pointers, total, chunk, wake=True):
    pool.run(kernel, ctypes.addressof(pointers), 0, total, chunk, wake)


@pytest.mark.parametrize("total", [0, 1, 99, 100, 101, 12345])
@pytest.mark.parametrize("chunk", [1, 7, 100, 100_000])
def test_every_element_runs_once(pool, kernels, total, chunk):
    x = np.zeros(total + 1, np.int64)
    run(pool, kernels.address("increment"), buffers(x), total, chunk)
    assert (x[:total] == 1).all()
    assert x[total] == 0


def test_workers_start_with_the_first_parallel_job_and_end_with_a_resize(pool, kernels):
    x = np.zeros(100, np.int64)
    run(pool, kernels.address("increment"), buffers(x), 100, 100)
    run(pool, kernels.address("increment"), buffers(x), 100, 10, wake=False)
    assert pool.num_workers == 0
    run(pool, kernels.address("increment"), buffers(x), 100, 10)
    assert pool.num_workers == 3
    set_num_threads(2)
    assert pool.num_workers == 0
    run(pool, kernels.address("increment"), buffers(x), 100, 10)
    assert pool.num_workers == 1
    set_num_threads(1)
    run(pool, kernels.address("increment"), buffers(x), 100, 10)
    assert pool.num_workers == 0
    assert (x == 5).all()


def test_awake_workers_help_without_being_woken(pool, kernels):
    x = np.zeros(1000, np.int64)
    for i in range(300):
        run(pool, kernels.address("increment"), buffers(x), 1000, 10, wake=i % 3 == 0)
    assert (x == 300).all()


def test_sleeping_workers_are_woken(pool, kernels):
    x = np.zeros(1000, np.int64)
    for _ in range(10):
        run(pool, kernels.address("increment"), buffers(x), 1000, 10)
        time.sleep(0.005)
    assert (x == 10).all()


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs Linux and two processors",
)
def test_workers_keep_off_the_processor_of_their_caller(pool, kernels):
    def threads():
        return {int(thread) for thread in os.listdir("/proc/self/task")}

    x = np.zeros(1000, np.int64)
    others = threads()
    for _ in range(3):
        run(pool, kernels.address("increment"), buffers(x), 1000, 10)
        time.sleep(0.005)  # the workers fall asleep
    workers = threads() - others
    assert len(workers) == 3
    (allowed,) = {frozenset(os.sched_getaffinity(worker)) for worker in workers}
    assert allowed < os.sched_getaffinity(0)
    assert len(os.sched_getaffinity(0) - allowed) == 1


def test_several_python_threads(pool, kernels):
    arrays = [np.zeros(5000, np.int64) for _ in range(6)]

    def work(x):
        for _ in range(200):
            run(pool, kernels.address("increment"), buffers(x), x.size, 100)

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert all((x == 200).all() for x in arrays)


def test_a_kernel_may_use_the_pool(pool, kernels):
    arrays = [np.zeros(500, np.int64) for _ in range(20)]
    syms = np.array([pool.run_address, kernels.address("increment"), 500])
    pointers = buffers(*arrays)
    for _ in range(50):
        pool.run(kernels.address("nested"), ctypes.addressof(pointers), syms.ctypes.data, 20, 1)
    assert all((x == 50).all() for x in arrays)


def test_resizing_while_others_run(pool, kernels):
    x = np.zeros(5000, np.int64)
    pointers = buffers(x)
    stop = threading.Event()
    runs = []

    def work():
        while not stop.is_set():
            run(pool, kernels.address("increment"), pointers, x.size, 50)
            runs.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    for i in range(50):
        set_num_threads(1 + i % 4)
    stop.set()
    thread.join()
    assert (x == len(runs)).all()


def test_wrong_numbers_are_refused(pool):
    with pytest.raises(ValueError, match="positive"):
        set_num_threads(0)
    with pytest.raises(ValueError, match="chunks of 0"):
        pool.run(0, 0, 0, 10, 0)


def test_the_environment_sets_the_number(monkeypatch):
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_NUM_THREADS", "3")
    assert module._default_threads() == 3
    for nonsense in ("", "0", "-1", "many"):
        monkeypatch.setenv("TORCHSCRIPT_DIALECT_NUM_THREADS", nonsense)
        assert module._default_threads() == len(os.sched_getaffinity(0))


SCRIPT = """
import ctypes, os, sys, threading, time
import numpy as np
from torchscript_dialect.runtime.native.thread_pool import set_num_threads, thread_pool
from torchscript_dialect.runtime.native.blob import Blob
from torchscript_dialect.runtime.native.loader import load_blob

kernels = load_blob(Blob.from_bytes(open(sys.argv[1], "rb").read()))
set_num_threads(3)
x = np.zeros(100_000, np.int64)
pointer = (ctypes.c_void_p * 1)(x.ctypes.data)
def work():
    thread_pool().run(kernels.address("increment"), ctypes.addressof(pointer), 0, x.size, 1000)
def forever():
    while True:
        work()
def child(body):
    pid = os.fork()
    if pid == 0:
        try:
            body()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


def run_script(tmp_path, body):
    from torchscript_dialect.runtime.native.compile import compile_blob
    from unit.runtime.conftest import KERNELS

    path = tmp_path / "kernels"
    path.write_bytes(compile_blob(KERNELS).to_bytes())
    command = [sys.executable, "-c", SCRIPT + body, str(path)]
    return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout


def test_a_forked_child_has_a_pool_of_its_own(tmp_path):
    body = """
work()
assert thread_pool().num_workers == 2
def body():
    assert thread_pool().num_workers == 0
    work()
    assert thread_pool().num_workers == 2
    assert (x == 2).all()
    print("child", flush=True)
assert child(body) == 0
work()
assert (x == 2).all() and thread_pool().num_workers == 2
print("parent")
"""
    assert run_script(tmp_path, body).split() == ["child", "parent"]


def test_a_fork_while_another_thread_computes(tmp_path):
    body = """
work()
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.01)
def body():
    for _ in range(20):
        work()
    print("child", flush=True)
for _ in range(10):
    assert child(body) == 0
print("parent", flush=True)
"""
    assert run_script(tmp_path, body).split() == ["child"] * 10 + ["parent"]


def test_a_fork_while_another_thread_compiles(tmp_path):
    body = """
from itertools import count
from torchscript_dialect.runtime.native.runtime_blob import load_runtime_code

def compile_one(i):
    text = f"define i64 @f() {{\\n  ret i64 {i}\\n}}"
    code = load_runtime_code(f"number {i}", lambda: text, functions=["f"])
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(code.address("f"))() == i

def compile_all():
    for i in count():
        compile_one(i)

threading.Thread(target=compile_all, daemon=True).start()
def body():
    compile_one(-1)
    work()
    print("child", flush=True)
for i in range(10):
    assert child(body) == 0
    time.sleep(0.003)
print("parent", flush=True)
"""
    assert run_script(tmp_path, body).split() == ["child"] * 10 + ["parent"]


def test_the_interpreter_ends_while_workers_wait_or_run(tmp_path):
    assert run_script(tmp_path, "work()\nprint('done')") == "done\n"
    body = """
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.02)
print("done", flush=True)
"""
    assert run_script(tmp_path, body) == "done\n"
