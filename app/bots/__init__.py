"""Players of our own. A bot gets a `SeatView` and nothing else; the same view and the same seed give the same move."""
