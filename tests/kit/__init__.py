"""The bot kit."""
