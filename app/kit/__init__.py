"""Plays a bot on a running server. It knows the API and the engine, and nothing of the service's insides."""
