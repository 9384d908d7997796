"""The web table: the service, the live matches, and the page."""
