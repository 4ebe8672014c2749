"""What comes after a stage of a plan is made once, however many threads are there at the same time."""

from __future__ import annotations

import time
from threading import Thread

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.utils.compilation import compilation

THREADS = 3


@pytest.mark.parametrize("requires_grad", [False, True])
def test_threads_that_wait_for_the_compiler_take_what_the_first_made(requires_grad: bool) -> None:
    """The second one made a graph for gradients anew of what the first had taken apart."""
    text = "def f(x, y):\n    return torch.relu(x * y + 1).sum(-1)\n"
    function = ts.CompilationUnit(text).f
    found: list[object] = []

    def work() -> None:
        x = torch.ones(3, 4, requires_grad=requires_grad)
        try:
            found.append(function(x, torch.ones(3, 4)).tolist())
        except Exception as error:
            found.append(error)

    with ts.background_compilation(False):
        for _ in range(4):
            threads = [Thread(target=work) for _ in range(THREADS)]
            with compilation:
                for one in threads:
                    one.start()
                until = time.monotonic() + 0.5
                while len(compilation._waiting) < THREADS and time.monotonic() < until:
                    time.sleep(0.001)
            for one in threads:
                one.join()
    assert found == [[8.0] * 3] * (4 * THREADS)
