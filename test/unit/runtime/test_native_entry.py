"""Native callables: what runs natively, what takes the slow path, references, errors, threads."""

import ctypes
import gc
import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.backend import (
    KernelSpec,
    NoneInput,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.runtime.native import entry as module
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.native.spec_json import spec_from_json, spec_to_json
from torchscript_dialect.tensor.conversion import as_tensor
from unit.runtime.native_support import ADD, S0, S1, S2, S3, slow

pytestmark = needs_native_calls


def symbols(kernels, inputs, num_syms, shown=None, sizes=""):
    """A callable whose result lists the first `shown` symbols."""
    function = NativeCallable(slow)
    shown = num_syms if shown is None else shown
    outputs = (TensorOutput("int64", (shown,)),)
    spec = KernelSpec(inputs, outputs, num_syms, (shown,))
    address = kernels.address(sizes) if sizes else 0
    tensors = sum(isinstance(one, TensorInput) for one in inputs)
    function.add_specialization(spec, kernels.address(f"symbols{tensors}"), address)
    return function


def is_slow(result):
    return isinstance(result, tuple) and result[:1] == ("slow",)


def test_a_matching_call_runs_natively(add, operands, tensor_type):
    result = add(*operands)
    assert type(result) is tensor_type
    assert np.array_equal(result.array, operands[0].array + operands[1].array)
    assert result.array.flags.c_contiguous and result.array.flags.writeable
    assert add.native_calls == 1
    assert add.num_specializations == 1


def test_arrays_are_accepted_for_tensors(add, operands, tensor_type):
    result = add(operands[0].array, operands[1])
    assert type(result) is tensor_type
    assert np.array_equal(result.array, operands[0].array + operands[1].array)


def test_one_kernel_serves_every_size(add):
    for shape in [(1, 1), (3, 4), (100, 1000), (0, 5), (5, 0), (0, 0), (1000, 4000)]:
        x = np.random.default_rng(0).random(shape, np.float32)
        assert np.array_equal(add(x, x).array, x + x)
    assert add.native_calls == 7


def test_large_results_start_at_a_cache_line(add):
    x = np.ones((600, 600), np.float32)
    for _ in range(5):
        result = add(x, x).array
        assert result.ctypes.data % 64 == 0
        assert result.flags.aligned and result.flags.writeable


def test_calls_in_every_form(add, operands):
    a, b = operands
    expected = a.array + b.array
    for result in (add(*[a, b]), add.__call__(a, b), next(map(add, [a], [b])), add(a, *[b])):
        assert np.array_equal(result.array, expected)
    assert add.native_calls == 4


class Subclass(np.ndarray):
    pass


def unaligned(shape):
    size = int(np.prod(shape)) * 4
    return np.zeros(size + 1, np.uint8)[1:].view(np.float32).reshape(shape)


def holding(tensor_type, array):
    """A tensor that holds whatever it is given, which the constructor would refuse."""
    tensor = tensor_type.__new__(tensor_type)
    tensor.array = array
    return tensor


class Unwrapped:
    array = np.zeros((3, 4), np.float32)


@pytest.mark.parametrize(
    "argument",
    [
        np.zeros((3, 4), np.float64),
        np.zeros((3, 4), ">f4"),
        np.zeros((4, 3), np.float32),
        np.zeros((3, 4, 1), np.float32),
        np.zeros((12,), np.float32),
        np.zeros((4, 3), np.float32).T,
        np.zeros((3, 8), np.float32)[:, ::2],
        unaligned((3, 4)),
        np.zeros((3, 4), np.float32).view(Subclass),
        Unwrapped(),
        [1.0],
        None,
        1.0,
        object(),
    ],
    ids=lambda argument: type(argument).__name__,
)
def test_other_arguments_take_the_slow_path(add, operands, argument, tensor_type):
    forms = [argument]
    if isinstance(argument, np.ndarray):
        forms.append(holding(tensor_type, argument))
    for one in forms:
        for args in ((operands[0], one), (one, operands[0])):
            result = add(*args)
            assert is_slow(result)
            assert all(x is y for x, y in zip(result[1], args, strict=True))
    assert add.native_calls == 0


def test_argument_counts_and_keywords_take_the_slow_path(add, operands):
    a, b = operands
    assert add() == ("slow", (), {})
    assert add(a) == ("slow", (a,), {})
    assert add(a, b, a) == ("slow", (a, b, a), {})
    assert add(a, other=b) == ("slow", (a,), {"other": b})
    assert add(a, b, x=1) == ("slow", (a, b), {"x": 1})
    assert add(*[a], b=b) == ("slow", (a,), {"b": b})
    assert np.array_equal(add(a, b).array, a.array + b.array)


def test_tensors_of_other_kinds_take_the_slow_path(add, operands, tensor_type):
    class Special(tensor_type):
        __slots__ = ()

    assert is_slow(add(operands[0], Special(operands[1].array)))
    empty = tensor_type.__new__(tensor_type)
    assert is_slow(add(operands[0], empty))
    assert is_slow(add(operands[0], holding(tensor_type, "no array")))


def test_a_dtype_that_is_equal_and_another_object(add, operands):
    import pickle

    copy = pickle.loads(pickle.dumps(operands[0].array))
    odd = operands[0].array.view(np.dtype("f4", metadata={"a": 1}))
    assert copy.dtype == odd.dtype
    assert is_slow(add(operands[0], odd))


def test_both_long_types_are_int64(kernels, tensor_type):
    function = symbols(kernels, (TensorInput("int64", (S0,)),), 1)
    for code in "lq":
        assert function(np.zeros(5, code)).array.tolist() == [5]
    assert is_slow(function(np.zeros(5, np.uint64)))


def test_extended_types(kernels, tensor_type):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    function = symbols(kernels, (TensorInput("bfloat16", (S0,)),), 1)
    assert function(np.zeros(7, ml_dtypes.bfloat16)).array.tolist() == [7]
    assert is_slow(function(np.zeros(7, np.uint16)))


def test_exceptions_of_the_slow_path_propagate(add, operands):
    def fail(*args):
        raise KeyError(len(args))

    add.set_slow_path(fail)
    for _ in range(3):
        with pytest.raises(KeyError, match="1"):
            add(1)
    assert np.array_equal(add(*operands).array, operands[0].array + operands[1].array)
    with pytest.raises(TypeError, match="callable"):
        add.set_slow_path(3)


def test_without_specializations_everything_is_slow():
    function = NativeCallable(slow)
    assert function(1, 2, x=3) == ("slow", (1, 2), {"x": 3})
    assert function.native_calls == 0
    assert NativeCallable.__new__(NativeCallable).num_specializations == 0
    with pytest.raises(TypeError, match="no slow path"):
        NativeCallable.__new__(NativeCallable)(1)


def test_specializations_are_tried_in_order_and_cleared(kernels, operands, add):
    vector = KernelSpec(
        (TensorInput("float32", (S0,)), TensorInput("float32", (S0,))),
        (TensorOutput("float32", (S0,)),),
        1,
        (S0,),
    )
    x = np.ones(5, np.float32)
    assert is_slow(add(x, x))
    add.add_specialization(vector, kernels.address("add"))
    assert add(x, x).array.tolist() == [2.0] * 5
    assert not is_slow(add(*operands))
    assert add.num_specializations == 2
    add.clear_specializations()
    assert is_slow(add(x, x)) and is_slow(add(*operands))
    add.add_specialization(vector, kernels.address("add"))
    assert add(x, x).array.tolist() == [2.0] * 5
    assert is_slow(add(*operands))


def test_constant_and_shared_sizes(kernels, tensor_type):
    inputs = (TensorInput("float32", (S0, 1)), TensorInput("int8", (3, S1, S0)))
    function = symbols(kernels, inputs, 2)
    good = (np.zeros((5, 1), np.float32), np.zeros((3, 9, 5), np.int8))
    assert function(*good).array.tolist() == [5, 9]
    for i, shape in [(0, (5, 2)), (0, (4, 1)), (1, (2, 9, 5)), (1, (3, 9, 4))]:
        bad = list(good)
        bad[i] = np.zeros(shape, good[i].dtype)
        assert is_slow(function(*bad))


def test_strides(kernels, tensor_type):
    function = symbols(kernels, (TensorInput("float64", (S0, S1), (S2, S3)),), 4)
    base = np.zeros((40, 60))
    for view in (base, base.T, base[::2, ::3], base[::-1, 5:9], base[3:4], base[:0]):
        strides = [stride // 8 for stride in view.strides]
        assert function(view).array.tolist() == [*view.shape, *strides]
    record = np.zeros((5, 6), [("a", "u4"), ("b", "f8")])["b"]
    assert is_slow(function(record))
    broadcast = np.broadcast_to(np.float64(3), (5, 6))
    assert function(broadcast).array.tolist() == [5, 6, 0, 0]


def test_constant_and_shared_strides(kernels, tensor_type):
    inputs = (TensorInput("int32", (S0, S1), (S2, 1)), TensorInput("int32", (S0,), (S2,)))
    function = symbols(kernels, inputs, 3)
    base = np.zeros((10, 20), np.int32)
    assert function(base, base[:, 3]).array.tolist() == [10, 20, 20]
    assert is_slow(function(base, base[:10, 3].copy()))
    assert is_slow(function(base[:, ::2], base[:, 3]))
    one = base[:1, :1]
    assert function(one[:, ::1], base[0, :1]).array.tolist()[:2] == [1, 1]


def test_a_strided_kernel(kernels, tensor_type):
    function = NativeCallable(slow)
    spec = KernelSpec(
        (TensorInput("int64", (S0, S2), (S1, S3)),), (TensorOutput("int64", (S0,)),), 4, (S0,)
    )
    function.add_specialization(spec, kernels.address("first_column"))
    x = np.arange(60).reshape(6, 10)
    for view in (x, x[::2], x[::-1], x.T, x[:, 4:]):
        assert function(view).array.tolist() == view[:, 0].tolist()


def test_numbers(kernels, tensor_type):
    inputs = (ScalarInput("int", S0), ScalarInput("float", S1), ScalarInput("bool", S2))
    function = symbols(kernels, inputs, 3)
    for integer in (0, -1, 5, 2**62, -(2**63), 2**63 - 1):
        for number in (0.0, -1.5, float("inf")):
            for truth in (True, False):
                found = function(integer, number, truth).array
                assert found[0] == integer and found[2] == int(truth)
                assert found[1:2].view(np.float64)[0] == number
    for bad in [(2**63, 1.0, True), (True, 1.0, True), (1, 1, True), (1, 1.0, 1), (1.0, 1.0, True)]:
        assert function(*bad) == ("slow", bad, {})
    assert is_slow(function(np.int64(1), 1.0, True))
    assert is_slow(function(1, np.float64(1.0), True))


def test_none_and_no_arguments(kernels, tensor_type):
    function = symbols(kernels, (NoneInput(), ScalarInput("int", S0)), 1)
    assert function(None, 8).array.tolist() == [8]
    assert is_slow(function(0, 8))
    assert symbols(kernels, (), 0)().array.tolist() == []


def test_no_dimensions(kernels, tensor_type):
    function = NativeCallable(slow)
    scalar = TensorInput("float32", ())
    spec = KernelSpec((scalar, scalar), (TensorOutput("float32", ()),), 0, ())
    function.add_specialization(spec, kernels.address("add"))
    result = function(np.array(2, np.float32), np.array(3, np.float32))
    assert result.array.shape == () and result.array == 5
    assert is_slow(function(np.float32(2), np.array(3, np.float32)))


def test_derived_sizes_and_refusals(kernels, tensor_type):
    function = symbols(kernels, (TensorInput("int8", (S0,)),), 2, sizes="double_even")
    assert function(np.zeros(6, np.int8)).array.tolist() == [6, 12]
    assert is_slow(function(np.zeros(7, np.int8)))
    general = KernelSpec((TensorInput("int8", (S0,)),), (TensorOutput("int64", (1,)),), 1, (1,))
    function.add_specialization(general, kernels.address("symbols1"))
    assert function(np.zeros(7, np.int8)).array.tolist() == [7]


def test_several_results(kernels, tensor_type):
    function = NativeCallable(slow)
    outputs = (TensorOutput("float32", (S0,)), TensorOutput("int8", (2, S0)))
    spec = KernelSpec((TensorInput("float32", (S0,)),), outputs, 1, (S0,), returns_tuple=True)
    function.add_specialization(spec, kernels.address("nothing"))
    first, second = function(np.zeros(5, np.float32))
    assert first.array.shape == (5,) and second.array.shape == (2, 5)
    assert second.array.dtype == np.int8
    single = NativeCallable(slow)
    single.add_specialization(spec._replace(outputs=outputs[:1]), kernels.address("nothing"))
    result = single(np.zeros(5, np.float32))
    assert type(result) is tuple and len(result) == 1


@pytest.mark.parametrize(
    ("sizes", "error"), [("negative", ValueError), ("huge", (MemoryError, ValueError))]
)
def test_a_failed_allocation_is_an_error_and_leaks_nothing(kernels, tensor_type, sizes, error):
    function = NativeCallable(slow)
    outputs = (TensorOutput("float32", (S0,)), TensorOutput("int64", (S1,)))
    spec = KernelSpec((TensorInput("int8", (S0,)),), outputs, 2, (S0,), returns_tuple=True)
    function.add_specialization(spec, kernels.address("nothing"), kernels.address(sizes))
    x = as_tensor(np.zeros(5, np.int8))
    before = counts(x, tensor_type)
    for _ in range(1000):
        with pytest.raises(error):
            function(x)
    assert counts(x, tensor_type) == before
    assert function.native_calls == 0


def counts(x, tensor_type):
    gc.collect()
    dtypes = [sys.getrefcount(np.dtype(name)) for name in ("float32", "int64", "uint8")]
    objects = Counter(type(one).__name__ for one in gc.get_objects())
    return (
        sys.getrefcount(x),
        sys.getrefcount(x.array),
        sys.getrefcount(tensor_type),
        dtypes,
        objects[tensor_type.__name__],
    )


@pytest.mark.parametrize("size", [10, 600])
def test_no_references_leak(add, tensor_type, size):
    x = tensor_type(np.zeros((size, size), np.float32))
    y = tensor_type(np.zeros((size, size), np.float32))
    before = counts(x, tensor_type), counts(y, tensor_type)
    for _ in range(100_000 if size == 10 else 300):
        add(x, y)
        add(x, 1)
    assert (counts(x, tensor_type), counts(y, tensor_type)) == before


def test_no_memory_leaks(add, operands):
    import tracemalloc

    def calls():
        for _ in range(2000):
            add(*operands)
            add(operands, key=operands)

    calls()
    tracemalloc.start()
    try:
        calls()
        before = tracemalloc.get_traced_memory()[0]
        calls()
        assert tracemalloc.get_traced_memory()[0] - before < 2000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_syms": 1}, "symbol 1 of 1"),
        ({"total": (Sym(9),)}, "symbol"),
        ({"num_syms": 3, "total": (S2,)}, "not bound"),
        ({"num_syms": 3, "outputs": (TensorOutput("float32", (S2,)),)}, "not bound"),
        ({"outputs": ()}, "outputs that are not"),
        ({"num_syms": 1000}, "at most"),
        ({"grain": 0}, "grain"),
        ({"inputs": (TensorInput("float32", (S0, S1), (S0,)),)}, "strides for"),
        ({"inputs": (TensorInput("float32", (1,) * 40),)}, "at most"),
    ],
)
def test_inconsistent_specs_are_refused(kernels, tensor_type, change, message):
    function = NativeCallable(slow)
    with pytest.raises(ValueError, match=message):
        function.add_specialization(ADD._replace(**change), kernels.address("add"))
    assert function(1) == ("slow", (1,), {})


