"""Attention, and the fast paths of transformers."""
