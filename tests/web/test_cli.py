"""The command line: help in two languages, and one clear sentence with status 2 for every bad input."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.cli import cli
from web.cli_texts import TEXTS
from web.say import locale_lang, wanted_lang

ROOT = Path(__file__).parents[2]

ANNA, BEN = {"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}

SETUP: dict[str, Any] = {
    "game": "verflixxt", "variant": "standard", "players": [ANNA, BEN],
    "calibration": {"corners_px": [[100, 50], [500, 50], [560, 400], [40, 400]], "size_mm": [510, 300]},
}  # fmt: skip

TURN = {"type": "turn", "player": "Anna", "roll": 3, "moves": [{"piece": "pawn:red", "from": "start", "to": 3}]}

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    return lambda *arguments, **extra: CliRunner().invoke(cli, [str(one) for one in arguments], **extra)


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    path = tmp_path / "setup.json"
    path.write_text(json.dumps(SETUP), "utf-8")
    return path


def refused(result: Result, *words: str) -> None:
    """One sentence on standard error that holds ``words``, status 2, nothing else."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert "should not have happened" not in result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


class TestHelp:
    def test_without_arguments(self, run: Run) -> None:
        result = run()
        assert result.exit_code == 0
        for name in ("demo", "serve", "replay", "judge", "read", "calibrate"):
            assert f"\n  {name} " in result.stdout

    @pytest.mark.parametrize(
        "name", ["demo", "serve", "replay", "judge", "read", "read dice", "calibrate", "bench", "print"]
    )
    def test_of_every_command_in_both_languages(self, run: Run, name: str) -> None:
        english, german = run(*name.split(), "--help"), run(*name.split(), "--help", "--lang", "de")
        assert english.exit_code == german.exit_code == 0
        assert english.stdout.startswith("Usage: ") and german.stdout.startswith("Aufruf: ")
        assert english.stdout.count("\n  -") == german.stdout.count("\n  -") > 0

    def test_texts_have_the_same_facts_in_both_languages(self) -> None:
        import string

        for key, (german, english) in TEXTS.items():
            in_german, in_english = (
                sorted(name for _, name, _, _ in string.Formatter().parse(text) if name) for text in (german, english)
            )
            assert in_german == in_english, key

    @pytest.mark.parametrize(
        ("environment", "lang"),
        [({"LANG": "de_AT.UTF-8"}, "de"), ({"LC_ALL": "C", "LANG": "de_DE"}, "en"), ({"LANG": "en_US"}, "en"),
         ({"LC_MESSAGES": "de_DE", "LANG": "en_US"}, "de")],
    )  # fmt: skip
    def test_language_of_the_computer(self, environment: dict[str, str], lang: str) -> None:
        assert locale_lang(environment) == lang
        assert wanted_lang(["judge", "x"], environment) == lang
        assert wanted_lang(["judge", "x", "--lang", "en"], environment) == "en"
        assert wanted_lang(["--lang=de", "judge"], environment) == "de"

    def test_version(self, run: Run) -> None:
        assert run("--version").stdout.startswith("schiri ")


class TestUsage:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["juge"], ["no command juge", "judge"]),
            (["judge"], ["RECORD.jsonl is missing", "schiri judge --help"]),
            (["judge", "--nope", "x"], ["no option --nope"]),
            (["judge", "a", "b"], ["b", "schiri judge --help"]),
            (["judge", "x", "--out"], ["--out needs a value"]),
            (["replay", "x.mp4"], ["--setup is missing"]),
            (["judge", "x", "--lang", "fr"], ["--lang", '"fr" is neither de nor en']),
            (["serve", "--port", "http"], ["--port", '"http" is no number from 1 to 65535']),
            (["serve", "--port", "70000"], ["--port", '"70000"']),
            (["demo", "--speed", "0"], ["--speed", '"0"']),
            (["read", "dise", "x.jpg"], ["no command dise", "dice"]),
            (["read", "dice"], ["PHOTO is missing"]),
            (["calibrate"], ["--source is missing"]),
            (["calibrate", "--source", "0", "--size", "big"], ["--size", '"big" is no size']),
            (["calibrate", "--source", "0", "--corners", "1,2 3,4"], ["--corners", "four pairs"]),
            (["calibrate", "--source", "0", "--corners", "1,2 3,4 5,6 7,8"], ["--size", "setup.json"]),
        ],
    )
    def test_wrong_command_lines(self, run: Run, arguments: list[str], words: list[str]) -> None:
        refused(run(*arguments), *words)

    def test_in_german(self, run: Run) -> None:
        missing = "Die Datei fehlt.jsonl gibt es nicht: bitte den Pfad prüfen.\n"
        assert run("judge", "fehlt.jsonl", "--lang", "de").stderr == missing
        refused(run("--lang", "de", "judge"), "Es fehlt die Angabe RECORD.jsonl")


