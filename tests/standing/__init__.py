"""Ratings, counts, profiles and boards."""
