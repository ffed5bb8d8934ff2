"""Fine-tuning starts from the readers as they are shipped, and refuses too few pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.classes import DIE_CLASSES, DIE_READER_ONNX, TILE_CLASSES, TILE_READER_ONNX
from vision.readers import CropReader

pytest.importorskip("torch")


@pytest.mark.parametrize(("file", "classes"), [(TILE_READER_ONNX, TILE_CLASSES), (DIE_READER_ONNX, DIE_CLASSES)])
def test_a_shipped_reader_is_taken_up_as_it_is(file: Path, classes: tuple[str, ...]) -> None:
    from models.finetune import from_onnx
    from models.reader_net import logits_of

    crops = np.random.default_rng(1).integers(0, 256, (3, 64, 64, 3)).astype(np.uint8)
    logits = logits_of(from_onnx(file), crops)
    assert logits.argmax(1).tolist() == CropReader(file, classes).read(crops).argmax(1).tolist()


def test_one_picture_is_too_few(tmp_path: Path) -> None:
    from models.finetune import TooFew, tune

    with pytest.raises(TooFew):
        tune([object()], tmp_path, lambda what, share: None)
