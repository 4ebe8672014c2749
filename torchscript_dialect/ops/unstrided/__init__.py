"""Sparse and nested tensors: Note [Unstrided tensors] in tensor/unstrided.py."""
