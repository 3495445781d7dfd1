"""Serve a machine on a real wire: serial, Modbus or MQTT."""
