"""Texts of layers."""

from __future__ import annotations

from typing import Any


def named(layer: Any, *names: str) -> str:
    """`name=value` of attributes, then `inplace=True` where the layer works in place."""
    shown = [f"{name}={getattr(layer, name)}" for name in names]
    if getattr(layer, "inplace", False) is True:
        shown.append("inplace=True")
    return ", ".join(shown)