def test_unknown_types_are_refused(kernels, tensor_type):
    with pytest.raises(NativeUnavailable, match="float5"):
        symbols(kernels, (TensorInput("float5", ()),), 0)


def test_a_type_without_the_slot_is_refused():
    class Plain:
        pass

    class Other:
        __slots__ = ("array", "autograd")

        def __init__(self, array):
            self.array = array

    with pytest.raises(NativeUnavailable, match="not a slot"):
        module._load_entry(Plain, Plain)
    with pytest.raises(NativeUnavailable, match="Plain is no Other"):
        module._load_entry(Other, Plain)
    assert module._load_entry(Other, Other).tensor_type is Other


def test_results_of_parallel_runs(kernels, tensor_type):
    function = NativeCallable(slow)
    spec = ADD._replace(parallel_ns=0.0, grain=16, cost_ns=10.0)
    function.add_specialization(spec, kernels.address("add"))
    for shape in [(1, 1), (1, 17), (33, 31), (1000, 1001)]:
        x = np.random.default_rng(1).random(shape, np.float32)
        assert np.array_equal(function(x, x).array, x + x)
    assert function.native_calls == 4


def test_specs_survive_json_and_pickle():
    import json
    import pickle

    spec = KernelSpec(
        (
            TensorInput("float32", (S0, 3)),
            TensorInput("bfloat16", (S0,), (S1,)),
            ScalarInput("float", S2),
            NoneInput(),
        ),
        (TensorOutput("int64", (S0, 1)),),
        3,
        (S0, 4),
        cost_ns=0.25,
        grain=16,
        returns_tuple=True,
    )
    assert spec_from_json(json.loads(json.dumps(spec_to_json(spec)))) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(ValueError, match="not the description"):
        spec_from_json({**spec_to_json(spec), "inputs": [["string"]]})


