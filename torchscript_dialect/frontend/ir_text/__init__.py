"""Graph text to ops."""

from torchscript_dialect.frontend.ir_text.parser import parse_ir_text, range_of_node

__all__ = ["parse_ir_text", "range_of_node"]
