"""A player of its own that plays a bot on a running server. It knows the API and the engine, never the service's insides."""
