"""What things look like: outlines, solids and rotors, for the panel and for files."""

from samara.scene.outline import Outline, Pen, outline, shown
from samara.scene.scene import scene_of

__all__ = ["Outline", "Pen", "outline", "scene_of", "shown"]
