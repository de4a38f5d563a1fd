"""What the moves of a finished hand cost: reckoned once, by a worker, and kept as long as the table."""
