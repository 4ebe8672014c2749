"""Products of matrices, vectors and several tensors."""
