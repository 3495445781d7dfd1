"""Emulated devices: models of the machines, a bench for the cards, and stations that serve them on real wires."""
