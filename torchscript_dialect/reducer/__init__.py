"""Makes a program that shows something as small as it can be: `ts-reduce`, and what random tests report."""

from torchscript_dialect.reducer.graphs import GraphText
from torchscript_dialect.reducer.search import Form, Search, reduce_text
from torchscript_dialect.reducer.source import SourceText
from torchscript_dialect.reducer.text import PlainText

__all__ = ["Form", "GraphText", "PlainText", "Search", "SourceText", "reduce_text"]
