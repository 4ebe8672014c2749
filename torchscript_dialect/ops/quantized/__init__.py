"""Quantized tensors: their operators, layers and packed weights."""
