"""What Schiri knows about this set: seen, put right, removed, passed on as a file; symbols taught by a tap."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from vision.exemplars.errors import SetError
from web.guard import controlled, json_body

if TYPE_CHECKING:
    from calibration.plane import TablePlane
    from vision.exemplars.shelf import SetShelf
    from vision.exemplars.store import Exemplar, ExemplarSet
    from web.desk import Desk

Json = dict[str, Any]

FILE_LIMIT = 40_000_000
"""The largest file of a set that is taken in, in bytes."""

LIKELY = 0.5
"""What is less probable is not said of a die: it is unknown."""

LABELS: Mapping[str, tuple[str, ...]] = {
    "tile": (*(str(v) for v in range(-10, 0)), "luck", *(f"+{v}" for v in range(1, 9)), "verflixxt"),
    "die": ("1", "2", "3", "4", "5", "6"),
    "action_die": ("must", "may", "may_not"),
    "worm": ("extra_turn", "to_bottom", "move_others", "swap"),
    "piece": ("pawn", "guard", "flixxy"),
}
"""What each kind of thing can be taught as."""

blueprint = Blueprint("sets", __name__)


class Teacher:
    """Looks at what is tapped; loads the detector with the first tap. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._detector: Any = None
        self._reader: Any = None

    def teach(self, desk: Desk, own: ExemplarSet, kind: str, label: str, at_px: tuple[float, float]) -> None:
        """What was tapped in the newest picture shows ``label``. Raises SetError, CameraError."""
        from vision.exemplars.knowledge import Knowledge

        image, plane, known = desk.picture(), _plane(desk), Knowledge(own)
        if kind in ("die", "action_die"):
            box = self._die_at(image, at_px)
            if box is None:
                raise SetError("nothing_there")
            known.learn_die(image, plane, box, label, "person")
            return
        x, y = (float(v) for v in plane.to_mm([at_px])[0])
        if kind == "worm":
            known.learn_token(image, plane, (x, y), label)
        else:
            known.learn_tiles(image, plane, [(label, (x, y))], (), "person")

    def look(self, desk: Desk, own: ExemplarSet) -> list[Json]:
        """Every die in the newest picture: ``{"box", "reads", "sure"}``; ``reads`` is empty where it is unknown."""
        import numpy as np

        from vision.exemplars.knowledge import Knowledge
        from vision.readers import die_crop, die_reader

        image, plane = desk.picture(), _plane(desk)
        boxes = [(float(a), float(b), float(c), float(d)) for a, b, c, d in self._dice(image)]
        if not boxes:
            return []
        with self._lock:
            self._reader = self._reader or die_reader()
            general = self._reader.read(np.stack([die_crop(image, box) for box in boxes]))
        faces, symbols = Knowledge(own).dice(image, plane, boxes, general, pips_only=False)
        return [_seen(box, face, shown) for box, face, shown in zip(boxes, faces, symbols, strict=True)]

    def _die_at(self, image: Any, at_px: tuple[float, float]) -> tuple[float, float, float, float] | None:
        x, y = at_px
        around = [box for box in self._dice(image) if box[0] - 4 <= x <= box[2] + 4 and box[1] - 4 <= y <= box[3] + 4]
        best = min(around, key=lambda b: abs((b[0] + b[2]) / 2 - x) + abs((b[1] + b[3]) / 2 - y), default=None)
        return None if best is None else (float(best[0]), float(best[1]), float(best[2]), float(best[3]))

    def _dice(self, image: Any) -> list[Any]:
        from vision.detector import load_detector

        with self._lock:
            self._detector = self._detector or load_detector(conf=0.2)
            return list(self._detector.detect(image).of("die").xyxy_px)


@blueprint.get("/sets")
def page() -> ResponseReturnValue:
    """What Schiri knows about this set."""
    return render_template("sets.html")


@blueprint.get("/api/sets")
@controlled
def sets() -> ResponseReturnValue:
    """All sets, and what is known of the current one."""
    return jsonify(_state())


@blueprint.get("/api/sets/crop/<ident>.png")
@controlled
def crop(ident: str) -> ResponseReturnValue:
    """The picture of an exemplar of the current set."""
    return Response(_shelf().current.png(ident), mimetype="image/png")


@blueprint.get("/api/sets/file")
@controlled
def packed() -> ResponseReturnValue:
    """The current set as a file."""
    name = {"Content-Disposition": "attachment; filename=schiri-set.zip"}
    return Response(_shelf().current.packed(), mimetype="application/zip", headers=name)


@blueprint.post("/api/sets/file")
@controlled
def take_in() -> ResponseReturnValue:
    """Add the set in the body (a file written by Schiri); it is the current one then."""
    request.max_content_length = FILE_LIMIT
    _shelf().take_in(request.get_data(cache=False))
    return jsonify(_state())


