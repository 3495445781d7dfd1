"""What a certification consists of."""
