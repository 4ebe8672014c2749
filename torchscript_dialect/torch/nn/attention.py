"""Which algorithm `scaled_dot_product_attention` takes (PyTorch: torch/nn/attention/__init__.py)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from torchscript_dialect.ops.attention.attention_backends import SDPBackend, enable, enabled

__all__ = ["SDPBackend", "sdpa_kernel"]


@contextmanager
def sdpa_kernel(
    backends: list[SDPBackend] | SDPBackend, set_priority: bool = False
) -> Generator[dict[str, Any]]:
    """Let attention choose from these until the end of a `with`. Which comes first is always the same.

    Raises:
        AssertionError: they are no backends.
    """
    del set_priority
    if not isinstance(backends, (list, SDPBackend)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            f"{type(cast('Any', backends)).__name__}"
        )
    before = enabled()
    enable(frozenset([backends] if isinstance(backends, SDPBackend) else backends))
    try:
        yield {}
    finally:
        enable(before)
