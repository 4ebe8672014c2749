"""TorchScript source text and Python source to syntax trees: `parse(text, filename)`."""

from torchscript_dialect.frontend.source.parser import Parser, parse

__all__ = ["Parser", "parse"]
