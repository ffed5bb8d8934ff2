"""``schiri models``: render, train, evaluate, export (extra ``train``)."""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2

FOLDER = click.Path(file_okay=False, path_type=Path)
THERE = click.Path(exists=True, path_type=Path)


@click.group("models")
def models_group() -> None:
    """Make training pictures, train, evaluate and export the models."""


@models_group.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--count", default=100, show_default=True, help="How many scenes.")
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="train", show_default=True)
@click.option("--assets", type=FOLDER, help="Folder with textures, backgrounds, fonts and hand meshes; optional.")
@click.option(
    "--seed", default=0, show_default=True, help="Seed of the first scene; the same seed gives the same picture."
)
@click.option("--size", default=640, show_default=True, help="Side of a picture in pixels.")
@click.option("--hands", default=0.3, show_default=True, help="Share of the scenes with a hand.")
@click.option(
    "--cut",
    "cut_px",
    type=int,
    help="Also cut two native-scale crops of this side out of every picture, into OUT/crops.",
)
@click.option("--photos", type=THERE, help="Add real dice photographs of this folder (images, labels).")
@click.option(
    "--photo-prefix", "prefixes", multiple=True, help="Only photographs whose names start so (source by source)."
)
@click.option("--negatives", type=FOLDER, help="Add the pictures of this folder, which show none of the things.")
@click.option("--flick", default=0.0, show_default=True, help="Share of the scenes with a box of Dice Flick.")
@click.option("--preview", is_flag=True, help="Write one contact sheet with labels to OUT instead of a data set.")
@click.option(
    "--recording", type=THERE, help="Play this record (JSON lines) and write video, setup and truth to the folder OUT."
)
@click.option("--workers", default=2, show_default=True)
def render(
    out: Path,
    count: int,
    split: str,
    assets: Path | None,
    seed: int,
    size: int,
    hands: float,
    cut_px: int | None,
    photos: Path | None,
    prefixes: tuple[str, ...],
    negatives: Path | None,
    flick: float,
    preview: bool,
    recording: Path | None,
    workers: int,
) -> None:
    """Render labelled training scenes (YOLO layout) into the folder OUT. Interrupted runs go on where they stopped."""
    if recording:
        from models.scene.assets import Assets
        from models.scene.recording import record

        lines = [json.loads(line) for line in recording.read_text("utf-8").splitlines() if line.strip()]
        click.echo(record(lines, out, seed, Assets.load(assets, split)))
        return
    if preview:
        from models.preview import preview as write_preview

        write_preview(out, min(count, 30), split, assets, seed)
        click.echo(out)
        return
    from models import dataset

    with click.progressbar(length=count, label="scenes") as bar:

        def one_done(_name: str) -> None:
            bar.update(1)

        dataset.render(out, count, split, assets, (size, size), seed, workers, hands, one_done, flick)
    if photos:
        click.echo(f"{dataset.add_photos(out, photos, prefixes or ('',), split=split)} photographs added")
    if negatives:
        click.echo(f"{dataset.add_negatives(out, negatives, split)} pictures without anything added")
    if cut_px:
        dataset.cut(out, out / "crops", cut_px, 2, split)
        dataset.write_yaml(out / "crops")


@models_group.group(invoke_without_command=True)
@click.option("--from-set", "from_set", help="Fine-tune the readers with the pictures kept of this set (name or id).")
@click.option("--data", type=FOLDER, help="The folder with the sets of Schiri; default: this person's.")
@click.option("--progress", is_flag=True, help="Say how far it is as lines of JSON.")
@click.pass_context
def train(context: click.Context, from_set: str | None, data: Path | None, progress: bool) -> None:
    """Train the detector or a crop reader, or fine-tune the readers with a set's own pictures."""
    if from_set is not None:
        from models.from_set import run

        run(from_set, data, progress)
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())


