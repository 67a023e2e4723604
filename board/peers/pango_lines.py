#!/usr/bin/env python3
"""Divides texts into lines as Pango does, and tells how wide each is: what `talon-lab lines` prints, by another program.

    pango_lines.py FILE SIZE WIDTH < FAMILIES

FILE has a text a line; FAMILIES, a line for each, the families of fonts that show it (Pango's own names, with commas). Prints a line for each line
of text: the number of the text, the width in 1/64 pixel without its blanks, and the text, with tabs between.
"""

import sys

import cairo
import gi

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo  # noqa: E402


def main():
    path, size, width = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    surface = cairo.ImageSurface(cairo.FORMAT_A8, 8, 8)
    context = PangoCairo.create_context(cairo.Context(surface))
    options = cairo.FontOptions()
    options.set_hint_style(cairo.HINT_STYLE_NONE)
    options.set_hint_metrics(cairo.HINT_METRICS_OFF)
    PangoCairo.context_set_font_options(context, options)
    context.set_round_glyph_positions(False)
    families = sys.stdin.read().splitlines()
    with open(path, encoding="utf-8") as file:
        texts = file.read().splitlines()
    for number, (text, family) in enumerate(zip(texts, families)):
        font = Pango.FontDescription.from_string(family)
        font.set_absolute_size(size * Pango.SCALE)
        layout = Pango.Layout.new(context)
        layout.set_font_description(font)
        # What Inter does with arrows and multiplications is left out of the fonts that are built in.
        attributes = Pango.AttrList()
        attributes.insert(Pango.attr_font_features_new("calt=0"))
        # No hyphen where a word is divided that is longer than a line.
        attributes.insert(Pango.attr_insert_hyphens_new(False))
        # Pango gives a blank the font of the word before it, Talon always that of the text: so that lines end alike, both do that.
        encoded = text.encode()
        for place, byte in enumerate(encoded):
            if byte == 0x20:
                blank = Pango.attr_family_new("Inter")
                blank.start_index, blank.end_index = place, place + 1
                attributes.insert(blank)
        layout.set_attributes(attributes)
        layout.set_width(width * Pango.SCALE)
        layout.set_wrap(Pango.WrapMode.WORD_CHAR)
        layout.set_text(text, -1)
        if layout.get_unknown_glyphs_count() > 0:
            sys.exit("text %d has characters that no font of %s has" % (number, family))
        for line in layout.get_lines_readonly():
            end = line.start_index + line.length
            reach = line.get_extents()[1].width
            for place in range(line.start_index, end):
                if encoded[place] == 0x20:
                    reach -= abs(line.index_to_x(place, False) - line.index_to_x(place, True))
            part = encoded[line.start_index : end].decode().rstrip(" ")
            print(number, round(reach * 64 / Pango.SCALE), part, sep="\t")


main()
