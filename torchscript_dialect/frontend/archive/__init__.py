"""The source in archives, as PyTorch's Python Printer writes it, to classes and functions of a unit."""
