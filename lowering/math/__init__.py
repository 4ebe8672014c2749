"""Elementary functions as plain arithmetic: a file per family, and the pass that uses them."""
