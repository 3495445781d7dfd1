"""How devices are reached: one record per wire."""
