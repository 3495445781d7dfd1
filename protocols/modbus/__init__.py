"""The Modbus profiles."""
