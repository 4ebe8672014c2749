"""Native callables as Python objects: subclasses, lifetimes, threads, processes without native code."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.native.entry import NativeCallable
from unit.runtime.native_support import ADD, slow


class Script(NativeCallable):
    """A subclass as the interface has it."""

    def __init__(self, name):
        super().__init__(self.interpret)
        self.name = name

    def interpret(self, *args, **kwargs):
        return (self.name, args, kwargs)


class Overriding(NativeCallable):
    def __call__(self, *args):
        return "overridden"


@needs_native_calls
def test_subclasses_have_attributes_methods_and_native_calls(kernels, operands, tensor_type):
    function: Any = Script("f")
    function.extra = 3
    assert function.extra == 3 and vars(function) == {"name": "f", "extra": 3}
    assert function(1, x=2) == ("f", (1,), {"x": 2})
    function.add_specialization(ADD, kernels.address("add"))
    assert np.array_equal(function(*operands).array, operands[0].array + operands[1].array)
    assert function.native_calls == 1
    assert Script.__flags__ & 1 << 11
    with pytest.raises(AttributeError):
        function.nothing  # noqa: B018
    assert Overriding(slow)(1) == "overridden"


@needs_native_calls
def test_subclasses_of_subclasses_with_slots_and_other_bases(kernels, operands, tensor_type):
    class Mixin:
        def twice(self: Any, *args):
            return [self(*args), self(*args)]

    class Deep(Mixin, Script):
        __slots__ = ("more",)

    function = Deep("deep")
    function.more = [1]
    assert function.twice(1) == [("deep", (1,), {})] * 2
    function.add_specialization(ADD, kernels.address("add"))
    assert len(function.twice(*operands)) == 2
    assert function.native_calls == 2 and function.more == [1]


@needs_native_calls
def test_weak_references_and_garbage_collection(kernels, tensor_type):
    function: Any = Script("f")
    function.add_specialization(ADD, kernels.address("add"))
    reference = weakref.ref(function)
    assert reference() is function
    function.itself = function
    assert gc.is_tracked(function)
    del function
    gc.collect()
    assert reference() is None


def test_callables_die_without_the_collector():
    function = NativeCallable(slow)
    reference = weakref.ref(function)
    before = sys.getrefcount(NativeCallable)
    del function
    assert reference() is None
    assert sys.getrefcount(NativeCallable) == before - 1


@needs_native_calls
def test_a_callable_cleared_by_the_collector_raises():
    class Noisy:
        def __init__(self, function):
            self.function = function

    function = NativeCallable(slow)
    del function._slow_path
    with pytest.raises(TypeError, match="no slow path"):
        function(1)


@needs_native_calls
def test_an_owner_lives_as_long_as_its_specialization(kernels, tensor_type):
    class Owner:
        pass

    function, owner = NativeCallable(slow), Owner()
    reference = weakref.ref(owner)
    function.add_specialization(ADD, kernels.address("add"), owner=owner)
    del owner
    assert reference() is not None
    function.clear_specializations()
    assert reference() is None


@needs_native_calls
def test_threads_call_and_change_specializations(kernels, tensor_type):
    function = NativeCallable(lambda a, b: tensor_type(a.array + b.array))
    x = tensor_type(np.random.default_rng(0).random((200, 500), np.float32))
    expected = x.array + x.array
    eager = ADD._replace(release_gil_ns=0.0, parallel_ns=0.0)
    failures = []

    def work():
        for _ in range(200):
            if not np.array_equal(function(x, x).array, expected):
                failures.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    while any(one.is_alive() for one in threads):
        function.add_specialization(eager, kernels.address("add"), owner=object())
        for one in threads:
            one.join(0.001)
        function.clear_specializations()
    assert not failures
    function.clear_specializations()
    assert function._active == 0 and function._retired == []


@needs_native_calls
def test_a_tensor_that_changes_during_the_call_keeps_its_array(kernels, tensor_type):
    x = tensor_type(np.ones((500, 1000), np.float32))
    function = NativeCallable(slow)
    function.add_specialization(ADD._replace(release_gil_ns=0.0), kernels.address("add"))
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            x.array = np.ones((500, 1000), np.float32)

    thread = threading.Thread(target=swap)
    thread.start()
    for _ in range(100):
        assert (function(x, x).array == 2).all()
    stop.set()
    thread.join()


def test_without_native_code_every_call_is_slow():
    script = """
import os, sys
name = os.uname()
os.uname = lambda: os.uname_result((*name[:4], "pdp11"))
from torchscript_dialect.backend import KernelSpec, TensorOutput
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable, configure

class Tensor:
    __slots__ = ("array", "autograd")

class Script(NativeCallable):
    pass

configure(Tensor, Tensor)
function = Script(lambda *args, **kwargs: (args, kwargs))
assert function(1, x=2) == ((1,), {"x": 2})
try:
    function.add_specialization(KernelSpec((), (TensorOutput("int8", ()),), 0, ()), 1)
except NativeUnavailable as error:
    print(error)
function.clear_specializations()
assert function.native_calls == function.num_specializations == 0
assert "llvmlite" not in sys.modules
"""
    result = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert "native calls need CPython" in result.stdout


@needs_native_calls
def test_a_warm_process_does_not_load_llvmlite(native_cache, tmp_path):
    script = """
import sys
from torchscript_dialect.runtime.native.entry import configure, native_entry

class Tensor:
    __slots__ = ("array", "autograd")

configure(Tensor, Tensor)
assert native_entry().address
print("llvmlite" in sys.modules)
"""
    environment = {**os.environ, "TORCHSCRIPT_DIALECT_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", script]
    shown = [
        subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
        for _ in range(2)
    ]
    assert shown == ["True\n", "False\n"]
