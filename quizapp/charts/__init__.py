"""Numbers to rows of spans."""
