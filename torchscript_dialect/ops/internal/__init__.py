"""Operators that programs seldom write and traces, exported graphs and PyTorch's own functions hold."""
