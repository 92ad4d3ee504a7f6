"""Claims, predictions, verdicts and the wire protocol."""
