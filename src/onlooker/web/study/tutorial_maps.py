"""The small maps on which the tutorial's examples are played."""

from __future__ import annotations

ALONE = """\
map:
.......
.##.##.
....@..
.######
...A###

legend:
@ = main agent, goal A
"""

WIZARDS = """\
map:
b@$....
#.#####
#..=.A#

legend:
@ = main agent, goal A
b = blue wizard
$ = blue wizard, holder
= = blue barrier
"""

WATCHED = """\
map:
b..2..$
##.#.##
@.....#
##=####
##A####

legend:
@ = main agent, goal A
2 = {expertise} agent2, goal A
b = blue wizard
$ = blue wizard, holder
= = blue barrier
"""

CHESTS = """\
map:
b..C..$
##.#.##
@..2..B
##=####
##A####

legend:
@ = main agent, goal A
2 = expert agent2, goal B
b = blue wizard
$ = blue wizard, holder
= = blue barrier
"""

TWO = """\
map:
b..2..$
##.#.##
@..3..B
##=####
##A####

legend:
@ = main agent, goal A
2 = expert agent2, goal A
3 = {expertise} agent3, goal B
b = blue wizard
$ = blue wizard, holder
= = blue barrier
"""

SAME_CHEST = """\
map:
b2..$
@.###
#=###
#A###

legend:
@ = main agent, goal A
2 = {expertise} agent2, goal A
b = blue wizard
$ = blue wizard, holder
= = blue barrier
"""

# A teacher that needs no amulet points at the holder and turns back.
TEACHING = """\
map:
b..2..$
##...##
@..B..#
##=####
##A####

legend:
@ = main agent, goal A
2 = teacher agent2, goal B
b = blue wizard
$ = blue wizard, holder
= = blue barrier

actions:
agent2: right right left down down left
"""