def test_every_offset_is_checked(monkeypatch, tensor_type):
    abi = module.abi
    for name in ("ARRAY_DATA", "ARRAY_ND", "ARRAY_DIMS", "ARRAY_DESCR", "ARRAY_FLAGS", "OB_TYPE"):
        with monkeypatch.context() as patch:
            patch.setattr(abi, name, getattr(abi, name) + 8)
            patch.setattr(abi, "_interpreter", cache(abi._interpreter.__wrapped__))
            with (
                pytest.warns(RuntimeWarning, match="calls go through Python") as warned,
                pytest.raises(NativeUnavailable, match="do not know this interpreter"),
            ):
                abi.interpreter()
            with pytest.raises(NativeUnavailable, match="do not know this interpreter"):
                abi.interpreter()
            assert len(warned) == 1
    assert ctypes.c_int64.from_address(id(tensor_type) + abi.TYPE_ALLOC).value


def test_a_cache_entry_of_no_use_is_replaced(tmp_path, monkeypatch):
    from torchscript_dialect.runtime.native import runtime_blob
    from torchscript_dialect.runtime.native.cache import cache_key, disk_cache

    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    text = "define i64 @f() {\n  ret i64 3\n}"
    disk_cache().put(cache_key("runtime", "three"), b"TSDBLOB1 and nonsense")
    for _ in range(2):
        code = runtime_blob.load_runtime_code("three", lambda: text, functions=["f"])
        assert ctypes.CFUNCTYPE(ctypes.c_int64)(code.address("f"))() == 3
    with pytest.raises(NativeUnavailable, match="cannot be made"):
        runtime_blob.load_runtime_code("other", lambda: "nonsense", functions=["f"])


