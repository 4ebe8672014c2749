"""Elements at places that tensors name: reading, writing, combining."""
