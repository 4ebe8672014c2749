"""One function or class, from its tree to its finished graph; what source text and the builtins declare."""
