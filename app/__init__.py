"""An HTTP game service for All Fives dominoes and its relatives."""
