"""A server for AI assistants, over the Model Context Protocol: an assistant plays with its user."""
