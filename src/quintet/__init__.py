"""Five small two-player strategy games, played perfectly."""
