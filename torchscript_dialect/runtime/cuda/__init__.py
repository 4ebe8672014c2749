"""A GPU: the driver, memory and launches, through pycuda."""
