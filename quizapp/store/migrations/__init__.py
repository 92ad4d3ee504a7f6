"""The history's schema, step by step."""
