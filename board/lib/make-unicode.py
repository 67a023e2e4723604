"""Makes the table of characters' properties (Sources/CUnicode) from the Unicode Character Database.

    make-unicode.py FOLDER FILE

FOLDER has LineBreak.txt, EastAsianWidth.txt, UnicodeData.txt, auxiliary/GraphemeBreakProperty.txt and emoji/emoji-data.txt.
FILE gets one number of 32 bits for each run of characters that are alike, in the byte order of all our targets (little endian): the first of them
in the upper 21 bits, then the class for line breaking (6 bits), one flag, and the class for grapheme clusters (4 bits).
Hangul syllables stand in one run, as LVT; that each 28th is an LV is a rule of the reader.
"""

import struct
import sys

# In the order of `LineBreakClass` (Sources/Graphics/Text/LineBreaks.swift).
LINE = ("AL BK CR LF NL SP ZW WJ ZWJ GL CM CL CP EX IS SY QU OP NS B2 BA BB HY CB IN NU PR PO HL ID EB EM H2 H3 JL JV JT RI").split()
# In the order of `GraphemeClass`.
GRAPHEME = "Other CR LF Control Extend ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT Pictograph".split()


def ranges(path):
    """The rows of a file of properties: first character, last, value."""
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].strip()
        if line:
            span, value = [part.strip() for part in line.split(";")][:2]
            first, _, last = span.partition("..")
            yield int(first, 16), int(last or first, 16), value


def column(path, default):
    values = [default] * 0x110000
    for first, last, value in ranges(path):
        values[first : last + 1] = [value] * (last + 1 - first)
    return values


def categories(folder):
    values = ["Cn"] * 0x110000
    start = 0
    for line in open(folder + "/UnicodeData.txt", encoding="utf-8"):
        fields = line.split(";")
        place = int(fields[0], 16)
        if fields[1].endswith("First>"):
            start = place
        elif fields[1].endswith("Last>"):
            values[start : place + 1] = [fields[2]] * (place + 1 - start)
        else:
            values[place] = fields[2]
    return values


def line_class(name, category):
    """Rule LB1 of UAX #14: what needs more than these rules is resolved."""
    if name in ("AI", "SG", "XX"):
        return "AL"
    if name == "SA":
        return "CM" if category in ("Mn", "Mc") else "AL"
    return "NS" if name == "CJ" else name


def main():
    folder, target = sys.argv[1:]
    lines = column(folder + "/LineBreak.txt", "XX")
    # What is not assigned yet, in the blocks for ideographs and pictographs (LineBreak.txt, its head).
    for first, last in (
        (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
        (0x1F000, 0x1FAFF), (0x1FC00, 0x1FFFD),
    ):
        for place in range(first, last + 1):
            if lines[place] == "XX":
                lines[place] = "ID"
    for place in range(0x20A0, 0x20D0):
        if lines[place] == "XX":
            lines[place] = "PR"
    widths = column(folder + "/EastAsianWidth.txt", "N")
    category = categories(folder)
    graphemes = column(folder + "/auxiliary/GraphemeBreakProperty.txt", "Other")
    pictographs = set()
    for first, last, value in ranges(folder + "/emoji/emoji-data.txt"):
        if value == "Extended_Pictographic":
            pictographs.update(range(first, last + 1))
    runs, previous = [], None
    for place in range(0x110000):
        name = line_class(lines[place], category[place])
        grapheme = graphemes[place]
        if 0xAC00 <= place <= 0xD7A3:
            name, grapheme = "H3", "LVT"
        elif grapheme == "Other" and place in pictographs:
            grapheme = "Pictograph"
        # LB30 asks brackets whether they are wide, LB30b pictographs whether they are assigned.
        flag = widths[place] in "FWH" if name in ("OP", "CP") else place in pictographs and category[place] == "Cn"
        value = LINE.index(name) << 5 | flag << 4 | GRAPHEME.index(grapheme)
        if value != previous:
            runs.append(place << 11 | value)
            previous = value
    with open(target, "wb") as file:
        file.write(struct.pack("<%dI" % len(runs), *runs))


main()
