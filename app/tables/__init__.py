"""Use cases: open, sit, act, leave, look, advance. What they need from outside are the protocols in `ports`."""
