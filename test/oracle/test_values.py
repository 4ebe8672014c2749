"""Random calls of operators of strings, numbers, lists and dicts against PyTorch; RANDOM_VALUES says how many.

Point 6 of docs/testing.md.
"""

import os

from samples import torch_side
from support import random_values
from torchscript_dialect.ops import registry

COUNT = int(os.environ.get("RANDOM_VALUES", "3000"))


def test_same_as_pytorch() -> None:
    different: list[str] = []
    for name, arguments in random_values.calls(COUNT, seed=1):
        theirs, after = torch_side.run(registry.find(name), lambda given=arguments: given)
        found = random_values.difference(name, arguments, theirs, after)
        if found is not None:
            different.append(found)
    assert not different, "\n".join(different[:20])
