"""Operators on images: resizing, sampling, padding, patches."""
