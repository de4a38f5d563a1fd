"""The store contract, on the twins and on a real server."""
