"""A position as text, SVG and PNG, and the values of a game as a graph."""
