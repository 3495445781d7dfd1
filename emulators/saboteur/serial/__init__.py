"""Mutants on a serial line."""

from feltrig.emulators.saboteur.serial import answers, frames, invalid, line

FILES = (line, frames, answers, invalid)
