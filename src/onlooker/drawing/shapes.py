"""The outlines of things, in cells; y points down as on the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, pi, sin

from onlooker.drawing.route import Point
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Affine2D


def at(path: Outline, x: float, y: float, scale: float = 1.0) -> Outline:
    """A shape made larger or smaller and put in a place."""
    return path.transformed(Affine2D().scale(scale).translate(x, y))


def polygon(points: Iterable[Point]) -> Outline:
    """A closed shape with these corners."""
    corners = list(points)
    return Outline([*corners, corners[0]], closed=True)


def line(points: Iterable[Point]) -> Outline:
    """An open line through these points."""
    return Outline(list(points))


def both(*paths: Outline) -> Outline:
    """Several shapes as one."""
    return Outline.make_compound_path(*paths)


def regular(corners: int, radius: float, turn: float = 0.0) -> Outline:
    """A regular polygon, a corner at the top unless turned (in degrees)."""
    angles = (2 * pi * i / corners + turn * pi / 180 for i in range(corners))
    return polygon((radius * sin(a), -radius * cos(a)) for a in angles)


def disc(radius: float) -> Outline:
    """A circle."""
    return Outline.unit_circle().transformed(Affine2D().scale(radius))


def box(width: float, height: float) -> Outline:
    """A rectangle around the origin."""
    x, y = width / 2, height / 2
    return polygon([(-x, -y), (x, -y), (x, y), (-x, y)])


def rounded_box(width: float, height: float, radius: float) -> Outline:
    """A rectangle around the origin with round corners."""
    x, y, r = width / 2, height / 2, radius
    vertices = [
        *[(-x + r, -y), (x - r, -y), (x, -y), (x, -y + r)],
        *[(x, y - r), (x, y), (x - r, y)],
        *[(-x + r, y), (-x, y), (-x, y - r)],
        *[(-x, -y + r), (-x, -y), (-x + r, -y), (-x + r, -y)],
    ]
    corner = [Outline.LINETO, Outline.CURVE3, Outline.CURVE3]
    return Outline(vertices, [Outline.MOVETO, *corner * 4, Outline.CLOSEPOLY])


def star(radius: float) -> Outline:
    """A five-pointed star."""
    radii = (radius if i % 2 == 0 else 0.45 * radius for i in range(10))
    return polygon((r * sin(pi * i / 5), -r * cos(pi * i / 5)) for i, r in enumerate(radii))


def arrowhead(tip: Point, direction: Point, size: float) -> Outline:
    """A notched arrowhead with its tip at a point."""
    (x, y), (dx, dy) = tip, direction
    corners = [(0.0, 0.0), (-size, size / 2), (-0.72 * size, 0.0), (-size, -size / 2)]
    return polygon((x + dx * a - dy * b, y + dy * a + dx * b) for a, b in corners)


def chest(width: float, height: float) -> tuple[Outline, Outline]:
    """A treasure chest's outline and the line between lid and body."""
    x, y, lid = width / 2, height / 2, height * 0.42
    outline = Outline(
        [
            *[(-x, y), (-x, -y + lid), (-x, -y), (-x * 0.55, -y)],
            *[(x * 0.55, -y), (x, -y), (x, -y + lid), (x, y), (-x, y)],
        ],
        [
            Outline.MOVETO,
            *[Outline.LINETO, Outline.CURVE3, Outline.CURVE3] * 2,
            Outline.LINETO,
            Outline.CLOSEPOLY,
        ],
    )
    return outline, line([(-x, -y + lid), (x, -y + lid)])


def _hollow(outer: Outline, scale: float) -> Outline:
    inner = outer.transformed(Affine2D().scale(-scale, scale))  # mirrored: the other way round
    return both(outer, inner)


def _bars(*boxes: tuple[float, float, float, float]) -> Outline:
    return both(*(at(box(width, height), x, y) for x, y, width, height in boxes))


# Radius about 1; each colour's is put on its wizards.
BADGES: dict[str, Outline] = {
    "disc": disc(0.9),
    "square": box(1.6, 1.6),
    "triangle": at(regular(3, 1.15), 0, 0.2),
    "diamond": regular(4, 1.15),
    "plus": _bars((0, 0, 2, 0.7), (0, 0, 0.7, 2)),
    "cross": _bars((0, 0, 2.3, 0.7), (0, 0, 0.7, 2.3)).transformed(Affine2D().rotate(pi / 4)),
    "ring": _hollow(disc(1.0), 0.5),
    "frame": _hollow(box(1.8, 1.8), 0.5),
    "lozenge": _hollow(regular(4, 1.3), 0.5),
    "bar": box(2.2, 0.8),
    "bars": _bars((-0.6, 0, 0.6, 2), (0.6, 0, 0.6, 2)),
    "wedge": at(regular(3, 1.15, 180), 0, -0.2),
}

_STEPS = (-0.375, -0.125, 0.125, 0.375)


def _diagonals(sign: int) -> Outline:
    shifts = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75)
    return both(*(line([(s - 0.5, sign * 0.5), (s + 0.5, -sign * 0.5)]) for s in shifts))


def _rows() -> Outline:
    return both(*(line([(-0.5, y), (0.5, y)]) for y in _STEPS))


def _columns() -> Outline:
    return both(*(line([(x, -0.5), (x, 0.5)]) for x in _STEPS))


def _zigzag() -> Outline:
    xs = [-0.5 + i / 8 for i in range(9)]
    return both(
        *(line([(x, y + (0.06 if i % 2 else -0.06)) for i, x in enumerate(xs)]) for y in _STEPS)
    )


def _spots(spot: Outline) -> Outline:
    return both(*(at(spot, x, y) for x in _STEPS for y in _STEPS))


def _checks() -> Outline:
    squares = ((x, y) for i, x in enumerate(_STEPS) for j, y in enumerate(_STEPS) if (i + j) % 2)
    return both(*(at(box(0.25, 0.25), x, y) for x, y in squares))


def _bricks() -> Outline:
    joints = [
        line([(x + (0.125 if i % 2 else -0.125), y), (x + (0.125 if i % 2 else -0.125), y + 0.25)])
        for i, y in enumerate(_STEPS)
        for x in (-0.25, 0.25)
    ]
    return both(_rows(), *joints)


def _pluses() -> Outline:
    return _spots(both(line([(-0.07, 0), (0.07, 0)]), line([(0, -0.07), (0, 0.07)])))


# Patterns of one cell: how to make it, and whether it is filled (otherwise drawn as lines).
PATTERNS: dict[str, tuple[Callable[[], Outline], bool]] = {
    "diagonal": (lambda: _diagonals(1), False),
    "antidiagonal": (lambda: _diagonals(-1), False),
    "horizontal": (_rows, False),
    "vertical": (_columns, False),
    "grid": (lambda: both(_rows(), _columns()), False),
    "lattice": (lambda: both(_diagonals(1), _diagonals(-1)), False),
    "zigzag": (_zigzag, False),
    "bricks": (_bricks, False),
    "pluses": (_pluses, False),
    "rings": (lambda: _spots(disc(0.07)), False),
    "dots": (lambda: _spots(disc(0.07)), True),
    "checks": (_checks, True),
}
