"""Benchmarks: each prints ratios against a baseline run in the same process or session."""
