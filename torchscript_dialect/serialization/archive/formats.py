"""Which of the formats of archives a file has."""

from __future__ import annotations

from torchscript_dialect.serialization.archive import flat_archive, model_archive
from torchscript_dialect.serialization.archive.container import (
    Container,
    Source,
    name_of,
    open_data,
)


def open_archive(source: Source, name: str | None = None) -> Container:
    """The archive in a file of any format.

    Raises:
        ArchiveError: it is of none.
        OSError: the file cannot be read.
    """
    name = name or name_of(source)
    data = open_data(source)
    if bytes(data[4:8]) == flat_archive.IDENTIFIER:
        return flat_archive.FlatArchive(data, name)
    archive = Container(data, name)
    if model_archive.RECORD in archive and "constants.pkl" not in archive:
        return model_archive.ModelArchive(archive)
    return archive
