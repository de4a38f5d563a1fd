"""The rules, proved."""
