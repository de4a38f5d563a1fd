"""Records of games: judged again offline, written down in one line a hand, played on from any point.

Pure: a record comes in as a value or as lines, findings and text go out. docs/records.md says what a record holds.
"""
