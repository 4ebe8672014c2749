"""Script classes."""
