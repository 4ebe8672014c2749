"""From loops over flat buffers to kernels that a grid of threads runs."""
