"""Three bots to begin with, from the smallest to one that draws conclusions; docs/bots.md explains them."""
