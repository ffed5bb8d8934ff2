"""Writing videos: H.264 through the ffmpeg program where there is one, MPEG-4 through OpenCV elsewhere."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


def write_video(file: Path, frames: Iterable[NDArray[np.uint8]], fps: int, quality: int = 26) -> Path:
    """Write frames (H, W, 3) BGR to ``file`` (.mp4); ``quality`` is x264's constant rate factor. Returns the file."""
    stream = iter(frames)
    first = next(stream)
    height, width = first.shape[:2]
    everything = itertools.chain([first], stream)
    if shutil.which("ffmpeg") is None:
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), fps, (width, height))
        for frame in everything:
            writer.write(frame)
        writer.release()
        return file
    command = [
        "ffmpeg",
        "-y",
        "-v",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "bgr24",
        "-s",
        f"{width}x{height}",
        "-r",
        str(fps),
        "-i",
        "-",
        "-c:v",
        "libx264",
        "-preset",
        "slow",
        "-crf",
        str(quality),
        "-pix_fmt",
        "yuv420p",
        str(file),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for frame in everything:
            process.stdin.write(np.ascontiguousarray(frame).tobytes())
        process.stdin.close()
    return file
