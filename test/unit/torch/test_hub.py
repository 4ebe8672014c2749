"""`torch.hub`: weights by their addresses."""

import hashlib
import sys
from pathlib import Path

import pytest

from torchscript_dialect import torch


def test_weights_by_their_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save({"w": torch.ones(2)}, tmp_path / "made.pt")
    digest = hashlib.sha256((tmp_path / "made.pt").read_bytes()).hexdigest()
    there = (tmp_path / "made.pt").rename(tmp_path / f"w-{digest[:8]}.pth")
    folder = tmp_path / "folder"
    load = torch.hub.load_state_dict_from_url
    assert load(there.as_uri(), str(folder), check_hash=True)["w"].tolist() == [1, 1]
    assert "Downloading" in capsys.readouterr().out
    there.unlink()
    load = torch.utils.model_zoo.load_url
    assert load(there.as_uri(), str(folder), check_hash=True)["w"].tolist() == [1, 1]
    assert [path.name for path in folder.iterdir()] == [there.name]


def test_other_bytes_than_the_name_tells(tmp_path: Path) -> None:
    (tmp_path / "w-00000000.pth").write_bytes(b"other")
    address = (tmp_path / "w-00000000.pth").as_uri()
    with pytest.raises(
        RuntimeError, match=r'invalid hash value \(expected "00000000", got "d9298a10'
    ):
        torch.hub.load_state_dict_from_url(address, str(tmp_path / "folder"), check_hash=True)
    assert not list((tmp_path / "folder").iterdir())


def test_progress_without_tqdm(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Older releases of torchvision import it from `torch.utils.model_zoo`."""
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with torch.utils.model_zoo.tqdm(total=8, unit="B", unit_scale=True) as shown:
        shown.set_description("weights")
        shown.update(2)
        shown.update(4)
    assert capsys.readouterr().err == "\r25.0%\r75.0%\n"


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert torch.hub.get_dir() == str(tmp_path / "hub")
    monkeypatch.setattr(torch.hub._Hub, "folder", None)
    torch.hub.set_dir(tmp_path / "other")
    assert torch.hub.get_dir() == str(tmp_path / "other")