class TestBadFiles:
    def test_missing_file(self, run: Run, setup: Path) -> None:
        refused(run("judge", "no.jsonl"), "There is no file no.jsonl")
        refused(run("replay", "no.mp4", "--setup", setup, "--events", "-"), "no.mp4")
        refused(run("replay", __file__, "--setup", "no.json", "--events", "-"), "There is no file no.json")
        refused(run("serve", "--source", "no.mp4", "--setup", setup), "no.mp4")
        refused(run("read", "dice", "no.jpg"), "no.jpg")
        refused(run("calibrate", "--source", "no.mp4"), "no.mp4")

    def test_video_that_is_no_video(self, run: Run, setup: Path, tmp_path: Path) -> None:
        video = tmp_path / "video.mp4"
        video.write_bytes(b"this is no video" * 100)
        for arguments in (
            ["replay", video, "--setup", setup, "--events", "-"],
            ["serve", "--source", video, "--setup", setup],
            ["calibrate", "--source", video],
        ):
            refused(run(*arguments), str(video), "no video")

    def test_photo_that_is_no_photo(self, run: Run, tmp_path: Path) -> None:
        photo = tmp_path / "photo.jpg"
        photo.write_bytes(b"no photo")
        refused(run("read", "dice", photo, "--json"), str(photo))

    def test_empty_folder_as_source(self, run: Run, setup: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        refused(run("replay", tmp_path / "empty", "--setup", setup, "--events", "-"), "empty")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"players": [ANNA | {"colour": "pink"}, BEN]}, ["Anna", '"pink"', "red"]),
            ({"players": [ANNA, BEN | {"colour": "red"}]}, ["two players", '"red"']),
            ({"game": "chess"}, ['"chess"', "verflixxt"]),
            ({"options": {"no_such_rule": True}}, ["no_such_rule"]),
            ({"route": [1, 2, 3]}, ["route"]),
            ({"players": []}, ["players"]),
        ],
    )
    def test_bad_setup(self, run: Run, tmp_path: Path, change: dict[str, Any], words: list[str]) -> None:
        path, video = tmp_path / "setup.json", tmp_path / "pictures"
        path.write_text(json.dumps({**SETUP, **change}), "utf-8")
        one_picture(video)
        refused(run("replay", video, "--setup", path, "--events", "-"), *words)
        refused(run("serve", "--source", video, "--setup", path), *words)

    @pytest.mark.parametrize(
        ("calibration", "words"),
        [
            ({}, ["markers"]),
            ({"corners_px": [[0, 0]], "size_mm": [510, 300]}, ["exactly four points"]),
            ({"corners_px": [[0, 0], [0, 400], [600, 400], [600, 0]], "size_mm": [510, 300]}, ["anticlockwise"]),
            ({"corners_px": [[0, 0], [600, 0], [600, 400], [0, 400]], "size_mm": "big"}, ["size_mm"]),
        ],
    )
    def test_bad_calibration(self, run: Run, tmp_path: Path, calibration: dict[str, Any], words: list[str]) -> None:
        path, video = tmp_path / "setup.json", tmp_path / "pictures"
        path.write_text(json.dumps({**SETUP, "calibration": calibration}), "utf-8")
        one_picture(video)
        refused(run("replay", video, "--setup", path, "--events", "-"), *words)
        served = run("serve", "--source", video, "--setup", path, "--no-browser")  # notices it with the first picture
        assert served.exit_code == 2 and len(served.stderr.splitlines()) == 1
        assert all(word in served.stderr for word in words)

    @pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '"x"', "{'game': 1}", '{"game": "verflixxt"} x'])
    def test_setup_that_is_no_setup(self, run: Run, tmp_path: Path, text: str) -> None:
        path = tmp_path / "setup.json"
        path.write_text(text, "utf-8")
        refused(run("replay", __file__, "--setup", path, "--events", "-"), str(path))

    def test_binary_setup(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "setup.json"
        path.write_bytes(b"\xff\xfe\x00\x01")
        refused(run("replay", __file__, "--setup", path, "--events", "-"), str(path), "no text file")

    @pytest.mark.parametrize("where", ["missing/events.jsonl", "."])
    def test_events_that_cannot_be_written(self, run: Run, setup: Path, tmp_path: Path, where: str) -> None:
        one_picture(tmp_path / "pictures")
        refused(run("replay", tmp_path / "pictures", "--setup", setup, "--events", tmp_path / where), str(tmp_path))

    def test_camera_that_does_not_open(self, run: Run, setup: Path) -> None:
        for arguments in (["serve", "--source", "97", "--setup", setup], ["calibrate", "--source", "97"]):
            refused(run(*arguments), "camera 97", "plugged in")
        refused(run("serve", "--source", "ftp://x", "--setup", setup), "ftp://x")

    def test_port_that_is_taken(self, run: Run, setup: Path, tmp_path: Path) -> None:
        one_picture(tmp_path / "pictures")
        refused(
            run("serve", "--source", tmp_path / "pictures", "--setup", setup, "--host", "192.0.2.7", "--port", "8123"),
            "8123", "192.0.2.7",
        )  # fmt: skip


class TestSystem:
    def test_linux_without_the_libraries_of_opencv(
        self, run: Run, setup: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = importlib.import_module

        def no_opencv(name: str, package: str | None = None) -> Any:
            if name == "cv2":
                raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")
            return real(name, package)

        monkeypatch.setattr(importlib, "import_module", no_opencv)
        for arguments in (
            ["demo", "--headless"],
            ["serve", "--source", "0", "--setup", setup],
            ["replay", __file__, "--setup", setup, "--events", "-"],
            ["read", "dice", __file__],
            ["calibrate", "--source", "0"],
        ):
            refused(run(*arguments), "libGL.so.1", "libgl1")

    @pytest.mark.parametrize(("text", "words"), [
        ('{"do": "undo", "at_s": 1}\n{no', ["commands.jsonl", "line 2"]),
        ('{"do": "undo"}', ["commands.jsonl, line 1", "at_s"]),
        ("[1]", ["commands.jsonl, line 1", "at_s"]),
    ])
    def test_bad_commands(self, run: Run, setup: Path, tmp_path: Path, text: str, words: list[str]) -> None:
        path = tmp_path / "commands.jsonl"
        path.write_text(text, "utf-8")
        refused(run("replay", __file__, "--setup", setup, "--events", "-", "--commands", path), *words)

    def test_what_nobody_expected_is_a_sentence_too(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(_: str) -> str:
            raise ZeroDivisionError("division by zero")

        monkeypatch.setattr("web.commands.judge.read_text", fails)
        result = run("judge", "x")
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert "ZeroDivisionError: division by zero, test_cli.py:" in result.stderr

    def test_help_does_not_need_opencv_and_is_fast(self) -> None:
        program = "import sys; sys.modules['cv2'] = None; from web.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=20
        )
        assert done.returncode == 0 and "schiri" in done.stdout


class TestJudge:
    def test_a_record_is_judged(self, run: Run, tmp_path: Path) -> None:
        record = tmp_path / "record.jsonl"
        wrong = {**TURN, "player": "Ben", "moves": [{"piece": "pawn:blue", "from": "start", "to": 4}]}
        lines = [{"type": "setup", **SETUP}, TURN, wrong]
        record.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
        result = run("judge", record)
        assert result.exit_code == 0, result.stderr
        judged = [json.loads(line) for line in result.stdout.splitlines()]
        assert [line["type"] for line in judged] == ["setup", "turn", "turn"]
        assert judged[1]["legal"] is True
        assert [violation["rule"] for violation in judged[2]["violations"]] == ["wrong_count"]
        out = tmp_path / "out.jsonl"
        told = run("judge", record, "--out", out)
        assert told.stdout == "" and told.stderr == "2 turns judged, 1 of them illegal.\n"
        assert out.read_text("utf-8") == result.stdout
        assert run("judge", "-", input=record.read_text("utf-8")).stdout == result.stdout

    @pytest.mark.parametrize(
        ("lines", "words"),
        [
            ([], ["empty"]),
            (["x"], ["line 1", "JSON"]),
            ([json.dumps(SETUP), "{"], ["line 2", "JSON"]),
            ([json.dumps(SETUP), '{"type": "turn", "player": "Zoe", "roll": 3}'], ["line 2", "Zoe"]),
            ([json.dumps(SETUP), '{"type": "turn", "player": "Anna", "roll": 9}'], ["line 2", "roll"]),
            ([json.dumps(TURN)], ["line 1"]),
        ],
    )
    def test_bad_records(self, run: Run, tmp_path: Path, lines: list[str], words: list[str]) -> None:
        record = tmp_path / "record.jsonl"
        record.write_text("\n".join(lines), "utf-8")
        result = run("judge", record, "--out", tmp_path / "out.jsonl")
        refused(result, str(record), *words)


def one_picture(folder: Path) -> None:
    import cv2
    import numpy as np

    folder.mkdir(exist_ok=True)
    table = np.random.default_rng(0).integers(90, 160, (480, 640, 3), np.uint8)  # one grey would be no picture at all
    cv2.imwrite(str(folder / "1.png"), table)
