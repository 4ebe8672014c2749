"""Programs that are compiled before their first call, for tests that ask for it."""

from support.at_once import compiled_at_once

__all__ = ["compiled_at_once"]
