"""Normalization layers and their gradients."""
