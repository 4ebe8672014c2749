"""The graph executor: execution plans, with and without gradients, and what chooses between them."""
