"""How each game is played on a rig: which ways there are, who sits at the table, which clause a device serves."""
