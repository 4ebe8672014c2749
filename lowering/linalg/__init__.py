"""From nodes of TorchScript graphs to linalg on tensors: one file per family of operators, named as in `ops/`."""
