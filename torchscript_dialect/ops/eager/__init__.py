"""Calls of operators from Python: methods of tensors, their arguments, what is remembered of calls."""
