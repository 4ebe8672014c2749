"""Graphs of what Python code does with tensors (PyTorch: torch/csrc/jit/frontend/tracer.cpp).

Note [Tracing]
A trace runs a function once. Each operator that it calls becomes a node (`recorder.py`), whose operands are found by identity: a tensor
that an operator gave is the value of its node, a tensor that came from elsewhere becomes a constant (`state.py`). What Python asks of
tensors is recorded as far as it stays a tensor: sizes are tensors of one element while a trace runs, and a number, a bool or an array
that Python makes of a tensor is baked into the graph, with a warning (`tensor_hooks.py`). Of a module, each call of a submodule is
a block of the graph at first, which becomes a method of the submodule when the trace has ended (`scope_blocks.py`).
"""
