"""The passes that differentiate graphs, one a file: `create_autodiff_subgraphs.py` is `ts-create-autodiff-subgraphs`."""
