"""Random tensors and distributions, by PyTorch's algorithms."""
