"""Training and export of the detector (extra ``train``: ultralytics and torch)."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any


def _quiet_ultralytics() -> Any:
    """Ultralytics with everything that talks to the network switched off."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import ultralytics
    from ultralytics import settings

    settings.update({"sync": False})
    return ultralytics


def _bfloat16_on_cpu() -> None:
    """Let the stock trainer run in bfloat16 on a CPU that has it (half the time; without, it is far slower)."""
    import torch
    from ultralytics.engine import trainer

    able = any(getattr(torch.cpu, f"_is_{name}_supported", bool)() for name in ("avx512_bf16", "amx_tile"))
    if able and not torch.cuda.is_available():
        vars(trainer)["autocast"] = lambda *_args, **_kwargs: torch.autocast("cpu", torch.bfloat16)


def _prepare(trainer: Any) -> None:
    """Every core (Ultralytics leaves one idle) and the memory layout that CPUs like."""
    import torch

    torch.set_num_threads(os.cpu_count() or 1)
    trainer.model = trainer.model.to(memory_format=torch.channels_last)


def _cosine(trainer: Any) -> None:
    """The learning rate falls batch by batch: runs here have few epochs, and Ultralytics steps once an epoch."""
    total = len(trainer.train_loader) * trainer.epochs
    done = trainer.start_epoch * len(trainer.train_loader) + getattr(trainer, "batches_done", 0)
    factor = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done / total, 1.0)))
    for group in trainer.optimizer.param_groups:
        group["lr"] = group["initial_lr"] * factor


def _progress(trainer: Any) -> None:
    """A line every 20 batches: the bar of Ultralytics does not show in a log file."""
    trainer.batches_done = getattr(trainer, "batches_done", 0) + 1
    if trainer.batches_done % 20 == 0:
        losses = " ".join(f"{float(v):.3f}" for v in trainer.label_loss_items(trainer.tloss).values())
        total = len(trainer.train_loader) * trainer.epochs
        print(f"batch {trainer.batches_done}/{total} losses {losses}", flush=True)


SETTINGS = {
    "name": "detector",
    "exist_ok": True,
    "optimizer": "AdamW",
    "lrf": 0.02,
    "warmup_epochs": 0.3,
    "cos_lr": True,
    "mosaic": 0.3,
    "close_mosaic": 2,
    "scale": 0.35,
    "translate": 0.1,
    "hsv_h": 0.01,
    "hsv_s": 0.4,
    "hsv_v": 0.3,
    "erasing": 0.0,
    "auto_augment": None,
    "plots": False,
    "save_period": 1,
    "seed": 1,
    "deterministic": False,
    "amp": False,
}
"""Ultralytics' training settings that are the same in every training: pictures keep their scale and colours, nearly."""


def train(
    data: Path,
    weights: str,
    out: Path,
    epochs: int = 8,
    size_px: int = 640,
    batch: int = 16,
    rate: float = 1e-3,
    resume: bool = False,
    workers: int = 0,
    **more: Any,
) -> Path:
    """Fine-tune ``weights`` (a COCO-derived checkpoint, e.g. ``yolo26n.pt``) on a data set; the best checkpoint.

    ``resume`` goes on from ``out/detector/weights/last.pt``. ``more`` are Ultralytics' own training settings.
    """
    ultralytics = _quiet_ultralytics()
    _bfloat16_on_cpu()
    last = out / "detector" / "weights" / "last.pt"
    model = ultralytics.YOLO(str(last) if resume and last.exists() else weights)
    model.add_callback("on_train_start", _prepare)
    model.add_callback("on_train_batch_start", _cosine)
    model.add_callback("on_train_batch_end", _progress)
    settings = {
        **SETTINGS,
        "data": str(data),
        "epochs": epochs,
        "imgsz": size_px,
        "batch": batch,
        "nbs": batch,
        "workers": workers,
        "project": str(out.resolve()),
        "lr0": rate,
    }
    model.train(**{**settings, **more, "resume": resume and last.exists()})
    return out / "detector" / "weights" / "best.pt"


def export(checkpoint: Path, file: Path) -> None:
    """Write the detector as ONNX with free height and width (the run time fixes them), half precision weights."""
    ultralytics = _quiet_ultralytics()
    made = ultralytics.YOLO(str(checkpoint)).export(format="onnx", dynamic=True, simplify=True, opset=17, nms=False)
    store_half(Path(made), file)
    if Path(made).resolve() != file.resolve():
        Path(made).unlink()


def store_half(source: Path, target: Path, least: int = 1024) -> None:
    """Copy an ONNX file with its large float32 weights as float16 and a cast behind each: half the size.

    Run times fold the casts when they load the file, so they compute in float32 as before.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(source))
    casts = []
    for weight in list(model.graph.initializer):
        values = numpy_helper.to_array(weight)
        if weight.data_type != TensorProto.FLOAT or values.size < least:
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(values.astype("float16"), name + "_half"))
        casts.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, str(target))
