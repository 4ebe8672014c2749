"""Linear algebra: factorizations, solutions, eigenvalues."""
