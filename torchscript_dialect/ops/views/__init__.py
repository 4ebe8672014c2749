"""Operators that give a view, and those that write to one or copy it."""
