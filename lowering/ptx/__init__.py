"""PTX of kernels in the llvm dialect, and the backend that runs it."""