@train.command("detector")
@click.argument("data", type=THERE)
@click.option(
    "--weights", required=True, help="Checkpoint to start from, e.g. yolo26n.pt; never start from random weights."
)
@click.option("--out", type=FOLDER, default=Path("runs"), show_default=True)
@click.option("--epochs", default=4, show_default=True)
@click.option("--size", default=448, show_default=True)
@click.option("--batch", default=16, show_default=True)
@click.option("--freeze", default=5, show_default=True, help="How many of the first layers keep their weights.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in OUT.")
def train_detector(
    data: Path, weights: str, out: Path, epochs: int, size: int, batch: int, freeze: int, resume: bool
) -> None:
    """Fine-tune the detector on the data set DATA (dataset.yaml)."""
    from models.detector_train import train as run

    click.echo(run(data, weights, out, epochs, size, batch, resume=resume, freeze=freeze))


@train.command("reader")
@click.argument("kind", type=click.Choice(["die", "tile", "number", "hole", "pip", "mark", "print"]))
@click.option(
    "--work", type=FOLDER, default=Path("runs/readers"), show_default=True, help="Where crops and checkpoints are kept."
)
@click.option(
    "--target", type=click.Path(path_type=Path), help="The ONNX file to write; default: the one that Schiri uses."
)
@click.option("--thousands", default=20, show_default=True, help="How many thousand crops to make.")
@click.option("--epochs", default=12, show_default=True)
@click.option("--assets", type=FOLDER)
@click.option("--photos", type=THERE, help="Folder of real dice photographs (images, labels).")
@click.option("--photo-prefix", "prefixes", multiple=True)
@click.option("--negatives", type=FOLDER, help="Pictures without dice; what looks like one is `none`.")
@click.option("--workers", default=2, show_default=True)
def reader(
    kind: str,
    work: Path,
    target: Path | None,
    thousands: int,
    epochs: int,
    assets: Path | None,
    photos: Path | None,
    prefixes: tuple[str, ...],
    negatives: Path | None,
    workers: int,
) -> None:
    """Train the reader of die faces, of kinds of tiles, of the numbers printed on tiles, of the holes of Dice Flick
    and the pips in them, or of the marks and the print on score sheets."""
    from models.classes import DIE_READER_ONNX, NUMBER_READER_ONNX, TILE_READER_ONNX

    if kind in ("hole", "pip", "mark", "print"):
        _train_drawn(kind, work, target, thousands, epochs, assets)
        return
    if kind == "number":
        from models import number_net

        target = target or NUMBER_READER_ONNX
        work.mkdir(parents=True, exist_ok=True)
        right = number_net.train(target, work / "number_reader.pt", thousands * 1000, assets=assets, told=click.echo)
        click.echo(f"{target}: {right:.1%} of the validation strips right")
        return
    from models.reader_train import train_reader

    target = target or (DIE_READER_ONNX if kind == "die" else TILE_READER_ONNX)
    right = train_reader(
        kind, work, target, thousands, epochs, assets, photos, prefixes or ("",), negatives=negatives,
        workers=workers, told=click.echo,
    )
    click.echo(f"{target}: {right:.1%} of the validation crops right")


def _train_drawn(
    kind: str, work: Path, target: Path | None, thousands: int, epochs: int, assets: Path | None
) -> None:
    """Train a reader whose crops are cut from generated boxes or sheets."""
    from models import classes, hole_train, pip_train, print_train, qwixx_train

    train_it, used = {
        "hole": (hole_train.train_holes, classes.HOLE_READER_ONNX),
        "pip": (pip_train.train_pips, classes.PIP_READER_ONNX),
        "mark": (qwixx_train.train_marks, classes.MARK_READER_ONNX),
        "print": (print_train.train_prints, classes.PRINT_READER_ONNX),
    }[kind]
    target = target or used
    right = train_it(work, target, thousands, epochs, assets, click.echo)
    click.echo(f"{target}: {right:.1%} of the validation crops right")


