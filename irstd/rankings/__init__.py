"""Orders of systems, and of topics: their agreement, their intervals, and what makes them."""
