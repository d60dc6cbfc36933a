"""Plans: what is compared on which data, read from files, checked, locked, and cut into cells of work."""
