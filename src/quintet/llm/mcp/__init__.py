"""A server for assistants, over the Model Context Protocol: an assistant plays with its person."""
