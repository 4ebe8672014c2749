"""Inputs for every operator that has a kernel, by family: `SAMPLES[qualified_name]` is a list of argument tuples.

Arguments are positional and all given, as in graphs. NumPy arrays are tensors; the same array twice is the same tensor twice.
bfloat16 arrays have the dtype of ml_dtypes. A sample is a function that makes its arguments, so that operators may write to
them.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

Arguments = tuple[Any, ...]
Make = Callable[[], Arguments]

FAMILIES = (
    "views",
    "matmul",
    "grouped_products",
    "convolution",
    "pooling",
    "upsampling",
    "image_ops",
    "batch_norm",
    "group_norm",
    "reduction",
    "normalization",
    "pixel_shuffle",
    "losses",
    "nll_loss",
    "margin_losses",
    "attention",
    "layer_gradients",
    "shaping",
    "padding",
    "indexing",
    "embedding",
    "recurrent",
    "creation",
    "conversion",
    "scalars",
    "containers",
    "strings",
    "random",
    "complex_numbers",
    "view_copies",
    "fft",
    "differences",
    "rearranged",
    "order_statistics",
    "histograms",
    "searching",
    "index_reduction",
    "masked_index",
    "segments",
    "numeric",
    "foreach",
    "products",
    "linalg",
    "fake_quantize",
    "spectrograms",
    "inner_functions",
    "prims",
    "gradient_operators",
    "training",
    "questions",
)


@cache
def hand_written() -> dict[str, list[Make]]:
    """The samples of all families but the pointwise one, which makes its own from the schemas."""
    found: dict[str, list[Make]] = {}
    for family in FAMILIES:
        for name, samples in import_module(f"samples.{family}").SAMPLES.items():
            for one in name.split():
                qualified = one if "::" in one else f"aten::{one}"
                found.setdefault(qualified, []).extend(samples)
    return found


def samples_of(operator: Any) -> Iterator[Make]:
    """The samples of an operator."""
    from samples import pointwise, variants

    if operator.rules.pointwise is not None:
        yield from pointwise.samples(operator)
    known = hand_written().get(operator.qualified_name)
    if known is not None:
        yield from known
    elif operator.rules.pointwise is None:
        yield from variants.samples(operator)
