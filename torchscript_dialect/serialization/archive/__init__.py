"""TorchScript archives as data: the ZIP container, its pickles, and the memory of its tensors. Nothing here knows the language."""
