"""Engines against each other: tournaments, ratings, result files."""
