"""Every error says in both languages the same facts, in one sentence."""

from __future__ import annotations

from string import Formatter

import pytest

from calibration.errors import (
    CalibrationError,
    CalibrationFileError,
    ColourError,
    MarkerError,
    PlaneError,
    UserError,
)

ALL = [
    (kind, reason) for kind in (PlaneError, MarkerError, ColourError, CalibrationFileError) for reason in kind.TEXTS
]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("kind", "reason"), ALL)
def test_both_languages_name_the_same_facts(kind: type[UserError], reason: str) -> None:
    german, english = kind.TEXTS[reason]
    assert fields(german) == fields(english)
    assert german != english
    for text in (german, english):
        assert text.endswith(".") and ": " in text


def test_error_speaks_both_languages_and_keeps_reason_and_facts() -> None:
    error = MarkerError("markers_missing", found=3, missing="2")
    assert isinstance(error, CalibrationError)
    assert error.reason == "markers_missing" and error.facts == {"found": 3, "missing": "2"}
    assert str(error) == error.sentence("en") == error.sentence("fr")
    assert error.sentence("en").startswith("Only 3 of the four markers found (missing: 2)")
    assert error.sentence("de_DE").startswith("Nur 3 der vier Marker gefunden")


def test_a_missing_fact_is_noticed_where_the_error_is_made() -> None:
    with pytest.raises(KeyError):
        MarkerError("markers_missing", found=3)
