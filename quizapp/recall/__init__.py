"""From an answer to a score: matching points, false statements, calculations."""
