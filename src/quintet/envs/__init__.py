"""The games through the interfaces that learning agents already use."""
