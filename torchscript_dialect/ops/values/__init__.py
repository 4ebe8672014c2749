"""Operators of Python's values: numbers, texts, lists, dictionaries."""
