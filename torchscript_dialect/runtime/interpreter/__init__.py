"""The interpreter: a graph as Code, Code as Python source, and what that source calls."""
