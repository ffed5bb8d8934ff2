"""Shapes of the things on a table as quad meshes with outward normals (lengths in mm, foot at z = 0)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mesh:
    """``vertices`` (V, 3), ``quads`` (F, 4) indices (a triangle repeats its last corner), ``normals`` (F, 3)."""

    vertices: Array
    quads: NDArray[np.int64]
    normals: Array

    def moved(self, offset_mm: Array, turn: Array | None = None) -> Mesh:
        """Turned by the (3, 3) rotation, then shifted."""
        if turn is None:
            return Mesh(self.vertices + offset_mm, self.quads, self.normals)
        return Mesh(self.vertices @ turn.T + offset_mm, self.quads, self.normals @ turn.T)

    def scaled(self, factor: float) -> Mesh:
        """Grown about the origin."""
        return Mesh(self.vertices * factor, self.quads, self.normals)

    def faces_mm(self) -> Array:
        """Corners of every face, (F, 4, 3)."""
        return np.asarray(self.vertices[self.quads])


def turn_z(angle_deg: float) -> Array:
    """Rotation about the vertical."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def turn_x(angle_deg: float) -> Array:
    """Rotation about the x axis."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def lathe(profile_mm: Array, segments: int = 18) -> Mesh:
    """Surface of revolution of ``profile_mm`` (P, 2): radius, height, from the foot to the top."""
    angle = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    vertices = np.concatenate([np.column_stack([ring * r, np.full(segments, z)]) for r, z in profile_mm])
    quads, normals = [], []
    middle = angle + np.pi / segments
    for k in range(len(profile_mm) - 1):
        a = np.arange(segments) + k * segments
        b = (np.arange(segments) + 1) % segments + k * segments
        quads.append(np.stack([a, b, b + segments, a + segments], 1))
        dr, dz = profile_mm[k + 1] - profile_mm[k]
        out = np.column_stack([np.cos(middle) * dz, np.sin(middle) * dz, np.full(segments, -dr)])
        normals.append(out / (np.linalg.norm(out, axis=1, keepdims=True) + 1e-9))
    return Mesh(vertices, np.concatenate(quads), np.concatenate(normals))


def prism(sides: int, across_mm: float, height_mm: float, turn_deg: float = 0.0) -> Mesh:
    """Regular prism, ``across_mm`` from flat to flat; only its sides and no lid (the lid is textured)."""
    radius = across_mm / 2 / np.cos(np.pi / sides)
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False) + np.pi / sides + np.radians(turn_deg)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1) * radius
    vertices = np.concatenate([np.column_stack([ring, np.full(sides, z)]) for z in (0.0, height_mm)])
    a, b = np.arange(sides), (np.arange(sides) + 1) % sides
    middle = angle + np.pi / sides
    normals = np.column_stack([np.cos(middle), np.sin(middle), np.zeros(sides)])
    return Mesh(vertices, np.stack([a, b, b + sides, a + sides], 1), normals)


def rounded_cube(side_mm: float, rounding: float, cells: int = 6) -> Mesh:
    """Cube centred on the origin, ``rounding`` 0 (sharp) .. 1 (ball)."""
    t = np.linspace(-1, 1, cells + 1)
    u, v = np.meshgrid(t, t, indexing="ij")
    vertices: list[Array] = []
    quads: list[NDArray[np.int64]] = []
    index = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    block = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], -1).reshape(-1, 4)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            face = np.zeros((u.size, 3))
            face[:, axis], face[:, (axis + 1) % 3], face[:, (axis + 2) % 3] = sign, u.ravel(), v.ravel()
            quads.append(block + len(vertices) * u.size)
            vertices.append(face)
    points = np.concatenate(vertices)
    core = np.clip(points, -(1 - rounding), 1 - rounding)
    away = points - core
    points = core + rounding * away / (np.linalg.norm(away, axis=1, keepdims=True) + 1e-9)
    faces = np.concatenate(quads)
    centre = points[faces].mean(1)
    normals = centre - np.clip(centre, -(1 - rounding), 1 - rounding) * (1 - 1e-3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    return Mesh(points * side_mm / 2, faces, normals)


def box(size_mm: tuple[float, float, float]) -> Mesh:
    """Axis-aligned block standing on z = 0, centred in x and y."""
    unit = rounded_cube(2.0, 0.02, 1)
    scale = np.array(size_mm) / 2
    return Mesh(unit.vertices * scale + np.array([0, 0, scale[2]]), unit.quads, unit.normals)


def tube(path_mm: Array, radii_mm: Array, segments: int = 14) -> Mesh:
    """Round tube along ``path_mm`` (P, 3) with a radius per point: forearms, pens."""
    angle = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    rings, outs = [], []
    for k, (point, radius) in enumerate(zip(path_mm, radii_mm, strict=True)):
        ahead = path_mm[min(k + 1, len(path_mm) - 1)] - path_mm[max(k - 1, 0)]
        ahead = ahead / (np.linalg.norm(ahead) + 1e-9)
        side = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
        up = np.cross(side, ahead)
        out = np.outer(np.cos(angle), side) + np.outer(np.sin(angle), up)
        rings.append(point + radius * out)
        outs.append(out)
    a, b = np.arange(segments), (np.arange(segments) + 1) % segments
    quads = [np.stack([a, b, b + segments, a + segments], 1) + k * segments for k in range(len(path_mm) - 1)]
    normals = [(outs[k] + np.roll(outs[k], -1, 0)) / 2 for k in range(len(path_mm) - 1)]
    return Mesh(np.concatenate(rings), np.concatenate(quads), np.concatenate(normals))


def load_obj(path: Path) -> Mesh:
    """Triangles and quads of a Wavefront file; normals from the winding, turned outward as a whole."""
    vertices, quads = [], []
    for line in path.read_text().splitlines():
        parts = line.split()
        if parts[:1] == ["v"]:
            vertices.append([float(x) for x in parts[1:4]])
        elif parts[:1] == ["f"]:
            corner = [int(p.split("/")[0]) - 1 for p in parts[1:]]
            for k in range(1, len(corner) - 1, 2):
                quads.append([corner[0], corner[k], corner[k + 1], corner[min(k + 2, len(corner) - 1)]])
    points, faces = np.array(vertices), np.array(quads)
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    volume = float(np.einsum("ij,ij->i", corners[:, 0] - points.mean(0), normals).sum())
    return Mesh(points, faces, normals if volume > 0 else -normals)
