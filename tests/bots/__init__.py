"""Our own bots, proved."""
