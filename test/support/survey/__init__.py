"""A survey of published packages: what torch.jit scripts of them scripts here, and gives the same.

    PYTHONPATH=.:test python -m support.survey timm einops [--out FILE.jsonl] [--modules PREFIX ...] [--setup MODULE ...]

Every function and every class of modules of a package that torch.jit takes is scripted by both, and called three times with
arguments that PyTorch's runs with, which are found by trying (inputs.py). It needs PyTorch and the packages; nothing is fetched.
"""
