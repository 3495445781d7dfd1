"""Let It Ride: New Jersey 19:47-18."""
