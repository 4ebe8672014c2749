"""The tensor layer against live PyTorch, on random cases that the golden files do not hold."""

import math
import random
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torchscript_dialect.tensor import as_tensor, from_dlpack, overlap, strides  # noqa: E402
from torchscript_dialect.tensor import dtype as dtypes  # noqa: E402
from torchscript_dialect.tensor.layout import memory_format  # noqa: E402
from torchscript_dialect.tensor.type_promotion import promote_types, result_type  # noqa: E402

DTYPES = [d.name for d in dtypes.all_dtypes()]
CONVERTIBLE = [name for name in DTYPES if not name.startswith("float8")]


def torch_dtype(name: str) -> Any:
    return getattr(torch, name)


def answer(call: Any) -> str:
    """The result of a call as text, or its error."""
    try:
        return str(call())
    except RuntimeError as error:
        return f"RuntimeError: {error}"


# Type promotion


def test_promote_types():
    for a in DTYPES:
        for b in DTYPES:
            ours = answer(lambda a=a, b=b: promote_types(dtypes.from_name(a), dtypes.from_name(b)))
            theirs = answer(lambda a=a, b=b: torch.promote_types(torch_dtype(a), torch_dtype(b)))
            assert ours == theirs.split(", which")[0]


def test_result_type_of_many_operands():
    """PyTorch's addition of three operands promotes in one TensorIterator: addcmul."""
    rng = random.Random(1)
    names = ["uint8", "int32", "int64", "float32", "float64", "bool", "bfloat16", "complex64"]
    for _ in range(300):
        operands = [
            torch.zeros(rng.choice(((), (1,))), dtype=torch_dtype(rng.choice(names)))
            for _ in range(3)
        ]
        if all(t.dtype is torch.bool for t in operands):
            continue
        try:
            expected = str(torch.where(operands[0] != 0, operands[1], operands[2]).dtype)
        except RuntimeError:
            continue
        assert str(result_type([as_tensor(t) for t in operands[1:]])) == expected


# Strides


def random_view(rng: random.Random, shape: tuple[int, ...], dtype: Any = None) -> Any:
    order = list(range(len(shape)))
    if rng.random() < 0.7:
        rng.shuffle(order)
    padded = [n + rng.choice((0, 0, 0, 1)) for n in shape]
    base = torch.zeros([padded[d] for d in order], dtype=dtype or torch.float32)
    view = base.permute([order.index(d) for d in range(len(shape))])
    for dim, size in enumerate(shape):
        view = view.narrow(dim, 0, size)
        if size > 1 and rng.random() < 0.15:
            sizes = list(view.shape)
            view = view.narrow(dim, 0, 1).expand(sizes)
    return view


def random_shape(rng: random.Random, rank: int | None = None) -> tuple[int, ...]:
    choices = (1, 1, 2, 3, 4) if rng.random() < 0.9 else (0, 1, 2)
    return tuple(rng.choice(choices) for _ in range(rng.randint(0, 5) if rank is None else rank))


def test_strides_of_results():
    rng = random.Random(2)
    functions = {1: torch.neg, 2: torch.add, 3: torch.addcmul}
    for _ in range(3000):
        out = random_shape(rng)
        operands: list[Any] = []
        for _ in range(rng.randint(1, 3)):
            shape = tuple(1 if rng.random() < 0.2 else n for n in out)[
                rng.choice((0, 0, 0, 1, 2)) :
            ]
            operands.append(random_view(rng, shape))
        expected = functions[len(operands)](*operands)
        described = [(tuple(t.shape), t.stride()) for t in operands]
        assert strides.pointwise_strides(described, tuple(expected.shape)) == expected.stride()
        made = strides.empty_like_operands([as_tensor(t).array for t in operands], np.dtype("f4"))
        assert made.shape == tuple(expected.shape)
        if made.size:  # NumPy forgets the strides of PyTorch's empty tensors
            assert strides.element_strides(made) == expected.stride(), described


def test_strides_of_results_of_mixed_dtypes():
    rng = random.Random(3)
    for _ in range(1500):
        shape = random_shape(rng)
        x = random_view(rng, shape, rng.choice((torch.float32, torch.int32)))
        y = (
            random_view(rng, shape, rng.choice((torch.float32, torch.int32)))
            if rng.random() < 0.7
            else 2.5
        )
        expected = x + y
        common = np.dtype(str(expected.dtype).removeprefix("torch."))
        operands = [as_tensor(t).array if isinstance(t, torch.Tensor) else t for t in (x, y)]
        made = strides.empty_like_operands(operands, common, common)
        if made.size:
            assert strides.element_strides(made) == expected.stride(), (shape, x.stride())


def test_properties_of_strides():
    rng = random.Random(4)
    for _ in range(2000):
        view = random_view(rng, random_shape(rng, rng.choice((2, 3, 4, 4, 4, 5))))
        shape, st = tuple(view.shape), view.stride()
        assert strides.is_contiguous(shape, st) == view.is_contiguous()
        assert strides.is_non_overlapping_and_dense(
            shape, st
        ) == torch.ops.aten.is_non_overlapping_and_dense(view)
        assert strides.dense_strides(shape, st) == torch.empty_like(view).stride()
        ours = as_tensor(view)
        assert ours.stride() == st or 0 in shape
        if view.dim() == 4:
            last = view.is_contiguous(memory_format=torch.channels_last)
            assert ours.is_contiguous(memory_format.channels_last) == last or 0 in shape
            assert strides.is_contiguous(shape, st, memory_format.channels_last) == last
            conv = torch._prims_common.suggest_memory_format(view)
            if view.numel():
                assert str(strides.suggest_memory_format(shape, st)) == str(conv)


