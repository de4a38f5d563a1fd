"""Analyses of finished hands: exact against brute force, estimates told apart, work in pieces."""
