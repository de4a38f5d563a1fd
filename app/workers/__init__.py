"""Processes beside the web server: RQ workers and the clock."""
