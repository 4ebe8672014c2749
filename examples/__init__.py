"""The programs of PyTorch's JIT documents, as source for PyTorch and for torchscript_dialect alike.

`python -m examples.ratio_iou` runs one of them; `TORCHSCRIPT_DIALECT_EXAMPLES=torch` runs it with PyTorch.
"""