@blueprint.post("/api/sets/<any(choose, new, rename, remove):what>")
@controlled
def change(what: str) -> ResponseReturnValue:
    """``{"id"}`` for choose and remove, ``{"name"}`` for new, both for rename."""
    wanted, shelf = json_body(), _shelf()
    ident, name = str(wanted.get("id", "")), str(wanted.get("name", ""))
    if what == "new":
        shelf.new(name)
    elif what == "rename":
        shelf.rename(ident, name)
    else:
        {"choose": shelf.choose, "remove": shelf.remove}[what](ident)
    return jsonify(_state())


@blueprint.post("/api/sets/forget")
@controlled
def forget() -> ResponseReturnValue:
    """Remove exemplars of the current set: ``{"ids": [...]}``."""
    given = json_body().get("ids")
    _shelf().current.remove([str(ident) for ident in given] if isinstance(given, list) else [])
    return jsonify(_state())


@blueprint.post("/api/sets/relabel")
@controlled
def relabel() -> ResponseReturnValue:
    """An exemplar shows something else: ``{"id", "label"}``."""
    wanted = json_body()
    ident, label = str(wanted.get("id", "")), str(wanted.get("label", ""))
    own = _shelf().current
    kind = next((e.kind for e in own.all() if e.ident == ident), None)
    if kind is None:
        raise SetError("no_such_exemplar")
    own.relabel(ident, _label(kind, label))
    return jsonify(_state())


@blueprint.post("/api/sets/teach")
@controlled
def teach() -> ResponseReturnValue:
    """What was tapped at ``at`` (parts of the picture's width and height) is ``{"kind", "label"}``."""
    wanted, desk = json_body(), _desk()
    kind = str(wanted.get("kind", ""))
    label = _label(kind, str(wanted.get("label", "")))
    if kind == "piece":  # pieces are known from positions; a tap does not say where one ends
        raise SetError("bad_label", label=kind)
    teacher: Teacher = current_app.extensions["schiri-teacher"]
    teacher.teach(desk, _shelf().current, kind, label, _point(wanted.get("at"), desk))
    return jsonify(_state())


@blueprint.get("/api/sets/look")
@controlled
def look() -> ResponseReturnValue:
    """What is read of every die in the newest picture."""
    teacher: Teacher = current_app.extensions["schiri-teacher"]
    image = _desk().picture()
    dice = teacher.look(_desk(), _shelf().current)
    return jsonify(dice=dice, size=[image.shape[1], image.shape[0]])


def _state() -> Json:
    shelf = _shelf()
    names = [{"id": ident, "name": name} for ident, name in shelf.names()]
    entries = [_entry(one) for one in shelf.current.all()]
    labels = {kind: list(of_kind) for kind, of_kind in LABELS.items()}
    return {"current": shelf.current_id, "sets": names, "exemplars": entries, "labels": labels}


def _entry(one: Exemplar) -> Json:
    return {
        "id": one.ident, "kind": one.kind, "label": one.label, "source": one.source, "taught": one.taught,
        "doubted": one.doubted,
    }  # fmt: skip


def _seen(box: tuple[float, ...], faces: Any, symbols: Mapping[str, float]) -> Json:
    every = {**{name: float(p) for name, p in zip(LABELS["die"], faces, strict=False)}, **symbols}
    best = max(every, key=lambda name: every[name])
    sure = every[best] >= LIKELY
    return {"box": [round(v, 1) for v in box], "reads": best if sure else "", "sure": round(every[best], 3)}


def _label(kind: str, label: str) -> str:
    """Raises SetError for a label that things of this kind cannot have."""
    if label not in LABELS.get(kind, ()):
        raise SetError("bad_label", label=label[:40])
    return label


def _point(given: Any, desk: Desk) -> tuple[float, float]:
    """A tapped point in pixels. Raises SetError, CameraError."""
    fits = isinstance(given, list) and len(given) == 2 and all(
        isinstance(v, int | float) and 0 <= v <= 1 for v in given
    )
    if not fits:
        raise SetError("nothing_there")
    height, width = desk.picture().shape[:2]
    return float(given[0]) * width, float(given[1]) * height


def _plane(desk: Desk) -> TablePlane:
    """The measured table, in pixels of the newest picture. Raises SetError, CameraError."""

    if desk.plane is not None:
        image = desk.picture()
        return desk.plane.scaled_to((image.shape[1], image.shape[0]))
    raise SetError("not_measured")


def _shelf() -> SetShelf:
    shelf: SetShelf = _desk().sets
    return shelf


def _desk() -> Desk:
    desk: Desk = current_app.extensions["schiri-desk"]
    return desk
