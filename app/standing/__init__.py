"""What games leave behind: ratings, counts and places on a board. Nothing at a table ever waits for this."""
