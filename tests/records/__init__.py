"""Records: verified, altered, written down and read again."""
