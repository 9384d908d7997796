"""The whole table in a folder: static files that play in the browser, with the same page and the same Python."""
