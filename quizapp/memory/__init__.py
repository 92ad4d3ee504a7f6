"""When to ask: FSRS, study days, the queue, forecast and statistics."""
