"""Where matches are saved: a SQLite file in the user's data folder, or any database by its SQLAlchemy URL.

A match is a row, and each of its moves is a row in the rule book's notation, on disk before the call returns.
What is loaded is replayed by the rules, so damage is reported and never shown as a game.
"""
