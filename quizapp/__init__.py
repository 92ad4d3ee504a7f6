"""Spaced repetition for GPU-kernel interviews, with answers proved by measurement."""

__version__ = "0.1.0"
