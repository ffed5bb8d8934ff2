"""The scene generator: reproducible, labelled truthfully, usable without any files."""

from __future__ import annotations

import numpy as np
import pytest

from models.classes import DETECTOR_CLASSES, TILE_CLASSES
from models.scene import meshes
from models.scene.assets import Assets, split_of
from models.scene.camera import Camera
from models.scene.compose import KINDS, Composer
from models.scene.pip_die import Die
from models.scene.raster import Light, Material
from models.scene.stage import Stage
from models.scene.things import PieceStyle

WHITE = np.ones(3)


def stage(elevation_deg: float = 60.0) -> Stage:
    camera = Camera.looking_at((0, 0), 500, elevation_deg, 0, 0, 900, (320, 240))
    return Stage(
        camera, Light(np.array([100.0, -200, 600]), WHITE * 0.6, WHITE * 0.5, 4.0, 0.8), np.random.default_rng(0)
    )


def test_camera_projects_the_table_as_its_homography_does() -> None:
    camera = Camera.looking_at((30, -20), 700, 55, 25, 3, 1000, (640, 480))
    points = np.array([[0.0, 0, 0], [120, 40, 0], [-80, 90, 0]])
    flat = np.column_stack([points[:, :2], np.ones(3)]) @ camera.homography().T
    assert np.allclose(camera.project(points), flat[:, :2] / flat[:, 2:])
    assert np.allclose(camera.project(np.array([[30.0, -20, 0]])), [[320, 240]])


def test_nearer_and_higher_is_where_it_should_be() -> None:
    camera = Camera.looking_at((0, 0), 700, 55, 0, 0, 1000, (640, 480))
    middle, near, right, high = camera.project(np.array([[0.0, 0, 0], [0, 50, 0], [50, 0, 0], [0, 0, 30]]))
    assert near[1] > middle[1] and right[0] > middle[0] and high[1] < middle[1]


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_picture_without_assets(kind: str) -> None:
    composer = Composer(Assets())
    first, labels = composer.picture(11, (256, 256), kind)
    again, labels_again = composer.picture(11, (256, 256), kind)
    other, _ = composer.picture(12, (256, 256), kind)
    assert first.shape == (256, 256, 3) and first.dtype == np.uint8
    assert np.array_equal(first, again) and labels == labels_again
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("seed", range(3))
def test_labels_lie_in_the_picture_and_name_known_classes(seed: int) -> None:
    _, labels = Composer(Assets()).picture(seed, (256, 256), "route")
    assert any(label.name == "tile" for label in labels)
    for label in labels:
        x0, y0, x1, y1 = label.xyxy_px
        assert 0 <= x0 < x1 <= 256 and 0 <= y0 < y1 <= 256
        assert label.name in DETECTOR_CLASSES and 0 <= label.visible <= 1.001
        if label.name == "tile":
            assert label.value in TILE_CLASSES
        numbers = [float(v) for v in label.yolo((256, 256)).split()]
        assert all(0 <= v <= 1 for v in numbers[1:])


def test_a_hidden_piece_is_labelled_as_hidden() -> None:
    scene = stage(35)
    style = PieceStyle.draw(np.random.default_rng(1))
    scene.add_guard(style, (0.0, 0.0))
    big = meshes.lathe(np.array([(30.0, 0.0), (30.0, 60.0), (0.01, 60.0)]))
    scene.add_piece(big, Material((200, 200, 200)), (0.0, 45.0), "pawn", "white")
    _, labels = scene.paint(np.full((240, 320, 3), 90, np.uint8), 1.8)
    seen = {label.name: label.visible for label in labels}
    assert seen["pawn"] > 0.99 and seen["guard"] < 0.1


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_lies_on_the_face_opposite_its_value(value: int) -> None:
    die = Die.draw(np.random.default_rng(value), value)
    assert die.value == value and die.faces[5] == 7 - value
    assert sorted(die.faces) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "mesh",
    [meshes.rounded_cube(16, 0.3), meshes.lathe(np.array([(5.0, 0), (5, 9), (0.01, 9)])), meshes.prism(8, 44, 2)],
)
def test_normals_point_outward_and_have_unit_length(mesh: meshes.Mesh) -> None:
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
    away = mesh.faces_mm().mean(1) - mesh.vertices.mean(0)
    assert ((away * mesh.normals).sum(1) > -1e-6).all()


def test_every_file_belongs_to_exactly_one_split() -> None:
    names = [f"texture_{k}.jpg" for k in range(200)]
    splits = [split_of(name) for name in names]
    assert set(splits) == {"train", "val", "test"} and splits == [split_of(name) for name in names]


def test_a_missing_assets_folder_is_named(tmp_path: pytest.TempPathFactory) -> None:
    with pytest.raises(FileNotFoundError, match="no assets folder"):
        Assets.load(tmp_path / "nowhere", "train")  # type: ignore[operator]
