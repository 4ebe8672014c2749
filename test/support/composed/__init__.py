"""Small programs that join features of the language: each body of fragments.py in each context, compiled by PyTorch and here."""
