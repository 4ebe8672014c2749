"""A stand-in of the CUDA driver: pycuda, as it is, calls it, and launches run in the SIMT interpreter."""
