"""Maps that several tests look at."""

from __future__ import annotations

# The novice needs blue alone. Its one reachable wizard is a decoy; the holder is behind a red
# barrier, and it never asks for red.
STUCK = """\
name: stuck
map:
b2@.=A
.r####
%#####
h#####

legend:
@ = main agent, goal A
2 = novice agent2, goal A
b = blue wizard
h = blue wizard, holder
r = red wizard, holder
= = blue barrier
% = red barrier
"""
STUCK_BUT_MOVING = STUCK + "\nactions:\nagent2: left right\n"  # it asks the decoy, then goes on

# Two of the blue wizards can be reached only through the red barrier, and the main agent's chest
# needs no red amulet: searching alone has no end.
ENDLESS = """\
name: endless
experiment: 3
scenario: 2
outcomes: revealed

map:
###########
###A#####B#
#.....3..=#
###.##$##.#
###@####b.#
###.#####.#
###.#####.#
###.#####.#
###.##b##.b
##..2....%#
###r#####C#
###########

legend:
@ = main agent, goal B
2 = expert agent2, goal C
3 = expert agent3, goal A
$ = blue wizard, holder
b = blue wizard
r = red wizard, holder
= = blue barrier
% = red barrier
"""

# A blue wizard stands behind a red barrier, and the main agent does not need red.
BEHIND_A_BARRIER = """map:
..$.@...%b
r.......##
..2.....##
###=######
###A....##

legend:
@ = main agent, goal A
2 = expert agent2, goal A
$ = blue wizard, holder
b = blue wizard
r = red wizard, holder
= = blue barrier
% = red barrier
"""
