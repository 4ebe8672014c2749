"""From the tree of a function to ops with loads and stores: a file for each family of statements and expressions."""
