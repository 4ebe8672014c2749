"""From loads, stores and early exits to values."""
