"""Suites: fixed games and positions on which models, engines and people are compared."""
