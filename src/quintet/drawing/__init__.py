"""A position as text, SVG and PNG, and a value over a game as a graph."""
