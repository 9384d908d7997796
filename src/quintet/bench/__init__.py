"""Benchmarks and load clients, each beside its peer."""
