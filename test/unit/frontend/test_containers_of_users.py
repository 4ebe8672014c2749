"""Containers of modules that users derive, under names of their own or of PyTorch's."""

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch

nn = torch.nn


class Sequential(nn.ModuleDict):
    """A dictionary of layers that has the name of a list of them, as in speechbrain."""

    def forward(self, x):
        for layer in self.values():
            x = layer(x)
        return x


class Twice(Sequential):
    def forward(self, x):
        for name, layer in self.items():
            x = layer(x) * len(name)
        return x


def test_dictionary_of_modules_by_the_name_of_a_list() -> None:
    x = np.array([-1.0, 2.0], dtype=np.float32)
    layers = {"a": nn.ReLU(), "bc": nn.Hardtanh()}
    assert ts.script(Sequential(layers))(x).tolist() == [0.0, 1.0]
    assert ts.script(Twice(layers))(x).tolist() == [0.0, 2.0]
