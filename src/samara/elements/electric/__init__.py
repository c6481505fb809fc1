"""Electric circuits, motors and sensors."""
