"""TorchScript compiled to machine code, without PyTorch."""
