"""Regions of `torch.autocast`: which operators run in which dtype."""
