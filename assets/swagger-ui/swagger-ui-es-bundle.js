// Not used.
