"""Reverse-mode differentiation: a tape of the operators that run, and the engine that goes back along it.

`recording.py` runs operators and remembers them, `history.py` is what a tensor knows of that, `derivatives.py` compiles the formulas
of the operator table, `engine.py` runs them in reverse, `functions.py` is what users call (PyTorch: torch/csrc/autograd).
"""
