"""Operators on device tensors: which kernel runs each, and those that are made of others."""
