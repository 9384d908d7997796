"""Language models and other agents, asked for moves and scored against perfect play: tasks for Inspect."""
