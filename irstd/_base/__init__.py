"""What all rooms stand on: checks of arguments, and numbers only."""