def in_place(kernels):
    function = NativeCallable(slow)
    function.add_specialization(ADD, kernels.address("add"), in_place=True)
    return function


def test_a_result_in_place_is_the_first_argument(kernels, operands):
    a, b = operands
    expected = a.array + b.array
    add = in_place(kernels)
    assert add(a, b) is a and np.array_equal(a.array, expected)
    assert add(a, a) is a and np.array_equal(a.array, 2 * expected)
    assert add.native_calls == 2 and add._active == 0


def test_in_place_other_memory_is_the_same_or_apart(kernels, tensor_type):
    memory = np.arange(40, dtype=np.float32)

    def tensor(start, rows=2):
        return tensor_type(memory[start : start + 5 * rows].reshape(rows, 5))

    add = in_place(kernels)
    for start, is_native in (
        (0, True),
        (1, False),
        (10, True),
        (11, False),
        (19, False),
        (20, True),
    ):
        result = add(tensor(10), tensor(start))
        assert is_slow(result) is not is_native
    assert not is_slow(add(tensor(0, 0), tensor(0, 0)))


def test_what_cannot_be_written_to_is_not_run_in_place(kernels, operands, tensor_type):
    a, b = operands
    add = in_place(kernels)
    assert is_slow(add(a.array, b)) and is_slow(add(a, b.array))
    b.array.flags.writeable = False
    assert add(a, b) is a
    assert is_slow(add(b, a))


def test_a_result_without_a_place_in_the_first_argument_is_refused(kernels):
    function = NativeCallable(slow)
    for spec in (
        ADD._replace(outputs=(TensorOutput("float32", (S0,)),)),
        ADD._replace(outputs=(TensorOutput("float64", (S0, S1)),)),
        ADD._replace(inputs=(ADD.inputs[0], TensorInput("float32", (S0, S1), (S1, 1)))),
        ADD._replace(returns_tuple=True),
        ADD._replace(scratch=S0),
    ):
        with pytest.raises(ValueError, match="no place in the first argument"):
            function.add_specialization(spec, kernels.address("add"), in_place=True)
    assert function.num_specializations == 0