def test_broadcast_shapes():
    rng = random.Random(5)
    for _ in range(1000):
        shapes = [random_shape(rng, rng.randint(0, 3)) for _ in range(2)]
        ours = answer(lambda s=shapes: list(strides.broadcast_shapes(*s)))
        theirs = answer(lambda s=shapes: list((torch.empty(s[0]) + torch.empty(s[1])).shape))
        assert ours == theirs


# Overlap


def random_windows(rng: random.Random, base: Any) -> list[Any]:
    """Two small views of the base, which often overlap."""
    shape = (rng.randint(1, 3), rng.randint(1, 2))
    views: list[Any] = []
    for _ in range(2):
        size = shape if rng.random() < 0.8 else (1, shape[1])
        st = (rng.choice((0, 1, 2)), rng.choice((0, 1, 1, 3)))
        room = base.numel() - 1 - sum((n - 1) * s for n, s in zip(size, st, strict=True))
        views.append(base.as_strided(size, st, rng.randint(0, min(max(room, 0), 4))))
    return views


def test_in_place_writes():
    rng = random.Random(6)
    for _ in range(1500):
        base = torch.zeros(12)
        views = random_windows(rng, base)
        if torch.broadcast_shapes(views[0].shape, views[1].shape) != views[0].shape:
            continue

        def check(views: list[Any] = views) -> str:
            out, other = (as_tensor(v).array for v in views)
            overlap.assert_no_internal_overlap(out)
            overlap.assert_no_partial_overlap(out, other)
            return "done"

        ours = answer(check)
        theirs = answer(lambda views=views: views[0].add_(views[1]) is None or "done")
        assert ours.strip() == theirs.strip()


# Text


@pytest.mark.parametrize("name", DTYPES)
def test_text(name: str):
    rng = np.random.default_rng(7)
    for trial in range(60):
        rank = int(rng.integers(0, 4))
        shape = tuple(int(n) for n in rng.integers(0 if trial % 10 == 0 else 1, 12, rank))
        scale = 10.0 ** float(rng.integers(-6, 9))
        values = rng.standard_normal(shape) * (scale if trial % 2 else 1)
        if trial % 3 == 0:
            values = np.round(values)
        if trial % 5 == 0 and values.size:
            np.put(values, [0, values.size // 2], [math.inf, math.nan])
        theirs = torch.from_numpy(np.asarray(values))
        if not (theirs.dtype.is_floating_point and name.startswith(("float", "bfloat", "complex"))):
            theirs = torch.nan_to_num(theirs, 1.0, 2.0, 3.0).clamp(
                0 if name.startswith("u") else -100, 100
            )
        if name.startswith("complex"):
            theirs = torch.complex(theirs, theirs.flip(0) if theirs.dim() else theirs)
        if (
            name == "float8_e8m0fnu"
        ):  # PyTorch takes its NaN for a number and its least number for 0
            theirs = theirs.abs().nan_to_num(1, 2, 3).clamp(min=1e-3)
        theirs = theirs.to(torch_dtype(name))
        assert repr(as_tensor(theirs)) == repr(theirs)


def test_text_of_summaries():
    for shape in (
        (1001,),
        (7, 200),
        (200, 7),
        (6, 200),
        (12, 12, 12),
        (2, 3, 400),
        (1, 1, 1, 2000),
        (8, 8, 8, 8),
    ):
        for name in ("float32", "int64", "bfloat16", "complex64", "bool"):
            theirs = (torch.arange(math.prod(shape)).reshape(shape) * 0.37).to(torch_dtype(name))
            assert repr(as_tensor(theirs)) == repr(theirs)


# Conversion


@pytest.mark.parametrize("name", DTYPES)
def test_tensors_are_shared_both_ways(name: str):
    theirs = torch.ones(3, 4).to(torch_dtype(name)).t()[1:]
    for ours in (as_tensor(theirs), from_dlpack(theirs)):
        assert ours.dtype.name == name
        assert ours.data_ptr() == theirs.data_ptr()
        assert ours.stride() == theirs.stride()
        back = torch.from_dlpack(ours)
        assert back.dtype == theirs.dtype
        assert back.data_ptr() == theirs.data_ptr()
        assert back.stride() == theirs.stride()
        ours.array[...] = 0
        assert name == "float8_e8m0fnu" or not theirs.to(torch.complex64).any()


def test_tensors_with_gradients_and_lazy_conjugation():
    parameter = torch.nn.Parameter(torch.ones(3))
    assert as_tensor(parameter).data_ptr() == parameter.data_ptr()
    assert as_tensor(torch.tensor([1 + 2j]).conj()).tolist() == [1 - 2j]
    assert as_tensor(torch.tensor([1 + 2j]).conj().imag).tolist() == [-2.0]


@pytest.mark.parametrize("source", CONVERTIBLE)
def test_casts(source: str):
    values = torch.tensor([0, 1, 2, 3, 100, 17]).to(torch_dtype(source))
    for target in CONVERTIBLE:
        if source.startswith("complex") and not target.startswith("complex"):
            continue  # PyTorch warns
        ours = as_tensor(as_tensor(values), target)
        assert repr(ours) == repr(values.to(torch_dtype(target)))


# Creation
