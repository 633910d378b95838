"""Make math.woff, the letters and signs of the formulas: `python docs/assets/make_math_font.py`.

It is a part of the font DejaVu Math TeX Gyre (package fonts-dejavu-extra on Debian), whose licence
is in math-font-licence.txt. It needs fonttools, which comes with matplotlib.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset

SOURCE = "/usr/share/fonts/truetype/dejavu/DejaVuMathTeXGyre.ttf"
OUT = Path(__file__).with_name("math.woff")
RANGES = [
    (0x20, 0x7E),  # ASCII
    (0xA0, 0xFF),  # Latin-1
    (0x370, 0x3FF),  # Greek
    (0x2010, 0x203F),  # dashes, dots, primes
    (0x2102, 0x2133),  # letter-like signs
    (0x2190, 0x21FE),  # arrows
    (0x2200, 0x22FE),  # operators
    (0x2308, 0x230B),  # ceilings and floors
    (0x23DE, 0x23DF),  # horizontal braces
    (0x27E8, 0x27E9),  # angle brackets
    (0x1D434, 0x1D4CF),  # italic, bold italic and script letters
    (0x1D538, 0x1D56B),  # double-struck letters
    (0x1D6A8, 0x1D71B),  # Greek, bold and italic
    (0x1D7D8, 0x1D7E1),  # double-struck digits
]


def main(source: str = SOURCE) -> None:
    """Write the part of the font that formulas need."""
    options = subset.Options(flavor="woff", layout_features=["*"], hinting=False, name_IDs=["*"])
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[sign for low, high in RANGES for sign in range(low, high + 1)])
    subsetter.subset(font)
    subset.save_font(font, str(OUT), options)
    print(OUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
