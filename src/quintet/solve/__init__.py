"""Exact values under perfect play."""
