"""What things look like: outlines, solids, rotors and animations, for the panel and for files."""

from samara.scene.outline import Outline, Pen, outline, shown
from samara.scene.scene import scene

__all__ = ["Outline", "Pen", "outline", "scene", "shown"]
