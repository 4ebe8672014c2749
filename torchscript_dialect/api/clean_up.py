"""What follows the frontend: the passes that make graphs what users see."""

from __future__ import annotations

from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.passes.lists import PassLists, current
from torchscript_dialect.passes.named import pipeline as pipeline_of
from torchscript_dialect.utils.collection import without_collection


def clean_up(unit: CompilationUnit, own_lists: PassLists | None = None) -> None:
    """Run the passes that follow the frontend on all functions of a unit that have not been through them."""
    passes = pipeline_of(own_lists or current(), "after-frontend")
    with without_collection():
        for function in unit.functions.values():
            if function.func_op is not None and not function.is_clean:
                passes.apply(function.func_op)
                function.is_clean = True
