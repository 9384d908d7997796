"""Where matches live: a SQLite file in the user's data folder, or any database by its SQLAlchemy URL.

A match is a row, and each of its moves is a row in the rule book's notation, on the disk before the call returns.
What is read back is played through the rules again, so damage is named and never shown as a game.
"""
