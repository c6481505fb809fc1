"""A run as a series of files for ParaView: the bent and moved machine, with the quantities along its surfaces.

    run.pvd              the series: a time and a file for each frame (ParaView's collection format)
    run/run_00000.vtp    the machine at that time: polygons and lines (VTK's XML format for poly data), in metres

Point data are what is recorded along surfaces: angle of attack, loads of the air, stress resultants; nan elsewhere.
"""

from __future__ import annotations

import base64
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from samara.viewer.channels import colours, shown_channels
from samara.viewer.frames import Recorded, frames_of
from samara.viewer.polygons import Solid, solid_of


def write_series(results: Recorded, path: Path, rate: float | None) -> None:
    """A file for each frame, in a folder beside the series."""
    frames, solid = frames_of(results, rate), solid_of(results.scene)
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    along = _Along(results, len(solid.node))
    entries = []
    for k, (row, time) in enumerate(zip(frames.rows, frames.time, strict=True)):
        file = folder / f"{path.stem}_{k:05d}.vtp"
        points = solid.points(frames.positions[k], frames.rotations[k])
        file.write_text(poly_data(solid, points, along.at(row)), "utf-8")
        name = quoteattr(f"{folder.name}/{file.name}")
        entries.append(f'<DataSet timestep="{float(time)!r}" part="0" file={name}/>')
    text = ['<?xml version="1.0"?>', '<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">']
    path.write_text("\n".join([*text, "<Collection>", *entries, "</Collection>", "</VTKFile>"]) + "\n", "utf-8")


class _Along:
    """Quantities along surfaces at the points of the machine."""

    def __init__(self, results: Recorded, points: int) -> None:
        shown = shown_channels(results, None)
        self._points = points
        self._columns = [results[c.name].reshape(len(results.time), -1) for c in shown]
        self._first = np.cumsum([0, *(c.shape[1] for c in self._columns)])
        self._surfaces = results.scene.get("surfaces", ())
        self._known = colours(results.scene, shown)

    def at(self, row: int) -> dict[str, np.ndarray]:
        numbers = np.concatenate([np.zeros(0), *(column[row] for column in self._columns)])
        return {f"{one['name']} [{one['unit']}]": self._one(one["skins"], numbers) for one in self._known}

    def _one(self, skins: dict[str, dict[str, list]], numbers: np.ndarray) -> np.ndarray:
        found = np.full(self._points, np.nan)
        for k, known in skins.items():
            rings = np.array(self._surfaces[int(k)]["rings"])
            at = np.linspace(0.0, 1.0, len(rings))
            found[rings] = np.interp(at, known["at"], numbers[known["columns"]])[:, None]
        return found


def poly_data(solid: Solid, points: np.ndarray, data: dict[str, np.ndarray]) -> str:
    """Text of a .vtp file."""
    sizes = [len(face) for face in solid.faces]
    corners = [corner for face in solid.faces for corner in face]
    lines = solid.lines
    counts = {"Points": len(points), "Verts": 0, "Lines": len(lines), "Strips": 0, "Polys": len(sizes)}
    parts = [
        '<?xml version="1.0"?>',
        '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt32">',
        "<PolyData><Piece " + " ".join(f'NumberOf{name}="{count}"' for name, count in counts.items()) + ">",
        "<PointData>",
        *(_array(name, values.astype("<f4")) for name, values in data.items()),
        "</PointData>",
        "<Points>",
        _array("points", points.astype("<f4"), 3),
        "</Points>",
        *_cells("Lines", lines.ravel(), np.full(len(lines), 2)),
        *_cells("Polys", np.array(corners), np.array(sizes)),
        "</Piece></PolyData></VTKFile>",
    ]
    return "\n".join(parts) + "\n"


def _cells(kind: str, corners: np.ndarray, sizes: np.ndarray) -> list[str]:
    connected = _array("connectivity", corners.astype("<i4"))
    return [f"<{kind}>", connected, _array("offsets", np.cumsum(sizes).astype("<i4")), f"</{kind}>"]


def _array(name: str, values: np.ndarray, components: int = 1) -> str:
    octets = np.ascontiguousarray(values).tobytes()
    text = base64.b64encode(len(octets).to_bytes(4, "little") + octets).decode("ascii")
    kind = {"f": "Float32", "i": "Int32"}[values.dtype.kind]
    head = f'type="{kind}" Name={quoteattr(name)} NumberOfComponents="{components}" format="binary"'
    return f"<DataArray {head}>{text}</DataArray>"
