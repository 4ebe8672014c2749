"""Samples of pointwise operators, made from their schemas: dtypes, ranks, layouts and special values."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from samples import Make
from samples.arrays import array, channels_last, expanded, sliced, special, transposed

ONE = [
    ("float32",),
    ("float64",),
    ("int64",),
    ("int32",),
    ("uint8",),
    ("bool",),
    ("complex64",),
    ("float16",),
    ("bfloat16",),
]
TWO = [
    ("float32", "float32"),
    ("float64", "float64"),
    ("float32", "float64"),
    ("float32", "int64"),
    ("int64", "int64"),
    ("int32", "int64"),
    ("uint8", "uint8"),
    ("uint8", "int8"),
    ("bool", "bool"),
    ("bool", "int64"),
    ("float32", "bool"),
    ("complex64", "float32"),
    ("complex64", "complex64"),
    ("float16", "float16"),
    ("bfloat16", "float32"),
]
THREE = [
    ("float32",) * 3,
    ("float64",) * 3,
    ("int64",) * 3,
    ("float32", "float32", "float64"),
    ("float16",) * 3,
]

NUMBERS: dict[str, list[Any]] = {
    "alpha": [1, 2, 0.5],
    "other": [2, 0.5, -3, True],
    "exponent": [2, 0.5, 3, -1, 0],
    "self": [2, 1.5],
    "value": [1, 0.5],
    "min": [None, -1, 0.5],
    "max": [1, None, 1.5],
    "weight": [0.25, 0.75],
    "min_val": [-1],
    "max_val": [1, 0.5],
    "negative_slope": [0.01, 0.2],
    "beta": [1, 2.0],
    "threshold": [20, 0.5],
    "scale": [1, 1.5],
    "input_scale": [1],
    "lambd": [0.5],
    "eps": [None, 0.1],
    "rtol": [1e-5, 0.5],
    "atol": [1e-8],
    "x": [0.5, -2],
    "n": [2, 0, 1, 3],
    "p": [1, 3],
    "nan": [None, 2.5],
    "posinf": [None, 2.5],
    "neginf": [None, -2.5],
}
STATICS: dict[str, list[Any]] = {
    "rounding_mode": [None, "trunc", "floor"],
    "approximate": ["none", "tanh"],
    "decimals": [0, 2, -1],
    "equal_nan": [False, True],
    "self_is_result": [False],
    "is_result": [False, True],
}
REQUIRED = {"clamp_min": "min", "clamp_max": "max"}
WITHOUT_NAN = ("hardswish_backward",)
"""PyTorch's code for AVX-512 gives something else for NaN than its code for AVX2."""


def _tensors(count: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Tensor arguments in many dtypes and layouts."""
    kinds = {1: ONE, 2: TWO, 3: THREE}[count]
    names = "abc"[:count]
    for dtypes in kinds:
        yield tuple(array((2, 3), dtype, seed=n) for n, dtype in zip(names, dtypes))
    for make in (transposed, sliced, expanded):
        yield tuple(make((2, 3), seed=n) for n in names)
    yield tuple(channels_last((2, 3, 2, 2)) for _ in names)
    yield tuple(array((), "float32", seed=n) for n in names)
    yield tuple(array((), "int64", seed=n) for n in names)
    yield tuple(array((0, 3), "float32", seed=n) for n in names)
    yield tuple(special() for _ in names)
    if count > 1:
        yield (array((2, 1)), *(array((3,), seed=n) for n in names[1:]))
        yield (array((), "float64"), *(array((3,), "float32", seed=n) for n in names[1:]))
        yield (array((3,), "int64"), *(array((), "float32", seed=n) for n in names[1:]))
        yield (array((3,), "float32"), *(array((), "int64", seed=n) for n in names[1:]))
        yield (array((3,)), *(array((4,), seed=n) for n in names[1:]))
        yield (transposed((2, 3)), *(array((2, 3), seed=n) for n in names[1:]))
        yield (array((2, 3)), *(transposed((2, 3), seed=n) for n in names[1:]))
        yield (transposed((2, 3, 4)), *(array((4,), seed=n) for n in names[1:]))
        yield (special(), *(special()[::-1].copy() for _ in names[1:]))
        same = array((2, 3))
        yield (same,) * count
        yield (transposed((2, 3), "int64"), *(transposed((2, 3), "float32") for _ in names[1:]))
    yield (expanded((2, 3)), *(array((2, 3), seed=n) for n in names[1:]))


def _masked(tensors: tuple[np.ndarray, ...], place: int) -> tuple[np.ndarray, ...]:
    condition = tensors[place]
    truth = (
        condition
        if condition.dtype == bool
        else condition > 0
        if condition.dtype.kind != "c"
        else condition.real > 0
    )
    return (*tensors[:place], np.asarray(truth), *tensors[place + 1 :])


def _out(operator: Any, operands: list[Any]) -> np.ndarray:
    """An array of the shape and dtype of the result."""
    from samples.compare import ours
    from torchscript_dialect.ops import registry
    from torchscript_dialect.ops.variant_names import out_variant

    base = next(
        candidate
        for candidate in registry.lookup(operator.name)
        if not candidate.schema.is_mutable
        and out_variant(candidate.qualified_name) == operator.qualified_name
    )
    memo: dict[int, Any] = {}
    try:
        assert base.kernel is not None
        return np.zeros_like(base.kernel(*[ours(operand, memo) for operand in operands]).array)
    except (RuntimeError, TypeError):
        return np.zeros((2, 3), np.float32)


def samples(operator: Any) -> Iterator[Make]:
    """Every layout and dtype with the first choice of numbers, then every choice of numbers with a few tensors."""
    arguments = [a for a in operator.schema.arguments if a.name != "out"]
    has_out = len(arguments) != len(operator.schema.arguments)
    tensor_places = [i for i, a in enumerate(arguments) if "Tensor" in str(a.type.annotation_str)]
    choices = {
        i: (NUMBERS | STATICS)[a.name] for i, a in enumerate(arguments) if i not in tensor_places
    }
    name = operator.name.partition("::")[2].rstrip("_")
    if name in REQUIRED:
        choices = {
            i: [number for number in numbers if number is not None]
            for i, numbers in choices.items()
        }
    if not operator.qualified_name.endswith(
        ("clamp", "clip", "clamp_", "clip_", "clamp.out", "clip.out")
    ):
        defaults = {i: numbers[0] for i, numbers in choices.items()}
    else:
        defaults = {i: -1 if arguments[i].name == "min" else 1.5 for i in choices}
    combinations = [defaults]
    for picked in product(*choices.values()):
        combinations.append(dict(zip(choices, picked)))
    condition = next((i for i, a in enumerate(arguments) if a.name in ("condition", "mask")), None)

    def made(index: int, numbers: dict[int, Any]) -> Make:
        def make() -> tuple[Any, ...]:
            tensors = next(islice(_tensors(len(tensor_places)), index, None))
            if condition is not None:
                tensors = _masked(tensors, tensor_places.index(condition))
            if name in WITHOUT_NAN:
                tensors = tuple(np.where(np.isnan(one), one.dtype.type(7), one) for one in tensors)
            supply = iter(tensors)
            operands = [
                next(supply) if i in tensor_places else numbers[i] for i in range(len(arguments))
            ]
            if has_out:
                operands.append(_out(operator, operands))
            return tuple(operands)

        return make

    if not tensor_places:
        return
    count = len(list(_tensors(len(tensor_places))))
    for index in range(count):
        yield made(index, combinations[0])
    for numbers in combinations[1:]:
        for index in (0, 2, 4, 5):
            yield made(index, numbers)
