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

# The novice does nothing if B is its chest: no red wizard can be reached, and it asks no other. So
# Q_obs, 21.7 with these settings, has no look paid for under that goal, and with one it is C_self, 22.
IDLE = """\
name: an idle novice
experiment: 3
outcomes: revealed

map:
.A.#@%B
#$...=%
#..g===
.2.===C
....=#r
.#b..g.

legend:
@ = main agent, goal C
2 = novice agent2, goal A
b = blue wizard, holder
$ = green wizard, holder
g = green wizard
r = red wizard, holder
= = green barrier
% = red barrier
"""
IDLE_SETTINGS = {"move": 1, "interact": 3, "converge": 0.6, "prune": 0.0}

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
