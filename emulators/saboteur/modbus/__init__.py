"""Mutants on Modbus."""

from feltrig.emulators.saboteur.modbus import commands, connection, exceptions, frames, functions, invalid, registers

FILES = (functions, registers, commands, exceptions, frames, invalid, connection)
