"""Collections of garbage in tests."""

from __future__ import annotations

import gc

from torchscript_dialect.tensor.versions import is_anything_watched


def free_what_gradients_need() -> None:
    """Collect what earlier tests have saved for gradients: writes to it are recorded, and such functions have no plans. What was alive
    when `gc.freeze` was last called is looked at only where something is left.
    """
    gc.collect()
    if is_anything_watched():
        gc.unfreeze()
        gc.collect()
        gc.freeze()
