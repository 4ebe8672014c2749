"""From linalg on tensors to loops over flat buffers, scalar first and then vectorised."""
