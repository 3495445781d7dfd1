"""The rig: rig files, drivers, operator, players, the round runner, the journal, findings, and the command line."""
