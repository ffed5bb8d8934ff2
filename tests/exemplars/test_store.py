"""Sets as files: kept, passed on, read back; what somebody has tampered with is refused or left out."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision.exemplars.errors import SetError
from vision.exemplars.shelf import SetShelf
from vision.exemplars.store import MOST_OF_A_LABEL, ExemplarSet

CROP = np.full((96, 96, 3), (10, 120, 200), np.uint8)
HALF = np.arange(96 * 96).reshape(96, 96) % 2 == 0


def filled(folder: Path | None = None) -> ExemplarSet:
    own = ExemplarSet("Kitchen", folder)
    own.add("tile", "-3", CROP, HALF, "start")
    own.add("action_die", "must", CROP, None, "person")
    own.count({"-3": 2})
    return own


def test_a_set_is_kept_and_read_again(tmp_path: Path) -> None:
    kept = filled(tmp_path / "a")
    again = ExemplarSet("", tmp_path / "a")
    assert again.name == "Kitchen" and again.all() == kept.all() and again.counts == {"-3": 2}
    assert (again.crop(again.all("tile")[0].ident) == kept.crop(kept.all("tile")[0].ident)).all()


def test_a_set_is_passed_on_as_one_file() -> None:
    kept = filled()
    again = ExemplarSet.unpacked(kept.packed())
    assert again.all() == kept.all() and again.name == "Kitchen"
    assert again.crop(again.all()[0].ident)[:, :, 3].max() == 255 and again.crop(again.all()[0].ident)[0, 1, 3] == 0


def test_exemplars_are_removed_with_their_pictures(tmp_path: Path) -> None:
    own = filled(tmp_path / "a")
    ident, before = own.all("tile")[0].ident, own.revision
    own.remove([ident, "unknown"])
    assert own.revision > before and [e.kind for e in own.all()] == ["action_die"]
    assert [file.stem for file in (tmp_path / "a" / "crops").iterdir()] == [own.all()[0].ident]
    with pytest.raises(SetError):
        own.crop(ident)


def test_evidence_decides_whether_an_exemplar_is_doubted_and_a_person_settles_it() -> None:
    own = filled()
    ident = own.all("tile")[0].ident
    own.judge(contradicted=[ident])
    assert own.all("tile")[0].doubted
    own.judge(agreed=[ident])
    assert not own.all("tile")[0].doubted
    own.judge(contradicted=[ident])
    own.relabel(ident, "-8")
    (entry,) = own.all("tile")
    assert (entry.label, entry.source, entry.doubted) == ("-8", "person", False)


def test_the_oldest_that_no_person_taught_makes_room() -> None:
    own = ExemplarSet("x")
    first = own.add("die", "1", CROP, None, "person")
    second = own.add("die", "1", CROP, None, "game")
    for _ in range(MOST_OF_A_LABEL - 1):
        own.add("die", "1", CROP, None, "game")
    idents = [e.ident for e in own.all("die")]
    assert len(idents) == MOST_OF_A_LABEL and first.ident in idents and second.ident not in idents


@pytest.mark.parametrize(("kind", "label"), [("cup", "1"), ("tile", ""), ("tile", "../x"), ("die", "x" * 50)])
def test_what_cannot_be_learnt_is_refused(kind: str, label: str) -> None:
    with pytest.raises(SetError) as caught:
        ExemplarSet("x").add(kind, label, CROP, None, "person")
    assert caught.value.sentence("de") and caught.value.sentence("en")


def tampered(change: dict[str, object]) -> bytes:
    kept, out = filled().packed(), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(kept)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "set.json":
                described = json.loads(data)
                described["exemplars"][0].update(change)
                data = json.dumps(described).encode()
            new.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("change", [{"ident": "../../x"}, {"kind": "cup"}, {"label": "<b>"}, {"agreed": "many"}])
def test_entries_that_cannot_be_are_left_out(change: dict[str, object]) -> None:
    if "ident" in change:
        assert [e.kind for e in ExemplarSet.unpacked(tampered(change)).all()] == ["action_die"]
    else:
        assert len(ExemplarSet.unpacked(tampered(change)).all()) == 1


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive at all"])
def test_other_files_are_no_sets(data: bytes) -> None:
    with pytest.raises(SetError) as caught:
        ExemplarSet.unpacked(data)
    assert caught.value.reason == "not_a_set"


def test_sets_are_chosen_renamed_removed_and_there_always_is_one(tmp_path: Path) -> None:
    shelf = SetShelf(tmp_path / "sets")
    first = shelf.current_id
    second = shelf.new("  Holiday   copy ")
    shelf.current.add("tile", "-3", CROP, None, "person")
    assert dict(shelf.names())[second] == "Holiday copy" and shelf.current_id == second
    again = SetShelf(tmp_path / "sets")
    assert again.current_id == second and len(again.current.all()) == 1
    again.choose(first)
    again.rename(first, "Home")
    again.remove(second)
    again.remove(first)
    assert len(again.names()) == 1 and again.current.all() == []
    taken = again.take_in(filled().packed())
    assert again.current_id == taken and again.current.name == "Kitchen"
    for wrong in ("", "x" * 41):
        with pytest.raises(SetError):
            again.new(wrong)
    with pytest.raises(SetError):
        again.choose("gone")


def test_a_damaged_set_does_not_spoil_the_others(tmp_path: Path) -> None:
    shelf = SetShelf(tmp_path / "sets")
    shelf.new("Good")
    broken = tmp_path / "sets" / "broken"
    broken.mkdir()
    (broken / "set.json").write_text("{", "utf-8")
    (tmp_path / "sets" / "current.json").write_text("nothing", "utf-8")
    assert "Good" in [name for _, name in SetShelf(tmp_path / "sets").names()]
