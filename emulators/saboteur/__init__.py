"""The saboteur: devices that each break one requirement of the wire documents, to measure what a plan catches."""
