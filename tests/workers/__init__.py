"""The clock and the RQ workers, on a real server."""
