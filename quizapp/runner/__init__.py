"""Starts a demo anywhere: a local worker, over SSH, or the replay of a record."""
