"""Archives that hold their values in another form than pickles."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.storages import Storages


class ValueArchive(Container):
    """An archive whose parts have the names of records of other archives, and whose values are read from a form of its own."""

    @abstractmethod
    def value(self, name: str, storages: Storages, tags: dict[int, str]) -> Any:
        """What other archives hold as the pickle of that name; `tags` gets the types of containers, by id.

        Raises:
            ArchiveError: it is malformed.
        """
