"""Electric circuits, motors and what drives them."""
