"""From loops to the llvm dialect, to LLVM IR text, to an object file."""
