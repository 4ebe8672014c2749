"""PyTorch's operator database as the measure of ours: which (entry, dtype) pairs agree in full. Imports PyTorch.

`inputs` makes our tensors from PyTorch's samples, `calls` runs an entry here, `comparison` says how results differ, `pairs` puts
these together, and `known` reads the list of the pairs that do not agree.
"""
