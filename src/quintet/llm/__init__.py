"""Language models and other agents, asked for moves and judged against perfect play."""
