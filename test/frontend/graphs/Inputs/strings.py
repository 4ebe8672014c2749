"""Programs for test/unit/frontend/test_emitter_graphs.py: strings. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def string_methods(x: str):
    return x.upper().split(","), x[0], x.join(["a"]), x.find("a")


def formatting(x: str, y: int):
    return "%s %d" % (x, y), f"a{y}b{x!r}", "{} {}".format(x, y), x * 2, x + "a", x == "a", x[1:3], len(x), "a" in x


def loop_over_str(x: str):
    n = 0
    for c in x:
        if c == "a":
            n += 1
    return n


def list_of_str(x: List[str]):
    return " ".join(x), [s.strip() for s in x], sorted(x), x[0].startswith("a"), x[0].replace("a", "b"), x[0].lower(), int("3"), float("2.5")
