"""What is wrong with an archive."""

from __future__ import annotations

from torchscript_dialect.utils.errors import TorchScriptError


class ArchiveError(TorchScriptError):
    """An archive that is damaged, is none, or holds what it must not; `record` is the record that shows it, if one does."""

    def __init__(self, message: str, record: str | None = None) -> None:
        super().__init__(message if record is None else f"record {record!r}: {message}")
        self.record = record