@models_group.command()
@click.argument("checkpoint", type=THERE)
@click.option(
    "--target", type=click.Path(path_type=Path), help="The ONNX file to write; default: the one that Schiri uses."
)
def export(checkpoint: Path, target: Path | None) -> None:
    """Export a trained detector CHECKPOINT (.pt) to ONNX."""
    from models.classes import DETECTOR_ONNX
    from models.detector_train import export as write

    write(checkpoint, target or DETECTOR_ONNX)
    click.echo(target or DETECTOR_ONNX)


@models_group.command()
@click.argument("data", type=THERE)
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="test", show_default=True)
@click.option("--weights", type=THERE, help="Detector to evaluate (ONNX); default: the one that Schiri uses.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--figures", type=FOLDER, help="Write figures (PNG) into this folder; needs the extra `train`.")
def evaluate(data: Path, split: str, weights: Path | None, as_json: bool, figures: Path | None) -> None:
    """How well the detector finds the things on the labelled folder DATA (images, labels), and how well dice and tiles
    are read where it says what they show (truth, as `schiri models render` writes it)."""
    from models.classes import DETECTOR_ONNX
    from models.evaluate import as_record, look, table

    try:
        seen = look(data, split, weights or DETECTOR_ONNX)
    except FileNotFoundError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(as_record(seen)) if as_json else table(seen))
    if figures:
        try:
            from models.figures import write_figures
        except ImportError:
            raise click.ClickException("Figures need matplotlib: pip install 'schiri[train]'.") from None
        for file in write_figures(figures, seen):
            click.echo(file, err=True)


@models_group.command("dice")
@click.argument("photos", type=THERE)
@click.option("--photo-prefix", "prefixes", multiple=True, help="Only photographs whose names start so.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a contact sheet of what went wrong to this PNG.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def dice(photos: Path, prefixes: tuple[str, ...], sheet: Path | None, as_json: bool) -> None:
    """How well the dice of real PHOTOS (images, labels in YOLO's format whose class is the face - 1) are read."""
    from models import evaluate_dice as run
    from vision.dice import load_dice_eyes, read_dice

    eyes = load_dice_eyes()
    try:
        told = list(run.outcomes(photos, prefixes or ("",), lambda image: read_dice(image, eyes)))
        result = run.summary(told)
    except FileNotFoundError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(result) if as_json else run.sentence(result))
    failed = run.failures(told)
    if sheet and failed is not None:
        sheet.write_bytes(cv2.imencode(".png", failed)[1].tobytes())
        click.echo(sheet, err=True)


@models_group.command("learning")
@click.option("--work", type=FOLDER, default=Path("runs/learning"), show_default=True, help="Where the pictures lie.")
@click.option("--split", type=click.Choice(["train", "val", "test"]), default="test", show_default=True)
@click.option("--assets", type=FOLDER, help="Folder with textures, backgrounds and fonts; optional.")
@click.option("--sets", default=4, show_default=True, help="How many sets, each in another strange printing.")
@click.option("--clip", type=FOLDER, help="Measure with the stills of this clip of Verflixxt! instead.")
def learning(work: Path, split: str, assets: Path | None, sets: int, clip: Path | None) -> None:
    """How well sets that nobody trained on are read after 0, 1, 2, 3 and 5 pictures of them."""
    from models.learning import Tally, measure, table
    from models.learning_clip import measure_clip
    from models.scene.assets import Assets

    if clip is not None:
        tally = Tally()
        try:
            measure_clip(clip, tally)
        except (OSError, KeyError, ValueError) as error:
            raise click.ClickException(f"{clip} is no clip whose stills can be measured: {error}") from None
        click.echo(table(tally))
        return
    tally = measure(split, range(sets), Assets.load(assets, split), work, lambda line: click.echo(line, err=True))
    click.echo(table(tally))
    click.echo(f"learning a start position: {max(tally.seconds):.1f} s of one core at most")
