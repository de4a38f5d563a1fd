"""Matches between bots, offline on the same engine: games, duplicate series and what they prove. It reads no clock."""
