"""Redis behind the ports of `app.tables`: tables, players, moments that are due, and the queue."""
